/* What the theme's script expects to find, and what must be done before the page is painted. The theme brings such lines
   inside each page; they stand in a file, so that the pages' policy need let no script inside a page run. */
(function () {
  "use strict";
  const root = document.documentElement;
  const scope = new URL(document.currentScript.dataset.base, location);
  const switches = "[data-md-component=palette]";
  let turned = false;

  window.__md_scope = scope;
  window.__md_hash = function (text) {
    return [...text].reduce(function (sum, letter) { return (sum << 5) - sum + letter.charCodeAt(0); }, 0);
  };
  window.__md_get = function (name, store, place) {
    try {
      return JSON.parse((store || localStorage).getItem((place || scope).pathname + "." + name));
    } catch (fault) {
      return null;   // a browser that keeps nothing for this page
    }
  };
  // All that is ever kept is the paper's colour, once the reader has turned it.
  window.__md_set = function (name, value) {
    if (name !== "__palette" || !turned) return;
    try {
      localStorage.setItem(scope.pathname + "." + name, JSON.stringify(value));
    } catch (fault) { /* then it lasts as long as the page */ }
  };

  document.addEventListener("change", function (event) {
    if (event.target.closest(switches)) turned = true;
  }, true);

  // The paper of the reader's choice, as soon as there is a body and before it is painted.
  const choice = window.__md_get("__palette");
  new MutationObserver(function (changes, observer) {
    if (!document.body) return;
    observer.disconnect();
    for (const [part, value] of Object.entries((choice && choice.color) || {})) {
      document.body.setAttribute("data-md-color-" + part, value);
    }
  }).observe(root, { childList: true });

  // A page opened from a folder may not fetch the index, nor start the search's worker: better no box than a dead one.
  // It goes as it is read, before the theme's script can start it.
  if (location.protocol === "file:") {
    new MutationObserver(function () {
      document.querySelectorAll(".md-search, [for=__search]").forEach(function (part) { part.remove(); });
    }).observe(root, { childList: true, subtree: true });
  }
})();
