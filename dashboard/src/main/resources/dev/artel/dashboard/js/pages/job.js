// One job: first why it is where it is, then how it came there.
import { html, useEffect, useState } from "../core/html.js";
import { part, post } from "../core/api.js";
import { useGet, useThrottled } from "../core/data.js";
import { useStream } from "../core/live.js";
import { useRights } from "../core/session.js";
import { to } from "../core/router.js";
import { count, words } from "../core/format.js";
import { isOver, kindOf } from "../core/status.js";
import { headline, sentence, whyParts } from "../core/why.js";
import { Ago, Bar, Command, Copy, Empty, JobLink, JobStatus, Labels, Live, Loading, Moment, Note, ProblemNote, Status } from "../components/basics.js";
import { BackDialog, BudgetDialog, CancelDialog, DeleteDialog, PauseDialog, SignalDialog, useStatesOf } from "../components/acts.js";
import { ActButton, MenuButton } from "../components/dialog.js";
import { Icon } from "../components/icon.js";
import { Json } from "../components/json.js";
import { NeedActs } from "../components/need.js";
import { downloadHistory } from "./job-download.js";
import { Run } from "./job-run.js";
import { Events } from "./job-events.js";
import { Tasks } from "./job-tasks.js";
import { Children, Data, Logs, Webhooks } from "./job-parts.js";

const FIELDS = "id,blueprint_name,blueprint_version,current_state,status,error_message,parent_job_id,priority,labels,created_at,updated_at,version,paused,cancelling,retry_at,retry_count,waiting_until,approval,approvals,branches,signals,deadline,task_counts,children_count,child_counts,tree,compensation,budget,warnings,child_job_id,continued,client_config,waiting_for_signal,result";

const TABS = [
  ["", "Run"],
  ["tasks", "Tasks", (job) => job.task_counts && job.task_counts.total],
  ["events", "Events", (job) => job.version],
  ["data", "Data"],
  ["logs", "Logs"],
  ["children", "Children", (job) => job.children_count],
  ["webhooks", "Webhooks"],
];

export default function Job({ id, route }) {
  const path = `jobs/${part(id)}`;
  const job = useGet(path, { fields: FIELDS });
  const explain = useGet(`${path}/explain`);
  const [touched, setTouched] = useState(0);
  const refresh = useThrottled(() => { job.reload(); explain.reload(); setTouched((old) => old + 1); }, 700);
  const isLive = job.data && !isOver(job.data.status);
  const live = useStreamOf(path, job.data, isLive, refresh);
  if (!job.data) {
    if (!job.problem) return html`<${Loading} rows=${8} />`;
    return job.problem.status === 404 ? html`<${Empty} icon="search" title="There is no such job" command="./artel job list">It may have been deleted after its time, or it belongs to another client. <a href=${to(["jobs"])}>All jobs</a></${Empty}>`
      : html`<${ProblemNote} problem=${job.problem} retry=${job.reload} />`;
  }
  const one = job.data;
  const tab = route.query.get("tab") || "";
  const context = { id, path, job: one, version: one.version, touched, route };
  const body = { "": Run, tasks: Tasks, events: Events, data: Data, logs: Logs, children: Children, webhooks: Webhooks }[tab] || Run;
  return html`
    <${Head} job=${one} live=${isLive ? live : "over"} refresh=${refresh} />
    <${Why} job=${one} explain=${explain} refresh=${refresh} />
    ${(one.warnings || []).map((warning) => html`<${Note} tone="wait" icon="warn"><strong>${warning.text}</strong> <span class="soft">${warning.advice}</span></${Note}>`)}
    <nav class="tabs" aria-label="Parts of the job">
      ${TABS.map(([name, text, number]) => { const n = number && number(one); return html`<a href=${to(["jobs", id], { tab: name })} aria-current=${name === tab ? "page" : undefined} data-test=${`tab-${name || "run"}`}>${text}${n ? html`<span class="n">${count(n)}</span>` : null}</a>`; })}
    </nav>
    ${body === Run ? html`<div class="job-grid"><div class="stack"><${body} ...${context} /></div><${Facts} job=${one} /></div>` : html`<${body} ...${context} />`}`;
}

