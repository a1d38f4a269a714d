// The frame around all pages: navigation, search, keys, theme, account.
import { html, useCallback, useEffect, useErrorBoundary, useMemo, useState } from "../core/html.js";
import { get, Problem } from "../core/api.js";
import { logOut, useRights, useSession } from "../core/session.js";
import { go, to, useRoute } from "../core/router.js";
import { useKeys } from "../core/keys.js";
import { useLoad } from "../core/data.js";
import { Icon, Logo } from "./icon.js";
import { Empty, Loading, ProblemNote } from "./basics.js";
import { Dialog } from "./dialog.js";
import { Palette } from "./palette.js";
import { toast, Toasts } from "./toast.js";

/** All pages: their key behind `g`, and where their code is. */
const PAGES = [
  { name: "", text: "Overview", icon: "overview", key: "o", load: () => import("../pages/overview.js") },
  { name: "jobs", text: "Jobs", icon: "jobs", key: "j", load: () => import("../pages/jobs.js"), one: () => import("../pages/job.js") },
  { name: "needs", text: "Needs you", icon: "needs", key: "n", load: () => import("../pages/needs.js") },
  { name: "workers", text: "Workers", icon: "workers", key: "w", load: () => import("../pages/workers.js"), one: () => import("../pages/worker.js") },
  { name: "definitions", text: "Definitions", icon: "definitions", key: "d", load: () => import("../pages/definitions.js"), one: () => import("../pages/definition.js") },
  { name: "schedules", text: "Schedules", icon: "schedules", key: "s", load: () => import("../pages/schedules.js"), one: () => import("../pages/schedule.js") },
  { name: "system", text: "System", icon: "system", key: "y", load: () => import("../pages/system.js"), isForOperators: true },
];

const SHORTCUTS = [
  ["Ctrl K", "search and commands; Cmd K on a Mac"],
  ["/", "search in the page"],
  ["?", "these keys"],
  ...PAGES.map((page) => [`g ${page.key}`, page.text]),
  ["j", "the next row of a list"],
  ["k", "the row before"],
  ["Enter", "opens the row"],
  ["t", "light or dark"],
  ["Esc", "close"],
];

export function Shell({ onLogout }) {
  const session = useSession();
  const rights = useRights();
  const route = useRoute();
  const [overlay, setOverlay] = useState(null);
  const needs = useNeedsCount(rights);
  const pages = PAGES.filter((page) => !page.isForOperators || rights.operates);
  const page = pages.find((one) => one.name === (route.parts[0] || ""));

  const leave = useCallback(async () => {
    try {
      await logOut();
      onLogout();
    } catch (problem) {
      toast(`Not logged out: ${problem.message}`);
    }
  }, []);
  const focusSearch = () => {
    const field = document.querySelector('main [data-search="true"]');
    if (field) {
      field.focus();
      field.select();
    } else {
      setOverlay("palette");
    }
  };
  useKeys({
    "mod+k": () => setOverlay(overlay === "palette" ? null : "palette"),
    "/": focusSearch,
    "?": () => setOverlay("help"),
    t: toggleTheme,
    j: () => moveRow(1),
    k: () => moveRow(-1),
    ...Object.fromEntries(pages.map((one) => [`g ${one.key}`, () => go(to(one.name ? [one.name] : []))])),
  });
  const commands = useMemo(() => [
    ...pages.map((one) => ({ group: "Pages", name: one.text, icon: one.icon, hint: `g ${one.key}`, act: () => go(to(one.name ? [one.name] : [])) })),
    { group: "Filters", name: "Failed jobs", icon: "cross", tone: "fail", act: () => go(to(["jobs"], { status: "failed" })) },
    { group: "Filters", name: "Quarantined jobs", icon: "alert", tone: "person", act: () => go(to(["jobs"], { status: "quarantined" })) },
    { group: "Filters", name: "Jobs that wait for a task", icon: "queue", tone: "run", act: () => go(to(["jobs"], { status: "waiting_for_worker" })) },
    { group: "Commands", name: "Switch between light and dark", icon: "moon", hint: "t", act: toggleTheme },
    { group: "Commands", name: "Keys", icon: "info", hint: "?", act: () => setOverlay("help") },
    { group: "Commands", name: "Description of the API", icon: "definitions", act: () => window.open("_public/docs", "_blank", "noopener") },
    { group: "Commands", name: "Log out", icon: "exit", act: leave },
  ], [rights.operates]);

  useEffect(() => {
    const one = route.parts[1] && route.parts[0] !== "jobs" ? `${route.parts[1]} - ` : "";
    document.title = (needs ? `(${needs}) ` : "") + one + (page ? page.text : "Not found") + " - Artel";
    if (route.parts.length < 2) scrollTo(0, 0);
  }, [page, needs, route.parts[1]]);

  const link = (one, extra) => html`<a href=${to(one.name ? [one.name] : [])} aria-current=${one === page ? "page" : undefined} data-test=${`nav-${one.name || "overview"}`}>
    <${Icon} name=${one.icon} size=${extra ? 20 : 16} /><span>${one.text}</span>${one.name === "needs" && needs > 0 && html`<span class="count" aria-label=${`${needs} wait`}>${needs > 99 ? "99+" : needs}</span>`}</a>`;

  return html`<a class="skip" href="#content" onClick=${(event) => { event.preventDefault(); document.getElementById("content").focus(); }}>Skip to the content</a>
  <div class="frame">
    <aside class="side">
      <a class="brand" href=${to([])} aria-label="Artel, overview"><${Logo} />Artel</a>
      <nav class="nav" aria-label="Pages">${pages.map((one) => link(one))}</nav>
      <div class="side-foot">
        <div class="who"><div><strong class="clip" title=${session.client}>${session.client}</strong><span class="muted">${session.role}</span></div>
          <button type="button" class="btn btn-bare btn-icon" aria-label="Log out" title="Log out" onClick=${leave}><${Icon} name="exit" /></button></div>
      </div>
    </aside>
    <div class="main">
      <header class="top">
        <a class="brand only-phone" href=${to([])} aria-label="Artel, overview"><${Logo} /></a>
        <button type="button" class="find only-wide" onClick=${() => setOverlay("palette")} data-test="find"><${Icon} name="search" /><span>Search or command</span><kbd>Ctrl K</kbd></button>
        <div class="top-right">
          <button type="button" class="btn btn-bare btn-icon only-phone" aria-label="Search" onClick=${() => setOverlay("palette")}><${Icon} name="search" size=${20} /></button>
          <button type="button" class="btn btn-bare btn-icon" aria-label="Switch between light and dark" title="Light or dark (t)" onClick=${toggleTheme} data-test="theme"><span class="in-light"><${Icon} name="moon" /></span><span class="in-dark"><${Icon} name="sun" /></span></button>
          <button type="button" class="btn btn-bare btn-icon only-wide" aria-label="Keys" title="Keys (?)" onClick=${() => setOverlay("help")}><${Icon} name="question" /></button>
        </div>
      </header>
      <main class="page" id="content" tabindex="-1">
        <${Guard} key=${route.parts.slice(0, 2).join("/")}><${Page} page=${page} route=${route} /></${Guard}>
      </main>
    </div>
    <nav class="bottom-nav" aria-label="Pages, short">
      ${pages.slice(0, 4).map((one) => link(one, true))}
      <button type="button" aria-haspopup="dialog" onClick=${() => setOverlay("more")}><${Icon} name="more" size=${20} /><span>More</span></button>
    </nav>
  </div>
  <${Toasts} />
  ${overlay === "palette" && html`<${Palette} commands=${commands} onClose=${() => setOverlay(null)} />`}
  ${overlay === "help" && html`<${Dialog} title="Keys" onClose=${() => setOverlay(null)} test="keys">
    <dl class="facts">${SHORTCUTS.map(([key, text]) => html`<dt>${key.split(" ").map((one) => html`<kbd>${one}</kbd> `)}</dt><dd>${text}</dd>`)}</dl></${Dialog}>`}
  ${overlay === "more" && html`<${Dialog} title="More" onClose=${() => setOverlay(null)}>
    <nav class="nav" aria-label="More pages" onClick=${() => setOverlay(null)}>${pages.slice(4).map((one) => link(one))}</nav>
    <div class="who"><div><strong>${session.client}</strong><span class="muted">${session.role}</span></div><button type="button" class="btn" onClick=${leave}><${Icon} name="exit" />Log out</button></div></${Dialog}>`}`;
}

