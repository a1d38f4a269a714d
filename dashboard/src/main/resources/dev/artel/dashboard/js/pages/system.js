// The orchestrator itself: version, stores, settings, clients, who did what. For operators.
import { html, useMemo, useState } from "../core/html.js";
import { post } from "../core/api.js";
import { useGet, usePages, useThrottled } from "../core/data.js";
import { useRights } from "../core/session.js";
import { setQuery, to } from "../core/router.js";
import { bytes, count, duration, moment, shortId, words } from "../core/format.js";
import { Empty, JobLink, Loading, Moment, Note, Panel, ProblemNote } from "../components/basics.js";
import { ActButton } from "../components/dialog.js";
import { Check, SearchInput } from "../components/fields.js";
import { Json } from "../components/json.js";

const TABS = [["", "About"], ["settings", "Settings"], ["clients", "Clients"], ["audit", "Audit log"], ["unreadable", "Unreadable jobs"]];

export default function System({ route }) {
  const rights = useRights();
  const tab = route.query.get("tab") || "";
  const system = useGet(rights.operates ? "admin/system" : null, undefined, 10000);
  if (!rights.operates) return html`<${Empty} icon="key" title="For operators">Your role does not operate this orchestrator.</${Empty}>`;
  const body = { "": About, settings: Settings, clients: Clients, audit: Audit, unreadable: Unreadable }[tab] || About;
  return html`
    <div class="page-head"><div><h1>System</h1></div></div>
    <nav class="tabs" aria-label="Parts of the system">${TABS.map(([name, text]) => html`<a href=${to(["system"], { tab: name })} aria-current=${name === tab ? "page" : undefined} data-test=${`tab-${name || "about"}`}>${text}</a>`)}</nav>
    <${body} system=${system} route=${route} />`;
}

function Waiting({ system }) {
  if (system.isLoading) return html`<${Loading} />`;
  if (system.problem && system.problem.status === 404) return html`<${Empty} icon="system" title="This orchestrator does not describe itself" command="./artel doctor">It is older than the dashboard.</${Empty}>`;
  return html`<${ProblemNote} problem=${system.problem} retry=${system.reload} />`;
}

/** Members that have a tab of their own. */
const ELSEWHERE = new Set(["settings", "clients"]);

function About({ system }) {
  if (!system.data) return html`<${Waiting} system=${system} />`;
  const simple = Object.entries(system.data).filter(([name, value]) => !ELSEWHERE.has(name) && (value === null || typeof value !== "object"));
  const parts = Object.entries(system.data).filter(([name, value]) => !ELSEWHERE.has(name) && value !== null && typeof value === "object");
  return html`<div class="halves">
    <${Panel} title="Orchestrator" test="about"><div class="panel-body stack"><dl class="facts">${simple.map(([name, value]) => html`<dt>${label(name)}</dt><dd><${Value} name=${name} value=${value} /></dd>`)}</dl>
      <div class="btn-row"><a class="btn" href="_public/docs" target="_blank" rel="noopener">Description of the API</a><${Reload} /></div></div></${Panel}>
    ${parts.map(([name, value]) => html`<${Panel} title=${label(name)}>${isFlat(value) ? html`<div class="panel-body"><dl class="facts">${Object.entries(value).map(([key, one]) => html`<dt>${label(key)}</dt><dd><${Value} name=${key} value=${one} /></dd>`)}</dl></div>`
      : Array.isArray(value) && value.length === 0 ? html`<${Empty} small title="None" />`
      : Array.isArray(value) && value.length > 0 && value.every(isFlat) ? html`<${Table} rows=${value} />` : html`<div class="panel-body"><${Json} value=${value} depth=${2} /></div>`}</${Panel}>`)}
  </div>`;
}

