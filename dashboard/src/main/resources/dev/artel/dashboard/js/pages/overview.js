// The overview: how it goes at this moment, and what needs a person.
import { html, useState } from "../core/html.js";
import { get, Problem } from "../core/api.js";
import { useGet, useLoad, usePages } from "../core/data.js";
import { useStream } from "../core/live.js";
import { useRights } from "../core/session.js";
import { to } from "../core/router.js";
import { brief, compact, count, duration, latency, plural, shortId, timeOfDay } from "../core/format.js";
import { jobStatus, OPEN, OVER } from "../core/status.js";
import { sentence, whyParts, withTimes } from "../core/why.js";
import { Ago, Bar, Empty, Live, Loading, Panel, ProblemNote, Status } from "../components/basics.js";
import { StackedBars } from "../components/chart.js";
import { Segments } from "../components/fields.js";
import { Icon } from "../components/icon.js";
import { NeedRow } from "../components/need.js";

const STATUS_ORDER = [...OPEN, ...OVER];

export default function Overview() {
  const rights = useRights();
  const first = useLoad("overview", loadOverview, 0);
  const [streamed, setStreamed] = useState(null);
  // The stream is for those who see everything; the counts of one client are asked for.
  const isAsked = Boolean(first.data) && (!rights.seesAll || first.data.isCounts);
  const state = useStream(first.data && !isAsked ? "overview/events" : null, (event) => event.type === "overview" && setStreamed(event.data));
  const counts = useLoad(isAsked ? "counts" : null, loadOverview, 3000);
  const now = streamed || counts.data || first.data;
  if (first.problem && !now) return html`<${ProblemNote} problem=${first.problem} retry=${first.reload} />`;
  if (!now) return html`<${Loading} rows=${8} />`;
  const total = Object.values(now.jobs || {}).reduce((sum, one) => sum + one, 0);
  const isEmpty = total === 0 && !(now.slots && now.slots.workers);
  return html`
    <div class="page-head"><div><h1>Overview</h1></div><${Live} state=${isAsked ? (counts.problem ? "broken" : "open") : state} /></div>
    ${isEmpty ? html`<${Welcome} />` : html`
      <${Figures} now=${now} />
      <div class=${now.throughput ? "split" : "stack"}>
        ${now.throughput && html`<${Throughput} now=${now} />`}
        <${ByStatus} jobs=${now.jobs || {}} total=${total} />
      </div>
      ${now.queues && html`<${Queues} queues=${now.queues} latencies=${now.latencies || []} />`}
      <div class=${rights.seesAll ? "halves" : "stack"}>
        ${rights.seesAll && html`<${Needs} needs=${now.needs} />`}
        <${Failures} failed=${(now.jobs || {}).failed || 0} />
      </div>
      ${now.latencies && html`<${Latencies} latencies=${now.latencies} jobs=${now.job_latencies || []} />`}`}`;
}

/** The overview, or of an orchestrator without one, or for a client that may not see all, the counts. */
async function loadOverview(signal) {
  try {
    return await get("overview", undefined, signal);
  } catch (problem) {
    if (!(problem instanceof Problem) || (problem.status !== 404 && problem.status !== 403)) throw problem;
    const { workers, jobs } = await get("dashboard", undefined, signal);
    return { isCounts: true, at: new Date().toISOString(), jobs, slots: { workers: workers.total } };
  }
}

function Welcome() {
  return html`<section class="panel"><${Empty} icon="bolt" title="Nothing has run here yet"
      command=${["./artel hello", "./artel hello worker", "./artel job submit hello name=Ada --wait"]}>
      Start a program with a blueprint, a worker for its tasks, and submit a first job. What happens then is shown here at once.
    </${Empty}></section>`;
}

