/* The tip of a term: its definition, shown to the pointer, to the keyboard and to a finger. Without it a term is a link. */
(function () {
  "use strict";

  const PATIENCE = 120;   // a pointer on its way to somewhere else raises no tip
  const GRACE = 250;      // time enough to move from a term into its tip
  const tip = document.createElement("div");
  tip.id = "term-tip";
  tip.className = "term-tip";
  tip.setAttribute("role", "tooltip");
  tip.hidden = true;
  let shown = null, waiting = 0;

  function later(act, delay) {
    clearTimeout(waiting);
    waiting = setTimeout(act, delay);
  }

  function hide() {
    clearTimeout(waiting);
    if (!shown) return;
    shown.removeAttribute("aria-describedby");
    tip.hidden = true;
    shown = null;
  }

  // Under the line that the term begins on, or above it where the window ends; on a phone styles put it at the foot.
  function place(term) {
    const line = term.getClientRects()[0], gap = 6, margin = 16;
    const right = document.documentElement.clientWidth - tip.offsetWidth - margin;
    const below = line.bottom + gap, above = line.top - gap - tip.offsetHeight;
    const top = below + tip.offsetHeight > window.innerHeight && above > 0 ? above : below;
    const origin = tip.offsetParent.getBoundingClientRect();
    tip.style.left = Math.max(margin, Math.min(line.left, right)) - origin.left + "px";
    tip.style.top = top - origin.top + "px";
  }

  function show(term, byTouch) {
    clearTimeout(waiting);
    if (shown === term) return;
    hide();
    tip.textContent = term.dataset.definition;
    if (byTouch) {
      const more = document.createElement("span");
      more.className = "term-tip__more";
      more.textContent = "Tap the word again to go to its definition.";
      tip.append(more);
    }
    tip.style.left = tip.style.top = "";
    tip.hidden = false;
    if (getComputedStyle(tip).position === "absolute") place(term);
    term.setAttribute("aria-describedby", tip.id);
    shown = term;
  }

  function follow(term) {
    let finger = false;
    term.addEventListener("pointerenter", function (event) {
      if (event.pointerType === "mouse") later(function () { show(term, false); }, PATIENCE);
    });
    term.addEventListener("pointerleave", function (event) {
      if (event.pointerType === "mouse") later(hide, GRACE);
    });
    term.addEventListener("pointerdown", function (event) { finger = event.pointerType !== "mouse"; });
    term.addEventListener("focus", function () { if (term.matches(":focus-visible") && !finger) show(term, false); });
    term.addEventListener("blur", hide);
    // The first touch shows the tip, the second follows the link; a click of a mouse or of Enter follows it at once.
    term.addEventListener("click", function (event) {
      const first = finger && shown !== term;
      finger = false;
      if (!first) return;
      event.preventDefault();
      show(term, true);
    });
  }

  const terms = document.querySelectorAll(".term[data-definition]");
  if (!terms.length) return;
  document.querySelector("main").append(tip);
  terms.forEach(follow);
  tip.addEventListener("pointerenter", function () { clearTimeout(waiting); });
  tip.addEventListener("pointerleave", function (event) { if (event.pointerType === "mouse") later(hide, GRACE); });
  document.addEventListener("keydown", function (event) { if (event.key === "Escape") hide(); });
  document.addEventListener("pointerdown", function (event) {
    if (shown && event.target !== shown && !tip.contains(event.target)) hide();
  });
  window.addEventListener("resize", hide);
})();
