// The small parts of all pages: statuses, times, problems, empty states, commands to copy.
import { html, useEffect, useState } from "../core/html.js";
import { moment, relative } from "../core/format.js";
import { jobStatus } from "../core/status.js";
import { to } from "../core/router.js";
import { Icon } from "./icon.js";

/** A status as shape, colour and word; `kind` is of core/status.js. */
export function Status({ kind, short }) {
  return html`<span class=${`status tone-${kind.tone}`} title=${short ? kind.text : undefined}>
    <${Icon} name=${kind.mark} class="status-mark" title=${short ? kind.text : undefined} />${short ? null : html`<span class="clip">${kind.text}</span>`}
  </span>`;
}

export const JobStatus = ({ status, paused }) => html`<${Status} kind=${jobStatus(paused ? "paused" : status)} />`;

const clocks = new Set();
setInterval(() => {
  if (!document.hidden) clocks.forEach((tick) => tick());
}, 1000);

/** Renders again each second. */
export function useClock() {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const tick = () => setNow(Date.now());
    clocks.add(tick);
    return () => clocks.delete(tick);
  }, []);
  return now;
}

/** How long ago, or until when; the exact time in its title. */
export function Ago({ at }) {
  const now = useClock();
  return at ? html`<time datetime=${at} title=${moment(at)}>${relative(at, now)}</time>` : html`<span class="muted">-</span>`;
}

export const Moment = ({ at }) => (at ? html`<time datetime=${at} title=${at}>${moment(at)}</time>` : html`<span class="muted">-</span>`);

/** An error of the API in words: what was refused, why, and what to do. */
export function ProblemNote({ problem, retry }) {
  if (!problem) return null;
  return html`<div class="note tone-fail" role="alert" data-test="problem">
    <${Icon} name="warn" />
    <div>
      <strong>${problem.message}</strong>
      ${problem.detail && html`<p>${problem.detail}</p>`}
      ${problem.problems && problem.problems.length > 0 && html`<ul>${problem.problems.slice(0, 20).map((one) => html`<li>${typeof one === "string" ? one : one.message || JSON.stringify(one)}</li>`)}</ul>`}
      ${problem.code && html`<p class="muted"><code>${problem.code}</code></p>`}
      ${retry && html`<p><button type="button" class="btn btn-small" onClick=${retry}><${Icon} name="refresh" size=${14} />Try again</button></p>`}
    </div>
  </div>`;
}

export function Note({ tone = "off", icon = "info", children }) {
  return html`<div class=${`note tone-${tone}`}><${Icon} name=${icon} /><div>${children}</div></div>`;
}

/** Nothing is here: what that means, and what to do next. */
export function Empty({ icon = "ring", title, children, command, small }) {
  return html`<div class=${small ? "empty empty-small" : "empty"} data-test="empty">
    ${!small && html`<${Icon} name=${icon} size=${28} />`}
    <h2>${title}</h2>
    ${children && html`<p>${children}</p>`}
    ${[command].flat().filter(Boolean).map((one) => html`<${Command} text=${one} />`)}
  </div>`;
}

/** A command to type, with a button that copies it. */
export function Command({ text }) {
  return html`<span class="command"><code tabindex="0">${text}</code><${Copy} text=${text} label="Copy the command" /></span>`;
}

export function Copy({ text, label = "Copy" }) {
  const [isDone, setDone] = useState(false);
  const copy = async (event) => {
    event.preventDefault();
    event.stopPropagation();
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      copyBySelection(text); // without https a browser has no clipboard for pages
    }
    setDone(true);
    setTimeout(() => setDone(false), 1200);
  };
  return html`<button type="button" class="btn btn-bare btn-small btn-icon" aria-label=${isDone ? "Copied" : label} title=${label} onClick=${copy}>
    <${Icon} name=${isDone ? "done" : "copy"} size=${14} />
  </button>`;
}

function copyBySelection(text) {
  const area = document.createElement("textarea");
  area.value = text;
  document.body.append(area);
  area.select();
  document.execCommand("copy");
  area.remove();
}

export function Loading({ rows = 4 }) {
  return html`<div class="panel-body stack" role="status" aria-label="Loading">
    ${Array.from({ length: rows }, (_, i) => html`<div class="skeleton" style=${{ width: `${90 - ((i * 17) % 50)}%` }}></div>`)}
  </div>`;
}

export function Live({ state }) {
  const [tone, text] = { open: ["done", "Live"], broken: ["fail", "Reconnecting"], missing: ["off", "Not live"], over: ["off", "Ended"], closed: ["off", "Paused"] }[state] || ["off", state];
  return html`<span class=${`live tone-${tone} ${state === "open" ? "on" : ""}`} role="status" data-test="live"><span class="dot"></span>${text}</span>`;
}

export function Labels({ labels, most = 4 }) {
  const all = Object.entries(labels || {});
  return html`<span class="tags">
    ${all.slice(0, most).map(([name, value]) => html`<span class="tag" title=${`${name}=${value}`}><span>${name}=${value}</span></span>`)}
    ${all.length > most && html`<span class="tag">+${all.length - most}</span>`}
  </span>`;
}

export const JobLink = ({ id, children }) => html`<a href=${to(["jobs", id])} class=${children ? "" : "mono"} title=${id}>${children || id}</a>`;

/** A bar of parts, with words for those who do not see it: `parts` are `{value, tone, name}`. */
export function Bar({ parts, total }) {
  const all = total || parts.reduce((sum, part) => sum + part.value, 0);
  const text = parts.filter((part) => part.value).map((part) => `${part.name}: ${part.value}`).join(", ");
  return html`<span class="bar" role="img" aria-label=${text || "empty"}>
    ${all > 0 && parts.filter((part) => part.value > 0).map((part) => html`<span class=${`tone-${part.tone}`} style=${{ width: `${(100 * part.value) / all}%` }} title=${`${part.name}: ${part.value}`}></span>`)}
  </span>`;
}

export function Panel({ title, children, right, test, id }) {
  return html`<section class="panel" aria-label=${typeof title === "string" ? title : undefined} data-test=${test} id=${id}>
    ${title && html`<header class="panel-head"><h2>${title}</h2>${right && html`<div class="spacer"></div>`}${right}</header>`}
    ${children}
  </section>`;
}
