// One worker: what it has, what it does now, how its attempts ended; drain and undrain.
import { html, useState } from "../core/html.js";
import { part, post } from "../core/api.js";
import { useGet, useThrottled } from "../core/data.js";
import { useStream } from "../core/live.js";
import { useRights } from "../core/session.js";
import { to } from "../core/router.js";
import { count, plural } from "../core/format.js";
import { workerStatus } from "../core/status.js";
import { Steps } from "../components/chart.js";
import { Ago, Bar, Empty, JobLink, Labels, Live, Loading, Moment, Note, Panel, ProblemNote, Status } from "../components/basics.js";
import { ActButton, FormDialog } from "../components/dialog.js";
import { SelectField, TextField } from "../components/fields.js";
import { Icon } from "../components/icon.js";
import { Json } from "../components/json.js";

export default function Worker({ id }) {
  const path = `workers/${part(id)}`;
  const one = useGet(path, undefined, 2000);
  const rights = useRights();
  const refresh = useThrottled(one.reload, 500);
  const live = useStream("fleet/events", (event) => event.data && event.data.worker_id === id && refresh());
  const [isDraining, setDraining] = useState(false);
  if (!one.data) {
    if (!one.problem) return html`<${Loading} rows=${6} />`;
    return one.problem.status === 404 ? html`<${Empty} icon="workers" title="No worker has this name" command="./artel worker list">It was never here, or was forgotten 30 days after its last connection. <a href=${to(["workers"])}>All workers</a></${Empty}>` : html`<${ProblemNote} problem=${one.problem} retry=${one.reload} />`;
  }
  const worker = one.data;
  const slots = worker.slots || {};
  const attempts = worker.attempts || {};
  const history = worker.reputation_history || [];
  const isSuspended = worker.breaker && worker.breaker.state !== "closed";
  const fact = (name, value) => (value === undefined || value === null || value === "" ? null : html`<dt>${name}</dt><dd>${value}</dd>`);
  const models = (worker.installed_models || []).map((model) => (typeof model === "string" ? model : [model.name, model.version].filter(Boolean).join(" ")));
  return html`
    <div class="job-head"><div style=${{ flex: 1, minWidth: 0 }}><h1 class="wrap-any">${worker.worker_id}<${Status} kind=${workerStatus(worker.state)} /></h1><p class="soft">${[worker.worker_type, worker.wire].filter(Boolean).join(", ")}</p></div>
      <${Live} state=${live} />
      ${rights.operates && html`<div class="btn-row">
        ${(worker.drain || isSuspended) && html`<${ActButton} label="Undrain" icon="play" test="undrain" act=${async () => { await post(`${path}/undrain`); await one.reload(); }} done="It gets tasks again" />`}
        ${!worker.drain && html`<button type="button" class="btn" onClick=${() => setDraining(true)} data-test="drain"><${Icon} name="drain" />Drain</button>`}</div>`}
    </div>
    ${worker.warning && html`<${Note} tone="fail" icon="pause"><strong>Warning</strong>: ${worker.warning}</${Note}>`}
    ${worker.drain && html`<${Note} tone="wait" icon="drain"><strong>Gets no new tasks</strong> since <${Ago} at=${worker.drain.at} />${worker.drain.by ? `, by ${worker.drain.by}` : ""}${worker.drain.reason ? `: ${worker.drain.reason}` : ""}</${Note}>`}
    ${isSuspended && html`<${Note} tone="fail" icon="pause"><strong>Its circuit breaker is ${worker.breaker.state.replace("_", " ")}</strong> after ${count(worker.breaker.failures)} failures in a row${worker.breaker.until ? html`, until <${Moment} at=${worker.breaker.until} />` : ""}. Undrain closes it.</${Note}>`}
    <div class="split">
      <div class="stack">
        <${Panel} title="Does now" test="leases" right=${html`<span class="meter"><${Bar} parts=${[{ name: "used", value: slots.used || 0, tone: "run" }]} total=${slots.capacity || 1} />${count(slots.used)} of ${count(slots.capacity)} slots</span>`}>
          ${(worker.leases || []).length === 0 ? html`<${Empty} small title="No task">${worker.state === "idle" ? "It is free and takes the next task that it can do." : ""}</${Empty}>`
            : html`<table class="table"><thead><tr><th>Job</th><th class="num">Task</th></tr></thead><tbody>${worker.leases.slice(0, 200).map((lease) => html`<tr><td><${JobLink} id=${lease.job_id} /></td><td class="num"><a href=${to(["jobs", lease.job_id], { tab: "tasks", task: lease.task })}>${lease.task}</a></td></tr>`)}</tbody></table>`}
        </${Panel}>
        <${Panel} title="Can do"><div class="panel-body stack">
          <span class="tags">${(worker.supported_tasks || []).map((type) => html`<a class=${`tag ${(worker.available_tasks || []).includes(type) ? "tone-done" : ""}`} href=${to(["workers"], { type })} title=${(worker.available_tasks || []).includes(type) ? "takes it now" : "does not take it now"}><span>${type}</span></a>`)}</span>
          ${slots.categories && html`<table class="table"><thead><tr><th>Category</th><th class="num">Used</th><th class="num">Capacity</th></tr></thead><tbody>${Object.entries(slots.categories).map(([name, one]) => html`<tr><td>${name}</td><td class="num">${one.used}</td><td class="num">${one.capacity}</td></tr>`)}</tbody></table>`}
        </div></${Panel}>
        <${Panel} title="As it registered"><div class="panel-body"><${Json} value=${worker} depth=${1} /></div></${Panel}>
      </div>
      <div class="panel"><div class="panel-body stack">
        <div class="stack-s"><h3>Attempts</h3><${Bar} parts=${[{ name: "succeeded", value: attempts.succeeded || 0, tone: "done" }, { name: "failed", value: attempts.failed || 0, tone: "fail" }, { name: "lost", value: attempts.lost || 0, tone: "person" }]} />
          <div class="legend"><span class="tone-done"><i class="swatch"></i>succeeded <b>${count(attempts.succeeded)}</b></span><span class="tone-fail"><i class="swatch"></i>failed <b>${count(attempts.failed)}</b></span><span class="tone-person"><i class="swatch"></i>lost <b>${count(attempts.lost)}</b></span></div></div>
        ${history.length > 0 && html`<div class="stack-s" data-test="reputation"><h3>Reputation since it connected</h3><${Steps} times=${[...history.map((point) => Date.parse(point.at) / 1000), Math.max(Date.now(), Date.parse(history.at(-1).at) + 1000) / 1000]} values=${[...history.map((point) => point.reputation), history.at(-1).reputation]} label=${`Reputation: ${plural(history.length - 1, "change")}, lowest ${Math.min(...history.map((point) => point.reputation)).toFixed(3)}, now ${history.at(-1).reputation.toFixed(3)}`} /></div>`}
        <dl class="facts">
          ${fact("Reputation", worker.reputation !== undefined && worker.reputation.toFixed(3))}
          ${fact("First seen", html`<${Moment} at=${worker.first_seen} />`)}
          ${fact("Last seen", html`<${Ago} at=${worker.last_seen} />`)}
          ${fact("Polls that wait", worker.waiting_polls)}
          ${fact("Cost", worker.cost)}
          ${fact("Cost per second", worker.cost_per_second)}
          ${Object.entries(worker.cost_per_skill || {}).map(([type, cost]) => fact(`Cost of ${type}`, String(cost)))}
          ${fact("Warm", [...(worker.hot_skills || []), ...(worker.hot_cache || [])].join(", "))}
          ${fact("Models", models.join(", "))}
          ${Object.entries(worker.resources || {}).filter(([, value]) => value !== null && typeof value !== "object").map(([name, value]) => fact(name, String(value)))}
          ${fact("Host", worker.hostname)}
          ${fact("Address", worker.ip_address)}
        </dl>
        ${Object.keys(worker.labels || {}).length > 0 && html`<div class="stack-s"><h3>Labels</h3><${Labels} labels=${worker.labels} most=${50} /></div>`}
      </div></div>
    </div>
    ${isDraining && html`<${DrainDialog} path=${path} onClose=${(result) => { setDraining(false); if (result !== undefined) one.reload(); }} />`}`;
}

