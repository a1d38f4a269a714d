// The fleet: who is there, over which wire, how busy, and what each does now.
import { html, useEffect, useMemo, useState } from "../core/html.js";
import { useGet, usePages, useThrottled } from "../core/data.js";
import { useStream } from "../core/live.js";
import { setQuery, to } from "../core/router.js";
import { count, plural } from "../core/format.js";
import { workerStatus } from "../core/status.js";
import { Ago, Bar, Empty, Live, Loading, ProblemNote, Status } from "../components/basics.js";
import { Check, SearchInput, Select } from "../components/fields.js";
import { Icon } from "../components/icon.js";
import { VirtualList } from "../components/virtual.js";

const STATES = ["idle", "busy", "full", "draining", "suspended", "unhealthy", "offline"];

/** Pages beyond this are loaded when a person scrolls; the search looks at what is loaded. */
const AT_ONCE = 1000;
const AT_FIRST = 10;

export default function Workers({ route }) {
  const state = route.query.get("state") || "";
  const isAll = route.query.get("all") === "true" || state === "offline";
  const words = (route.query.get("q") || "").toLowerCase();
  const type = route.query.get("type") || "";
  const key = `${state}-${isAll}`;
  const list = usePages(key, "workers", { state, all: isAll || undefined }, 500);
  const overview = useGet("overview", undefined, 10000);
  const refresh = useThrottled(() => list.items.length <= 500 && list.reload(), 2000);
  const live = useStream("fleet/events", refresh);
  useEffect(() => {
    const timer = setInterval(() => !document.hidden && list.items.length <= 500 && scrollY < 200 && list.reload(), 4000);
    return () => clearInterval(timer);
  }, [list.reload, list.items.length]);
  useEffect(() => {
    if ((words || type) && list.hasMore && list.items.length < AT_ONCE) list.more();
  }, [words, type, list.hasMore, list.items.length]);
  const shown = useMemo(() => list.items.filter((one) => matches(one, words) && (!type || (one.supported_tasks || []).includes(type))), [list.items, words, type]);
  const types = useMemo(() => typesOf(list.items), [list.items]);
  const slots = overview.data && overview.data.slots;
  const [isWide, setWide] = useState(innerWidth > 760);
  useEffect(() => {
    const change = () => setWide(innerWidth > 760);
    addEventListener("resize", change);
    return () => removeEventListener("resize", change);
  }, []);

  return html`
    <div class="page-head"><div><h1>Workers</h1>${slots && html`<p class="lead">${count(slots.workers)} workers, ${count(slots.busy)} of ${count(slots.total)} slots in use${slots.draining ? `, ${count(slots.draining)} draining` : ""}</p>`}</div><${Live} state=${live} /></div>
    ${overview.data && overview.data.wires && html`<${Wires} wires=${overview.data.wires} />`}
    <div class="stack">
    <form class="filters" role="search" aria-label="Workers" onSubmit=${(event) => event.preventDefault()}>
      <div class="grow"><${SearchInput} label="Name, label, model" placeholder="Name, label=value, model" value=${route.query.get("q") || ""} onInput=${(text) => setQuery({ q: text })} test="worker-search" /></div>
      <div class="mid"><${Select} label="State" value=${state} onInput=${(value) => setQuery({ state: value })} options=${[["", "Any state"], ...STATES.map((one) => [one, workerStatus(one).text])]} test="worker-state" /></div>
      <${Check} label="Also those that are gone" checked=${isAll} onInput=${(value) => setQuery({ all: value ? "true" : null })} />
    </form>
    ${types.length > 0 && html`<${Types} types=${types} current=${type} isPartial=${list.hasMore} />`}
    </div>
    ${list.problem && html`<${ProblemNote} problem=${list.problem} retry=${list.reload} />`}
    <section class="panel" aria-label="Workers" data-test="workers">
      <div class="grid-head workers-grid" aria-hidden="true"><span>State</span><span>Worker</span><span>Wire</span><span>Slots</span><span>Does now, or can do</span><span class="num">Reputation</span><span class="num">Seen</span></div>
      ${shown.length > 0 ? html`<${VirtualList} count=${shown.length} height=${isWide ? 44 : 68} label="Workers" row=${(i) => html`<${Row} worker=${shown[i]} isWide=${isWide} />`} onRange=${(_, last) => last >= shown.length - 30 && list.hasMore && list.more()} />`
        : list.isLoading ? html`<${Loading} rows=${5} />`
        : list.problem ? null
        : list.items.length > 0 ? html`<${Empty} icon="search" title="No worker matches"><a href=${to(["workers"])}>Show all workers</a></${Empty}>`
        : html`<${Empty} icon="workers" title=${state ? "No worker is in this state" : "No worker is connected"} command=${["./artel token show worker", "./artel hello worker"]}>Workers come by themselves when they are started with the address of this orchestrator and a token. Tasks wait for them meanwhile.</${Empty}>`}
      ${shown.length > 0 && html`<div class="list-end" role="status">${list.hasMore ? html`${count(list.items.length)} are loaded. <button type="button" class="btn btn-small" onClick=${list.more}>More</button>` : plural(shown.length, "worker")}</div>`}
    </section>`;
}

