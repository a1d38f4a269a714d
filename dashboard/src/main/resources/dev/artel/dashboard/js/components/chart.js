// Series over time, drawn by uPlot with the colours of the style sheet.
import { html, useEffect, useRef, useState } from "../core/html.js";

/**
 * A plot in an element that keeps its width, drawn anew with the colours of another theme.
 *
 * @param shape what the options depend on, as text
 * @param options gets uPlot, the colour of a variable of tokens.css, and what all axes have
 * @return the ref of the element
 */
function usePlot(shape, height, data, options) {
  const ref = useRef(null);
  const plot = useRef(null);
  const newest = useRef(data);
  newest.current = data;
  const [theme, setTheme] = useState(document.documentElement.dataset.theme);

  useEffect(() => {
    const change = (event) => setTheme(event.detail);
    addEventListener("artel-theme", change);
    return () => removeEventListener("artel-theme", change);
  }, []);

  useEffect(() => {
    let isWanted = true;
    let watch;
    import("../../lib/uplot.js").then(({ default: uPlot }) => {
      if (!isWanted || !ref.current) return;
      const color = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
      const font = `11px ${getComputedStyle(document.body).fontFamily}`;
      const axis = { stroke: color("--ink-3"), font, ticks: { show: false }, grid: { stroke: color("--grid"), width: 1 } };
      plot.current = new uPlot(
        { width: ref.current.clientWidth, height, legend: { show: false }, select: { show: false }, ...options(uPlot, color, axis) },
        newest.current,
        ref.current,
      );
      watch = new ResizeObserver(([entry]) => plot.current && plot.current.setSize({ width: Math.floor(entry.contentRect.width), height }));
      watch.observe(ref.current);
    });
    return () => {
      isWanted = false;
      if (watch) watch.disconnect();
      if (plot.current) plot.current.destroy();
      plot.current = null;
    };
  }, [shape, theme, height]);

  useEffect(() => {
    if (plot.current) plot.current.setData(data);
  });

  return ref;
}

const clock = (at, options) => new Date(at * 1000).toLocaleTimeString("en-GB", options);
const MINUTES = { hour: "2-digit", minute: "2-digit" };

/**
 * @param times seconds since 1970
 * @param series `{name, values, color}`, stacked in this order from below; color is a variable of tokens.css
 * @param onCursor gets the index under the pointer, or null
 */
export function StackedBars({ times, series, onCursor, label, height = 216 }) {
  const newest = useRef(onCursor);
  newest.current = onCursor;
  const step = times.length > 1 ? times[1] - times[0] : 1;
  const shape = series.map((one) => one.name).join() + step;
  // The topmost sum is drawn first, so that those below it cover it.
  const ref = usePlot(shape, height, [times, ...stack(series).reverse()], (uPlot, color, axis) => ({
    padding: [8, 20, 0, 0],
    cursor: { y: false, points: { show: false }, drag: { x: false, y: false } },
    scales: { x: { time: true }, y: { range: (_, __, most) => [0, Math.max(5, Math.ceil(most * 1.1))] } },
    axes: [
      { ...axis, grid: { show: false }, size: 26, values: (_, splits) => splits.map((at) => clock(at, MINUTES)) },
      { ...axis, size: 42, incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000, 20000, 50000, 100000], values: (_, splits) => splits.map((value) => (value >= 10000 ? value / 1000 + " k" : String(value))) },
    ],
    series: [{}, ...series.map((one) => ({ label: one.name, fill: color(one.color), stroke: color(one.color), width: 0, points: { show: false }, paths: uPlot.paths.bars({ size: [0.72, 26, 1], align: 1 }) })).reverse()],
    hooks: { setCursor: [(chart) => newest.current && newest.current(chart.cursor.idx ?? null)] },
  }));

  return html`<div class="chart" ref=${ref} role="img" aria-label=${label} style=${{ height: `${height}px` }} data-test="chart"></div>`;
}

/**
 * A value that holds until its next change.
 *
 * @param times seconds since 1970
 * @param values from 0 to 1
 */
export function Steps({ times, values, label, color = "--run", height = 132 }) {
  const ref = usePlot(color, height, [times, values], (uPlot, ink, axis) => ({
    padding: [8, 26, 0, 0],
    cursor: { show: false },
    scales: { x: { time: true }, y: { range: [0, 1.02] } },
    axes: [
      { ...axis, grid: { show: false }, size: 26, space: 72, values: (_, splits, __, ___, step) => splits.map((at) => clock(at, step < 60 ? {} : MINUTES)) },
      { ...axis, size: 34, splits: () => [0, 0.5, 1], values: (_, splits) => splits.map(String) },
    ],
    series: [{}, { label, stroke: ink(color), width: 1.5, points: { show: false }, paths: uPlot.paths.stepped({ align: 1 }) }],
  }));

  return html`<div class="chart" ref=${ref} role="img" aria-label=${label} style=${{ height: `${height}px` }} data-test="steps"></div>`;
}

function stack(series) {
  const sums = [];
  let below = null;
  for (const one of series) {
    below = one.values.map((value, i) => (value || 0) + (below ? below[i] : 0));
    sums.push(below);
  }
  return sums;
}