function Reload() {
  const [answer, setAnswer] = useState(null);
  return html`<${ActButton} label="Read settings and files again" icon="refresh" test="reload" act=${async () => setAnswer(await post("admin/reload"))} />
    ${answer && html`<${Note} tone="done" icon="check"><strong>Read.</strong> Changed: ${list(answer.changed)}. ${answer.needs_restart && answer.needs_restart.length ? `Needs a restart: ${list(answer.needs_restart)}.` : ""}</${Note}>`}`;
}

const list = (items) => (items && items.length ? items.map((one) => (typeof one === "string" ? one : JSON.stringify(one))).join(", ") : "nothing");

/** The name of a member for people; its unit stands with the value. */
const label = (name) => capital(words(name).replaceAll(/[.-]/g, " ").replace(/ (seconds|bytes|ms)$/, ""));
const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
const isFlat = (value) => value !== null && typeof value === "object" && !Array.isArray(value) && Object.values(value).every((one) => one === null || typeof one !== "object");

function Value({ name, value }) {
  if (value === null || value === undefined) return html`<span class="muted">-</span>`;
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "number") {
    if (/bytes$/.test(name)) return bytes(value);
    if (/seconds$/.test(name)) return duration(value * 1000);
    if (/_ms$/.test(name)) return duration(value);
    return Number.isInteger(value) ? count(value) : String(value);
  }
  if (typeof value === "string" && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value)) return html`<${Moment} at=${value} />`;
  return html`<span class="wrap-any">${typeof value === "object" ? JSON.stringify(value) : String(value)}</span>`;
}

function Table({ rows }) {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))].slice(0, 8);
  return html`<div class="table-scroll" tabindex="0"><table class="table"><thead><tr>${names.map((name) => html`<th>${label(name)}</th>`)}</tr></thead>
    <tbody>${rows.slice(0, 500).map((row) => html`<tr>${names.map((name) => html`<td><${Value} name=${name} value=${row[name]} /></td>`)}</tr>`)}</tbody></table></div>`;
}

function Settings({ system }) {
  const [text, setText] = useState("");
  const [isAll, setAll] = useState(false);
  const rows = useMemo(() => settingsOf(system.data && system.data.settings), [system.data]);
  if (!system.data) return html`<${Waiting} system=${system} />`;
  const shown = rows.filter((row) => (isAll || row.source || row.value) && (!text || `${row.name} ${row.value} ${row.meaning}`.toLowerCase().includes(text.toLowerCase())));
  return html`<div class="filters"><div class="grow"><${SearchInput} label="Setting" placeholder="Name, value or meaning" value=${text} onInput=${setText} /></div><${Check} label="Also those with their defaults" checked=${isAll} onInput=${setAll} /></div>
    <${Panel} title="Settings in force" test="settings" right=${html`<span class="muted">without secrets</span>`}><div class="table-scroll" tabindex="0"><table class="table"><thead><tr><th>Setting</th><th>Value</th><th>From</th></tr></thead>
      <tbody>${shown.map((row) => html`<tr><td style=${{ paddingBlock: "8px" }}><code>${row.name}</code>${row.meaning && html`<br /><span class="muted">${row.meaning}</span>`}</td><td class="wrap-any mono">${row.value || html`<span class="muted">${row.source ? "hidden" : "default"}</span>`}</td><td class="soft">${row.source || html`<span class="muted">-</span>`}</td></tr>`)}</tbody></table></div>${shown.length === 0 && html`<${Empty} small title="None">All settings have their defaults.</${Empty}>`}</${Panel}>`;
}

/** A list of `{name, value, source}`, or an object by name. */
function settingsOf(settings) {
  const show = (value) => (value === null || value === undefined ? "" : typeof value === "object" ? JSON.stringify(value) : String(value));
  if (Array.isArray(settings)) return settings.map((one) => ({ name: one.name || one.key, value: show(one.value), source: show(one.source), meaning: show(one.meaning) }));
  return Object.entries(settings || {}).map(([name, one]) => (one !== null && typeof one === "object" && "value" in one ? { name, value: show(one.value), source: show(one.source) } : { name, value: show(one), source: "" }));
}

