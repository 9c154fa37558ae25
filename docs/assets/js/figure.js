/* Figures: stepping through the recorded points by keyboard, and the live chart at the reader's first wish.

   The drawing and the table are complete without this script. It fetches nothing until a pointer, a tap or the focus
   comes to a figure; then it loads the chart library and figure-live.js, both from beside itself. Every number that it
   shows or speaks was printed when the book was made: from the table, or from the figure's data. */
(() => {
  "use strict";
  if (window.bookFigures) return;

  const home = document.currentScript.src;
  const LIBRARY = new URL("../vendor/plotly.min.js", home).href;
  const LIVE = new URL("figure-live.js", home).href;
  const SVG = "http://www.w3.org/2000/svg";
  const PLANE = 1000;
  const KEYS = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 10, PageDown: -10 };
  const loads = new Map();

  /* What came counts only if it brought what was wanted: a page of a network's own, or half a file, comes without an
     error. Anything else is forgotten, so that the next wish asks for it anew. */
  function load(address, came) {
    if (!loads.has(address)) {
      loads.set(address, new Promise((resolve, reject) => {
        const script = document.createElement("script");
        const forget = () => {
          loads.delete(address);
          script.remove();
          reject(new Error(`could not load ${address}`));
        };
        script.src = address;
        script.onload = () => { came() ? resolve() : forget(); };
        script.onerror = forget;
        document.head.append(script);
      }));
    }
    return loads.get(address);
  }

  class BookFigure {
    constructor(element) {
      this.element = element;
      this.stage = element.querySelector(".fig-stage");
      this.drawing = element.querySelector(".fig-drawing");
      this.data = JSON.parse(element.querySelector(".fig-data").textContent);
      this.head = [...element.querySelectorAll(".fig-table thead th")].map((cell) => cell.textContent);
      this.rows = [...element.querySelectorAll(".fig-table tbody tr")]
        .map((row) => [...row.cells].map((cell) => cell.textContent));
      this.state = { row: -1, x: 0, y: 0, hidden: new Set(), window: [0, 1] };
      this.live = null;
      this.wish = null;
      this.furnish();
      this.listen();
    }

    /* What only makes sense with a script is added by it. */
    furnish() {
      const name = this.element.querySelector(".fig-caption").firstElementChild.textContent;
      this.stage.tabIndex = 0;
      this.stage.setAttribute("role", "application");
      this.stage.setAttribute("aria-label", `${name} Arrow keys step through its ${this.rows.length} points.`);
      this.spoken = document.createElement("p");
      this.spoken.className = "fig-spoken";
      this.spoken.setAttribute("aria-live", "polite");
      this.reading = document.createElement("p");
      this.reading.className = "fig-reading";
      this.reading.setAttribute("aria-hidden", "true");
      this.reading.hidden = true;
      this.stage.append(this.reading);
      this.element.append(this.spoken);
      this.element.dataset.ready = "";
    }

    listen() {
      const mouse = (event) => { if (event.pointerType !== "touch") this.wake(); };
      this.stage.addEventListener("pointerover", mouse);
      this.stage.addEventListener("click", () => this.wake());
      this.stage.addEventListener("focus", () => this.wake());
      this.stage.addEventListener("keydown", (event) => this.key(event));
      this.stage.addEventListener("blur", () => this.leave());
      for (const button of this.element.querySelectorAll(".fig-tools button")) {
        button.addEventListener("click", () => this.press(button));
      }
    }

    /* Loads what the live chart needs, once; a failure leaves the drawing as it is and may be tried again. */
    wake() {
      this.wish ??= Promise.all([load(LIBRARY, () => window.Plotly?.react), load(LIVE, () => window.bookLive)])
        .then(() => { this.live = window.bookLive(this); this.show(); })
        .catch(() => { this.live = null; this.wish = null; this.fail(); });
      return this.wish;
    }

    fail() {
      this.element.classList.remove("is-live", "is-whole");
      this.stage.querySelectorAll(".fig-live, .fig-now").forEach((node) => node.remove());
      this.element.dataset.live = "failed";
    }

    /* A switch turns only once the chart is live, in the order of the presses: until then, and after a failure, the
       switches, the drawing and what is read are those of the whole figure, and the reader's place is kept. */
    press(button) {
      this.wake().then(() => {
        if (this.live) { this.turn(button.dataset); this.mark(); this.live.draw(); return; }
        this.say("The live chart could not be loaded. The drawing and the table hold every point.");
      });
    }

    turn({ series, x, y, zoom }) {
      if (series !== undefined) {
        this.state.hidden.has(+series) ? this.state.hidden.delete(+series) : this.state.hidden.add(+series);
      }
      if (x !== undefined) this.state.x = +x;
      if (y !== undefined) this.state.y = +y;
      if (zoom !== undefined) this.zoom(zoom);
    }

    /* Says on the switches how things stand. */
    mark() {
      for (const button of this.element.querySelectorAll("[aria-pressed]")) {
        const { series, x, y } = button.dataset;
        const on = series !== undefined ? !this.state.hidden.has(+series)
          : x !== undefined ? this.state.x === +x : this.state.y === +y;
        button.setAttribute("aria-pressed", String(on));
      }
    }

    /* Halves or doubles the stretch that is shown, around the point that is read, else towards the end. */
    zoom(way) {
      const [from, to] = this.state.window;
      const width = Math.min(1, Math.max(0.02, (to - from) * { in: 0.5, out: 2, all: 1 / (to - from) }[way]));
      const here = this.place(this.state.row);
      const middle = here >= from && here <= to ? here : way === "in" ? to : (from + to) / 2;
      this.look(middle, width);
    }

    look(middle, width) {
      const from = Math.min(1 - width, Math.max(0, middle - width / 2));
      this.state.window = [from, from + width];
    }

    key(event) {
      const last = this.rows.length - 1;
      const row = this.state.row;
      let next = null;
      if (event.altKey || event.ctrlKey || event.metaKey) return;
      if (event.key in KEYS) next = row < 0 ? (KEYS[event.key] > 0 ? 0 : last) : row + KEYS[event.key];
      if (event.key === "Home") next = 0;
      if (event.key === "End") next = last;
      if (event.key === "Escape") { this.leave(); this.state.row = -1; }
      if (next === null) return;
      event.preventDefault();
      this.state.row = Math.min(last, Math.max(0, next));
      this.say(this.words(this.state.row).join("; "));
      this.show();
    }

    say(text) { this.spoken.textContent = text; }

    /* One row as words: what is printed in the table, or in the other unit what was printed with the data. */
    words(row) {
      return this.head.map((name, column) => `${name} ${this.cell(row, column)}`)
        .filter((_, column) => !this.state.hidden.has(column - this.first()) && !this.isUnread(column));
    }

    /* Whether a column has no reading in the unit that is shown. */
    isUnread(column) {
      const { data, book } = this.data;
      const trace = data[column - this.first()];
      return this.state.y === 1 && book.kind === "lines" && trace !== undefined && !trace.customdata;
    }

    cell(row, column) {
      const trace = this.data.data[column - this.first()];
      const other = this.state.y === 1 && this.data.book.kind !== "points" && trace && trace.customdata;
      return other ? other[row] : this.rows[row][column];
    }

    /* The table's first column that belongs to a series. */
    first() { return this.data.book.tokens ? 2 : 1; }

    /* The curves' vertices: for each row those of its points, in the plane's units. */
    spots(row) {
      this.vertices ??= [...this.drawing.querySelectorAll(".fig-line:not(.fig-difference)")]
        .map((path) => path.getAttribute("d").slice(1).split("L").map((pair) => pair.split(" ").map(Number)));
      const { kind } = this.data.book;
      if (kind === "bars") return [];
      if (kind === "lines" && this.rows.length === this.vertices[0].length) {
        return this.vertices.map((line, series) => ({ series, at: line[row] }));
      }
      let rest = row;
      for (const [series, line] of this.vertices.entries()) {
        if (rest < line.length) return [{ series, at: line[rest], point: rest }];
        rest -= line.length;
      }
      return [];
    }

    /* Where a row stands along x, from 0 to 1. */
    place(row) {
      if (row < 0) return -1;
      const spot = this.spots(row)[0];
      return spot ? spot.at[0] / PLANE : (row + 0.5) / this.rows.length;
    }

    /* Shows the point that is read: in the live chart if there is one, else on the drawing. */
    show() {
      this.wipe();
      const { row } = this.state;
      if (row < 0) return;
      if (this.live) { this.live.point(row); return; }
      this.cross(row);
      this.reading.replaceChildren(...this.words(row).flatMap((line) => [line, document.createElement("br")]));
      this.reading.hidden = false;
    }

    /* A hairline through the point in every panel, and a ring around each curve's point, in the inset too. */
    cross(row, whole = true) {
      this.wipe();
      const [from, to] = this.state.window;
      const line = (panel, at) => {
        const x = `${at * 100}%`;
        if (at < -1e-9 || at > 1 + 1e-9) return;
        panel.prepend(this.draw(panel, "line", { class: "fig-cross", x1: x, x2: x, y1: 0, y2: "100%" }));
      };
      const at = (this.place(row) - from) / (to - from);
      for (const panel of this.drawing.querySelectorAll(".fig-panel")) line(panel, at);
      if (!whole) return;
      this.rings(this.drawing.querySelector(".fig-panel"), row, [0, 0, PLANE, PLANE]);
      const inset = this.drawing.querySelector(".fig-inset");
      if (!inset) return;
      const box = inset.querySelector("use").parentNode.getAttribute("viewBox").split(" ").map(Number);
      this.rings(inset, row, box);
    }

    rings(panel, row, [left, top, width, height]) {
      for (const { series, point, at: [x, y] } of this.spots(row)) {
        const [cx, cy] = [(x - left) / width, (y - top) / height];
        if (cx < -1e-3 || cx > 1.001 || this.state.hidden.has(series)) continue;
        const { role: own, roles } = this.data.data[series].meta;
        const role = roles?.[point] ?? own;
        this.draw(panel, "circle", { class: `fig-spot fig-${role}`, cx: `${cx * 100}%`, cy: `${cy * 100}%`, r: 3 });
      }
    }

    draw(parent, tag, attributes) {
      const node = document.createElementNS(SVG, tag);
      for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
      parent.append(node);
      return node;
    }

    wipe() {
      for (const node of this.drawing.querySelectorAll(".fig-cross, .fig-spot")) node.remove();
      this.reading.hidden = true;
    }

    leave() {
      this.wipe();
      this.live?.unpoint();
    }
  }

  /* Runs as often as a page comes in; a figure that is ready is left alone. */
  function start() {
    for (const element of document.querySelectorAll(".fig:not([data-ready])")) {
      try {
        new BookFigure(element);
      } catch (error) {
        console.error(`figure ${element.id}: ${error.message}`);
      }
    }
  }

  window.bookFigures = { start };
  if (typeof window.document$?.subscribe === "function") window.document$.subscribe(start);
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start);
  else start();
})();
