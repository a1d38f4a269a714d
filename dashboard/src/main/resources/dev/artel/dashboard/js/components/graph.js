// The graph of a definition, with the life of one job drawn into it.
import { html, h, useEffect, useRef, useState } from "../core/html.js";
import { Icon } from "./icon.js";
import { Loading } from "./basics.js";

const HEIGHT = 34;
const MOST_STATES = 400;

/**
 * @param states `{name, start, end, failed, next}` of the API
 * @param visits how often the job entered each state: a Map, or null without a job
 * @param here states in which the job is now: a Map of names to `{tone, mark}`
 * @param steps edges that the job took: a Set of `from\nto`
 */
export function Graph({ states: all, visits, here, steps, isWhole = true, maxHeight = 420 }) {
  const [layout, setLayout] = useState(null);
  const [room, setRoom] = useState(0);
  const ref = useRef(null);
  const states = isWhole ? all : all.filter((state) => !isAside(state) || (visits && visits.get(state.name)) || (here && here.has(state.name)));
  const isTooLarge = states.length > MOST_STATES;
  const key = states.map((state) => state.name + ">" + state.next.join(",")).join("|");
  useEffect(() => {
    if (!ref.current) return undefined;
    const watch = new ResizeObserver(([entry]) => setRoom(entry.contentRect.width));
    watch.observe(ref.current);
    return () => watch.disconnect();
  }, [layout]);
  useEffect(() => {
    if (isTooLarge) return undefined;
    let isWanted = true;
    import("../../lib/dagre.js").then((dagre) => isWanted && setLayout(arrange(dagre, states)));
    return () => (isWanted = false);
  }, [key]);
  if (isTooLarge) return html`<p class="panel-body muted">${states.length} states are too many to draw. The states of this job are in its events.</p>`;
  if (!layout) return html`<${Loading} rows=${3} />`;
  const scale = room ? Math.min(1, Math.max(0.72, room / layout.width)) : 1;
  return html`<div class="graph" ref=${ref} style=${{ maxHeight: `${maxHeight}px` }} tabindex="0" role="region" aria-label="Graph of the states" data-test="graph">
    <svg width=${Math.floor(layout.width * scale)} height=${Math.floor(layout.height * scale)} viewBox=${`0 0 ${layout.width} ${layout.height}`} role="img" aria-label=${describe(states, here)}>
      ${layout.edges.map((edge) => {
        const isTaken = steps && steps.has(edge.from + "\n" + edge.to);
        return html`<g><path class=${`edge ${isTaken ? "taken" : ""}`} d=${edge.path} /><path class=${`head ${isTaken ? "taken" : ""}`} d=${edge.head} /></g>`;
      })}
      ${layout.nodes.map((node) => {
        const now = here && here.get(node.name);
        const times = visits ? visits.get(node.name) || 0 : 0;
        const isBeen = times > 0;
        const end = node.state.failed ? "cross" : node.state.end ? "check" : node.state.start ? "play" : null;
        const icon = now ? now.mark : end;
        return html`<g class=${`node ${now ? `here tone-${now.tone}` : ""} ${isBeen ? "been" : ""} ${visits ? "" : "plain"}`} transform=${`translate(${node.x - node.width / 2} ${node.y - HEIGHT / 2})`} data-state=${node.name}>
          <title>${node.name}${times ? `, entered ${times} times` : ""}</title>
          <rect width=${node.width} height=${HEIGHT} rx=${node.state.end ? HEIGHT / 2 : 7} />
          ${icon && h("g", { class: "mark", transform: "translate(10 9)" }, h(Icon, { name: icon }))}
          <text x=${icon ? 32 : 14} y="21.5">${node.label}</text>
          ${times > 1 && html`<text class="times" x=${node.width - 8} y="12" text-anchor="end">×${times}</text>`}
        </g>`;
      })}
    </svg>
  </div>`;
}

/** A state to which only failures lead: what most jobs never enter. */
export function isAside(state) {
  return state.failed || (state.name.endsWith(".failed") && !state.start);
}

function describe(states, here) {
  const names = here ? [...here.keys()] : [];
  return `${states.length} states${names.length ? `; the job is in ${names.join(", ")}` : ""}`;
}

function arrange(dagre, states) {
  const { graphlib, layout } = dagre.default || dagre;
  const graph = new graphlib.Graph();
  const isWide = innerWidth > 760;
  graph.setGraph({ rankdir: isWide && states.length <= 40 ? "LR" : "TB", nodesep: 18, ranksep: 44, marginx: 24, marginy: 24 });
  graph.setDefaultEdgeLabel(() => ({}));
  const known = new Set(states.map((state) => state.name));
  for (const state of states) {
    const label = state.name.length > 26 ? state.name.slice(0, 25) + "…" : state.name;
    graph.setNode(state.name, { width: Math.round(label.length * 7.2) + 44, height: HEIGHT, label, state });
  }
  for (const state of states) {
    for (const next of new Set(state.next)) {
      if (known.has(next)) graph.setEdge(state.name, next);
    }
  }
  layout(graph);
  const size = graph.graph();
  return {
    width: Math.max(1, Math.ceil(size.width || 1)),
    height: Math.max(1, Math.ceil(size.height || 1)),
    nodes: graph.nodes().map((name) => ({ name, ...graph.node(name) })),
    edges: graph.edges().map((edge) => ({ from: edge.v, to: edge.w, ...draw(graph.edge(edge).points || []) })),
  };
}

function draw(points) {
  if (points.length < 2) return { path: "", head: "" };
  let path = `M${points[0].x} ${points[0].y}`;
  for (let i = 1; i < points.length - 1; i++) {
    const middle = i === points.length - 2 ? points[i + 1] : { x: (points[i].x + points[i + 1].x) / 2, y: (points[i].y + points[i + 1].y) / 2 };
    path += `Q${points[i].x} ${points[i].y} ${middle.x} ${middle.y}`;
  }
  if (points.length === 2) path += `L${points[1].x} ${points[1].y}`;
  const end = points.at(-1);
  const before = points.at(-2);
  const angle = Math.atan2(end.y - before.y, end.x - before.x);
  const corner = (turn) => `${end.x - 8 * Math.cos(angle + turn)} ${end.y - 8 * Math.sin(angle + turn)}`;
  return { path, head: `M${end.x} ${end.y}L${corner(0.42)}L${corner(-0.42)}Z` };
}
