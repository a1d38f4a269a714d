// Lists of any length: only the rows that are in view exist.
import { html, useCallback, useEffect, useLayoutEffect, useRef, useState } from "../core/html.js";

/** Browsers draw no element that is higher than about 17 million pixels. */
const HIGHEST = 12_000_000;
const MARGIN = 8;

/**
 * @param count how many rows there are
 * @param height of a row in pixels
 * @param row draws one: `(index) => element`
 * @param onRange gets the first and the last index in view
 * @param scroller the element that scrolls; without it the window does
 * @param goTo an index to scroll to, when `goToken` changes
 */
export function VirtualList({ count, height, row, onRange, scroller, goTo, goToken, label, role = "list" }) {
  const ref = useRef(null);
  const [range, setRange] = useState([0, Math.min(count, 40)]);
  const newest = useRef(onRange);
  newest.current = onRange;
  const full = count * height;
  const tall = Math.min(full, HIGHEST);
  const scale = full > HIGHEST ? full / HIGHEST : 1;

  const measure = useCallback(() => {
    const element = ref.current;
    if (!element) return;
    const box = element.getBoundingClientRect();
    const frame = scroller && scroller.current ? scroller.current.getBoundingClientRect() : { top: 0, height: innerHeight };
    const view = Math.min(scroller ? Math.max(frame.height, 640) : innerHeight, 4000);
    const top = exactTop(Math.max(0, frame.top - box.top), full, tall, frame.height || innerHeight);
    const first = Math.max(0, Math.floor(top / height) - MARGIN);
    const last = Math.min(count, Math.ceil((top + view) / height) + MARGIN);
    setRange((old) => (old[0] === first && old[1] === last ? old : [first, last]));
    if (newest.current) newest.current(first, last);
  }, [count, height, full, tall]);

  useLayoutEffect(measure, [measure]);
  useEffect(() => {
    const target = scroller && scroller.current ? scroller.current : window;
    let frame = 0;
    const move = () => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(measure);
    };
    target.addEventListener("scroll", move, { passive: true });
    addEventListener("resize", move);
    return () => {
      cancelAnimationFrame(frame);
      target.removeEventListener("scroll", move);
      removeEventListener("resize", move);
    };
  }, [measure]);
  useEffect(() => {
    if (goToken === undefined || !scroller || !scroller.current) return;
    const view = scroller.current.clientHeight;
    const wanted = Math.max(0, goTo * height - view / 2);
    scroller.current.scrollTop = scale > 1 ? (wanted / (full - view)) * (tall - view) : wanted;
  }, [goToken]);

  const [first, last] = range;
  const top = ref.current && scale > 1 ? topScaled(ref.current, scroller, first, height, full, tall) : first * height;
  const rows = [];
  for (let i = first; i < Math.min(last, count); i++) rows.push(html`<div key=${i} role=${role === "list" ? "listitem" : "row"}>${row(i)}</div>`);
  return html`<div ref=${ref} class="virtual" role=${role} aria-label=${label} aria-rowcount=${role === "list" ? undefined : count} style=${{ height: `${tall}px` }}>
    <div class="at" style=${{ transform: `translateY(${top}px)` }} role="presentation">${rows}</div>
  </div>`;
}

/** How far down the rows are that stand at the top of the view, if all had their height. */
function exactTop(scrolled, full, tall, view) {
  return full === tall ? scrolled : (scrolled / Math.max(1, tall - view)) * (full - view);
}

/** Where rows stand in an element that is lower than all rows together: near what is in view. */
function topScaled(element, scroller, first, height, full, tall) {
  const frame = scroller && scroller.current ? scroller.current.getBoundingClientRect() : { top: 0, height: innerHeight };
  const scrolled = Math.max(0, frame.top - element.getBoundingClientRect().top);
  return scrolled - (exactTop(scrolled, full, tall, frame.height) - first * height);
}
