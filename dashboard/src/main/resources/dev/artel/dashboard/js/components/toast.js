// Short words after an act that worked. Refusals stand where the act was, not here.
import { html, useEffect, useState } from "../core/html.js";

const MOST = 3;
let early = [];
let number = 0;

/** Those that come before the page shows any wait for it. */
const keep = (one) => {
  early = [...early, one].slice(-MOST);
};
let listener = keep;

/** @param link `{href, text}` */
export function toast(text, link) {
  listener({ id: ++number, text, link });
}

export function Toasts() {
  const [all, setAll] = useState([]);
  useEffect(() => {
    listener = (one) => {
      setAll((old) => [...old, one].slice(-MOST));
      setTimeout(() => setAll((old) => old.filter((other) => other.id !== one.id)), 6000);
    };
    early.splice(0).forEach(listener);
    return () => (listener = keep);
  }, []);
  return html`<div class="toasts" role="status" aria-live="polite">
    ${all.map((one) => html`<div class="toast" key=${one.id} data-test="toast"><span>${one.text}</span>${one.link && html`<a href=${one.link.href}>${one.link.text}</a>`}</div>`)}
  </div>`;
}