const MODES = [["", "It finishes what it has"], ["graceful", "It finishes within a time, then the rest is taken from it"], ["immediate", "What it has is taken from it at once"], ["emergency", "At once, and an agent on RabbitMQ shuts down"]];

function DrainDialog({ path, onClose }) {
  const [reason, setReason] = useState("");
  const [mode, setMode] = useState("");
  const [grace, setGrace] = useState("300");
  const body = () => ({ ...(reason ? { reason } : {}), ...(mode ? { mode } : {}), ...(mode === "graceful" ? { grace_seconds: Number(grace) } : {}) });
  return html`<${FormDialog} title="Drain this worker" label="Drain" danger=${mode === "immediate" || mode === "emergency"} act=${() => post(`${path}/drain`, body())} done="It gets no new tasks" onClose=${onClose} test="drain-dialog">
    <p class="soft">A drained worker gets no new tasks, also after a restart, until an operator undrains it.</p>
    <${SelectField} label="What it has in work" value=${mode} onInput=${setMode} options=${MODES} />
    ${mode === "graceful" && html`<${TextField} label="Seconds" type="number" value=${grace} onInput=${setGrace} />`}
    <${TextField} label="Reason" hint="Others see it beside the worker." value=${reason} onInput=${setReason} />
  </${FormDialog}>`;
}
