// One definition: graph, versions, what its jobs take and give, how they went, and a form to start one.
import { html, useState } from "../core/html.js";
import { part, put, remove, request } from "../core/api.js";
import { useGet, useLoad } from "../core/data.js";
import { useRights } from "../core/session.js";
import { setQuery, to } from "../core/router.js";
import { compact, count, duration, latency, shortId } from "../core/format.js";
import { jobStatus, OPEN, OVER } from "../core/status.js";
import { Ago, Command, Copy, Empty, JobStatus, Loading, Moment, Note, Panel, ProblemNote, Status } from "../components/basics.js";
import { ActButton, FormDialog } from "../components/dialog.js";
import { Check, Select, TextField } from "../components/fields.js";
import { Graph, isAside } from "../components/graph.js";
import { Icon } from "../components/icon.js";
import { Json } from "../components/json.js";
import { StartDialog } from "../components/start-job.js";

export default function Definition({ id: name, route }) {
  const rights = useRights();
  const version = route.query.get("version") || "";
  const path = `blueprints/${part(name)}`;
  const definition = useGet(path, { version });
  const graph = useGet(`${path}/graph`, { version, format: "json" });
  const pauses = useGet(rights.operates ? "admin/pauses" : null, { limit: 1000 });
  const [open, setOpen] = useState(null);
  const [isAll, setAll] = useState(false);
  if (!definition.data) {
    if (!definition.problem) return html`<${Loading} rows=${6} />`;
    return definition.problem.status === 404 ? html`<${Empty} icon="definitions" title="There is no such definition" command="./artel blueprint list"><a href=${to(["definitions"])}>All definitions</a></${Empty}>` : html`<${ProblemNote} problem=${definition.problem} retry=${definition.reload} />`;
  }
  const one = definition.data;
  const pause = pauses.data && pauses.data.items.find((item) => item.scope === "blueprint" && item.name === name);
  return html`
    <div class="job-head"><div style=${{ flex: 1, minWidth: 0 }}><h1 class="wrap-any">${one.name}</h1><p class="soft">Version ${one.version}, ${count(one.states)} states</p></div>
      <div class="btn-row">
        ${one.versions.length > 1 && html`<span style=${{ width: "140px" }}><${Select} label="Version" value=${one.version} onInput=${(value) => setQuery({ version: value }, { replace: false })} options=${[...one.versions].reverse()} test="version" /></span>`}
        <a class="btn" href=${to(["jobs"], { blueprint: name })}><${Icon} name="jobs" />Jobs</a>
        ${rights.operates && !pause && html`<button type="button" class="btn" onClick=${() => setOpen("pause")}><${Icon} name="pause" />Pause new jobs</button>`}
        ${rights.acts && html`<button type="button" class="btn btn-main" onClick=${() => setOpen("start")} data-test="start"><${Icon} name="plus" />Start a job</button>`}</div></div>
    ${pause && html`<${Note} tone="wait" icon="pause"><strong>New jobs begin paused</strong> since <${Ago} at=${pause.at} />, by ${pause.by}${pause.reason ? `: ${pause.reason}` : ""}
      <div class="btn-row" style=${{ marginTop: "8px" }}><${ActButton} kind="btn-small" label="Remove the pause" icon="play" act=${async () => { await remove(`admin/pauses/blueprints/${part(name)}`); await pauses.reload(); }} done="New jobs begin again" /></div></${Note}>`}
    <${Panel} title="Graph" right=${graph.data && html`${one.versions.length > 1 && html`<span class="muted" data-test="graph-version">of version ${graph.data.version}</span>`}${graph.data.states.some(isAside) && html`<${Check} label="Ways of failures" checked=${isAll} onInput=${setAll} />`}`}>
      ${graph.data ? html`<${Graph} states=${graph.data.states} isWhole=${isAll} maxHeight=${520} />` : graph.problem ? html`<div class="panel-body"><${ProblemNote} problem=${graph.problem} /></div>` : html`<${Loading} rows=${3} />`}
    </${Panel}>
    ${rights.seesAll && html`<${States} path=${path} version=${version} />`}
    <div class="halves">
      <${Statistics} name=${name} />
      <div class="stack">
        <${Panel} title="Input"><div class="panel-body">${one.initial_data ? html`<${Json} value=${one.initial_data} depth=${3} />` : html`<p class="muted">Not declared: any JSON object goes.</p>`}</div></${Panel}>
        ${one.result && html`<${Panel} title="Result"><div class="panel-body"><${Json} value=${one.result} depth=${3} /></div></${Panel}>`}
        ${(one.data_stores || []).length > 0 && html`<${Panel} title="Data stores"><div class="panel-body tags">${one.data_stores.map((store) => html`<span class="tag">${store}</span>`)}</div></${Panel}>`}
        <div class="stack-s"><h3>In a terminal</h3><${Command} text=${`./artel job submit ${name} --wait`} /></div>
      </div>
    </div>
    ${rights.operates && html`<${CardText} name=${name} version=${one.version} />`}
    ${open === "start" && html`<${StartDialog} name=${name} version=${version || undefined} onClose=${() => setOpen(null)} />`}
    ${open === "pause" && html`<${PauseAll} name=${name} onClose=${(result) => { setOpen(null); if (result !== undefined) pauses.reload(); }} />`}`;
}

