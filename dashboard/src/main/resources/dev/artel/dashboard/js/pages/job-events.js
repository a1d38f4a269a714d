// All events of a job, from the first to the last, however many there are.
import { html, useEffect, useRef, useState } from "../core/html.js";
import { setQuery } from "../core/router.js";
import { brief, count, timeOfDay } from "../core/format.js";
import { Moment, Panel, ProblemNote } from "../components/basics.js";
import { Icon } from "../components/icon.js";
import { Json } from "../components/json.js";
import { VirtualList } from "../components/virtual.js";
import { downloadHistory } from "./job-download.js";
import { useHistory } from "./job-history.js";

const HEIGHT = 36;

export function Events({ path, job, version, route }) {
  const history = useHistory(path, version);
  const scroller = useRef(null);
  const chosen = Number(route.query.get("event")) || 0;
  const [jump, setJump] = useState({ to: Math.max(0, chosen - 1), token: chosen ? 1 : undefined });
  const [wish, setWish] = useState("");
  const range = useRef([0, 40]);
  const onRange = (first, last) => {
    range.current = [first, last];
    history.need(first, last);
  };
  useEffect(() => history.need(...range.current), [version]);
  const go = (to) => setJump({ to: Math.min(Math.max(0, to), version - 1), token: Date.now() });
  const submit = (event) => {
    event.preventDefault();
    const number = parseInt(wish, 10);
    if (number >= 1) go(number - 1);
  };
  const one = chosen ? history.at(chosen) : null;
  return html`<${Panel} title="Events" test="events" right=${html`<form class="btn-row" onSubmit=${submit}>
      <input class="input" style=${{ width: "104px" }} aria-label="Number of an event" placeholder="Number" inputmode="numeric" value=${wish} onInput=${(event) => setWish(event.target.value)} />
      <button type="button" class="btn btn-small" onClick=${() => go(0)}>First</button><button type="button" class="btn btn-small" onClick=${() => go(version - 1)} data-test="last">Last</button>
      <button type="button" class="btn btn-small" onClick=${() => downloadHistory(job)}><${Icon} name="download" size=${14} />JSON</button></form>`}>
    ${history.problem && html`<div class="panel-body"><${ProblemNote} problem=${history.problem} retry=${() => { history.retry(); history.need(...range.current); }} /></div>`}
    <div class="grid-head events-grid" style=${{ position: "static" }} aria-hidden="true"><span class="num">#</span><span>Time</span><span>Event</span><span>What</span></div>
    <div class="events-list" ref=${scroller} tabindex="0" role="region" aria-label=${`${count(version)} events`}>
      <${VirtualList} count=${version} height=${HEIGHT} scroller=${scroller} onRange=${onRange} goTo=${jump.to} goToken=${jump.token} label="Events"
        row=${(i) => html`<${Row} number=${i + 1} event=${history.at(i + 1)} isChosen=${chosen === i + 1} />`} />
    </div>
    ${one && html`<div class="panel-body" style=${{ borderTop: "1px solid var(--line)" }} data-test="event-detail">
      <div class="btn-row" style=${{ marginBottom: "8px" }}><h2>${one.type}</h2><span class="muted">#${one.version}, <${Moment} at=${one.at} /></span><button type="button" class="btn btn-small btn-bare" style=${{ marginLeft: "auto" }} onClick=${() => setQuery({ event: null })}>Close</button></div>
      <${Json} value=${detail(one)} depth=${3} /></div>`}
  </${Panel}>`;
}

function Row({ number, event, isChosen }) {
  if (!event) return html`<div class="grid-row event-row events-grid muted"><span class="num">${number}</span><span></span><span class="skeleton"></span><span></span></div>`;
  return html`<button type="button" class=${`grid-row event-row events-grid ${isChosen ? "on" : ""}`} onClick=${() => setQuery({ event: isChosen ? null : number })} data-test="event">
    <span class="num muted">${number}</span><span class="muted" title=${event.at}>${timeOfDay(event.at, true)}</span>
    <span class=${`status tone-${tone(event.type)}`}><span class="dot"></span><span class="clip">${event.type}</span></span>
    <span class="clip soft">${summary(event)}</span></button>`;
}

/** The colour of an event: what kind of thing happened. */
export function tone(type) {
  if (/failed|lost|quarantined|exhausted|refused/.test(type)) return "fail";
  if (/succeeded|job\.ended|child\.ended|compensation\.completed/.test(type)) return "done";
  if (/approval|question|outcome|quarantine\.resolved/.test(type)) return "person";
  if (/wait|signal|withheld/.test(type)) return "wait";
  if (/^(state|lease\.granted|task|tasks|step|branch)/.test(type)) return "run";
  return "off";
}

const KNOWN = new Set(["version", "at", "type"]);

/** An event in one line. */
export function summary(event) {
  switch (event.type) {
    case "state.entered": return `${event.state}${event.branch ? `, branch ${event.branch}` : ""}${event.cause ? `, ${causeText(event.cause)}` : ""}`;
    case "task.opened": return `${event.task_type} ${brief(event.params, 140)}`;
    case "tasks.opened": return `${event.count} tasks`;
    case "lease.granted": return `task ${event.task}, attempt ${event.attempt} to ${event.worker}: ${(event.placement || {}).because || ""}`;
    case "task.succeeded": return `task ${event.task}: ${event.status} ${brief(event.data, 140)}`;
    case "attempt.failed":
    case "task.failed": return `task ${event.task}: ${event.error ? `${event.error.code}: ${event.error.message}` : ""}`;
    case "step.done": return Object.keys(event.changes || {}).length ? `changes ${brief(event.changes, 160)}` : "no changes";
    case "job.submitted": return `${event.blueprint} by ${event.client} ${brief(event.initial_data, 140)}`;
    default: {
      const rest = Object.entries(event).filter(([name]) => !KNOWN.has(name) && name !== "task_id");
      return rest.map(([name, value]) => `${name.replaceAll("_", " ")} ${brief(value, 80)}`).join(", ");
    }
  }
}

function causeText(cause) {
  if (cause.kind === "task.ended") return `after task ${cause.task}: ${cause.outcome}`;
  if (cause.kind === "moved") return `from ${cause.from}`;
  return String(cause.kind || "").replaceAll(".", " ");
}

function detail(event) {
  return Object.fromEntries(Object.entries(event).filter(([name]) => !KNOWN.has(name)));
}
