// JSON pointers (RFC 6901) and relative JSON pointers, with `*` and `[]` for every child, over a body of unknown shape.
// Only own properties are followed, and the walk is as long as the pointer, whatever the body holds.
import { FeedShapeError } from '../../core/adapter.ts';

/** A value with the way that led to it, so that a reference may go up to what encloses a row. */
export interface JsonNode {
  value: unknown;
  key: string | null;
  parent: JsonNode | null;
}

export const rootNode = (value: unknown): JsonNode => ({ value, key: null, parent: null });

const FORM = /^(?:(\$)|(\d{1,2}))?((?:\/[^/]*)*|#)$/;
const NAME = /^[A-Za-z_][\w-]*$/;

/**
 * `/a/b` within the row, the empty text the row itself, `2/a` from two levels above it, `0#` its own key, `$/a` from
 * the top of the body. A part `{index}` stands for the key of the row, for lists that run in parallel. A plain name is
 * short for `/name`.
 */
export function compilePointer(given: string): (row: JsonNode) => unknown {
  const text = NAME.test(given) ? `/${given}` : given;
  const [matched, top, up = '0', rest = ''] = FORM.exec(text) ?? [];
  if (matched === undefined || (top && rest === '#'))
    throw new FeedShapeError(`settings: ${JSON.stringify(text)} is not a JSON pointer`);
  const levels = Number(up);
  const parts = rest === '#' ? [] : pointerParts(rest);
  return (row) => {
    let node: JsonNode | null = row;
    if (top) while (node.parent) node = node.parent;
    else for (let i = 0; i < levels && node; i++) node = node.parent;
    if (!node) return undefined;
    if (rest === '#') return node.key;
    let value = node.value;
    for (const part of parts) value = child(value, part === '{index}' ? (row.key ?? '') : part);
    return value;
  };
}

/**
 * The rows at a pointer: the items of a list, or the one object there. `*` stands for every item of a list or every
 * value of an object, `[]` for every item of a list or the one object that a feed gives in the place of a list of one.
 * What is missing before the first of these is an error; below it, that branch has no rows.
 */
export function rowsAt(root: JsonNode, pointer: string, most: number): JsonNode[] {
  checkRowsPointer(pointer);
  const parts = pointerParts(pointer);
  const last = parts.at(-1);
  const firstStar = parts.findIndex((part) => part === '*' || part === '[]');
  const missing = (): never => {
    throw new FeedShapeError(`expected a list or an object at ${JSON.stringify(pointer)}`);
  };
  let nodes = [root];
  for (const [depth, part] of parts.entries()) {
    const required = firstStar < 0 || depth <= firstStar;
    const found: JsonNode[] = [];
    for (const node of nodes) {
      if (part === '*' || part === '[]') {
        if (!isContainer(node.value)) {
          if (required) missing();
        } else if (part === '*' || Array.isArray(node.value)) addChildren(found, node, most);
        else found.push({ value: node.value, key: '0', parent: node });
      } else {
        const value = child(node.value, part);
        if (value !== undefined && value !== null) found.push({ value, key: part, parent: node });
        else if (required) missing();
      }
    }
    nodes = found;
  }
  if (last === '*' || last === '[]') return nodes;
  const rows: JsonNode[] = [];
  for (const node of nodes) {
    if (Array.isArray(node.value)) addChildren(rows, node, most);
    else if (isContainer(node.value)) rows.push(node);
    else if (firstStar < 0) missing();
  }
  return rows;
}

export function checkRowsPointer(pointer: string): void {
  if (!/^(\/[^/]*)*$/.test(pointer))
    throw new FeedShapeError(`settings: rows ${JSON.stringify(pointer)} is not a JSON pointer`);
}

const pointerParts = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));

const isContainer = (value: unknown): value is object => typeof value === 'object' && value !== null;

function child(value: unknown, key: string): unknown {
  if (Array.isArray(value)) return /^\d{1,9}$/.test(key) ? value[Number(key)] : undefined;
  if (!isContainer(value) || !Object.hasOwn(value, key)) return undefined;
  return (value as Record<string, unknown>)[key];
}

function addChildren(into: JsonNode[], node: JsonNode, most: number): void {
  for (const [key, value] of Object.entries(node.value as object)) {
    if (into.length >= most) throw new FeedShapeError(`expected at most ${most} rows`);
    into.push({ value, key, parent: node });
  }
}