function Figures({ now }) {
  const jobs = now.jobs || {};
  const open = OPEN.reduce((sum, status) => sum + (jobs[status] || 0), 0);
  const recent = now.throughput;
  const perMinute = recent ? perMinuteOf(recent.finished, recent.step_seconds) : null;
  const failed = recent ? sum(recent.failed) + sum(recent.quarantined) : jobs.failed;
  const slots = now.slots || {};
  const needs = now.needs ? sum(Object.values(now.needs)) : (jobs.quarantined || 0) + (jobs.waiting_for_human || 0);
  const queued = now.queues ? sum(now.queues.map((queue) => queue.queued)) : null;
  return html`<section class="figures" aria-label="Figures">
    <${Figure} name="Open jobs" value=${compact(open)} href=${to(["jobs"])} below=${queued === null ? "" : `${compact(queued)} queued ${queued === 1 ? "task" : "tasks"}`} test="figure-open" />
    <${Figure} name="Finished" value=${perMinute === null ? compact(jobs.finished || 0) : rate(perMinute)} unit=${perMinute === null ? "" : "a minute"} href=${to(["jobs"], { status: "finished" })} below=${`${compact(jobs.finished || 0)} kept`} test="figure-finished" />
    <${Figure} name=${recent ? "Failed, last 10 min" : "Failed"} value=${compact(failed || 0)} tone=${failed ? "fail" : ""} href=${to(["jobs"], { status: "failed" })} below=${`${compact(jobs.failed || 0)} kept`} test="figure-failed" />
    ${slots.workers !== undefined && html`<${Figure} name="Slots in use" value=${slots.total === undefined ? compact(slots.workers) : compact(slots.busy)} unit=${slots.total === undefined ? "workers" : `of ${compact(slots.total)}`} href=${to(["workers"])}
      bar=${slots.total ? [{ name: "busy", value: slots.busy, tone: "run" }] : null} total=${slots.total} below=${slots.total === undefined ? "" : `${plural(slots.workers, "worker")}${slots.draining ? `, ${count(slots.draining)} draining` : ""}`} test="figure-slots" />`}
    <${Figure} name="Needs a person" value=${compact(needs)} tone=${needs ? "person" : ""} href=${to(["needs"])} below=${needs ? needWords(now.needs) : "nothing waits"} test="figure-needs" />
  </section>`;
}

function Figure({ name, value, unit, below, href, tone, bar, total, test }) {
  return html`<a class=${`figure ${tone ? `tone-${tone}` : ""}`} href=${href} data-test=${test}>
    <span class="name">${name}</span><span class="value">${value}${unit && html` <small>${unit}</small>`}</span>
    <span class="below clip">${below}</span>${bar && html`<${Bar} parts=${bar} total=${total} />`}</a>`;
}

const sum = (numbers) => (numbers || []).reduce((all, one) => all + (one || 0), 0);
const rate = (number) => (number >= 100 ? compact(Math.round(number)) : number.toFixed(number >= 10 ? 0 : 1).replace(/\.0$/, ""));

/** Of the last minute that is over. */
function perMinuteOf(values, step) {
  const steps = Math.max(1, Math.round(60 / step));
  return sum(values.slice(-steps - 1, -1)) * (60 / (steps * step));
}

function needWords(needs) {
  const names = { quarantine: ["quarantined"], approvals: ["approval", "approvals"], questions: ["question", "questions"], in_doubt: ["in doubt"], budget: ["budget", "budgets"], stuck: ["stuck"] };
  return Object.entries(needs || {}).filter(([, value]) => value > 0).map(([name, value]) => plural(value, ...(names[name] || [name, name]).flatMap((one, _, all) => (all.length === 1 ? [one, one] : [one])))).join(", ");
}

const SERIES = [
  { name: "finished", color: "--bar-done", tone: "done" },
  { name: "failed", color: "--bar-fail", tone: "fail" },
  { name: "quarantined", color: "--bar-person", tone: "person" },
];

function Throughput({ now }) {
  const [window, setWindow] = useState("minutes");
  const [at, setAt] = useState(null);
  const given = window === "minutes" ? now.throughput : now.throughput_hours;
  const from = Date.parse(given.from) / 1000;
  const times = given.finished.map((_, i) => from + i * given.step_seconds);
  const series = SERIES.map((one) => ({ ...one, values: given[one.name] || [] }));
  const value = (values) => (at === null ? sum(values) : values[at] || 0);
  return html`<${Panel} title="Throughput" test="throughput" right=${html`<${Segments} label="Time" value=${window} onInput=${setWindow} options=${[["minutes", "10 min"], ["hours", "3 h"]]} />`}>
    <div class="panel-body stack-s">
      <div class="legend">
        ${series.map((one) => html`<span class=${`tone-${one.tone}`}><i class="swatch"></i>${one.name} <b>${count(value(one.values))}</b></span>`)}
        <span>submitted <b>${count(value(given.submitted || []))}</b></span>
        <span class="muted" style=${{ marginLeft: "auto" }}>${at === null ? `jobs in ${given.step_seconds} s` : timeOfDay(times[at] * 1000)}</span>
      </div>
      <${StackedBars} times=${times} series=${series} onCursor=${setAt} height=${196} label=${`Jobs that ended: ${series.map((one) => `${sum(one.values)} ${one.name}`).join(", ")}`} />
    </div>
  </${Panel}>`;
}

