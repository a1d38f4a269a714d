// Short words after an act that worked. Refusals stand where the act was, not here.
import { html, useEffect, useState } from "../core/html.js";

const MOST = 3;
let listener = () => {};
let number = 0;

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
    return () => (listener = () => {});
  }, []);
  return html`<div class="toasts" role="status" aria-live="polite">
    ${all.map((one) => html`<div class="toast" key=${one.id} data-test="toast"><span>${one.text}</span>${one.link && html`<a href=${one.link.href}>${one.link.text}</a>`}</div>`)}
  </div>`;
}
