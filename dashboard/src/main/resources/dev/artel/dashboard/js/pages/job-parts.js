// Data with the differences between steps, logs, children and webhooks of a job.
import { html, useEffect, useMemo, useState } from "../core/html.js";
import { useGet, useLoad, usePages } from "../core/data.js";
import { brief, count, timeOfDay } from "../core/format.js";
import { Ago, Empty, JobLink, JobStatus, Loading, Panel, ProblemNote, Status } from "../components/basics.js";
import { Segments } from "../components/fields.js";
import { Diff, Json } from "../components/json.js";
import { eventsAfter } from "./job-history.js";
import { LogLine } from "./job-tasks.js";

const MOST_EVENTS = 2000;

/** The data of a job: now, at its begin, and what each step changed. */
export function Data({ path, version, touched }) {
  const [view, setView] = useState("steps");
  const now = useGet(path, { fields: "initial_data,state_history,result" });
  const steps = useSteps(path, version);
  useEffect(() => {
    if (touched) now.reload();
  }, [touched]);
  return html`<${Panel} title="Data" test="data" right=${html`<${Segments} label="View" value=${view} onInput=${setView} options=${[["steps", "Step by step"], ["now", "Now"], ["input", "Input"], ["diff", "Input to now"]]} />`}>
    <div class="panel-body">
      ${now.problem && html`<${ProblemNote} problem=${now.problem} retry=${now.reload} />`}
      ${!now.data ? !now.problem && html`<${Loading} rows=${3} />`
        : view === "now" ? html`<${Json} value=${now.data.state_history} depth=${3} />`
        : view === "input" ? html`<${Json} value=${now.data.initial_data} depth=${3} />`
        : view === "diff" ? html`<${Diff} before=${now.data.initial_data || {}} after=${now.data.state_history || {}} none="The data are the input." />`
        : html`<${Steps} steps=${steps.data} problem=${steps.problem} version=${version} />`}
    </div>
  </${Panel}>`;
}

/** What each state did to the data, from the newest events. */
function useSteps(path, version) {
  const from = Math.max(0, version - MOST_EVENTS);
  return useLoad(`${path}|${from}|${version}`, async (signal) => readSteps(await eventsAfter(path, from, MOST_EVENTS, signal), from === 0));
}

function readSteps(events, isFromBegin) {
  let opened = 0;
  const types = new Map();
  const states = new Map();
  const found = [];
  const change = (event, state, data, by, type) => found.push({ version: event.version, at: event.at, state, data, by, type });
  for (const event of events) {
    if (event.type === "state.entered") states.set(event.branch, event.state);
    else if (event.type === "step.done" && Object.keys(event.changes || {}).length > 0) change(event, states.get(event.branch), event.changes, "handler");
    else if (event.type === "task.opened") types.set(opened++, event.task_type);
    else if (event.type === "tasks.opened") opened += event.count;
    else if (event.type === "task.succeeded") change(event, null, event.data, `result of task ${event.task}`, isFromBegin ? types.get(event.task) : undefined);
    else if (event.type === "job.submitted") change(event, null, event.initial_data, "input");
    else if (event.type === "signal.received") change(event, null, event.payload, `signal ${event.signal}`);
    else if (event.type === "child.ended") change(event, null, event.data, `child ${event.child}`);
    else if (event.type === "job.rewound" || event.type === "job.continued") change(event, event.to, event.data, event.type);
  }
  return found;
}

function Steps({ steps, problem, version }) {
  const [shown, setShown] = useState(50);
  if (problem) return html`<${ProblemNote} problem=${problem} />`;
  if (!steps) return html`<${Loading} rows=${3} />`;
  const newest = [...steps].reverse().slice(0, shown);
  const merged = merge(steps);
  if (steps.length === 0) return html`<p class="muted">No step changed the data.</p>`;
  return html`<ul class="stack">
    ${newest.map((step, i) => { const index = steps.length - 1 - i; return html`<li class="stack-s" key=${step.version}>
      <div class="btn-row"><strong>${step.state || step.by}</strong>${step.type && html`<code class="muted">${step.type}</code>`}${step.state && html`<span class="muted">${step.by}</span>`}<span class="muted" style=${{ marginLeft: "auto" }}>#${step.version}, ${timeOfDay(step.at)}</span></div>
      <${Diff} before=${merged[index].before} after=${merged[index].after} none="Same values as before" /></li>`; })}
    ${steps.length > shown && html`<li class="list-end"><button type="button" class="btn btn-small" onClick=${() => setShown(shown + 200)}>${count(steps.length - shown)} earlier</button></li>`}
    ${version > MOST_EVENTS && html`<li class="muted">From the last ${count(MOST_EVENTS)} of ${count(version)} events.</li>`}
  </ul>`;
}