/** The stream of the job, from behind what the page has already. */
function useStreamOf(path, job, isLive, refresh) {
  const isThere = Boolean(job) && isLive;
  const [begin, setBegin] = useState(null);
  useEffect(() => {
    if (isThere && begin === null) setBegin(job.version);
  }, [isThere, begin]);
  return useStream(isThere && begin !== null ? `${path}/events` : null, refresh, undefined, { after_version: begin });
}

function Head({ job, live, refresh }) {
  const rights = useRights();
  const [open, setOpen] = useState(null);
  const isEnd = isOver(job.status);
  const states = useStatesOf(job.id, open === "rewind" || open === "fork");
  const close = (result) => {
    setOpen(null);
    if (result !== undefined) refresh();
  };
  const path = `jobs/${part(job.id)}`;
  const menu = [
    rights.acts && !isEnd && { label: "Send a signal", icon: "signal", act: () => setOpen("signal") },
    rights.acts && !isEnd && { label: "Rewind", icon: "rewind", act: () => setOpen("rewind") },
    rights.acts && { label: "Fork", icon: "fork", act: () => setOpen("fork") },
    rights.operates && job.budget && !isEnd && { label: "Extend the budget", icon: "plus", act: () => setOpen("budget") },
    { label: "Download the history", icon: "download", act: () => downloadHistory(job) },
    rights.acts && isEnd && "-",
    rights.acts && isEnd && { label: "Delete", icon: "trash", danger: true, act: () => setOpen("delete") },
  ];
  return html`<div class="job-head">
    <div style=${{ flex: "1 1 auto", minWidth: 0 }}>
      <h1><a href=${to(["definitions", job.blueprint_name])} style=${{ color: "inherit" }}>${job.blueprint_name}</a><${Status} kind=${kindOf(job)} /></h1>
      <p class="id"><span class="mono wrap-any" data-test="job-id">${job.id}</span><${Copy} text=${job.id} label="Copy the id" /></p>
    </div>
    ${!isEnd && html`<${Live} state=${live} />`}
    <div class="btn-row">
      ${rights.acts && !isEnd && (job.paused ? html`<${ActButton} label="Resume" icon="play" test="resume" act=${async () => { await post(`${path}/resume`); refresh(); }} done="The job goes on" />`
        : html`<button type="button" class="btn" onClick=${() => setOpen("pause")} data-test="pause"><${Icon} name="pause" />Pause</button>`)}
      ${rights.acts && !isEnd && !job.cancelling && html`<button type="button" class="btn btn-danger" onClick=${() => setOpen("cancel")} data-test="cancel"><${Icon} name="stop" />Cancel</button>`}
      <${MenuButton} label="More acts" items=${menu} test="job-menu" />
    </div>
    ${open === "cancel" && html`<${CancelDialog} id=${job.id} hasChildren=${job.children_count > 0} onClose=${close} />`}
    ${open === "pause" && html`<${PauseDialog} id=${job.id} onClose=${close} />`}
    ${open === "signal" && html`<${SignalDialog} id=${job.id} name=${job.waiting_for_signal} onClose=${close} />`}
    ${(open === "rewind" || open === "fork") && html`<${BackDialog} key=${open + states.length} id=${job.id} kind=${open} states=${states} onClose=${close} />`}
    ${open === "delete" && html`<${DeleteDialog} id=${job.id} onClose=${close} />`}
    ${open === "budget" && html`<${BudgetDialog} id=${job.id} onClose=${close} />`}
  </div>`;
}

