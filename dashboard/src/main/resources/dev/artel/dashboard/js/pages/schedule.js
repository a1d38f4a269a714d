// One schedule: its rule in words, next and past runs, and what may be done about it.
import { html, useEffect, useState } from "../core/html.js";
import { part, post, remove } from "../core/api.js";
import { useGet, usePages } from "../core/data.js";
import { useRights } from "../core/session.js";
import { go, to } from "../core/router.js";
import { count, duration, moment, words } from "../core/format.js";
import { sentence } from "../core/why.js";
import { Ago, Empty, JobLink, Labels, Loading, Moment, Note, Panel, ProblemNote, Status } from "../components/basics.js";
import { ActButton, FormDialog, MenuButton } from "../components/dialog.js";
import { Check, TextField } from "../components/fields.js";
import { Icon } from "../components/icon.js";
import { Json } from "../components/json.js";
import { ScheduleDialog, timingText } from "../components/schedule-form.js";
import { runKind } from "./schedules.js";

export default function Schedule({ id: name }) {
  const path = `schedules/${part(name)}`;
  const rights = useRights();
  const one = useGet(path, undefined, 5000);
  const runs = usePages(`${path}/runs`, `${path}/runs`, {}, 50);
  const [open, setOpen] = useState(null);
  useEffect(() => {
    const timer = setInterval(() => !document.hidden && runs.items.length <= 50 && runs.reload(), 5000);
    return () => clearInterval(timer);
  }, [runs.reload, runs.items.length]);
  if (!one.data) {
    if (!one.problem) return html`<${Loading} rows=${6} />`;
    return one.problem.status === 404 ? html`<${Empty} icon="schedules" title="There is no such schedule"><a href=${to(["schedules"])}>All schedules</a></${Empty}>` : html`<${ProblemNote} problem=${one.problem} retry=${one.reload} />`;
  }
  const schedule = one.data;
  const close = (result) => {
    setOpen(null);
    if (result !== undefined) refresh();
  };
  const refresh = () => {
    one.reload();
    runs.reload();
  };
  const isChangeable = rights.acts && schedule.origin === "api";
  const fact = (label, value) => (value === undefined || value === null || value === "" ? null : html`<dt>${label}</dt><dd>${value}</dd>`);
  return html`
    <div class="job-head"><div style=${{ flex: 1, minWidth: 0 }}><h1 class="wrap-any">${schedule.name}${schedule.paused && html`<${Status} kind=${{ tone: "off", mark: "pause", text: "Paused" }} />`}</h1><p class="soft">Starts <a href=${to(["definitions", schedule.blueprint])}>${schedule.blueprint}</a>: ${timingText(schedule.timing)}</p></div>
      ${rights.acts && html`<div class="btn-row">
        ${schedule.paused ? html`<${ActButton} label="Resume" icon="play" test="resume" act=${async () => { await post(`${path}/resume`); refresh(); }} done="The schedule is active" />` : html`<button type="button" class="btn" onClick=${() => setOpen("pause")} data-test="pause"><${Icon} name="pause" />Pause</button>`}
        <${ActButton} label="Run now" icon="bolt" test="run" act=${async () => { await post(`${path}/run`, {}); refresh(); }} done="A run is on its way" />
        ${isChangeable && html`<button type="button" class="btn" onClick=${() => setOpen("edit")} data-test="edit"><${Icon} name="edit" />Change</button>`}
        <${MenuButton} label="More acts" items=${[{ label: "Backfill", icon: "rewind", act: () => setOpen("backfill") }, isChangeable && "-", isChangeable && { label: "Delete", icon: "trash", danger: true, act: () => setOpen("delete") }]} /></div>`}
    </div>
    ${schedule.paused && html`<${Note} tone="wait" icon="pause"><strong>Starts nothing</strong> since <${Ago} at=${schedule.paused.at} />, by ${schedule.paused.by}${schedule.paused.reason ? `: ${schedule.paused.reason}` : ""}</${Note}>`}
    ${schedule.explanation && html`<section class="why tone-run" aria-label="In words" data-test="explanation"><${Icon} name="clock" size=${22} /><div class="why-body"><p>${sentence(schedule.explanation)}</p></div></section>`}
    <div class="split">
      <${Panel} title="Runs" test="runs">
        ${runs.problem && html`<div class="panel-body"><${ProblemNote} problem=${runs.problem} retry=${runs.reload} /></div>`}
        ${runs.items.length === 0 ? (runs.isLoading ? html`<${Loading} rows=${3} />` : runs.problem ? null : html`<${Empty} small title="None yet">The first comes ${schedule.next && schedule.next[0] ? moment(schedule.next[0]) : "when somebody runs it"}.</${Empty}>`) : html`<div class="table-scroll" tabindex="0"><table class="table">
          <thead><tr><th>Status</th><th>For</th><th>Kind</th><th>Job</th><th>Reason</th></tr></thead>
          <tbody>${runs.items.map((run) => html`<tr key=${run.number}><td><${Status} kind=${runKind(run)} /></td><td><${Moment} at=${run.tick} />${run.ticks > 1 ? ` (${run.ticks} times)` : ""}</td><td class="soft">${words(run.kind)}${run.by ? `, ${run.by}` : ""}</td><td>${run.job_id ? html`<${JobLink} id=${run.job_id}>${run.job_id.slice(-8)}</${JobLink}>` : html`<span class="muted">-</span>`}</td><td class="soft wrap-any">${run.reason || run.error || ""}</td></tr>`)}</tbody></table></div>`}
        ${runs.hasMore && html`<div class="list-end"><button type="button" class="btn btn-small" onClick=${runs.more}>Earlier runs</button></div>`}
      </${Panel}>
      <div class="stack">
        <${Panel} title="Next runs" test="next"><div class="panel-body"><ul class="next-runs">${(schedule.next || []).length === 0 ? html`<li class="muted">None: it is over.</li>` : schedule.next.map((at) => html`<li><span><${Moment} at=${at} /></span><span class="muted"><${Ago} at=${at} /></span></li>`)}</ul></div></${Panel}>
        <${Panel} title="Rule"><div class="panel-body stack"><dl class="facts">
          ${fact("Still running", words(schedule.overlap))}
          ${fact("Missed times", words(schedule.catch_up))}
          ${fact("At most", schedule.catch_up === "all" ? count(schedule.catch_up_limit) : "")}
          ${fact("Jitter", schedule.jitter_seconds ? duration(schedule.jitter_seconds * 1000) : "")}
          ${fact("Begins", schedule.starts_at && moment(schedule.starts_at))}
          ${fact("Ends", schedule.ends_at && moment(schedule.ends_at))}
          ${fact("Client", schedule.client)}
          ${fact("Comes from", { api: "the API", file: "a file", code: "code" }[schedule.origin])}
          ${fact("Made", html`<${Moment} at=${schedule.created_at} /> by ${schedule.created_by}`)}
          ${fact("Revision", count(schedule.revision))}
          ${fact("Backfills", schedule.backfills ? `${count(schedule.backfills)} under way` : "")}
        </dl>${Object.keys(schedule.labels || {}).length > 0 && html`<${Labels} labels=${schedule.labels} most=${20} />`}</div></${Panel}>
        <${Panel} title="Input"><div class="panel-body"><${Json} value=${schedule.input} depth=${2} /></div></${Panel}>
      </div>
    </div>
    ${open === "edit" && html`<${ScheduleDialog} schedule=${schedule} onClose=${close} />`}
    ${open === "pause" && html`<${PauseSchedule} path=${path} onClose=${close} />`}
    ${open === "backfill" && html`<${Backfill} path=${path} onClose=${close} />`}
    ${open === "delete" && html`<${FormDialog} title="Delete this schedule?" label="Delete" danger act=${async () => { await remove(path); go(to(["schedules"])); }} done="The schedule is deleted" onClose=${close}><p>It starts nothing any more. Jobs that it has started go on.</p></${FormDialog}>`}`;
}

