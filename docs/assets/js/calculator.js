/* The reader's own model: reads the controls, shows what tying.js makes of them, keeps the address up to date.

   A field that holds no sound value says so beside itself, and the readings stay those of the last sound shape. */
(() => {
  "use strict";
  const tying = globalThis.bookTying;
  const LATER = 300; // ms: browsers limit how often an address may change
  const NUMBER = /^-?\d+(\.\d+)?$/;

  class Calculator {
    constructor(element) {
      this.element = element;
      this.form = element.querySelector("form");
      this.note = element.querySelector(".calc-note");
      this.picker = this.form.elements.namedItem("name");
      this.known = tying.unpack(JSON.parse(element.querySelector(".calc-data").textContent));
      this.numbers = this.known.fields.map(([name]) => this.form.elements.namedItem(name));
      this.sliders = [...this.form.querySelectorAll("input[type=range]")];
      this.strange = {}; // what an address says for a field that can only hold numbers
      this.waiting = 0;
      element.dataset.ready = "";
      element.hidden = false;
      this.listen();
      this.arrive(true);
    }

    listen() {
      this.form.addEventListener("submit", (event) => event.preventDefault());
      this.form.addEventListener("input", ({ target }) => {
        delete this.strange[target.name];
        if (target === this.picker) this.pick();
        else if (target.type === "range") this.slide(target);
        this.update();
      });
      this.element.querySelector(".calc-reset").addEventListener("click", () => {
        this.fill(this.known.forms.get("micro"));
        this.update();
      });
      addEventListener("hashchange", () => this.arrive(false));
    }

    /* Takes up the shape that the address names; at first micro where it names none. */
    arrive(first) {
      const form = tying.fromHash(location.hash, this.known);
      if (form) this.element.scrollIntoView();
      if (!form && !first) return;
      this.fill(this.known.forms.get("micro"));
      if (form && first) this.update(false);
      if (form) this.fill(form);
      this.update(false);
    }

    pick() {
      const form = this.known.forms.get(this.picker.value);
      if (form) this.fill(form);
    }

    fill(form) {
      this.strange = {};
      for (const field of this.numbers) {
        const text = String(form[field.name]);
        field.value = NUMBER.test(text) ? text : "";
        if (text && !field.value) this.strange[field.name] = text;
      }
      for (const name of this.known.flags) this.form.elements.namedItem(name).checked = form[name];
      this.form.elements.namedItem("qk_norm").value = form.qk_norm;
      const { name } = this.finest(form) ?? {};
      if (name) this.form.querySelector("details").open = true;
    }

    /* A field among the finer parts that a reader must see, since it holds no sound value. */
    finest(form) {
      const { faults } = tying.check(form, this.known.fields);
      return this.numbers.find((field) => faults[field.name] && field.closest("details"));
    }

    read() {
      const form = Object.fromEntries(this.numbers.map((field) =>
        [field.name, field.validity.badInput ? "no number" : this.strange[field.name] ?? field.value]));
      for (const name of this.known.flags) form[name] = this.form.elements.namedItem(name).checked;
      form.qk_norm = this.form.elements.namedItem("qk_norm").value;
      return form;
    }

    update(address = true) {
      const form = this.read();
      const { shape, faults } = tying.check(form, this.known.fields);
      for (const field of this.numbers) this.tell(field, faults[field.name]);
      const sound = !Object.keys(faults).length;
      this.say(sound ? "" : "The readings below are those of the last sound shape.");
      if (!sound) return;
      this.picker.value = this.nameOf(form);
      this.show(shape);
      this.align(form);
      const hash = tying.toHash(form, this.picker.value, this.known);
      this.element.querySelector(".calc-link").href = hash;
      if (address) this.remember(hash);
    }

    /* A message at its field, and none where all is well. */
    tell(field, fault) {
      const place = document.getElementById(`${field.id}-fault`);
      if (place.textContent !== (fault ?? "")) place.textContent = fault ?? "";
      if (fault) field.setAttribute("aria-invalid", "true");
      else field.removeAttribute("aria-invalid");
    }

    say(text) {
      this.note.textContent = text;
      this.note.hidden = !text;
    }

    show(shape) {
      for (const [name, text] of Object.entries(tying.texts(shape, this.known.released))) {
        const place = this.element.querySelector(`[data-out="${name}"]`);
        if (place.textContent !== text) place.textContent = text;
      }
      const { table, tied, untied } = tying.parameters(shape);
      for (const [kind, total] of [["tied", tied], ["untied", untied]]) this.mark(kind, total, table / total);
    }

    mark(kind, total, share) {
      const mark = this.element.querySelector(`[data-mark="${kind}"]`);
      const [x, y] = tying.place(total, share, this.known.domain);
      mark.setAttribute("x", `${x.toFixed(2)}%`);
      mark.setAttribute("y", `${y.toFixed(2)}%`);
      const text = mark.querySelector("text"); // towards the middle, where it has room
      text.setAttribute("x", x > 70 ? "-1em" : "1em");
      text.setAttribute("text-anchor", x > 70 ? "end" : "start");
    }

    /* The model of the list that has this very shape. */
    nameOf(form) {
      const same = (other) => [...this.numbers.map(({ name }) => name), "qk_norm"].every((key) => String(other[key]) === String(form[key]))
        && this.known.flags.every((key) => other[key] === form[key]);
      if (this.known.forms.has(this.picker.value) && same(this.known.forms.get(this.picker.value))) return this.picker.value;
      return [...this.known.forms].find(([, other]) => same(other))?.[0] ?? "";
    }

    remember(hash) {
      clearTimeout(this.waiting);
      this.waiting = setTimeout(() => history.replaceState(history.state, "", hash), LATER);
    }

    /* -- sliders: each step is a value that fits the other fields -- */

    slide(slider) {
      const values = this.steps(slider.dataset.for, this.read());
      this.form.elements.namedItem(slider.dataset.for).value = values[Math.min(values.length - 1, slider.valueAsNumber)];
    }

    align(form) {
      for (const slider of this.sliders) {
        const values = this.steps(slider.dataset.for, form);
        const value = Number(form[slider.dataset.for]);
        const near = values.reduce((best, one, index) =>
          (Math.abs(Math.log(one / value)) < Math.abs(Math.log(values[best] / value)) ? index : best), 0);
        slider.max = values.length - 1;
        slider.valueAsNumber = near;
        slider.setAttribute("aria-valuetext", tying.count(values[near]));
      }
    }

    steps(name, form) {
      const [, , , , , [low, high]] = this.known.fields.find(([field]) => field === name);
      const heads = Number(form.n_heads);
      const free = form.head_dim !== "" || !(heads > 0);
      if (name === "n_layers") return whole(low, high);
      if (name === "n_heads") {
        const fits = whole(low, high).filter((one) => (free || Number(form.d_model) % one === 0)
          && (form.n_kv_heads === "" || one % Number(form.n_kv_heads) === 0));
        return fits.length ? fits : [heads || 1];
      }
      const unit = name === "d_model" && !free ? heads : 1;
      return [...new Set(octaves(low, high).map((one) => Math.max(1, Math.round(one / unit)) * unit))];
    }
  }

  const whole = (low, high) => Array.from({ length: high - low + 1 }, (_, index) => low + index);

  /* Four values to each doubling: 256, 320, 384, 448, 512 and so on. */
  function octaves(low, high) {
    const values = [];
    for (let base = low; base < high; base *= 2) values.push(base, base * 1.25, base * 1.5, base * 1.75);
    return [...values, high];
  }

  function start() {
    for (const element of document.querySelectorAll(".calc:not([data-ready])")) new Calculator(element);
  }

  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start);
  else start();
})();
