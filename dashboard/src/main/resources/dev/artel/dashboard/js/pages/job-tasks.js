// The tasks of a job: where each is, why it waits or was placed there, and what its attempts came to.
import { html, useEffect } from "../core/html.js";
import { useGet, usePages } from "../core/data.js";
import { setQuery, to } from "../core/router.js";
import { count, duration, timeOfDay } from "../core/format.js";
import { taskStatus } from "../core/status.js";
import { sentence, whyParts } from "../core/why.js";
import { Ago, Empty, Loading, Panel, ProblemNote, Status } from "../components/basics.js";
import { Select } from "../components/fields.js";
import { Icon } from "../components/icon.js";
import { Json } from "../components/json.js";

const STATUSES = ["queued", "leased", "parked", "in_doubt", "succeeded", "failed", "cancelled", "planned"];

export function Tasks({ path, job, touched, route }) {
  const status = route.query.get("state") || "";
  const list = usePages(`${path}-${status}`, `${path}/tasks`, { status }, 100);
  useEffect(() => {
    if (touched && list.items.length <= 100) list.reload();
  }, [touched]);
  const open = route.query.get("task");
  const known = (job.task_counts && Object.keys(job.task_counts).filter((name) => STATUSES.includes(name))) || [];
  return html`<${Panel} title="Tasks" test="tasks" right=${known.length > 1 && html`<span style=${{ width: "170px" }}><${Select} label="Status" value=${status} onInput=${(value) => setQuery({ state: value })} options=${[["", "All"], ...known.map((name) => [name, `${taskStatus(name).text} (${job.task_counts[name]})`])]} /></span>`}>
    ${list.problem && html`<div class="panel-body"><${ProblemNote} problem=${list.problem} retry=${list.reload} /></div>`}
    ${list.items.length === 0 && (list.isLoading ? html`<${Loading} rows=${3} />` : list.problem ? null : html`<${Empty} small title="No tasks">${status ? "None has this status now." : "This job has not opened any."}</${Empty}>`)}
    ${open !== null && !list.isLoading && !list.items.some((task) => String(task.task) === open) && html`<${Chosen} path=${path} number=${open} touched=${touched} />`}
    ${list.items.map((task) => html`<${TaskRow} key=${task.task} path=${path} task=${task} isOpen=${open === String(task.task)} touched=${touched} />`)}
    ${list.hasMore && html`<div class="list-end"><button type="button" class="btn btn-small" onClick=${list.more}>More</button></div>`}
  </${Panel}>`;
}

/** The task that the address names, where it is on no page that was loaded. */
function Chosen({ path, number, touched }) {
  const { data, problem } = useGet(/^\d+$/.test(number) ? `${path}/tasks/${number}` : null);
  if (problem) return html`<div class="panel-body"><${ProblemNote} problem=${problem} /></div>`;
  return data ? html`<${TaskRow} path=${path} task=${data} isOpen=${true} touched=${touched} />` : null;
}

function TaskRow({ path, task, isOpen, touched }) {
  const kind = taskStatus(task.status);
  const why = task.waits_because ? task.waits_because.text : task.error ? `${task.error.code}: ${task.error.message}` : task.placed_because || "";
  return html`<div class="task-row" data-test="task">
    <button type="button" class="fold-button" aria-expanded=${isOpen} onClick=${() => setQuery({ task: isOpen ? null : task.task })}>
      <${Icon} name="right" size=${12} class="fold-mark" /><span class="muted num">${task.task}</span><${Status} kind=${kind} />
      <code class="clip">${task.type}</code><span class="clip soft" title=${why}>${why}</span>
      <span class="clip muted">${task.worker || (task.failed_attempts ? `${task.failed_attempts} failed` : "")}</span></button>
    ${isOpen && html`<${Detail} path=${path} number=${task.task} touched=${touched} />`}
  </div>`;
}

function Detail({ path, number, touched }) {
  const { data: task, problem, reload } = useGet(`${path}/tasks/${number}`);
  const isWaiting = task && (task.status === "queued" || task.status === "leased");
  const why = useGet(isWaiting ? `${path}/tasks/${number}/why` : null, { eligibility: 20 });
  const logs = useGet(`${path}/tasks/${number}/logs`, { limit: 20 });
  useEffect(() => {
    if (touched) { reload(); why.reload(); }
  }, [touched]);
  if (problem) return html`<div class="detail"><${ProblemNote} problem=${problem} retry=${reload} /></div>`;
  if (!task) return html`<${Loading} rows=${3} />`;
  const attempts = [...(task.attempts || [])].reverse();
  return html`<div class="detail">
    ${task.progress && html`<${Progress} progress=${task.progress} />`}
    ${why.data && task.status === "queued" && html`<${WhyNot} why=${why.data} />`}
    ${attempts.map((attempt) => html`<${Attempt} key=${attempt.attempt} attempt=${attempt} />`)}
    <div class="halves">
      <div class="stack-s"><h3>Parameters</h3><${Json} value=${task.params} depth=${2} /></div>
      <div class="stack-s"><h3>Result ${task.result_status && html`<span class="muted">${task.result_status}</span>`}</h3>${task.result === undefined ? html`<p class="muted">${task.error ? `${task.error.code}: ${task.error.message}` : "none yet"}</p>` : html`<${Json} value=${task.result} depth=${2} />`}</div>
    </div>
    ${logs.data && logs.data.items.length > 0 && html`<div class="stack-s"><h3>Log, newest last</h3><ul class="log">${[...logs.data.items].reverse().map((line) => html`<${LogLine} line=${line} />`)}</ul></div>`}
    ${task.limits && Object.keys(task.limits).length > 0 && html`<details><summary class="soft">Limits</summary><${Json} value=${task.limits} /></details>`}
  </div>`;
}

