/* The arithmetic of tying: what follows from a model's shape, counted and printed as plates/parameters.py,
   plates/calculator.py and plates/numbers.py do it. Pure functions; the page's controls are in calculator.js. */
globalThis.bookTying = (() => {
  "use strict";
  const NAMES = [[1e12, "trillion"], [1e9, "billion"], [1e6, "million"]];
  const BYTES = [[1e12, "TB"], [1e9, "GB"], [1e6, "MB"], [1e3, "kB"]];
  const NORMS = ["none", "head", "full"];

  /* -- printing: toFixed and toPrecision round half up on the exact binary value, as numbers.py does -- */

  function group(text) {
    const [whole, rest] = text.split(".");
    const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ",");
    return rest === undefined ? grouped : `${grouped}.${rest}`;
  }

  const count = (value) => group(String(value));
  const decimal = (value, digits) => group(value.toFixed(digits));

  function scaled(value, units, rest) {
    const rounded = Number(value.toPrecision(3));
    const unit = units.find(([size]) => rounded >= size);
    if (!unit) return rest;
    const digits = 2 - Math.floor(Math.log10(rounded / unit[0]) + 1e-12);
    const text = group((rounded / unit[0]).toFixed(Math.max(0, digits)));
    return `${text.includes(".") ? text.replace(/\.?0+$/, "") : text} ${unit[1]}`;
  }

  const compact = (value) => scaled(value, NAMES, count(value));
  const memory = (value) => scaled(value, BYTES, `${count(value)} bytes`);

  /* A share's decimals are moved rather than multiplied, which would round twice. */
  function percent(value, digits) {
    const [whole, rest] = value.toFixed(digits + 2).split(".");
    const moved = `${whole}${rest.slice(0, 2)}.${rest.slice(2)}`.replace(/^0+(?=\d)/, "").replace(/\.$/, "");
    return `${group(moved)}%`;
  }

  /* -- the form -- */

  /* From what the fields hold to a shape, or to a message for each field that holds no sound value. */
  function check(form, fields) {
    const faults = {};
    const shape = { ...form };
    for (const [name, label, least, most, mayBeEmpty] of fields) {
      const text = String(form[name] ?? "").trim();
      const value = /^\d{1,15}$/.test(text) ? Number(text) : NaN;
      if (text === "" && mayBeEmpty) shape[name] = null;
      else if (value >= least && value <= most) shape[name] = value;
      else faults[name] = `${label}: wanted a whole number from ${count(least)} to ${count(most)}, came ${text ? `“${text}”` : "nothing"}`;
    }
    if (!NORMS.includes(shape.qk_norm)) faults.qk_norm = `Norms on queries and keys: wanted one of ${NORMS.join(", ")}`;
    return { shape: fill(shape, faults), faults };
  }

  /* What an empty field means, and what must divide what. */
  function fill(shape, faults) {
    const { n_heads: heads, d_model: width } = shape;
    if (shape.head_dim === null && !faults.n_heads && !faults.d_model) {
      if (width % heads) faults.n_heads = `Heads: wanted a divisor of the width, ${count(width)}, came ${count(heads)}; or give a head’s width among the finer parts`;
      shape.head_dim = width / heads;
    }
    if (shape.n_kv_heads === null) shape.n_kv_heads = heads;
    else if (!faults.n_heads && !faults.n_kv_heads && heads % shape.n_kv_heads) {
      faults.n_kv_heads = `Key and value heads: wanted a divisor of the heads, ${count(heads)}, came ${count(shape.n_kv_heads)}`;
    }
    return shape;
  }

  /* -- counting -- */

  function weights(shape) {
    const [queries, keys] = [shape.n_heads * shape.head_dim, shape.n_kv_heads * shape.head_dim];
    const attention = shape.d_model * (queries + 2 * keys) + queries * shape.d_model;
    return { queries, keys, attention, mlp: (shape.gated_mlp ? 3 : 2) * shape.d_model * shape.d_ff };
  }

  /* Parameters of one block, its norms included. */
  function block(shape) {
    const { d_model: width, d_ff: inner } = shape;
    const { queries, keys, attention, mlp } = weights(shape);
    const biases = (shape.qkv_bias ? queries + 2 * keys : 0)
      + (shape.linear_bias ? width + (shape.gated_mlp ? 2 : 1) * inner + width : 0);
    const norms = { none: 0, head: 2 * shape.head_dim, full: queries + keys }[shape.qk_norm];
    return attention + mlp + biases + norms + shape.norms_per_layer * norm(shape);
  }

  const norm = (shape) => shape.d_model * (shape.norm_bias ? 2 : 1);

  /* Parameters of the tied model, and of one table. */
  function parameters(shape) {
    const table = shape.vocab_size * shape.d_model;
    const rest = shape.learned_positions * shape.d_model + shape.n_layers * block(shape) + norm(shape);
    return { table, tied: table + rest, untied: 2 * table + rest };
  }

  /* Multiply-adds for one token, forwards. */
  function products(shape) {
    const { queries, attention, mlp } = weights(shape);
    const head = shape.vocab_size * shape.d_model;
    return { head, blocks: shape.n_layers * (attention + mlp + 2 * queries * shape.context) };
  }

  /* -- what is shown -- */

  function texts(shape, models) {
    const { table, tied, untied } = parameters(shape);
    const { head, blocks } = products(shape);
    const [share, more] = [percent(table / untied, 1), percent(table / tied, 1)];
    const rule = shape.vocab_size / (shape.vocab_size + 12 * shape.n_layers * shape.d_model);
    return {
      total_tied: count(tied), total_untied: count(untied), share_tied: more, share_untied: share,
      fewer: `${share} fewer`, more: `${more} more`,
      nearest_tied: nearest(table / tied, models.filter((one) => one.tied)),
      nearest_untied: nearest(table / untied, models.filter((one) => !one.tied)),
      one_table: count(table), table_blocks: decimal(table / block(shape), 1),
      memory_bf16: memory(2 * table), memory_float32: memory(4 * table), rule: percent(rule, 1),
      head_products: count(head), block_products: count(blocks), products_share: percent(head / (head + blocks), 1),
      said: `Tied, this shape has ${compact(tied)} parameters, and one table is ${more} of them. `
        + `Untied it has ${compact(untied)}, and the head is ${share}.`,
    };
  }

  function nearest(share, models) {
    const distance = (one) => Math.abs(one.share - share);
    return models.reduce((best, one) => (distance(one) < distance(best) ? one : best)).name;
  }

  function place(total, share, [low, high]) {
    const across = Math.log(total / low) / Math.log(high / low);
    return [100 * Math.min(1, Math.max(0, across)), 100 * (1 - share)];
  }

  /* The page's list, one row a model, as forms by name with what they come to; micro is not a released one. */
  function unpack({ fields, flags, models, domain }) {
    const names = [...fields.map(([name]) => name), ...flags, "qk_norm", "tied"];
    const forms = new Map(models.map(([name, ...row]) =>
      [name, Object.fromEntries(names.map((key, index) => [key, flags.includes(key) ? Boolean(row[index]) : row[index]]))]));
    const released = [...forms].filter(([name]) => name !== "micro").map(([name, form]) => {
      const { table, tied, untied } = parameters(check(form, fields).shape);
      const total = form.tied ? tied : untied;
      return { name, tied: Boolean(form.tied), share: table / total };
    });
    return { fields, flags, domain, forms, released };
  }

  /* -- the address -- */

  const MARK = "model:";

  /* A known model by its name, any other shape by its fields. */
  function toHash(form, name, { fields, flags }) {
    const said = new URLSearchParams();
    if (name) said.set("name", name);
    else {
      for (const [key] of fields) if (form[key] !== "") said.set(key, form[key]);
      for (const key of flags) if (form[key]) said.set(key, "1");
      if (form.qk_norm !== "none") said.set("qk_norm", form.qk_norm);
    }
    return `#${MARK}${said}`;
  }

  /* The form that an address names, or nothing where it names none; what it leaves out is empty. */
  function fromHash(hash, { fields, flags, forms }) {
    const text = hash.replace(/^#/, "");
    if (!text.startsWith(MARK)) return null;
    const said = new URLSearchParams(text.slice(MARK.length));
    const known = forms.get(said.get("name") ?? "");
    if (known) return { ...known };
    const given = (key, other) => (said.get(key) ?? other);
    return {
      ...Object.fromEntries(fields.map(([key, , , , mayBeEmpty]) => [key, given(key, mayBeEmpty ? "" : forms.get("micro")[key])])),
      ...Object.fromEntries(flags.map((key) => [key, said.get(key) === "1"])),
      qk_norm: given("qk_norm", "none"),
    };
  }

  return { check, parameters, products, block, texts, nearest, place, unpack, toHash, fromHash, count, compact, memory, percent, decimal };
})();