function ByStatus({ jobs, total }) {
  const there = STATUS_ORDER.filter((status) => jobs[status]);
  const parts = there.map((status) => ({ name: jobStatus(status).text, value: jobs[status], tone: jobStatus(status).tone }));
  return html`<${Panel} title="Jobs by status" right=${html`<span class="muted">${count(total)} in all</span>`}>
    <div class="panel-body"><${Bar} parts=${parts} /></div>
    <ul class="by-status" style=${{ paddingBottom: "8px" }}>${there.map((status) => html`<li><a href=${to(["jobs"], { status })} data-test=${`status-${status}`}><${Status} kind=${jobStatus(status)} /><span class="num">${count(jobs[status])}</span></a></li>`)}</ul>
  </${Panel}>`;
}

const QUEUES = 12;

function Queues({ queues }) {
  const [isAll, setAll] = useState(false);
  const sorted = [...queues].sort((a, b) => (b.queued - a.queued) || (b.leased - a.leased));
  const shown = isAll ? sorted.slice(0, 500) : sorted.slice(0, QUEUES);
  return html`<${Panel} title="Queues" test="queues" right=${html`<span class="muted">by task type</span>`}>
    ${queues.length === 0 ? html`<${Empty} small title="No task waits or runs">Tasks appear here as soon as a job opens one.</${Empty}>` : html`<div role="table" aria-label="Queues">
      <div class="queue queue-head" role="row">${["Task type", "Queued", "At workers", "Oldest waits", "Why, and what unblocks it"].map((name, i) => html`<span role="columnheader" class=${i > 0 && i < 4 ? "num" : ""}>${name}</span>`)}</div>
      ${shown.map((queue) => html`<div class="queue" role="row" data-test="queue" key=${queue.task_type}>
        <code role="cell" class="clip" title=${queue.task_type}>${queue.task_type}</code><span role="cell" class="num">${count(queue.queued)}</span><span role="cell" class="num">${count(queue.leased)}</span>
        <span role="cell" class="num">${queue.queued ? duration((queue.oldest_seconds || 0) * 1000) : html`<span class="muted">-</span>`}</span>
        <div role="cell" class="queue-why">${(queue.reasons || []).length === 0 ? html`<span class="muted">${queue.queued ? "is being placed" : "nothing waits"}</span>` : html`<div class="stack-s">${queue.reasons.slice(0, 3).map((reason) => html`<${Reason} reason=${reason} />`)}</div>`}</div></div>`)}
    </div>`}
    ${sorted.length > QUEUES && html`<div class="list-end"><button type="button" class="btn btn-small" onClick=${() => setAll(!isAll)}>${isAll ? "Fewer" : `All ${sorted.length} types`}</button></div>`}
  </${Panel}>`;
}

function Reason({ reason }) {
  const unblock = reason.unblock || "";
  const [text] = whyParts(reason.text || reason.reason, [reason]);
  return html`<div class="reason"><${Icon} name="queue" /><div class="wrap-any"><strong>${count(reason.count)}</strong> ${reason.count === 1 ? "waits" : "wait"}: ${withTimes(text)}
    ${unblock && html`<div class="unblock"><${Icon} name="arrow" size=${14} /><span>${sentence(unblock)}.</span>${reason.example && html`<a href=${to(["jobs", reason.example.job_id], { tab: "tasks", task: reason.example.task })}>Show one</a>`}</div>`}</div></div>`;
}

