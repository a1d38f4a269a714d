// One thing that waits for a person, with what the person may do about it.
import { html, useState } from "../core/html.js";
import { useRights } from "../core/session.js";
import { to } from "../core/router.js";
import { shortId, words } from "../core/format.js";
import { needKind } from "../core/status.js";
import { sentence } from "../core/why.js";
import { Icon } from "./icon.js";
import { Ago } from "./basics.js";
import { AnswerDialog, ApprovalDialog, BudgetDialog, CancelDialog, QuarantineDialog, ResolveDialog } from "./acts.js";

/** @param onDone called when something was done about it */
export function NeedRow({ need, compact, onDone }) {
  const kind = needKind(need.kind);
  const rights = useRights();
  const acts = rights.acts && (need.may_decide === false ? html`<p class="muted">For ${need.approvers || "others"} to decide.</p>` : html`<${NeedActs} need=${need} compact=${compact} onDone=${onDone} />`);
  return html`<article class=${compact ? "need" : "need need-wide"} data-test="need" data-kind=${need.kind}>
    <span class=${`status tone-${kind.tone}`}><${Icon} name=${kind.mark} title=${kind.text} /></span>
    <div>
      <h2>${sentence(need.text || kind.text)}</h2>
      <p class="meta"><span>${kind.text}</span><a href=${to(["jobs", need.job_id])}>${need.blueprint} <span class="mono">${shortId(need.job_id)}</span></a>${need.task !== undefined && need.task !== null && html`<span>task ${need.task}</span>`}</p>
      ${need.advice && html`<p class="soft wrap-any">${sentence(need.advice)}</p>`}
      ${compact && acts}
    </div>
    ${!compact && html`<div class="need-acts">${acts}</div>`}
    <span class="muted"><${Ago} at=${need.since} /></span>
  </article>`;
}

/** The acts alone; also on the page of a job. */
export function NeedActs({ need, compact, onDone }) {
  const [open, setOpen] = useState(null);
  const close = (result) => {
    setOpen(null);
    if (result !== undefined && onDone) onDone();
  };
  const button = (label, dialog, kind = "", test) => html`<button type="button" class=${`btn btn-small ${kind}`} onClick=${() => setOpen(dialog)} data-test=${test}>${label}</button>`;
  const id = need.job_id;
  let buttons = null;
  if (need.kind === "quarantine") {
    buttons = [button("Release", { act: "release" }, "btn-main", "release"), button("Retry", { act: "retry" }, "", "retry"), !compact && button("Skip", { act: "skip" }, "", "skip"), !compact && button("Discard", { act: "discard" }, "btn-danger", "discard")];
  } else if (need.kind === "approval") {
    buttons = names(need.choices).map((choice, i) => button(words(choice), { choice }, i === 0 ? "btn-main" : "", `choice-${choice}`));
  } else if (need.kind === "question") {
    buttons = [button("Answer", { answer: true }, "btn-main", "answer")];
  } else if (need.kind === "in_doubt") {
    buttons = [button("It happened", { outcome: "happened" }, "btn-main", "happened"), button("It did not", { outcome: "did_not_happen" }, "", "did-not-happen"), button("It failed", { outcome: "failed" }, "btn-danger", "failed")];
  } else if (need.kind === "budget") {
    buttons = [button("Extend the budget", { budget: true }, "btn-main", "extend"), !compact && button("Cancel", { cancel: true }, "btn-danger", "cancel")];
  } else if (need.kind === "stuck") {
    buttons = [html`<a class="btn btn-small" href=${to(["jobs", id])}>Look at the job</a>`, button("Cancel", { cancel: true }, "btn-danger", "cancel")];
  }
  return html`<div class="acts">${buttons}</div>
    ${open && open.act && html`<${QuarantineDialog} id=${id} act=${open.act} onClose=${close} />`}
    ${open && open.choice && html`<${ApprovalDialog} id=${id} approval=${need.approval} choice=${open.choice} message=${need.text} onClose=${close} />`}
    ${open && open.answer && html`<${AnswerDialog} id=${id} question=${need.question} text=${need.text} choices=${need.choices} onClose=${close} />`}
    ${open && open.outcome && html`<${ResolveDialog} id=${id} task=${need.task} outcome=${open.outcome} onClose=${close} />`}
    ${open && open.budget && html`<${BudgetDialog} id=${id} onClose=${close} />`}
    ${open && open.cancel && html`<${CancelDialog} id=${id} onClose=${close} />`}`;
}

const names = (choices) => (Array.isArray(choices) ? choices : Object.keys(choices || { approve: "", reject: "" }));
