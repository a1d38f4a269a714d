// A form made from a JSON Schema: objects, lists, texts, numbers, choices; anything else as JSON.
import { html, useState } from "../core/html.js";
import { AreaField, Check, Field, Select, TextField } from "./fields.js";
import { Icon } from "./icon.js";

const DEEPEST = 4;

/** The value with which a form begins: defaults, and empty where something is required. */
export function emptyOf(schema, root = schema, depth = 0) {
  const one = resolve(schema, root);
  if (one.default !== undefined) return one.default;
  const type = typeOf(one);
  if (type === "object" && one.properties && depth < DEEPEST) {
    return Object.fromEntries((one.required || []).map((name) => [name, emptyOf(one.properties[name] || {}, root, depth + 1)]).filter(([, value]) => value !== undefined));
  }
  if (type === "array") return [];
  if (type === "boolean") return false;
  if (one.enum) return one.enum[0];
  return undefined;
}

function resolve(schema, root) {
  let one = schema || {};
  for (let i = 0; i < 10 && typeof one.$ref === "string"; i++) {
    one = one.$ref.split("/").slice(1).reduce((at, name) => (at ? at[name.replaceAll("~1", "/").replaceAll("~0", "~")] : undefined), root) || {};
  }
  const choices = one.anyOf || one.oneOf;
  if (choices) {
    const real = choices.map((choice) => resolve(choice, root)).filter((choice) => choice.type !== "null");
    if (real.length === 1) return { ...real[0], description: one.description || real[0].description };
  }
  return one;
}

function typeOf(schema) {
  const type = Array.isArray(schema.type) ? schema.type.find((one) => one !== "null") : schema.type;
  return type || (schema.properties ? "object" : schema.enum ? "enum" : undefined);
}

export function SchemaForm({ schema, value, onChange }) {
  return html`<${Node} schema=${schema} root=${schema} value=${value} onChange=${onChange} depth=${0} isRequired=${true} />`;
}

function Node({ name, schema: given, root, value, onChange, depth, isRequired }) {
  const schema = resolve(given, root);
  const label = (schema.title || name || "Input") + (isRequired || depth === 0 ? "" : " (may be left out)");
  const hint = schema.description;
  const type = typeOf(schema);
  if (schema.const !== undefined) return html`<${TextField} label=${label} value=${String(schema.const)} onInput=${() => {}} />`;
  if (schema.enum) {
    const texts = schema.enum.map((one) => JSON.stringify(one));
    return html`<${Field} label=${label} hint=${hint}>${(id) => html`<${Select} id=${id} value=${value === undefined ? "" : JSON.stringify(value)} onInput=${(text) => onChange(text === "" ? undefined : JSON.parse(text))} options=${[...(isRequired ? [] : [["", "-"]]), ...texts.map((text, i) => [text, String(schema.enum[i])])]} />`}</${Field}>`;
  }
  if (type === "object" && schema.properties && depth < DEEPEST) {
    const required = new Set(schema.required || []);
    const fields = Object.entries(schema.properties).map(([key, inner]) => html`<${Node} key=${key} name=${key} schema=${inner} root=${root} depth=${depth + 1} isRequired=${required.has(key)} value=${value ? value[key] : undefined}
      onChange=${(next) => { const all = { ...(value || {}) }; if (next === undefined) delete all[key]; else all[key] = next; onChange(Object.keys(all).length === 0 && !isRequired ? undefined : all); }} />`);
    return depth === 0 ? html`<div class="form">${fields.length ? fields : html`<p class="muted">It takes no input.</p>`}</div>` : html`<fieldset><legend>${label}</legend>${hint && html`<span class="hint muted">${hint}</span>`}${fields}</fieldset>`;
  }
  if (type === "array" && schema.items && depth < DEEPEST) {
    const items = Array.isArray(value) ? value : [];
    return html`<fieldset><legend>${label}</legend>
      ${items.map((item, i) => html`<div style=${{ display: "flex", gap: "8px", alignItems: "flex-end" }}><div style=${{ flex: 1, minWidth: 0 }}><${Node} name=${String(i + 1)} schema=${schema.items} root=${root} depth=${depth + 1} isRequired=${true} value=${item} onChange=${(next) => onChange(items.map((old, at) => (at === i ? next : old)))} /></div>
        <button type="button" class="btn btn-icon" aria-label=${`Remove ${i + 1}`} onClick=${() => onChange(items.filter((_, at) => at !== i))}><${Icon} name="trash" /></button></div>`)}
      <div><button type="button" class="btn btn-small" onClick=${() => onChange([...items, emptyOf(schema.items, root)])}><${Icon} name="plus" size=${14} />Add</button></div></fieldset>`;
  }
  if (type === "boolean") return html`<${Check} label=${label} checked=${Boolean(value)} onInput=${onChange} />`;
  if (type === "integer" || type === "number") return html`<${NumberField} label=${label} hint=${hint || range(schema)} isWhole=${type === "integer"} value=${value} onChange=${onChange} />`;
  if (type === "string") {
    const isLong = (schema.maxLength || 0) > 300;
    const change = (text) => onChange(text === "" && !isRequired ? undefined : text);
    return isLong ? html`<${AreaField} label=${label} hint=${hint} rows=${3} value=${value ?? ""} onInput=${change} />`
      : html`<${TextField} label=${label} hint=${hint || (schema.format ? schema.format : "")} value=${value ?? ""} onInput=${change} placeholder=${schema.examples && schema.examples.length ? String(schema.examples[0]) : undefined} />`;
  }
  return html`<${JsonField} label=${label} hint=${hint || "as JSON"} value=${value} onChange=${onChange} />`;
}

function range(schema) {
  const low = schema.minimum ?? schema.exclusiveMinimum;
  const high = schema.maximum ?? schema.exclusiveMaximum;
  if (low !== undefined && high !== undefined) return `from ${low} to ${high}`;
  return low !== undefined ? `from ${low}` : high !== undefined ? `up to ${high}` : "";
}

function NumberField({ label, hint, isWhole, value, onChange }) {
  const [text, setText] = useState(value === undefined ? "" : String(value));
  const isWrong = text !== "" && (Number.isNaN(Number(text)) || (isWhole && !/^-?\d+$/.test(text)));
  const change = (typed) => {
    setText(typed);
    const number = Number(typed);
    onChange(typed === "" ? undefined : Number.isNaN(number) ? typed : number);
  };
  return html`<${TextField} label=${label} hint=${hint} wrong=${isWrong ? (isWhole ? "A whole number" : "A number") : ""} value=${text} onInput=${change} />`;
}

function JsonField({ label, hint, value, onChange }) {
  const [text, setText] = useState(value === undefined ? "" : JSON.stringify(value, null, 2));
  const [wrong, setWrong] = useState("");
  const change = (typed) => {
    setText(typed);
    try {
      onChange(typed.trim() === "" ? undefined : JSON.parse(typed));
      setWrong("");
    } catch (failure) {
      setWrong(`This is not JSON: ${failure.message}`);
    }
  };
  return html`<${AreaField} label=${label} hint=${hint} wrong=${wrong} rows=${4} value=${text} onInput=${change} />`;
}