/** Why it is where it is, and what would unblock it. */
function Why({ job, explain, refresh }) {
  const rights = useRights();
  const kind = kindOf(job);
  const answer = explain.data;
  const isEnd = isOver(job.status);
  const text = isEnd ? endText(job) : answer ? sentence(answer.text) : "";
  const waits = isEnd ? [] : (answer && answer.waits) || [];
  const [first, turn] = whyParts(text, waits);
  const main = headline(waits) || first;
  return html`<section class=${`why tone-${kind.tone}`} aria-label="Why" data-test="why">
    <${Icon} name=${kind.mark} size=${22} />
    <div class="why-body">
      <p class="text">${sentence(main) || kind.text}</p>
      ${turn && html`<p class="soft" data-test="turn">${sentence(turn)}</p>`}
      ${explain.problem && !isEnd && html`<${ProblemNote} problem=${explain.problem} />`}
      <${Waits} waits=${waits} text=${sentence(main)} />
      ${isEnd && job.result !== undefined && html`<details style=${{ marginTop: "8px" }} open=${JSON.stringify(job.result).length < 400}><summary class="soft">Result</summary><${Json} value=${job.result} depth=${2} /></details>`}
      ${rights.acts && job.status === "quarantined" && html`<${NeedActs} need=${{ kind: "quarantine", job_id: job.id }} onDone=${refresh} />`}
      ${rights.acts && !isEnd && waits.map((wait) => needOf(job.id, wait)).filter((need) => need).slice(0, 10).map((need) => html`<${NeedActs} key=${[need.kind, need.task, need.approval, need.question].join()} need=${need} compact=${need.kind === "budget"} onDone=${refresh} />`)}
    </div>
  </section>`;
}

/** What a person may do about one thing that the job waits for, as the list of needs has it. */
function needOf(id, wait) {
  if (wait.for === "budget") return { kind: "budget", job_id: id };
  if (wait.for === "resolution") return { kind: "in_doubt", job_id: id, task: wait.task };
  if (wait.for === "approval") return { kind: "approval", job_id: id, approval: wait.approval, choices: wait.choices, text: wait.message };
  if (wait.for === "answer") return { kind: "question", job_id: id, question: wait.question, choices: wait.choices, text: wait.message };
  return null;
}

function Waits({ waits, text }) {
  const groups = groupWaits(waits);
  const shown = groups.slice(0, 5);
  if (shown.length === 0) return null;
  return html`<ul>
    ${shown.map((group) => html`<li>
      ${group.text !== text && html`<p class="wrap-any">${group.count > 1 && html`<strong>${count(group.count)} × </strong>`}${group.text}</p>`}
      ${group.unblock && html`<p class="todo" data-test="unblock"><${Icon} name="arrow" /><span>${group.unblock}</span></p>`}
      ${group.job && html`<p class="todo"><${Icon} name="child" /><${JobLink} id=${group.job} /></p>`}
    </li>`)}
    ${groups.length > shown.length && html`<li class="soft">and ${groups.length - shown.length} more</li>`}
  </ul>`;
}

/** Waits with the same words, apart from their turns, are one line. */
function groupWaits(waits) {
  const groups = new Map();
  for (const wait of waits) {
    const text = sentence(whyParts(wait.text, [wait])[0]);
    const unblock = unblockText(wait);
    const key = [text, unblock, wait.child_job_id].join("\n");
    const group = groups.get(key) || { text, unblock, job: wait.child_job_id, count: 0 };
    group.count += wait.count || 1;
    groups.set(key, group);
  }
  return [...groups.values()];
}

