// The command palette: pages, jobs by id or words, blueprints, workers, acts.
import { html, useEffect, useMemo, useRef, useState } from "../core/html.js";
import { get } from "../core/api.js";
import { go, to } from "../core/router.js";
import { jobStatus } from "../core/status.js";
import { brief, relative } from "../core/format.js";
import { Icon } from "./icon.js";

const JOB_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** @param commands `{name, icon, hint, act}` that are always there */
export function Palette({ commands, onClose }) {
  const ref = useRef(null);
  const [text, setText] = useState("");
  const [found, setFound] = useState([]);
  const [at, setAt] = useState(0);

  useEffect(() => {
    const dialog = ref.current;
    const before = document.activeElement;
    dialog.showModal();
    return () => {
      dialog.close();
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);

  useEffect(() => {
    const words = text.trim();
    if (words.length < 2) {
      setFound([]);
      return undefined;
    }
    const control = new AbortController();
    const timer = setTimeout(() => look(words, control.signal).then((items) => !control.signal.aborted && setFound(items)), 160);
    return () => { clearTimeout(timer); control.abort(); };
  }, [text]);

  const items = useMemo(() => {
    const words = text.trim().toLowerCase();
    const own = commands.filter((one) => !words || one.name.toLowerCase().includes(words));
    return [...own, ...found];
  }, [text, found, commands]);
  useEffect(() => setAt(0), [text]);

  const choose = (item) => {
    onClose();
    if (item) item.act();
  };
  const press = (event) => {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      setAt((old) => (old + (event.key === "ArrowDown" ? 1 : -1) + items.length) % Math.max(1, items.length));
    } else if (event.key === "Enter") {
      event.preventDefault();
      choose(items[at]);
    }
  };
  useEffect(() => {
    const chosen = ref.current && ref.current.querySelector('[aria-selected="true"]');
    if (chosen) chosen.scrollIntoView({ block: "nearest" });
  }, [at]);

  let group = "";
  return html`<dialog ref=${ref} aria-label="Command palette" data-test="palette" onCancel=${(event) => { event.preventDefault(); onClose(); }} onMouseDown=${(event) => event.target === ref.current && onClose()}>
    <div class="palette">
      <div class="ask"><${Icon} name="search" size=${18} />
        <input role="combobox" aria-expanded="true" aria-controls="palette-list" aria-activedescendant=${items.length ? `palette-${at}` : undefined} aria-label="Search jobs, pages and commands"
          placeholder="Job id, words, blueprint, worker or command" value=${text} onInput=${(event) => setText(event.target.value)} onKeyDown=${press} autocomplete="off" spellcheck=${false} autofocus />
        <kbd>Esc</kbd></div>
      <ul role="listbox" id="palette-list" aria-label="Results">
        ${items.length === 0 && html`<li class="empty empty-small" role="presentation">Nothing matches. Words are searched in error messages and labels of jobs.</li>`}
        ${items.map((item, i) => {
          const head = item.group !== group ? item.group : null;
          group = item.group;
          return html`${head && html`<li class="group" role="presentation">${head}</li>`}
            <li role="option" id=${`palette-${i}`} aria-selected=${i === at} onMouseMove=${() => setAt(i)} onClick=${() => choose(item)}>
              <span class=${item.tone ? `tone-${item.tone} status` : ""}><${Icon} name=${item.icon} /></span><span class="clip">${item.name}</span>${item.hint && html`<span class="hint">${item.hint}</span>`}</li>`;
        })}
      </ul>
    </div>
  </dialog>`;
}

async function look(words, signal) {
  const asks = [jobs(words, signal), definitions(words, signal), worker(words, signal)];
  const answers = await Promise.allSettled(asks);
  return answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
}

async function jobs(words, signal) {
  if (JOB_ID.test(words)) {
    const job = await get("jobs/" + encodeURIComponent(words), { fields: "id,blueprint_name,status,updated_at" }, signal);
    return [jobItem(job)];
  }
  const page = await get("jobs", { q: words, limit: 6 }, signal);
  return page.items.map(jobItem);
}

function jobItem(job) {
  const kind = jobStatus(job.status);
  return { group: "Jobs", icon: kind.mark, tone: kind.tone, name: `${job.blueprint_name}  ${job.id}`, hint: brief(job.error_message, 40) || relative(job.updated_at), act: () => go(to(["jobs", job.id])) };
}

async function definitions(words, signal) {
  const page = await get("blueprints", { limit: 200 }, signal);
  return page.items.filter((one) => one.name.toLowerCase().includes(words.toLowerCase())).slice(0, 5).flatMap((one) => [
    { group: "Definitions", icon: "definitions", name: one.name, hint: one.version, act: () => go(to(["definitions", one.name])) },
    { group: "Definitions", icon: "jobs", name: `Jobs of ${one.name}`, act: () => go(to(["jobs"], { blueprint: one.name })) },
  ]);
}

async function worker(words, signal) {
  if (!/^[\w.:-]{3,}$/.test(words) || JOB_ID.test(words)) return [];
  const one = await get("workers/" + encodeURIComponent(words), undefined, signal);
  return [{ group: "Workers", icon: "workers", name: one.worker_id, hint: one.state, act: () => go(to(["workers", one.worker_id])) }];
}
