// Time from left to right: lanes with pieces. Long times in which nothing but a wait goes on are folded, so that work stays visible.
import { html, useEffect, useMemo, useRef, useState } from "../core/html.js";
import { duration, timeOfDay } from "../core/format.js";

const LANE = 26;
const NAME = 190;
const AXIS = 26;
const GAP = 88;

/** Milliseconds of work below which nothing is folded: there is nothing to see. */
const SHORTEST_WORK = 50;
const STEPS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4, 15e3, 3e4, 6e4, 12e4, 3e5, 6e5, 9e5, 18e5, 36e5, 72e5, 108e5, 216e5, 432e5, 864e5, 1728e5, 6048e5];

/**
 * @param lanes `{name, href, pieces: [{from, to, tone, soft, text, lines}]}`; times in milliseconds, `to` undefined: still
 * @param now milliseconds, for pieces that go on
 * @param isOpen whether time goes on at the right end
 */
export function Gantt({ lanes, from, to, now, isOpen, label }) {
  const ref = useRef(null);
  const [width, setWidth] = useState(900);
  const [tip, setTip] = useState(null);
  useEffect(() => {
    const watch = new ResizeObserver(([entry]) => setWidth(Math.max(320, Math.floor(entry.contentRect.width))));
    watch.observe(ref.current);
    return () => watch.disconnect();
  }, []);
  const nameWidth = width < 620 ? 104 : NAME;
  const room = Math.max(100, width - nameWidth - 20);
  const scale = useMemo(() => scaleOf(lanes, from, to, now, room, nameWidth), [lanes, from, Math.floor(to / 500), room]);
  const x = scale.x;
  const height = AXIS + lanes.length * LANE + 8;
  const show = (piece) => (event) => {
    const box = event.currentTarget.getBoundingClientRect();
    setTip({ piece, x: Math.min(Math.max(8, event.clientX || box.left), Math.max(8, innerWidth - 380)), y: (event.clientY || box.top) + 16 });
  };
  return html`<div class="gantt" ref=${ref} data-test="gantt">
    <svg width=${width} height=${height} role="group" aria-label=${label}>
      ${scale.gaps.map((gap) => html`<g><title>${`${duration(gap.length)} without work, folded`}</title><rect class="gap" x=${gap.x} y=${AXIS - 6} width=${gap.width} height=${height - AXIS + 6} />${gap.x - nameWidth > 60 && html`<text class="gap-text" x=${gap.x + gap.width / 2} y="12" text-anchor="middle">${duration(gap.length)}</text>`}</g>`)}
      <g class="axis">
        ${scale.ticks.map((tick) => html`<line x1=${tick.x} x2=${tick.x} y1=${AXIS - 6} y2=${height} /><text x=${tick.x} y="12" text-anchor=${tick.isFirst ? "start" : "middle"}>${tick.text}</text>`)}
      </g>
      ${lanes.map((lane, i) => {
        const y = AXIS + i * LANE;
        const most = Math.floor((nameWidth - 24) / 6.6);
        return html`<g>
          <line class="lane-line" x1="0" x2=${width} y1=${y} y2=${y} />
          <${LaneName} lane=${lane} y=${y + 17} most=${most} />
          ${lane.pieces.map((piece) => {
            const left = x(piece.from);
            const end = piece.to === undefined ? now : piece.to;
            const wide = Math.max(3, x(end) - left);
            const letters = Math.floor((wide - 10) / 6.4);
            return html`<g class=${`piece tone-${piece.tone} ${piece.soft ? "soft" : ""}`} tabindex="0" role="img" aria-label=${[piece.text, ...(piece.lines || [])].join(", ")}
                onMouseMove=${show(piece)} onMouseLeave=${() => setTip(null)} onFocus=${show(piece)} onBlur=${() => setTip(null)}>
              <rect x=${left} y=${y + 5} width=${wide} height=${LANE - 10} rx="3" />
              ${letters >= 3 && html`<text x=${left + 6} y=${y + 17}>${piece.text.length > letters ? piece.text.slice(0, letters - 1) + "…" : piece.text}</text>`}
            </g>`;
          })}
        </g>`;
      })}
      ${isOpen && html`<line class="now" x1=${x(now)} x2=${x(now)} y1=${AXIS - 6} y2=${height} />`}
    </svg>
    ${tip && html`<div class="tip" role="tooltip" style=${{ left: `${tip.x}px`, top: `${tip.y}px` }}><strong>${tip.piece.text}</strong>
      <div>${duration((tip.piece.to === undefined ? now : tip.piece.to) - tip.piece.from)}${tip.piece.to === undefined ? " so far" : ""}, from ${timeOfDay(tip.piece.from, true)}</div>
      ${(tip.piece.lines || []).map((line) => html`<div class="soft-line">${line}</div>`)}</div>`}
  </div>`;
}

function LaneName({ lane, y, most }) {
  const text = html`<text class="lane-name" x="16" y=${y}><title>${lane.name}</title>${lane.name.length > most ? lane.name.slice(0, most - 1) + "…" : lane.name}</text>`;
  return lane.href ? html`<a href=${lane.href}>${text}</a>` : text;
}

/** Where a time stands: linear, except in gaps without work that take more than a third of the whole. */
function scaleOf(lanes, from, to, now, room, left) {
  const span = Math.max(1, to - from);
  const busy = lanes.flatMap((lane) => lane.pieces)
    .flatMap((piece) => (piece.soft ? [[piece.from, piece.from], [piece.to ?? now, piece.to ?? now]] : [[piece.from, piece.to ?? now]]))
    .sort((a, b) => a[0] - b[0]);
  const gaps = [];
  let end = from;
  for (const [begin, until] of [...busy, [to, to]]) {
    if (begin - end > span / 3) gaps.push([end, begin]);
    end = Math.max(end, until);
  }
  const idle = gaps.reduce((sum, [a, b]) => sum + b - a, 0);
  const isWorth = room > GAP * 2 * (gaps.length + 0.5) && span - idle >= SHORTEST_WORK;
  const folded = isWorth ? gaps : [];
  const foldedTime = isWorth ? idle : 0;
  const pixels = room - folded.length * GAP;
  const perMs = pixels / Math.max(1, span - foldedTime);
  const x = (time) => {
    const at = Math.min(Math.max(time, from), to);
    let place = 0;
    let last = from;
    for (const [a, b] of folded) {
      if (at <= a) break;
      place += (a - last) * perMs;
      place += at >= b ? GAP : (GAP * (at - a)) / (b - a);
      last = Math.min(at, b);
    }
    return left + place + (at - last) * perMs;
  };
  const step = STEPS.find((one) => one * perMs >= 84) || STEPS.at(-1);
  const ticks = [{ x: left, text: timeOfDay(from), isFirst: true }];
  const marks = folded.map(([a, b]) => ({ x: x(a), width: x(b) - x(a), length: b - a }));
  const isFree = (place) => place - left > 78 && place < left + room - 20 && marks.every((gap) => place < gap.x - 24 || place > gap.x + gap.width + 24);
  for (let time = step; time < span && ticks.length < 60; ) {
    const gap = folded.find(([a, b]) => from + time > a && from + time < b);
    if (gap) {
      time = Math.ceil((gap[1] - from) / step) * step;
      continue;
    }
    const place = x(from + time);
    if (isFree(place)) ticks.push({ x: place, text: "+" + duration(time) });
    time += step;
  }
  return { x, ticks, gaps: marks };
}
