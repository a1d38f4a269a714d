// What is different between two JSON values, path by path.

const MOST = 500;

/** @return entries `{path, kind: "added" | "removed" | "changed", before, after}`, at most 500 */
export function differences(before, after) {
  const found = [];
  walk("", before, after, found);
  return found;
}

function walk(path, before, after, found) {
  if (found.length >= MOST || before === after) return;
  if (isObject(before) && isObject(after)) {
    for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
      const inner = path ? `${path}.${name}` : name;
      if (!Object.hasOwn(before, name)) found.push({ path: inner, kind: "added", after: after[name] });
      else if (!Object.hasOwn(after, name)) found.push({ path: inner, kind: "removed", before: before[name] });
      else walk(inner, before[name], after[name], found);
      if (found.length >= MOST) return;
    }
    return;
  }
  if (Array.isArray(before) && Array.isArray(after)) {
    const longest = Math.max(before.length, after.length);
    for (let i = 0; i < longest && found.length < MOST; i++) {
      const inner = `${path}[${i}]`;
      if (i >= before.length) found.push({ path: inner, kind: "added", after: after[i] });
      else if (i >= after.length) found.push({ path: inner, kind: "removed", before: before[i] });
      else walk(inner, before[i], after[i], found);
    }
    return;
  }
  if (JSON.stringify(before) !== JSON.stringify(after)) {
    found.push({ path: path || "(all)", kind: "changed", before, after });
  }
}

function isObject(value) {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}
