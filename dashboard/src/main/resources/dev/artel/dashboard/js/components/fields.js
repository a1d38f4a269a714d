// Fields of forms.
import { html, useRef } from "../core/html.js";
import { Icon } from "./icon.js";

let names = 0;

export function Field({ label, hint, wrong, children }) {
  const id = useRef(`field-${++names}`).current;
  return html`<div class="field">
    <label for=${id}>${label}</label>
    ${typeof children === "function" ? children(id) : children}
    ${wrong ? html`<span class="wrong" role="alert">${wrong}</span>` : hint && html`<span class="hint">${hint}</span>`}
  </div>`;
}

export function TextField({ label, hint, wrong, value, onInput, type = "text", placeholder, required, autocomplete = "off", list, mono }) {
  return html`<${Field} label=${label} hint=${hint} wrong=${wrong}>
    ${(id) => html`<input id=${id} class=${mono ? "input mono" : "input"} type=${type} value=${value} placeholder=${placeholder} required=${required} autocomplete=${autocomplete} list=${list} spellcheck=${false}
      onInput=${(event) => onInput(event.target.value)} />`}
  </${Field}>`;
}

export function AreaField({ label, hint, wrong, value, onInput, rows = 5, placeholder }) {
  return html`<${Field} label=${label} hint=${hint} wrong=${wrong}>
    ${(id) => html`<textarea id=${id} class="area" rows=${rows} value=${value} placeholder=${placeholder} spellcheck=${false} onInput=${(event) => onInput(event.target.value)}></textarea>`}
  </${Field}>`;
}

/** @param options `[value, text]` or texts */
export function SelectField({ label, hint, value, onInput, options }) {
  return html`<${Field} label=${label} hint=${hint}>
    ${(id) => html`<${Select} id=${id} value=${value} onInput=${onInput} options=${options} />`}
  </${Field}>`;
}

export function Select({ id, label, value, onInput, options, test }) {
  return html`<select id=${id} class="select" aria-label=${label} value=${value} data-test=${test} onChange=${(event) => onInput(event.target.value)}>
    ${options.map((one) => { const [key, text] = Array.isArray(one) ? one : [one, one]; return html`<option value=${key} selected=${key === value}>${text}</option>`; })}
  </select>`;
}

export function Check({ label, checked, onInput }) {
  return html`<label class="check"><input type="checkbox" checked=${checked} onChange=${(event) => onInput(event.target.checked)} /><span>${label}</span></label>`;
}

export function SearchInput({ label, value, onInput, placeholder, test }) {
  return html`<span class="input-icon"><${Icon} name="search" />
    <input class="input" type="search" aria-label=${label} value=${value} placeholder=${placeholder} data-test=${test} data-search="true" autocomplete="off" spellcheck=${false}
      onInput=${(event) => onInput(event.target.value)} /></span>`;
}

/** Buttons of which one is pressed: `options` are `[value, text]`. */
export function Segments({ label, value, onInput, options }) {
  return html`<div class="seg" role="group" aria-label=${label}>
    ${options.map(([key, text]) => html`<button type="button" aria-pressed=${key === value} onClick=${() => onInput(key)}>${text}</button>`)}
  </div>`;
}

/** JSON that a person types: the value, or what is wrong with it. Empty is undefined. */
export function readJson(text) {
  if (text.trim() === "") return { value: undefined };
  try {
    return { value: JSON.parse(text) };
  } catch (failure) {
    return { wrong: `This is not JSON: ${failure.message}` };
  }
}

/** Throws what is wrong as a refusal of the API would be. */
export function jsonOrRefuse(text, what) {
  const { value, wrong } = readJson(text);
  if (wrong) throw Object.assign(new Error(what), { detail: wrong, problems: [] });
  return value;
}