function matches(worker, words) {
  if (!words) return true;
  const labels = Object.entries(worker.labels || {}).map(([name, value]) => `${name}=${value}`);
  const models = (worker.installed_models || []).map((one) => (typeof one === "string" ? one : one.name));
  return [worker.worker_id, worker.worker_type, worker.wire, ...labels, ...models, ...(worker.supported_tasks || [])].some((text) => String(text || "").toLowerCase().includes(words));
}

function typesOf(workers) {
  const types = new Map();
  for (const worker of workers) {
    for (const type of worker.supported_tasks || []) {
      const one = types.get(type) || { type, workers: 0, capacity: 0, used: 0 };
      one.workers++;
      one.capacity += (worker.slots && worker.slots.capacity) || 0;
      one.used += (worker.slots && worker.slots.used) || 0;
      types.set(type, one);
    }
  }
  return [...types.values()].sort((a, b) => b.workers - a.workers || a.type.localeCompare(b.type));
}

function Wires({ wires }) {
  const all = Object.entries(wires).filter(([, n]) => n > 0);
  return all.length > 1 ? html`<div class="legend">${all.map(([wire, n]) => html`<span><${Icon} name="signal" size=${14} />${wire} <b>${count(n)}</b></span>`)}</div>` : null;
}

function Types({ types, current, isPartial }) {
  const [isAll, setAll] = useState(false);
  const shown = isAll ? types.slice(0, 200) : types.slice(0, AT_FIRST);
  return html`<nav class="chips" aria-label="Task types" data-test="worker-types">
    ${shown.map((one) => html`<a class="chip" href=${here({ type: one.type === current ? "" : one.type })} aria-current=${one.type === current ? "true" : undefined} title=${`${count(one.workers)} workers${isPartial ? " of those that are loaded" : ""}, ${count(one.used)} of ${count(one.capacity)} slots in use`}>
      <code>${one.type}</code><span class="n">${count(one.workers)}</span><span class="bar" style=${{ width: "36px" }} aria-hidden="true"><span class="tone-run" style=${{ width: `${one.capacity ? (100 * one.used) / one.capacity : 0}%`, minWidth: one.used ? "2px" : "0" }}></span></span></a>`)}
    ${types.length > AT_FIRST && html`<button type="button" class="chip" onClick=${() => setAll(!isAll)}>${isAll ? "Fewer" : `${types.length - AT_FIRST} more`}</button>`}
  </nav>`;
}

function here(changes) {
  const query = new URLSearchParams(location.hash.split("?")[1] || "");
  for (const [name, value] of Object.entries(changes)) value ? query.set(name, value) : query.delete(name);
  return to(["workers"], Object.fromEntries(query));
}

function Row({ worker, isWide }) {
  const slots = worker.slots || { capacity: 0, used: 0 };
  const leases = worker.leases || [];
  return html`<a class="grid-row workers-grid" style=${{ height: isWide ? "44px" : "68px" }} href=${to(["workers", worker.worker_id])} data-test="worker">
    <${Status} kind=${workerStatus(worker.state)} />
    <strong class="clip" style=${{ fontWeight: 520 }}>${worker.worker_id}</strong>
    <span class="soft">${worker.wire}</span>
    <span class="meter"><${Bar} parts=${[{ name: "used", value: slots.used, tone: "run" }]} total=${slots.capacity || 1} />${count(slots.used)} of ${count(slots.capacity)}</span>
    <span class="clip soft">${leases.length > 0 ? html`${leases.length === 1 ? "1 task" : `${leases.length} tasks`}: <span class="mono">${leases.slice(0, 3).map((one) => `${one.job_id.slice(-6)}/${one.task}`).join(" ")}</span>` : (worker.supported_tasks || []).join(", ")}</span>
    <span class="num">${worker.reputation === undefined ? "-" : worker.reputation.toFixed(2)}</span>
    <span class="num muted"><${Ago} at=${worker.last_seen} /></span></a>`;
}
