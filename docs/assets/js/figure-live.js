/* The live chart of one figure, drawn by Plotly exactly over the drawing. Loaded by figure.js at the first wish.

   The chart is described by the figure's data, which was made and checked when the book was built; added here are the
   page's colours and sizes, the reader's choices, and the texts of the read-outs, which stand in the table. */
(() => {
  "use strict";
  const SVG = "http://www.w3.org/2000/svg";
  const LINE = 1.25; // em between labels
  const QUIET = { displayModeBar: false, displaylogo: false, scrollZoom: false, doubleClick: false, responsive: false,
    showTips: false, showAxisDragHandles: false };

  class LiveChart {
    constructor(figure) {
      this.figure = figure;
      this.data = figure.data;
      this.panel = figure.drawing.querySelector(".fig-panel");
      this.titles = figure.drawing.querySelectorAll(".fig-axis");
      this.touch = matchMedia("(pointer: coarse)").matches;
      this.div = document.createElement("div");
      this.div.className = "fig-live";
      this.div.setAttribute("aria-hidden", "true");
      figure.stage.prepend(this.div);
      this.texts = this.data.data.map((trace, index) => this.text(trace, index));
      this.draw();
      this.watch();
    }

    /* What was printed for each point, from the table's own cells. */
    text(trace, index) {
      const { rows, data } = this.figure;
      if (data.book.kind !== "points" && rows.length === trace.x.length) {
        return rows.map((row) => row[this.figure.first() + index]);
      }
      const before = this.data.data.slice(0, index).reduce((sum, one) => sum + one.x.length, 0);
      return rows.slice(before, before + trace.x.length).map((row) => row.map(escape).join("<br>"));
    }

    watch() {
      let waiting = false;
      const later = () => {
        if (waiting) return;
        waiting = true;
        requestAnimationFrame(() => { waiting = false; if (this.div.isConnected) this.draw(); });
      };
      new ResizeObserver(later).observe(this.figure.stage);
      new MutationObserver(later).observe(document.body, { attributeFilter: ["data-md-color-scheme", "class"] });
      matchMedia("(prefers-color-scheme: dark)").addEventListener("change", later);
    }

    /* Plotly's own events; they exist once it has drawn. */
    listen() {
      this.drawn = true;
      this.div.on("plotly_hover", ({ points: [point] }) => this.figure.cross(this.row(point), this.isWhole()));
      this.div.on("plotly_unhover", () => this.figure.wipe());
      this.div.on("plotly_relayout", (change) => this.dragged(change));
      this.div.on("plotly_doubleclick", () => { this.figure.state.window = [0, 1]; this.draw(); });
    }

    /* A stretch drawn with the mouse becomes the window. */
    dragged(change) {
      const [from, to] = [change["xaxis.range[0]"], change["xaxis.range[1]"]];
      if (from === undefined || to === undefined) return;
      const [low, high] = this.whole();
      const [a, b] = [from, to].map((value) => Math.min(1, Math.max(0, (value - low) / (high - low))));
      if (b - a > 0.005) this.figure.state.window = [a, b];
      this.draw();
    }

    /* The whole range of x, in the unit that is shown. */
    whole() {
      const { tokens } = this.data.book;
      return this.figure.state.x && tokens ? [tokens[0], tokens.at(-1)] : this.data.layout.xaxis.range;
    }

    isWhole() {
      const { x, y, hidden, window: [from, to] } = this.figure.state;
      return !x && !y && !hidden.size && from === 0 && to === 1;
    }

    draw() {
      const width = this.figure.stage.clientWidth;
      if (!width) return; // in a tab that is not open; drawn when it has a width
      const style = getComputedStyle(this.figure.element);
      const colour = (name) => style.getPropertyValue(`--${name}`).trim();
      const traces = this.traces(colour);
      const layout = this.layout(traces, colour, width);
      window.Plotly.react(this.div, traces, layout, QUIET);
      if (!this.drawn) this.listen();
      const { classList } = this.figure.element;
      classList.add("is-live");
      classList.toggle("is-whole", this.isWhole());
      this.figure.element.dataset.live = "yes";
      this.write(traces, layout);
    }

    traces(colour) {
      const { x, y, hidden } = this.figure.state;
      const { book, data } = this.data;
      const other = y ? data.map((trace) => trace.y.map(Math.exp)) : null;
      return data.map((trace, index) => {
        const { role, weight } = trace.meta;
        const inkOf = (one) => one === "neutral" ? colour(weight === "replicate" ? "muted" : "ink") : colour(weight === "training" ? `${one}-light` : one);
        const ink = inkOf(role);
        const made = { ...trace, hoverlabel: { font: { color: colour("ink") } },
          text: y ? trace.customdata : this.texts[index],
          // The differences of other runs are known in the first unit alone.
          visible: !hidden.has(index) && !(y && !trace.customdata) };
        if (trace.line) made.line = { ...trace.line, color: ink };
        if (trace.marker || book.kind === "bars") made.marker = this.marker(trace, trace.meta.roles ?? role, trace.meta.roles?.map(inkOf) ?? ink);
        if (x) made.x = book.tokens;
        if (y && trace.customdata) made.y = trace.yaxis ? this.gap(other) : other[index];
        if (book.kind === "bars") { made.textposition = "none"; }
        return made;
      });
    }

    marker(trace, role, ink) {
      if (trace.marker) return { ...trace.marker, color: ink, line: { color: ink, width: 1.4 } };
      const fill = (one, its) => one === "untied" ? "rgba(0,0,0,0)" : its;
      const color = Array.isArray(role) ? role.map((one, index) => fill(one, ink[index])) : fill(role, ink);
      return { color, line: { color: ink, width: 1.4 } };
    }

    gap(values) {
      const [ours, theirs] = this.data.book.difference;
      return values[ours].map((value, index) => value - values[theirs][index]);
    }

    layout(traces, colour, width) {
      const em = parseFloat(getComputedStyle(this.figure.drawing).fontSize);
      const stage = this.figure.stage.getBoundingClientRect();
      const box = this.figure.drawing.getBoundingClientRect();
      const { book, layout } = this.data;
      this.narrow = width / em <= 42;
      const axes = { yaxis: this.upright(traces, "y"), yaxis2: layout.yaxis2 && this.upright(traces, "y2") };
      const letters = Math.max(...Object.values(axes).flatMap((axis) => axis?.ticktext ?? []).map((text) => text.length), 0);
      const quiet = { tickfont: { color: colour("muted"), size: em }, gridcolor: colour("rule"), gridwidth: 0.6 };
      const font = { family: getComputedStyle(this.figure.drawing).fontFamily, size: em, color: colour("ink") };
      return {
        ...layout, width, height: box.height, font,
        margin: { l: Math.max(box.left - stage.left, (letters * 0.55 + 0.9) * em), r: stage.right - box.right, t: book.top * em, b: book.bottom * em },
        paper_bgcolor: "rgba(0,0,0,0)", plot_bgcolor: "rgba(0,0,0,0)",
        dragmode: this.touch ? false : "zoom",
        hoverlabel: { bgcolor: colour("paper"), bordercolor: colour("rule-strong"), font, align: "left" },
        xaxis: { ...layout.xaxis, ...quiet, ...this.across(), fixedrange: this.touch || book.kind === "bars",
          linecolor: colour("ink"), linewidth: 0.8, showline: true, ticks: book.kind === "bars" ? "" : "outside",
          ticklen: 0.4 * em, tickwidth: 0.8, tickcolor: colour("ink"), showspikes: false },
        yaxis: { ...layout.yaxis, ...quiet, ...axes.yaxis, showgrid: true, ticklabelstandoff: 0.5 * em },
        ...(layout.yaxis2 && { yaxis2: { ...layout.yaxis2, ...quiet, ...axes.yaxis2, showgrid: true,
          zeroline: true, zerolinecolor: colour("rule-strong"), zerolinewidth: 0.8, ticklabelstandoff: 0.5 * em } }),
      };
    }

    /* A stretched scale's ticks at round numbers; the drawing's own ones where the whole is shown. */
    across() {
      const { x, window: [from, to] } = this.figure.state;
      const [low, high] = this.whole();
      const range = [low + from * (high - low), low + to * (high - low)];
      const name = this.data.book.x[x];
      const title = { unifiedhovertitle: { text: `${escape(name)} %{x:,}` } };
      if (from !== 0 || to !== 1 || x) return { range, ...title, ...ticks(range, this.narrow ? 3 : 6, this.log("xaxis"), x ? "count" : this.data.book.forms[0]) };
      const { tickvals, ticktext } = this.data.layout.xaxis;
      const { sparse } = this.data.book;
      return { range, ...title, tickvals, ticktext: ticktext.map((label, index) => this.narrow && sparse[index] === false ? "" : label) };
    }

    /* The vertical range: the drawing's own for the whole, else what the shown points ask for. */
    upright(traces, axis) {
      const { y, window: [from, to] } = this.figure.state;
      if (!y && from === 0 && to === 1) return {};
      const { kind } = this.data.book;
      const logarithmic = axis === "y" && (y === 1 || this.log("yaxis"));
      const size = logarithmic ? Math.log10 : (value) => value;
      const shown = traces.filter((trace) => trace.visible && (trace.yaxis ?? "y") === axis)
        .flatMap((trace) => trace.y.filter((_, index) => this.inside(trace.x[index]))).map(size);
      if (axis === "y2" || kind === "bars") shown.push(0);
      if (!shown.length) return {};
      const [low, high] = [Math.min(...shown), Math.max(...shown)];
      const room = 0.06 * (high - low || Math.abs(high) || 1);
      const range = [low - room, high + room];
      return { range, type: logarithmic ? "log" : "linear", ...ticks(range, axis === "y" ? 7 : 3, logarithmic, this.data.book.forms[1]) };
    }

    log(axis) { return this.data.layout[axis].type === "log"; }

    inside(value) {
      if (typeof value === "string") return true;
      const { window: [from, to] } = this.figure.state;
      const [low, high] = this.whole();
      const place = this.log("xaxis") ? Math.log10(value) : value;
      const slack = 1e-9 * (high - low);
      return place >= low + from * (high - low) - slack && place <= low + to * (high - low) + slack;
    }

    /* The titles and the curves' names, brought up to date, beside the drawing's own letters: paper shows the drawing,
       which must keep the titles of what it draws. */
    write(traces, layout) {
      const { x, y } = this.figure.state;
      const { book } = this.data;
      this.figure.drawing.querySelectorAll(".fig-now").forEach((node) => node.remove());
      this.title(this.titles[0], book.y[y]);
      if (book.second) this.title(this.titles[1], book.second[y]);
      this.title(this.titles[this.titles.length - 1], book.x[x]);
      if (this.isWhole() || book.kind !== "lines") return;
      const height = this.panel.height.baseVal.value;
      const em = parseFloat(getComputedStyle(this.figure.drawing).fontSize);
      const [low, high] = layout.yaxis.range;
      const size = layout.yaxis.type === "log" ? Math.log10 : (value) => value;
      const labels = traces.filter((trace) => trace.visible && !trace.yaxis).map((trace) => {
        const last = trace.x.findLastIndex((value) => this.inside(value));
        return { trace, at: last < 0 ? NaN : height * (1 - (size(trace.y[last]) - low) / (high - low)) };
      }).filter(({ at }) => Number.isFinite(at));
      this.name(spread(labels, LINE * em, height), em);
    }

    title(drawn, text) {
      const shown = drawn.cloneNode();
      shown.classList.add("fig-now");
      shown.textContent = text;
      drawn.after(shown);
    }

    name(labels, em) {
      const group = this.figure.draw(this.panel, "svg",
        { class: "fig-now", x: "100%", width: 1, height: 1, overflow: "visible" });
      for (const { trace, at, place } of labels) {
        const { role, weight } = trace.meta;
        this.figure.draw(group, "line",
          { class: "fig-leader", x1: 0.25 * em, y1: at, x2: 0.95 * em, y2: place });
        this.figure.draw(group, "text", { class: `fig-name fig-${role} fig-${weight}`, x: 1.2 * em, y: place, dy: ".32em" })
          .textContent = (this.narrow ? trace.name.split(",")[0] : trace.name).replace(/&lt;/g, "<").replace(/&gt;/g, ">").replace(/&amp;/g, "&");
      }
    }

    /* Reads one row out at its place, bringing it into the window first. */
    point(row) {
      if (!this.drawn) return;
      const { state } = this.figure;
      const [from, to] = state.window;
      const here = this.figure.place(row);
      if (here < from - 1e-9 || here > to + 1e-9) { this.figure.look(here, to - from); this.draw(); }
      const spots = this.figure.spots(row);
      const several = this.shared();
      const points = several || this.data.book.kind === "bars"
        ? this.data.data.map((_, curveNumber) => ({ curveNumber, pointNumber: row }))
        : spots.map(({ series, point }) => ({ curveNumber: series, pointNumber: point }));
      const shown = points.filter(({ curveNumber }) => this.div.data[curveNumber].visible);
      if (!shown.length) return;
      this.figure.cross(row, this.isWhole());
      if (!several) { window.Plotly.Fx.hover(this.div, shown, "xy"); return; }
      const { x, y } = this.div.data[shown[0].curveNumber];
      window.Plotly.Fx.hover(this.div, { xval: x[row], yval: y[row] }, "xy");
    }

    /* The table's row of a point of the chart. */
    row({ curveNumber, pointNumber }) {
      if (this.data.book.kind === "bars" || this.shared()) return pointNumber;
      return this.data.data.slice(0, curveNumber).reduce((sum, trace) => sum + trace.x.length, pointNumber);
    }

    /* Whether one row of the table holds a point of every curve. */
    shared() {
      return this.data.book.kind === "lines" && this.figure.rows.length === this.data.data[0].x.length;
    }

    unpoint() { if (this.drawn) window.Plotly.Fx.unhover(this.div); }
  }

  function escape(text) {
    return text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
  }

  /* Round tick values for a range, and a form with the decimals that they ask for. On a logarithmic axis the range is
     of exponents; where it spans less than a decade its ticks lie evenly, as on a plain one. */
  function ticks([low, high], most, logarithmic, name) {
    const [from, to] = logarithmic ? [10 ** low, 10 ** high] : [low, high];
    if (logarithmic && to / from > 8) {
      const tickvals = [];
      const factors = to / from > 10 ** (most / 3) ? [1] : to / from > 10 ** (most / 6) ? [1, 3] : [1, 2, 5];
      for (let decade = Math.floor(low); decade <= high; decade += 1) {
        tickvals.push(...factors.map((factor) => factor * 10 ** decade).filter((value) => value >= from && value <= to));
      }
      return form(tickvals, tickvals, name);
    }
    const least = (to - from) / most;
    const power = 10 ** Math.floor(Math.log10(least));
    const step = [1, 2, 5, 10].find((one) => one * power >= least * (1 - 1e-9)) * power;
    const first = Math.ceil(from / step - 1e-9);
    const count = Math.floor(to / step + 1e-9) - first + 1;
    const tickvals = Array.from({ length: count }, (_, index) => (first + index) * step);
    return form(tickvals, tickvals.map(() => step), name);
  }

  /* Prints ticks as plates/figures/scale.py does: the decimals that their distance asks for, and the axis's own form. */
  function form(tickvals, steps, name) {
    const ticktext = tickvals.map((value, index) => {
      if (name === "percent") return `${plain(value * 100, decimals(steps[index] * 100))}%`;
      const size = [[1e12, "trillion"], [1e9, "billion"], [1e6, "million"]].find(([one]) => Math.abs(value) >= one);
      if (name === "compact" && size) return `${plain(value / size[0], decimals(steps[index] / size[0]))} ${size[1]}`;
      return plain(value, decimals(steps[index]));
    });
    return { tickvals, ticktext, tickmode: "array" };
  }

  function decimals(step) {
    const [digits, power] = Number(step.toPrecision(3)).toExponential().split("e");
    return Math.max(0, (digits.split(".")[1] ?? "").length - power);
  }

  function plain(value, digits) {
    const text = new Intl.NumberFormat("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits })
      .format(value);
    return text.replace(/^-(0[.0]*)$/, "$1").replace("-", "\u2212");
  }

  /* Keeps labels apart, in order, inside the panel. */
  function spread(labels, distance, height) {
    const sorted = labels.map((label) => ({ ...label, place: label.at })).sort((a, b) => a.at - b.at);
    sorted.forEach((label, index) => {
      if (index) label.place = Math.max(label.place, sorted[index - 1].place + distance);
    });
    sorted.reverse().forEach((label, index) => {
      label.place = Math.min(label.place, index ? sorted[index - 1].place - distance : height);
    });
    return sorted;
  }

  window.bookLive = (figure) => new LiveChart(figure);
  window.bookLive.ticks = ticks;
})();
