// A JSON value as a tree that opens piece by piece, and the differences of two values.
import { html, useState } from "../core/html.js";
import { brief, bytes, count } from "../core/format.js";
import { differences } from "../core/diff.js";
import { request } from "../core/api.js";
import { Icon } from "./icon.js";
import { Copy, ProblemNote } from "./basics.js";

const PIECE = 100;
const LONG_TEXT = 2000;

/** @param depth how many levels are open at first */
export function Json({ value, depth = 2, copy = true }) {
  return html`<div class="json" data-test="json">
    ${copy && value !== undefined && html`<div style=${{ float: "right" }}><${Copy} text=${JSON.stringify(value, null, 2)} label="Copy as JSON" /></div>`}
    <${Node} value=${value} depth=${depth} />
  </div>`;
}

function Node({ name, value, depth }) {
  const isTree = value !== null && typeof value === "object" && !isLarge(value);
  const [isOpen, setOpen] = useState(depth > 0);
  const [shown, setShown] = useState(PIECE);
  const key = name === undefined ? null : html`<span class="key" title=${String(name)}>${name}</span>`;
  if (!isTree) {
    return html`<div class="line"><span class="pad"></span>${key}<${Leaf} value=${value} /></div>`;
  }
  const isArray = Array.isArray(value);
  const entries = isArray ? value : Object.keys(value);
  const size = entries.length;
  if (size === 0) {
    return html`<div class="line"><span class="pad"></span>${key}<span class="brief">${isArray ? "[]" : "{}"}</span></div>`;
  }
  return html`<div>
    <div class="line">
      <button type="button" class="fold" aria-expanded=${isOpen} aria-label=${`${isOpen ? "Close" : "Open"} ${name ?? "the value"}`} onClick=${() => setOpen(!isOpen)}><${Icon} name="right" size=${12} /></button>
      ${key}<span class="brief">${isArray ? `[${count(size)}]` : `{${count(size)}}`}${!isOpen && html` ${brief(value, 90)}`}</span>
    </div>
    ${isOpen && html`<div class="kids">
      ${entries.slice(0, shown).map((entry, i) => (isArray ? html`<${Node} key=${i} name=${i} value=${entry} depth=${depth - 1} />` : html`<${Node} key=${entry} name=${entry} value=${value[entry]} depth=${depth - 1} />`))}
      ${size > shown && html`<div class="line"><span class="pad"></span><button type="button" class="btn btn-small" onClick=${() => setShown(shown + PIECE * 5)}>${count(size - shown)} more</button></div>`}
    </div>`}
  </div>`;
}

function Leaf({ value }) {
  const [isWhole, setWhole] = useState(false);
  if (isLarge(value)) return html`<${LargeValue} large=${value.large_value} />`;
  if (typeof value === "string") {
    const isLong = value.length > LONG_TEXT && !isWhole;
    return html`<span class="text">${isLong ? value.slice(0, LONG_TEXT) + "…" : value === "" ? '""' : value}${isLong && html` <button type="button" class="btn btn-small" onClick=${() => setWhole(true)}>all ${count(value.length)} characters</button>`}</span>`;
  }
  if (typeof value === "number") return html`<span class="number">${String(value)}</span>`;
  if (value === undefined) return html`<span class="brief">nothing</span>`;
  return html`<span class="word">${String(value)}</span>`;
}

function isLarge(value) {
  return value !== null && typeof value === "object" && !Array.isArray(value) && value.large_value && typeof value.large_value.href === "string" && Object.keys(value).length === 1;
}

/** A value with an address of its own: read when a person asks for it. */
function LargeValue({ large }) {
  const [state, setState] = useState({});
  const path = /^\/api\/v1\/jobs\/[^/]+\/values\/[0-9a-f]{64}$/.test(large.href) ? large.href.slice(1) : null;
  const load = async () => {
    try {
      setState({ value: await request("GET", path), isThere: true });
    } catch (problem) {
      setState({ problem });
    }
  };
  if (state.isThere) return html`<${Node} value=${state.value} depth=${1} />`;
  return html`<span><span class="brief">large value, ${bytes(large.bytes)}</span> ${path && html`<button type="button" class="btn btn-small" onClick=${load}>Load</button>`}<${ProblemNote} problem=${state.problem} /></span>`;
}

const SIGNS = { added: ["+", "done"], removed: ["−", "fail"], changed: ["~", "wait"] };

/** What changed between two values. */
export function Diff({ before, after, none = "No differences" }) {
  const found = differences(before, after);
  if (found.length === 0) return html`<p class="muted">${none}</p>`;
  return html`<ul class="diff" data-test="diff">
    ${found.map((one) => { const [sign, tone] = SIGNS[one.kind]; return html`<li class=${`tone-${tone}`}>
      <span class="sign" title=${one.kind} aria-label=${one.kind}>${sign}</span><span class="path">${one.path}</span>
      <span class="value">${one.kind === "changed" && html`<del>${brief(one.before, 400)}</del>${" → "}`}${brief(one.kind === "removed" ? one.before : one.after, 2000)}</span></li>`; })}
    ${found.length >= 500 && html`<li><span></span><span class="path">only the first 500 are shown</span></li>`}
  </ul>`;
}
