// Blueprints and process cards: what jobs can be started here.
import { html, useMemo, useState } from "../core/html.js";
import { useLoad } from "../core/data.js";
import { get } from "../core/api.js";
import { useRights } from "../core/session.js";
import { setQuery, to } from "../core/router.js";
import { count } from "../core/format.js";
import { Empty, Loading, ProblemNote } from "../components/basics.js";
import { SearchInput } from "../components/fields.js";
import { Icon } from "../components/icon.js";
import { StartDialog } from "../components/start-job.js";
import { VirtualList } from "../components/virtual.js";

const MOST_PAGES = 5;

export default function Definitions({ route }) {
  const rights = useRights();
  const words = (route.query.get("q") || "").toLowerCase();
  const [starting, setStarting] = useState(null);
  const list = useLoad("definitions", (signal) => all("blueprints", signal));
  const cards = useLoad(rights.operates ? "cards" : null, (signal) => all("admin/cards", signal));
  const rows = useMemo(() => group(list.data || [], cards.data || []), [list.data, cards.data]);
  const shown = rows.filter((row) => !words || row.name.toLowerCase().includes(words));
  return html`
    <div class="page-head"><div><h1>Definitions</h1><p class="lead">Blueprints in code and process cards. Their jobs are alike.</p></div></div>
    <div class="filters"><div class="grow"><${SearchInput} label="Name" placeholder="Name" value=${route.query.get("q") || ""} onInput=${(text) => setQuery({ q: text })} /></div></div>
    ${list.problem && html`<${ProblemNote} problem=${list.problem} retry=${list.reload} />`}
    <section class="panel" aria-label="Definitions" data-test="definitions">
      <div class="grid-head defs-grid" aria-hidden="true"><span>Name</span><span>Kind</span><span>Versions</span><span></span></div>
      ${shown.length > 0 ? html`<${VirtualList} count=${shown.length} height=${48} label="Definitions" row=${(i) => html`<${Row} row=${shown[i]} acts=${rights.acts} onStart=${setStarting} />`} />`
        : list.isLoading ? html`<${Loading} />`
        : list.problem ? null
        : rows.length > 0 ? html`<${Empty} icon="search" title="No definition has this in its name" />`
        : html`<${Empty} icon="definitions" title="No definitions yet" command=${["./artel up --cards examples/cards", "./artel hello"]}>Put a process card or a jar into the folder of blueprints, or start a program that brings its own.</${Empty}>`}
    </section>
    ${starting && html`<${StartDialog} name=${starting} onClose=${() => setStarting(null)} />`}`;
}

async function all(path, signal) {
  const found = [];
  let cursor;
  for (let i = 0; i < MOST_PAGES; i++) {
    const page = await get(path, { limit: 1000, cursor }, signal);
    found.push(...page.items);
    cursor = page.next_cursor;
    if (!cursor) break;
  }
  return found;
}

function group(blueprints, cards) {
  const kinds = new Set(cards.map((card) => card.name));
  const rows = new Map();
  for (const one of blueprints) {
    const row = rows.get(one.name) || { name: one.name, versions: [], states: one.states, isCard: kinds.has(one.name) };
    row.versions.push(one.version);
    row.states = one.states;
    rows.set(one.name, row);
  }
  return [...rows.values()];
}

function Row({ row, acts, onStart }) {
  const address = to(["definitions", row.name]);
  return html`<div class="grid-row defs-grid clickable" style=${{ height: "48px" }} data-test="definition" onClick=${(event) => { if (!event.target.closest("a, button")) location.hash = address; }}>
    <span class="clip"><a href=${address} style=${{ color: "inherit", fontWeight: 520 }}>${row.name}</a> <span class="muted">${count(row.states)} states</span></span>
    <span class="soft">${row.isCard ? "Process card" : "Blueprint"}</span>
    <span class="tags">${row.versions.slice(-4).map((version) => html`<a class="tag" href=${to(["definitions", row.name], { version })}><span>${version}</span></a>`)}${row.versions.length > 4 && html`<span class="tag">+${row.versions.length - 4}</span>`}</span>
    <span style=${{ textAlign: "right" }}>${acts && html`<button type="button" class="btn btn-small" onClick=${() => onStart(row.name)} data-test="start"><${Icon} name="plus" size=${14} />Start</button>`}</span></div>`;
}
