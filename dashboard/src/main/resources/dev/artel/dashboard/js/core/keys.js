// Keys of the whole page: single ones, two in a row such as `g j`, and Ctrl or Cmd with K.
import { useEffect, useRef } from "./html.js";

const SEQUENCE = 900;

/** Whether a key belongs to what is being typed. */
function isTyping(target) {
  return target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));
}

/** @param bindings acts by key: "?", "g j", "mod+k" */
export function useKeys(bindings) {
  const newest = useRef(bindings);
  newest.current = bindings;
  useEffect(() => {
    let first = "";
    let timer = 0;
    const press = (event) => {
      if (event.defaultPrevented || event.altKey) return;
      if (event.metaKey || event.ctrlKey) {
        act(newest.current["mod+" + event.key.toLowerCase()], event);
        return;
      }
      if (isTyping(event.target) || document.querySelector("dialog[open]")) return;
      const pair = first && newest.current[`${first} ${event.key}`];
      clearTimeout(timer);
      first = "";
      if (pair) {
        act(pair, event);
        return;
      }
      if (act(newest.current[event.key], event)) return;
      first = event.key;
      timer = setTimeout(() => (first = ""), SEQUENCE);
    };
    addEventListener("keydown", press);
    return () => {
      removeEventListener("keydown", press);
      clearTimeout(timer);
    };
  }, []);
}

function act(binding, event) {
  if (!binding) return false;
  event.preventDefault();
  binding();
  return true;
}