function Clients({ system }) {
  if (!system.data) return html`<${Waiting} system=${system} />`;
  const clients = system.data.clients || [];
  const rows = Array.isArray(clients) ? clients : Object.entries(clients).map(([name, one]) => ({ name, ...one }));
  return html`<${Panel} title="Clients" test="clients">${rows.length === 0 ? html`<${Empty} small title="No clients" command="./artel token add client NAME" />` : html`<${Table} rows=${rows} />`}</${Panel}>`;
}

function Audit({ route }) {
  const client = route.query.get("client") || "";
  const [text, setText] = useState(client);
  const apply = useThrottled(() => setQuery({ client: text.trim() }), 400);
  const audit = usePages(`audit-${client}`, "admin/audit", { client }, 100);
  return html`<div class="filters"><div class="grow"><${SearchInput} label="Client" placeholder="Client" value=${text} onInput=${(value) => { setText(value); apply(); }} /></div></div>
    ${audit.problem && (audit.problem.status === 404 ? html`<${Empty} icon="system" title="This orchestrator does not show its audit log">It is in audit.jsonl in the data folder.</${Empty}>` : html`<${ProblemNote} problem=${audit.problem} retry=${audit.reload} />`)}
    ${!audit.problem && html`<${Panel} title="Who did what" test="audit">
      ${audit.items.length === 0 ? (audit.isLoading ? html`<${Loading} />` : audit.problem ? null : html`<${Empty} small title="Nothing yet">Each change is here, with the client who made it.</${Empty}>`) : html`<div class="table-scroll" tabindex="0"><table class="table"><thead><tr><th>When</th><th>Who</th><th>What</th><th>Answer</th><th>From</th></tr></thead>
        <tbody>${audit.items.map((one) => html`<tr><td class="num" style=${{ textAlign: "left" }} title=${one.at}>${moment(one.at)}</td><td>${one.caller || "-"}</td><td class="wrap-any"><${Act} entry=${one} /></td>
          <td>${one.status ? html`<span class=${`status tone-${one.status < 400 ? "done" : "fail"}`}>${one.status}</span>` : ""}</td><td class="soft" title=${[one.request && `request ${one.request}`, one.token && `token ${one.token}`].filter(Boolean).join(", ")}>${[one.via, one.from].filter(Boolean).join(", ")}</td></tr>`)}</tbody></table></div>`}
      ${audit.hasMore && html`<div class="list-end"><button type="button" class="btn btn-small" onClick=${audit.more}>More</button></div>`}
    </${Panel}>`}`;
}

const JOB_PATH = /^\/api\/(?:v1\/)?jobs\/([0-9a-f-]{36})(.*)$/;

function Act({ entry }) {
  const path = entry.path || "";
  const job = JOB_PATH.exec(path);
  if (!path) return html`${entry.act} <span class="soft">${entry.detail}</span>`;
  return html`<span class="tag">${entry.method}</span> ${job ? html`<a class="mono" href=${to(["jobs", job[1]])}>${shortId(job[1])}</a><code>${job[2]}</code>` : html`<code>${path.replace(/^\/api\/v1\//, "")}</code>`}${entry.detail && html` <span class="soft">${entry.detail}</span>`}`;
}

function Unreadable() {
  const all = usePages("unreadable", "unreadable", {}, 100);
  return html`<${Panel} title="Jobs whose events cannot be read" test="unreadable">
    ${all.problem && html`<div class="panel-body"><${ProblemNote} problem=${all.problem} retry=${all.reload} /></div>`}
    ${all.items.length === 0 ? (all.isLoading ? html`<${Loading} rows=${2} />` : all.problem ? null : html`<${Empty} small title="None">All jobs can be read.</${Empty}>`) : html`<table class="table"><thead><tr><th>Job</th><th>Reason</th></tr></thead><tbody>${all.items.map((one) => html`<tr><td><${JobLink} id=${one.job_id} /></td><td class="wrap-any">${one.reason}</td></tr>`)}</tbody></table>`}
  </${Panel}>`;
}
