// The list of jobs: filters that stand in the address, pages by cursor, acts for all that match.
import { html, useEffect, useMemo, useRef, useState } from "../core/html.js";
import { useGet, usePages, useThrottled } from "../core/data.js";
import { useStream } from "../core/live.js";
import { useRights } from "../core/session.js";
import { setQuery, to } from "../core/router.js";
import { brief, compact, plural, shortId } from "../core/format.js";
import { jobStatus, OPEN, OVER } from "../core/status.js";
import { Ago, Empty, JobStatus, Labels, Live, ProblemNote } from "../components/basics.js";
import { BulkDialog } from "../components/acts.js";
import { MenuButton } from "../components/dialog.js";
import { SearchInput } from "../components/fields.js";
import { Icon } from "../components/icon.js";
import { VirtualList } from "../components/virtual.js";

const FIELDS = "id,blueprint_name,current_state,status,error_message,priority,labels,created_at,updated_at";
const FILTERS = ["status", "blueprint", "client", "q", "from", "until", "parent"];

export default function Jobs({ route }) {
  const rights = useRights();
  const filter = filterOf(route.query);
  const key = JSON.stringify(filter);
  const list = usePages(key, "jobs", { ...filter, fields: FIELDS });
  const counts = useGet("dashboard", undefined, rights.seesAll ? 0 : 5000);
  const [streamed, setStreamed] = useState(null);
  const [bulk, setBulk] = useState(null);
  const [isBehind, setBehind] = useState(false);
  const isOnFirst = list.items.length <= 100;
  const isWide = useIsWide();
  const refresh = useThrottled(() => (isOnFirst && scrollY < 400 ? list.reload() : setBehind(true)), 3000);
  // One overview a second at most, instead of every event of a busy orchestrator.
  const live = useStream(rights.seesAll ? "overview/events" : "events", (event) => {
    if (event.type === "overview") setStreamed(event.data.jobs);
    refresh();
  });
  useEffect(() => setBehind(false), [key]);
  const isFiltered = Object.keys(filter).length > 0;
  const jobs = streamed || (counts.data && counts.data.jobs) || {};

  return html`
    <div class="page-head"><div><h1>Jobs</h1></div>
      <${Live} state=${live} />
      ${rights.acts && isFiltered && html`<${MenuButton} test="bulk" items=${bulkItems(filter.status, setBulk)}>Act on all that match<${Icon} name="down" size=${12} /></${MenuButton}>`}
    </div>
    <div class="stack">
      <${Filters} filter=${filter} query=${route.query} />
      <${StatusChips} current=${filter.status} jobs=${jobs} />
    </div>
    ${list.problem && html`<${ProblemNote} problem=${list.problem} retry=${list.reload} />`}
    ${isBehind && html`<button type="button" class="btn" onClick=${() => { setBehind(false); scrollTo(0, 0); list.reload(); }}><${Icon} name="refresh" />Something has changed: show the newest</button>`}
    <section class="panel" aria-label="Jobs" data-test="jobs">
      <div class="grid-head jobs-grid" aria-hidden="true"><span>Status</span><span>Blueprint</span><span>State, labels</span><span>Created</span><span class="num">Changed</span></div>
      ${list.items.length > 0 ? html`<${VirtualList} count=${list.items.length} height=${isWide ? 44 : 68} label="Jobs" row=${(i) => html`<${Row} job=${list.items[i]} isWide=${isWide} />`}
          onRange=${(_, last) => last >= list.items.length - 20 && list.hasMore && list.more()} />`
        : !list.isLoading && !list.problem && html`<${None} filter=${filter} isFiltered=${isFiltered} more=${list.hasMore} onMore=${list.more} />`}
      ${list.items.length > 0 && html`<div class="list-end" role="status">${list.isLoading ? "Loading" : list.hasMore ? html`<button type="button" class="btn btn-small" onClick=${list.more}>More</button>` : `${plural(list.items.length, "job")}, and no more`}</div>`}
      ${list.items.length === 0 && list.isLoading && html`<div class="list-end" role="status">Loading</div>`}
    </section>
    ${bulk && html`<${BulkDialog} act=${bulk} filter=${filter} onClose=${() => { setBulk(null); list.reload(); }} />`}`;
}

