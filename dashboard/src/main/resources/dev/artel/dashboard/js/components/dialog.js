// Dialogs, and buttons whose act may be refused.
import { html, useEffect, useRef, useState } from "../core/html.js";
import { Icon } from "./icon.js";
import { ProblemNote } from "./basics.js";
import { toast } from "./toast.js";

let names = 0;

/** A modal dialog; the browser keeps the focus inside and gives it back. */
export function Dialog({ title, onClose, children, footer, wide, test }) {
  const ref = useRef(null);
  const name = useRef(`dialog-${++names}`).current;
  useEffect(() => {
    const dialog = ref.current;
    const before = document.activeElement;
    dialog.showModal();
    const first = dialog.querySelector("[data-first], .dialog-body input, .dialog-body select, .dialog-body textarea");
    if (first) first.focus();
    return () => {
      dialog.close();
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return html`<dialog ref=${ref} aria-labelledby=${name} data-test=${test}
      onCancel=${(event) => { event.preventDefault(); onClose(); }}
      onMouseDown=${(event) => event.target === ref.current && onClose()}>
    <div class=${wide ? "dialog wide" : "dialog"}>
      <header><h2 id=${name}>${title}</h2>
        <button type="button" class="btn btn-bare btn-icon" aria-label="Close" onClick=${onClose}><${Icon} name="close" /></button></header>
      <div class="dialog-body">${children}</div>
      ${footer && html`<footer>${footer}</footer>`}
    </div>
  </dialog>`;
}

/** Runs an act once at a time, and keeps its refusal. */
export function useAct(act) {
  const [state, setState] = useState({ isBusy: false, problem: null });
  const alive = useRef(true);
  useEffect(() => () => (alive.current = false), []);
  const run = async (...given) => {
    setState({ isBusy: true, problem: null });
    try {
      await act(...given);
      if (alive.current) setState({ isBusy: false, problem: null });
    } catch (problem) {
      if (alive.current) setState({ isBusy: false, problem });
    }
  };
  return { ...state, run, clear: () => setState({ isBusy: false, problem: null }) };
}

/** A button that acts at once. */
export function ActButton({ label, icon, act, done, kind = "", test, title }) {
  const running = useAct(async () => {
    await act();
    if (done) toast(done);
  });
  return html`<span class="stack-s">
    <button type="button" class=${`btn ${kind}`} disabled=${running.isBusy} onClick=${running.run} data-test=${test} title=${title}>
      ${running.isBusy ? html`<${Icon} name="spinner" class="spin" />` : icon && html`<${Icon} name=${icon} />`}${label}
    </button>
    <${ProblemNote} problem=${running.problem} />
  </span>`;
}

/**
 * A dialog with a form: fields, a button that acts, and the refusal above the buttons.
 *
 * @param act throws what is wrong; closes when it returns
 */
export function FormDialog({ title, label, act, done, onClose, danger, wide, children, test, disabled, hideAct }) {
  const running = useAct(async () => {
    const result = await act();
    if (result === false) return;
    if (done) toast(typeof done === "function" ? done(result) : done);
    onClose(result === undefined ? null : result); // undefined: closed without the act
  });
  const submit = (event) => {
    event.preventDefault();
    if (!running.isBusy && !disabled) running.run();
  };
  const id = useRef(`form-${++names}`).current;
  return html`<${Dialog} title=${title} onClose=${() => onClose()} wide=${wide} test=${test}
      footer=${html`<button type="button" class="btn" onClick=${() => onClose()}>Close</button>
        ${!hideAct && html`<button type="submit" form=${id} class=${`btn btn-main ${danger ? "btn-danger" : ""}`} disabled=${running.isBusy || disabled} data-test="confirm">
          ${running.isBusy && html`<${Icon} name="spinner" class="spin" />`}${label}</button>`}`}>
    <form id=${id} class="form" onSubmit=${submit} novalidate>${children}<${ProblemNote} problem=${running.problem} /></form>
  </${Dialog}>`;
}

/** A button that opens a menu of acts: `items` are `{label, icon, act, href, danger}` or "-". */
export function MenuButton({ label, icon = "more", items, test, children, kind = "" }) {
  const [isOpen, setOpen] = useState(false);
  const ref = useRef(null);
  useEffect(() => {
    if (!isOpen) return undefined;
    const outside = (event) => !ref.current.contains(event.target) && setOpen(false);
    const escape = (event) => {
      if (event.key === "Escape") { setOpen(false); ref.current.querySelector("button").focus(); }
    };
    addEventListener("mousedown", outside);
    addEventListener("keydown", escape);
    return () => { removeEventListener("mousedown", outside); removeEventListener("keydown", escape); };
  }, [isOpen]);
  const arrow = (event) => {
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    event.preventDefault();
    const all = [...ref.current.querySelectorAll(".menu button, .menu a")];
    const at = all.indexOf(document.activeElement);
    const next = all[(at + (event.key === "ArrowDown" ? 1 : -1) + all.length) % all.length];
    if (next) next.focus();
  };
  const shown = items.filter(Boolean);
  if (shown.length === 0) return null;
  return html`<span class="menu-wrap" ref=${ref} onKeyDown=${arrow}>
    <button type="button" class=${`btn ${children ? "" : "btn-icon"} ${kind}`} aria-label=${children ? undefined : label} aria-haspopup="menu" aria-expanded=${isOpen} data-test=${test} onClick=${() => setOpen(!isOpen)}>
      ${children || html`<${Icon} name=${icon} />`}
    </button>
    ${isOpen && html`<div class="menu" role="menu">
      ${shown.map((item) => item === "-" ? html`<hr />` : item.href
        ? html`<a role="menuitem" href=${item.href} onClick=${() => setOpen(false)}><${Icon} name=${item.icon} />${item.label}</a>`
        : html`<button role="menuitem" type="button" class=${item.danger ? "tone-fail" : ""} onClick=${() => { setOpen(false); item.act(); }}><${Icon} name=${item.icon} />${item.label}</button>`)}
    </div>`}
  </span>`;
}
