// Turns schema errors into one line for each field that an operator can correct.
import type { Validator } from 'typebox/schema';

interface Node {
  description?: string;
  properties?: Record<string, Node>;
  /** Objects whose keys are not known beforehand. */
  patternProperties?: Record<string, Node>;
  items?: Node | Node[];
}

function nodeAt(schema: Node, path: string[]): Node {
  return path.reduce((node, key) => {
    const item = Array.isArray(node.items) ? node.items[Number(key)] : node.items;
    const [value] = Object.values(node.patternProperties ?? {});
    return node.properties?.[key] ?? value ?? item ?? node;
  }, schema);
}

/** What is missing, unknown or wrong in one entry. */
export function check(compiled: Pick<Validator, 'Check' | 'Errors'>, schema: Node, entry: unknown): string[] {
  // To say what is wrong takes a hundred times as long as to see that nothing is.
  if (compiled.Check(entry)) return [];
  const missing: string[] = [];
  const unknown: string[] = [];
  const wrong = new Set<string>();
  const report = (path: string[]) =>
    wrong.add(`${path.join('.') || 'it'} must be ${nodeAt(schema, path).description}`);
  const [, errors] = compiled.Errors(entry);
  for (const { keyword, instancePath, params } of errors) {
    const path = instancePath.split('/').slice(1);
    const parent = path.slice(0, -1);
    if (keyword === 'required') {
      for (const key of params.requiredProperties) missing.push(`${[...path, key].join('.')} is missing`);
    } else if (keyword === 'additionalProperties') {
      // Each such key is also reported by its own path, as 'boolean'.
    } else if (keyword !== 'boolean') {
      report(path);
    } else if (nodeAt(schema, parent).properties) {
      unknown.push(`${path.join('.')} is not a known field`);
    } else {
      report(parent);
    }
  }
  return [...missing, ...unknown, ...wrong];
}