export function LogLine({ line }) {
  const tone = { error: "fail", warn: "back", debug: "off", trace: "off" }[line.level] || "run";
  return html`<li data-test="log-line"><span class="muted" title=${line.at}>${timeOfDay(line.at, true)}</span><span class=${`status tone-${tone}`}>${line.level}</span><span class="muted">${line.task}, try ${line.attempt}</span><span class="message">${line.message}</span></li>`;
}

function Progress({ progress }) {
  const percent = Math.round(100 * (progress.fraction || 0));
  return html`<div class="stack-s"><div style=${{ display: "flex", gap: "12px" }}><strong>${percent} %</strong><span class="soft">${progress.message}</span><span class="muted" style=${{ marginLeft: "auto" }}><${Ago} at=${progress.at} /></span></div>
    <span class="bar" role="progressbar" aria-valuenow=${percent} aria-valuemin="0" aria-valuemax="100" aria-label="Progress"><span class="tone-run" style=${{ width: `${percent}%` }}></span></span></div>`;
}

/** Why no worker has it yet: worker by worker. */
function WhyNot({ why }) {
  const because = why.waits_because || {};
  const [main, turn] = whyParts(why.text, [why]);
  return html`<div class="stack-s" data-test="why-not"><h3>Why no worker has it yet</h3>
    <p class="wrap-any">${sentence(main)}</p>
    ${because.unblock && html`<p class="todo"><${Icon} name="arrow" /><strong>${sentence(because.unblock)}</strong></p>`}
    ${turn && html`<p class="muted">${sentence(turn)}</p>`}
    ${why.dispatch_deadline && html`<p class="muted">It must find one <${Ago} at=${why.dispatch_deadline} />.</p>`}
    ${(why.eligibility || []).length > 0 && html`<div class="table-scroll" tabindex="0"><table class="table"><thead><tr><th>Worker</th><th>Takes it</th><th>Because</th></tr></thead>
      <tbody>${why.eligibility.map((one) => html`<tr><td><a href=${to(["workers", one.worker])}>${one.worker}</a></td><td><${Status} kind=${one.takes_it ? { tone: "done", mark: "check", text: "Yes" } : { tone: "wait", mark: "stop", text: "Not now" }} /></td><td class="soft wrap-any">${one.text}</td></tr>`)}</tbody></table></div>`}
  </div>`;
}

const REFUSALS = {
  type: "did not offer the type",
  client: "were for other clients",
  label: "had other labels",
  resource: "had too little",
  model: "had not the model",
  too_expensive: "were too expensive",
  affinity: "were not that of the earlier task",
  excluded: "had failed at it",
  cold: "were cold",
  unhealthy: "were unhealthy",
  suspended: "were suspended",
  draining: "drained",
  busy: "were busy",
  category_full: "had a full category",
  rate_limited: "asked too often",
  not_asking: "did not ask",
};

const refusals = (refused) => Object.entries(refused).map(([reason, n]) => `${count(n)} ${REFUSALS[reason] || reason.replaceAll("_", " ")}`).join(", ");

/** One attempt with the reason why it went to that worker. */
function Attempt({ attempt }) {
  const kind = taskStatus(attempt.ended || "leased");
  const end = attempt.ended_at ? Date.parse(attempt.ended_at) : Date.now();
  const placement = attempt.placement;
  const scores = placement && placement.best ? [...new Set(placement.best.flatMap((one) => Object.keys(one.score || {})))] : [];
  return html`<article class="attempt" data-test="attempt">
    <header><strong>Attempt ${attempt.attempt}</strong><${Status} kind=${kind} /><a href=${to(["workers", attempt.worker])}>${attempt.worker}</a>
      <span class="muted" style=${{ marginLeft: "auto" }}>${timeOfDay(attempt.granted_at)}, ${duration(end - Date.parse(attempt.granted_at))}${attempt.ended_at ? "" : " so far"}</span></header>
    <div class="stack-s">
      ${attempt.error && html`<p class="wrap-any status tone-fail" style=${{ whiteSpace: "normal" }}>${attempt.error.code}: ${attempt.error.message}</p>`}
      ${attempt.reason && html`<p class="soft">${attempt.reason}</p>`}
      ${placement && html`<p><span class="soft">Why here:</span> ${placement.because}</p>`}
      ${placement && scores.length > 0 && html`<div class="table-scroll" tabindex="0"><table class="table" aria-label="Placement"><thead><tr><th>Candidate</th>${scores.map((name) => html`<th class="num">${name}</th>`)}<th>Wire</th></tr></thead>
        <tbody>${placement.best.map((one) => html`<tr><td>${one.worker === placement.winner ? html`<strong>${one.worker}</strong>` : one.worker}</td>${scores.map((name) => html`<td class="num">${one.score[name] ?? "unknown"}</td>`)}<td>${one.wire}</td></tr>`)}</tbody></table></div>`}
      ${placement && Object.keys(placement.refused || {}).length > 0 && html`<p class="muted">Of ${count(placement.fleet)} workers then: ${refusals(placement.refused)}</p>`}
    </div></article>`;
}