function filterOf(query) {
  const filter = {};
  for (const name of FILTERS) {
    if (query.get(name)) filter[name] = query.get(name);
  }
  for (const [name, value] of query) {
    if (name.startsWith("label.") && value) filter[name] = value;
  }
  return filter;
}

function bulkItems(status, open) {
  const item = (act, label, icon, danger) => ({ label, icon, danger, act: () => open(act) });
  return status === "quarantined"
    ? [item("release", "Release", "play"), item("retry", "Retry", "retry"), "-", item("discard", "Discard", "trash", true), item("cancel", "Cancel", "stop", true)]
    : [item("pause", "Pause", "pause"), item("resume", "Resume", "play"), item("signal", "Send a signal", "signal"), "-", item("cancel", "Cancel", "stop", true)];
}

function useIsWide() {
  const [isWide, setWide] = useState(() => matchMedia("(min-width: 761px)").matches);
  useEffect(() => {
    const query = matchMedia("(min-width: 761px)");
    const change = () => setWide(query.matches);
    query.addEventListener("change", change);
    return () => query.removeEventListener("change", change);
  }, []);
  return isWide;
}

function Filters({ filter, query }) {
  const [words, setWords] = useState(filter.q || "");
  const [label, setLabel] = useState(() => labelsOf(query));
  const typed = useRef(filter.q || "");
  useEffect(() => {
    if ((filter.q || "") !== typed.current) {
      typed.current = filter.q || "";
      setWords(filter.q || "");
    }
  }, [filter.q]);
  const apply = useThrottled(() => { typed.current = words; setQuery({ q: words }); }, 350);
  const blueprints = useGet("blueprints", { limit: 500 });
  const names = useMemo(() => [...new Set(((blueprints.data && blueprints.data.items) || []).map((one) => one.name))], [blueprints.data]);
  const setLabels = (text) => {
    setLabel(text);
    const changes = {};
    for (const name of query.keys()) if (name.startsWith("label.")) changes[name] = null;
    for (const pair of text.split(/[\s,]+/)) {
      const at = pair.indexOf("=");
      if (at > 0 && at < pair.length - 1) changes["label." + pair.slice(0, at)] = pair.slice(at + 1);
    }
    setQuery(changes);
  };
  const isFiltered = Object.keys(filter).length > 0;
  const [isOpen, setOpen] = useState(false);
  const extra = isOpen ? "" : "only-wide";
  return html`<form class="filters" role="search" aria-label="Jobs" onSubmit=${(event) => event.preventDefault()}>
    <div class="grow"><${SearchInput} label="Words of error messages and labels" placeholder="Words of error messages and labels" value=${words} test="search" onInput=${(text) => { setWords(text); apply(); }} /></div>
    <button type="button" class="btn only-phone" aria-expanded=${isOpen} onClick=${() => setOpen(!isOpen)}><${Icon} name="system" />Filters</button>
    <div class=${`mid ${extra}`}><input class="input" list="blueprint-names" aria-label="Blueprint" placeholder="Blueprint" value=${filter.blueprint || ""} data-test="blueprint" onChange=${(event) => setQuery({ blueprint: event.target.value.trim() })} />
      <datalist id="blueprint-names">${names.map((name) => html`<option value=${name} />`)}</datalist></div>
    <div class=${`mid ${extra}`}><input class="input" aria-label="Labels" placeholder="Label: order=4711" value=${label} data-test="label" onChange=${(event) => setLabels(event.target.value)} spellcheck=${false} /></div>
    <div class=${`mid ${extra}`}><${Since} filter=${filter} /></div>
    ${isFiltered && html`<button type="button" class="btn btn-bare" onClick=${() => { setLabel(""); setQuery(Object.fromEntries([...query.keys()].map((name) => [name, null]))); }} data-test="clear"><${Icon} name="close" size=${14} />Clear</button>`}
  </form>`;
}

const labelsOf = (query) => [...query].filter(([name]) => name.startsWith("label.")).map(([name, value]) => `${name.slice(6)}=${value}`).join(" ");