function PauseSchedule({ path, onClose }) {
  const [reason, setReason] = useState("");
  return html`<${FormDialog} title="Pause this schedule" label="Pause" act=${() => post(`${path}/pause`, reason ? { reason } : {})} done="The schedule is paused" onClose=${onClose}>
    <${TextField} label="Reason" hint="Others see it beside the schedule." value=${reason} onInput=${setReason} /></${FormDialog}>`;
}

function Backfill({ path, onClose }) {
  const [from, setFrom] = useState("");
  const [until, setUntil] = useState("");
  const [together, setTogether] = useState(false);
  const instant = (text, what) => {
    const date = new Date(text);
    if (Number.isNaN(date.getTime())) throw Object.assign(new Error(`${what} is no time`), { detail: "For example 2026-01-31 08:00, in the time of this browser.", problems: [] });
    return date.toISOString();
  };
  return html`<${FormDialog} title="Backfill" label="Backfill" act=${() => post(`${path}/backfill`, { from: instant(from, "The begin"), until: instant(until, "The end"), ...(together ? { together } : {}) })} done="The runs are on their way" onClose=${onClose}>
    <p class="soft">Runs the times of the past between two moments as if they came now.</p>
    <div class="form-grid"><${TextField} label="From" type="datetime-local" value=${from} onInput=${setFrom} /><${TextField} label="Until" type="datetime-local" value=${until} onInput=${setUntil} /></div>
    <${Check} label="All at the same time, not one after the other" checked=${together} onInput=${setTogether} /></${FormDialog}>`;
}