/** Moves the focus between the rows of the list of the page. */
function moveRow(step) {
  const rows = [...document.querySelectorAll("main a.grid-row, main button.event-row, main .task-row > button")];
  const at = rows.indexOf(document.activeElement);
  const next = rows[at < 0 ? 0 : Math.min(rows.length - 1, Math.max(0, at + step))];
  if (next) {
    next.focus({ preventScroll: true });
    next.scrollIntoView({ block: "nearest" });
  }
}

function toggleTheme() {
  const isDark = document.documentElement.dataset.theme === "dark";
  dispatchEvent(new CustomEvent("artel-theme-choice", { detail: isDark ? "light" : "dark" }));
}

/** How many things wait for a person, for the badge; the overview has it for those who see everything. */
function useNeedsCount(rights) {
  const { data } = useLoad(rights.seesAll ? "needs-count" : null, async (signal) => {
    try {
      const { needs } = await get("overview", undefined, signal);
      return Object.values(needs || {}).reduce((sum, one) => sum + one, 0);
    } catch (problem) {
      if (!(problem instanceof Problem) || problem.status === 0) throw problem;
      const { jobs } = await get("dashboard", undefined, signal);
      return (jobs.quarantined || 0) + (jobs.waiting_for_human || 0);
    }
  }, 15000);
  return data || 0;
}

/** A page whose code is loaded when it is first shown. */
function Page({ page, route }) {
  const [module, setModule] = useState(null);
  const [problem, setProblem] = useState(null);
  const isOne = route.parts.length > 1;
  useEffect(() => {
    let isWanted = true;
    if (!page) return undefined;
    const load = isOne ? page.one : page.load;
    if (!load) {
      setModule({});
      return undefined;
    }
    load().then((loaded) => isWanted && setModule(loaded), (failure) => isWanted && setProblem(Object.assign(failure, { detail: "Reload the page: the orchestrator may have a newer one.", problems: [] })));
    return () => (isWanted = false);
  }, [page, isOne]);
  if (problem) return html`<${ProblemNote} problem=${problem} />`;
  if (!page || (module && !module.default)) {
    return html`<${Empty} icon="question" title="There is no such page"><a href=${to([])}>Go to the overview</a></${Empty}>`;
  }
  if (!module) return html`<${Loading} />`;
  return html`<${module.default} route=${route} id=${route.parts[1]} />`;
}

/** Keeps an error of one page from taking the frame with it. */
function Guard({ children }) {
  const [failure, reset] = useErrorBoundary((error) => console.error(error));
  if (!failure) return children;
  return html`<${ProblemNote} problem=${{ message: "This page has failed", detail: `${failure.message}. It is a bug of the dashboard; the orchestrator is not affected.`, problems: [] }} retry=${reset} />`;
}