/** Before and after of each step, results compared with the last one of a task of the same type. */
function merge(steps) {
  const last = new Map();
  let data = {};
  return steps.map((step) => {
    if (step.by === "handler") {
      const before = data;
      data = { ...data, ...step.data };
      return { before: pick(before, step.data), after: pick(data, step.data) };
    }
    if (step.by === "input") {
      data = isObject(step.data) ? { ...step.data } : {};
      return { before: {}, after: step.data };
    }
    const key = step.type || step.by;
    const before = last.get(key);
    last.set(key, step.data);
    return { before: before === undefined ? {} : before, after: step.data ?? {} };
  });
}

const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);
const pick = (from, names) => Object.fromEntries(Object.keys(names).filter((name) => Object.hasOwn(from, name)).map((name) => [name, from[name]]));

export function Logs({ path, touched }) {
  const list = usePages(path, `${path}/logs`, {}, 200);
  useEffect(() => {
    if (touched && list.items.length <= 200) list.reload();
  }, [touched]);
  const [level, setLevel] = useState("");
  const shown = useMemo(() => list.items.filter((line) => !level || line.level === level || (level === "warn" && line.level === "error")), [list.items, level]);
  return html`<${Panel} title="Logs" test="logs" right=${html`<span class="muted">newest first</span><${Segments} label="Level" value=${level} onInput=${setLevel} options=${[["", "All"], ["warn", "Warnings"], ["error", "Errors"]]} />`}>
    ${list.problem && html`<div class="panel-body"><${ProblemNote} problem=${list.problem} retry=${list.reload} /></div>`}
    ${shown.length === 0 ? (list.isLoading ? html`<${Loading} rows=${3} />` : list.problem ? null : html`<${Empty} small title="No lines">Workers write them with the log of their task context. The newest 1,000 of each attempt are kept.</${Empty}>`)
      : html`<ul class="log" style=${{ padding: "8px 0" }}>${shown.map((line) => html`<${LogLine} key=${`${line.task}.${line.attempt}.${line.number}`} line=${line} />`)}</ul>`}
    ${list.hasMore && html`<div class="list-end"><button type="button" class="btn btn-small" onClick=${list.more}>Earlier lines</button></div>`}
  </${Panel}>`;
}

export function Children({ path, job, touched }) {
  const list = usePages(path, `${path}/children`, {}, 100);
  useEffect(() => {
    if (touched && list.items.length <= 100) list.reload();
  }, [touched]);
  return html`<${Panel} title="Children" test="children" right=${html`<span class="muted">${Object.entries(job.child_counts || {}).map(([name, n]) => `${count(n)} ${name}`).join(", ")}</span>`}>
    ${list.problem && html`<div class="panel-body"><${ProblemNote} problem=${list.problem} retry=${list.reload} /></div>`}
    ${list.items.length === 0 ? (list.isLoading ? html`<${Loading} rows=${3} />` : list.problem ? null : html`<${Empty} small title="No children">Jobs that this job starts appear here.</${Empty}>`)
      : html`<div class="table-scroll" tabindex="0"><table class="table"><thead><tr><th class="num">#</th><th>Status</th><th>Blueprint</th><th>Job</th><th>Message</th></tr></thead>
        <tbody>${list.items.map((child) => html`<tr key=${child.number}><td class="num muted">${child.number}</td><td><${JobStatus} status=${child.status} /></td><td>${child.blueprint_name}</td><td>${child.job_id ? html`<${JobLink} id=${child.job_id} />` : html`<span class="muted">not begun</span>`}</td><td class="soft">${brief(child.error_message, 120)}</td></tr>`)}</tbody></table></div>`}
    ${list.hasMore && html`<div class="list-end"><button type="button" class="btn btn-small" onClick=${list.more}>More</button></div>`}
  </${Panel}>`;
}

const CALLS = { pending: { tone: "wait", mark: "clock", text: "Pending" }, delivered: { tone: "done", mark: "check", text: "Delivered" }, given_up: { tone: "fail", mark: "cross", text: "Given up" } };

export function Webhooks({ path }) {
  const list = usePages(path, `${path}/webhooks`, {}, 100);
  return html`<${Panel} title="Webhooks" test="webhooks">
    ${list.problem && html`<div class="panel-body"><${ProblemNote} problem=${list.problem} retry=${list.reload} /></div>`}
    ${list.items.length === 0 ? (list.isLoading ? html`<${Loading} rows=${2} />` : list.problem ? null : html`<${Empty} small title="No calls">A job with a webhook_url calls it when it ends or waits for a person.</${Empty}>`)
      : html`<div class="table-scroll" tabindex="0"><table class="table"><thead><tr><th>State</th><th>Event</th><th>Address</th><th class="num">Tries</th><th>When</th><th>Problem</th></tr></thead>
        <tbody>${list.items.map((call) => html`<tr key=${call.call}><td><${Status} kind=${CALLS[call.state] || CALLS.pending} /></td><td>${call.event}</td><td class="wrap-any mono">${call.url}</td><td class="num">${call.attempt_count ?? (call.attempts || []).length}</td><td><${Ago} at=${call.at} /></td><td class="soft">${call.problem}</td></tr>`)}</tbody></table></div>`}
  </${Panel}>`;
}