function Latencies({ latencies, jobs }) {
  const [view, setView] = useState("tasks");
  const isTasks = view === "tasks";
  const rows = isTasks ? latencies : jobs;
  const ends = rows.flatMap((one) => [one.execution_ms, one.queue_ms, one.ms]).map((one) => (one ? one.p99 : 0));
  const most = Math.max(1, ...ends);
  const cells = (values) => ["p50", "p95", "p99"].map((name) => html`<td class="num">${latency(values && values[name])}</td>`);
  return html`<${Panel} title="Latency" test="latencies" right=${jobs.length > 0 && html`<${Segments} label="Of" value=${view} onInput=${setView} options=${[["tasks", "Task types"], ["jobs", "Blueprints"]]} />`}>
    ${rows.length === 0 ? html`<${Empty} small title="No task has ended lately" />` : html`<div class="table-scroll" tabindex="0"><table class="table">
      <thead><tr><th>${isTasks ? "Task type" : "Blueprint"}</th><th class="num">${isTasks ? "Tasks" : "Jobs"}</th>${isTasks && html`<th class="num">In queue p50</th><th class="num">p95</th><th class="num">p99</th>`}<th class="num">${isTasks ? "At worker p50" : "From begin to end p50"}</th><th class="num">p95</th><th class="num">p99</th><th style=${{ width: "18%" }}><span class="visually-hidden">Range</span></th></tr></thead>
      <tbody>${rows.slice(0, 100).map((one) => { const main = (isTasks ? one.execution_ms : one.ms) || {}; const name = isTasks ? one.task_type : one.blueprint; return html`<tr key=${name}>
        <td>${isTasks ? html`<code>${name}</code>` : html`<a href=${to(["definitions", name])}>${name}</a>`}</td><td class="num">${compact(one.count)}</td>${isTasks && cells(one.queue_ms)}${cells(main)}
        <td><${Range} from=${main.p50} mark=${main.p95} to=${main.p99} most=${most} /></td></tr>`; })}</tbody>
    </table></div>`}
  </${Panel}>`;
}

/** On a scale of logarithms, since latencies of types differ a thousandfold. */
function Range({ from, mark, to: end, most }) {
  if (from === undefined || from === null) return null;
  const place = (value) => (100 * Math.log10(1 + value)) / Math.log10(1 + most);
  return html`<div class="range tone-run" role="img" aria-label=${`p50 ${latency(from)}, p99 ${latency(end)}`}><i style=${{ left: `${place(from)}%`, width: `${Math.max(1.5, place(end) - place(from))}%` }}></i><b style=${{ left: `${Math.min(99, place(mark))}%` }}></b></div>`;
}

function Needs({ needs }) {
  const total = sum(Object.values(needs || {}));
  const list = usePages(`needs-${total}`, "needs", {}, 4);
  return html`<${Panel} title="Needs a person" test="overview-needs" right=${html`<a href=${to(["needs"])}>All</a>`}>
    ${list.items.length > 0 ? html`<ul class="rows">${list.items.slice(0, 4).map((need) => html`<li key=${`${need.kind}-${need.job_id}-${need.task ?? need.approval ?? ""}`}><${NeedRow} need=${need} compact onDone=${list.reload} /></li>`)}</ul>`
      : list.isLoading ? html`<${Loading} rows=${2} />`
      : list.problem ? html`<div class="panel-body"><${ProblemNote} problem=${list.problem} retry=${list.reload} /></div>`
      : html`<${Empty} small title="Nothing waits for a person">Approvals, questions of workers and quarantined jobs appear here.</${Empty}>`}
  </${Panel}>`;
}

function Failures({ failed }) {
  const { data } = useGet("jobs", { status: "failed", limit: 5, fields: "id,blueprint_name,error_message,updated_at" }, failed ? 10000 : 0);
  return html`<${Panel} title="Last failures" test="failures" right=${html`<a href=${to(["jobs"], { status: "failed" })}>All</a>`}>
    ${!data ? html`<${Loading} rows=${2} />` : data.items.length === 0 ? html`<${Empty} small title="No job has failed" />` : html`<ul class="rows">${data.items.map((job) => html`<li key=${job.id}>
      <a class="need" href=${to(["jobs", job.id])}><span class="tone-fail status"><${Icon} name="cross" title="Failed" /></span><div><h2>${job.blueprint_name} <span class="muted mono">${shortId(job.id)}</span></h2><p class="soft wrap-any">${brief(job.error_message, 160)}</p></div><span class="muted"><${Ago} at=${job.updated_at} /></span></a></li>`)}</ul>`}
  </${Panel}>`;
}