function PauseAll({ name, onClose }) {
  const [reason, setReason] = useState("");
  return html`<${FormDialog} title=${`Pause new jobs of ${name}`} label="Pause" act=${() => put(`admin/pauses/blueprints/${part(name)}`, reason ? { reason } : {})} done="New jobs begin paused" onClose=${onClose}>
    <p class="soft">Jobs that are submitted from now on begin paused. Those that live already go on; pause them in the list of jobs.</p>
    <${TextField} label="Reason" value=${reason} onInput=${setReason} />
  </${FormDialog}>`;
}

/** What jobs did in each state, since the orchestrator began. */
function States({ path, version }) {
  const found = useGet(`${path}/statistics`, { version }, 5000);
  if (!found.data) return html`<${Panel} title="States">${found.problem ? html`<div class="panel-body"><${ProblemNote} problem=${found.problem} /></div>` : html`<${Loading} rows=${3} />`}</${Panel}>`;
  const { since, states } = found.data;
  const entered = states.filter((state) => state.entered > 0 || state.now > 0);
  const number = (value, tone) => html`<td class="num">${value ? html`<span class=${tone || ""}>${compact(value)}</span>` : html`<span class="muted">0</span>`}</td>`;
  return html`<${Panel} title="States" test="states" right=${html`<span class="muted">since the start, <${Moment} at=${since} /></span>`}>
    ${entered.length === 0 ? html`<${Empty} small title="No job has entered a state since then" />` : html`<div class="table-scroll" tabindex="0" role="region" aria-label="What jobs did in each state"><table class="table">
      <thead><tr><th>State</th><th class="num">Entered</th><th class="num">In it now</th><th class="num">Time in it p50</th><th class="num">p95</th><th class="num">Retries</th><th class="num">Failures</th></tr></thead>
      <tbody>${entered.slice(0, 200).map((state) => html`<tr key=${state.name} data-test="state"><td><code>${state.name}</code></td>${number(state.entered)}${number(state.now)}<td class="num">${latency(state.ms && state.ms.p50)}</td><td class="num">${latency(state.ms && state.ms.p95)}</td>${number(state.retries)}${number(state.failures)}</tr>`)}</tbody>
    </table></div>`}
    ${entered.length > 200 && html`<p class="panel-body muted">${count(entered.length - 200)} more are in the statistics of the API.</p>`}
  </${Panel}>`;
}

/** How its newest jobs went: a page of rows, not all of them. */
function Statistics({ name }) {
  const newest = useGet("jobs", { blueprint: name, limit: 200, fields: "id,status,created_at,updated_at" }, 10000);
  if (!newest.data) return html`<${Panel} title="Newest jobs"><${Loading} rows=${3} /></${Panel}>`;
  const items = newest.data.items;
  const byStatus = [...OPEN, ...OVER].map((status) => [status, items.filter((job) => job.status === status).length]).filter(([, n]) => n > 0);
  const over = items.filter((job) => job.status === "finished").map((job) => Date.parse(job.updated_at) - Date.parse(job.created_at)).sort((a, b) => a - b);
  const at = (share) => (over.length ? over[Math.min(over.length - 1, Math.floor(over.length * share))] : null);
  return html`<${Panel} title="Newest jobs" test="statistics" right=${html`<span class="muted">of the last ${count(items.length)}</span>`}>
    ${items.length === 0 ? html`<${Empty} small title="None yet" />` : html`
    <div class="panel-body stack">
      <div class="btn-row" style=${{ gap: "8px 16px" }}>${byStatus.map(([status, n]) => html`<a href=${to(["jobs"], { blueprint: name, status })} class="status"><${Status} kind=${{ ...jobStatus(status), text: `${jobStatus(status).text} ${n}` }} /></a>`)}</div>
      ${over.length > 0 && html`<p class="soft">Finished in ${duration(at(0.5))} (median), ${duration(at(0.95))} (p95)</p>`}
    </div>
    <table class="table"><tbody>${items.slice(0, 8).map((job) => html`<tr><td><${JobStatus} status=${job.status} /></td><td><a class="mono" href=${to(["jobs", job.id])}>${shortId(job.id)}</a></td><td class="num muted"><${Ago} at=${job.created_at} /></td></tr>`)}</tbody></table>`}
  </${Panel}>`;
}

/** The text of a process card, as it was written. */
function CardText({ name, version }) {
  const cards = useGet("admin/cards", { limit: 1000 });
  const versions = cards.data && cards.data.items.find((one) => one.name === name);
  const isCard = versions && versions.versions.some((one) => one.version === version);
  const card = useLoad(isCard ? `${name}@${version}` : null, (signal) => request("GET", `api/v1/admin/cards/${part(name)}/versions/${part(version)}`, { signal, headers: { Accept: "*/*" } }));
  if (!card.data) return null;
  const text = typeof card.data === "string" ? card.data : JSON.stringify(card.data, null, 2);
  return html`<${Panel} title="Process card" test="card" right=${html`<${Copy} text=${text} label="Copy the card" />`}>
    <pre class="panel-body" tabindex="0" aria-label="Text of the card" role="region" style=${{ overflowX: "auto", fontSize: "13px", lineHeight: 1.55 }}>${text}</pre>
    ${versions && html`<table class="table"><thead><tr><th>Version</th><th>Source</th><th>Taken up</th><th>SHA-256</th></tr></thead><tbody>${[...versions.versions].reverse().slice(0, 20).map((one) => html`<tr><td><a href=${to(["definitions", name], { version: one.version })}>${one.version}</a></td><td class="wrap-any">${one.source}</td><td><${Moment} at=${one.taken_at} /></td><td class="mono muted">${one.sha256.slice(0, 12)}</td></tr>`)}</tbody></table>`}
  </${Panel}>`;
}
