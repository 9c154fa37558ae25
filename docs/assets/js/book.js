/* Small habits of the page: the contents by keyboard, wide tables by keyboard, code to the clipboard. Without it all is still there to read. */
(function () {
  "use strict";

  function contents() {
    const drawer = document.getElementById("__drawer");
    const button = document.querySelector(".book-menu");
    const list = document.getElementById("contents");
    if (!drawer || !button || !list) return;
    const turn = function (open) {
      drawer.checked = open;
      drawer.dispatchEvent(new Event("change"));
    };
    drawer.addEventListener("change", function () {
      button.setAttribute("aria-expanded", String(drawer.checked));
    });
    button.addEventListener("click", function () {
      turn(!drawer.checked);
      if (drawer.checked) list.querySelector("a").focus();
    });
    list.addEventListener("click", function (event) {
      if (event.target.closest("a")) turn(false);
    });
    document.addEventListener("keydown", function (event) {
      if (event.key !== "Escape" || !drawer.checked) return;
      turn(false);
      button.focus();
    });
  }

  // A table wider than the page scrolls by itself, for a reader without a pointer too. The theme wraps plain tables only.
  function tables() {
    document.querySelectorAll(".md-typeset table.readings").forEach(function (table) {
      if (table.offsetWidth <= table.parentElement.clientWidth) return;
      const wrap = document.createElement("div");
      wrap.className = "md-typeset__scrollwrap";
      table.replaceWith(wrap);
      wrap.append(table);
    });
    document.querySelectorAll(".md-typeset__scrollwrap").forEach(function (wrap, index) {
      if (wrap.scrollWidth <= wrap.clientWidth) return;
      wrap.tabIndex = 0;
      wrap.setAttribute("role", "region");
      wrap.setAttribute("aria-label", "Table " + (index + 1));
    });
  }

  // So does a formula; what it says is its name already.
  function formulas() {
    document.querySelectorAll(".md-typeset math[display=block]").forEach(function (math) {
      if (math.scrollWidth > math.clientWidth) math.setAttribute("tabindex", "0");
    });
  }

  function copying() {
    if (!navigator.clipboard) return;
    document.querySelectorAll(".md-typeset .highlight").forEach(function (block) {
      if (block.querySelector(".book-copy")) return;
      const button = document.createElement("button");
      button.type = "button";
      button.className = "book-copy";
      button.textContent = "copy";
      button.addEventListener("click", function () {
        const said = function (word) {
          button.textContent = word;
          setTimeout(function () { button.textContent = "copy"; }, 1600);
        };
        navigator.clipboard.writeText(block.querySelector("code").textContent).then(
          function () { said("copied"); }, function () { said("not copied"); });
      });
      block.append(button);
    });
  }

  contents();
  copying();
  window.addEventListener("load", function () { tables(); formulas(); });
})();