/** What a person may do; a request of the API that a button below sends is left to the button. */
function unblockText(wait) {
  const text = wait.unblock || (wait.waits_because && wait.waits_because.unblock) || "";
  if (!text || /POST \/api\//.test(text)) return "";
  return sentence(text);
}

function endText(job) {
  if (job.error_message) return sentence(job.error_message);
  return { finished: "It has finished.", failed: "It has failed.", cancelled: "It was cancelled." }[job.status] || "";
}

function Facts({ job }) {
  const counts = job.task_counts || {};
  const parts = [["succeeded", "done"], ["leased", "run"], ["parked", "person"], ["in_doubt", "person"], ["failed", "fail"], ["queued", "wait"], ["planned", "off"], ["cancelled", "off"]].map(([name, tone]) => ({ name, tone, value: counts[name] || 0 }));
  const fact = (name, value) => (value === undefined || value === null || value === "" || value === false ? null : html`<dt>${name}</dt><dd>${value}</dd>`);
  return html`<aside class="panel" aria-label="Facts"><div class="panel-body stack">
    ${counts.total > 0 && html`<div class="stack-s"><div style=${{ display: "flex", justifyContent: "space-between" }}><h3>Tasks</h3><span class="muted">${count(counts.succeeded || 0)} of ${count(counts.total)}</span></div><${Bar} parts=${parts} total=${counts.total} /></div>`}
    <dl class="facts">
      ${fact("State", html`<code>${job.current_state}</code>`)}
      ${fact("Version", html`<a href=${to(["definitions", job.blueprint_name], { version: job.blueprint_version })}>${job.blueprint_version}</a>`)}
      ${fact("Created", html`<${Moment} at=${job.created_at} />`)}
      ${fact("Changed", html`<${Ago} at=${job.updated_at} />`)}
      ${fact("Deadline", job.deadline && html`<${Moment} at=${job.deadline} />`)}
      ${fact("Priority", job.priority ? String(job.priority) : "")}
      ${fact("Client", job.client_config && job.client_config.name)}
      ${fact("Paused", job.paused && html`by ${job.paused.by}, <${Ago} at=${job.paused.at} />${job.paused.reason ? `: ${job.paused.reason}` : ""}`)}
      ${fact("Cancelling", job.cancelling && html`${job.cancelling.reason}, until <${Moment} at=${job.cancelling.until} />`)}
      ${fact("Parent", job.parent_job_id && html`<${JobLink} id=${job.parent_job_id} />`)}
      ${fact("Root", job.tree && job.tree.root !== job.id && job.tree.root !== job.parent_job_id && html`<${JobLink} id=${job.tree.root} />`)}
      ${fact("Continued", job.continued)}
      ${fact("Events", count(job.version))}
    </dl>
    ${Object.keys(job.labels || {}).length > 0 && html`<div class="stack-s"><h3>Labels</h3><${Labels} labels=${job.labels} most=${50} /></div>`}
    ${(job.branches || []).length > 1 && html`<div class="stack-s"><h3>Branches</h3><ul class="stack-s">${job.branches.slice(0, 20).map((branch) => html`<li style=${{ display: "flex", gap: "8px" }}><span class="muted">${branch.branch}</span><code class="clip" style=${{ flex: 1 }}>${branch.state}</code><${JobStatus} status=${branch.status} /></li>`)}</ul></div>`}
    ${job.budget && html`<${Budget} budget=${job.budget} />`}
    ${(job.compensation || []).length > 0 && html`<div class="stack-s"><h3>Compensation</h3><ul class="stack-s">${job.compensation.map((one) => html`<li><code>${one.state}</code> <span class="muted">${words(one.status)}</span></li>`)}</ul></div>`}
    <div class="stack-s"><h3>In a terminal</h3><${Command} text=${`./artel job explain ${job.id}`} /></div>
  </div></aside>`;
}

function Budget({ budget }) {
  const names = { cost_usd: "US dollars", tokens: "Tokens", seconds: "Seconds", calls: "Calls" };
  return html`<div class="stack-s"><h3>Budget</h3>${Object.entries(budget.limits || {}).map(([name, limit]) => {
    const spent = Number((budget.spent || {})[name] || 0);
    const reserved = Number((budget.reserved || {})[name] || 0);
    return html`<div class="stack-s"><div style=${{ display: "flex", justifyContent: "space-between" }}><span class="soft">${names[name] || name}</span><span class="num">${spent} of ${String(limit)}</span></div><${Bar} parts=${[{ name: "spent", value: spent, tone: spent > Number(limit) ? "fail" : "run" }, { name: "reserved", value: reserved, tone: "wait" }]} total=${Math.max(Number(limit), spent + reserved)} /></div>`;
  })}</div>`;
}