const SINCE = [["", "Any time"], ["15m", "Last 15 minutes"], ["1h", "Last hour"], ["1d", "Last 24 hours"], ["7d", "Last 7 days"]];
const LENGTHS = { "15m": 9e5, "1h": 36e5, "1d": 864e5, "7d": 6048e5 };

function Since({ filter }) {
  const choose = (event) => {
    const length = LENGTHS[event.target.value];
    setQuery({ from: length ? new Date(Date.now() - length).toISOString().slice(0, 19) + "Z" : null, until: null });
  };
  const isOther = filter.from || filter.until;
  return html`<select class="select" aria-label="Submitted" onChange=${choose}>
    ${SINCE.map(([value, text]) => html`<option value=${value}>${text}</option>`)}
    ${isOther && html`<option value="other" selected>${`since ${(filter.from || "").slice(0, 16).replace("T", " ")}`}</option>`}
  </select>`;
}

function StatusChips({ current, jobs }) {
  const there = [...OPEN, ...OVER].filter((status) => jobs[status] || status === current);
  const chip = (status, content, n) => html`<a class="chip" href=${here({ status })} aria-current=${(current || "") === status ? "true" : undefined} data-test=${`chip-${status || "all"}`}>${content}${n !== undefined && html`<span class="n">${compact(n)}</span>`}</a>`;
  return html`<nav class="chips" aria-label="Status">
    ${chip("", "All")}
    ${there.map((status) => { const kind = jobStatus(status); return chip(status, html`<span class=${`tone-${kind.tone} status status-mark`}><${Icon} name=${kind.mark} size=${14} /></span>${kind.text}`, jobs[status]); })}
  </nav>`;
}

function here(changes) {
  const query = new URLSearchParams(location.hash.split("?")[1] || "");
  for (const [name, value] of Object.entries(changes)) value ? query.set(name, value) : query.delete(name);
  return to(["jobs"], Object.fromEntries(query));
}

function Row({ job, isWide }) {
  const message = job.error_message;
  if (!isWide) {
    return html`<a class="grid-row jobs-grid" href=${to(["jobs", job.id])} data-test="job">
      <span class="clip"><strong>${job.blueprint_name}</strong> <span class="muted mono">${shortId(job.id)}</span></span><span class="muted num"><${Ago} at=${job.updated_at} /></span>
      <${JobStatus} status=${job.status} /><span class="soft clip num">${job.current_state}</span></a>`;
  }
  return html`<a class="grid-row jobs-grid" style=${{ height: "44px" }} href=${to(["jobs", job.id])} data-test="job" data-id=${job.id}>
    <${JobStatus} status=${job.status} />
    <span class="clip"><strong style=${{ fontWeight: 520 }}>${job.blueprint_name}</strong> <span class="muted mono">${shortId(job.id)}</span></span>
    <span class="clip" style=${{ display: "flex", gap: "8px", alignItems: "center" }}>
      ${message ? html`<span class="clip" title=${message}>${brief(message, 160)}</span>` : html`<span class="soft clip">${job.current_state}</span>`}
      ${job.priority ? html`<span class="tag" title="Priority">P${job.priority}</span>` : null}
      ${!message && html`<${Labels} labels=${job.labels} most=${3} />`}
    </span>
    <span class="muted"><${Ago} at=${job.created_at} /></span><span class="muted num"><${Ago} at=${job.updated_at} /></span></a>`;
}

function None({ filter, isFiltered, more, onMore }) {
  if (more) {
    return html`<${Empty} icon="search" title="None in what was looked at">A search looks at 2,000 jobs at a time. <button type="button" class="btn btn-small" onClick=${onMore}>Look further</button></${Empty}>`;
  }
  if (!isFiltered) {
    return html`<${Empty} icon="jobs" title="No jobs yet" command="./artel job submit hello name=Ada --wait">Submit one, from a terminal or from <a href=${to(["definitions"])}>a definition</a>.</${Empty}>`;
  }
  return html`<${Empty} icon="search" title="No job matches">${filter.q ? "Words are compared as a whole, in error messages and labels. " : ""}<a href=${to(["jobs"])}>Show all jobs</a></${Empty}>`;
}
