// Names what bodies have in common once: schemas, replies and parameters that occur again become references to the
// components of the document. Without it most of the document would be repetition.

/** The JSON Schema keywords that hold other schemas. */
export interface Schema {
  $ref?: string;
  type?: string | readonly string[];
  description?: string;
  const?: unknown;
  enum?: readonly unknown[];
  properties?: Record<string, Schema>;
  patternProperties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: readonly Schema[];
}

type Schemas = Record<string, Schema>;

/** About how long a reference is. */
const REFERENCE = 42;

/** Whether references and a name take less than what they replace. */
const isWorthSharing = (key: string, count: number): boolean => (key.length - REFERENCE) * (count - 1) > 60;

export const refTo = (kind: string, name: string) => ({ $ref: `#/components/${kind}/${name}` });

/** A body, and the id of the endpoint that has it. */
interface Body {
  owner: string;
  schema: Schema;
}

/** `given` are the schemas that have a name already; what is inside them is shared too. */
export function schemaSharer(given: Schemas, bodies: readonly Body[]) {
  const occurrences = new Map<string, number>();
  const count = (schema: Schema): void => {
    const keys = shareKeys(schema);
    const isNew = keys.every((key) => !occurrences.has(key));
    for (const key of keys) occurrences.set(key, (occurrences.get(key) ?? 0) + 1);
    // What is inside a schema that occurs again counts once.
    if (isNew) for (const [, inner] of innerSchemas(schema)) count(inner);
  };
  const givenFields = Object.entries(given).flatMap(([owner, schema]) =>
    innerSchemas(schema).map(([name, inner]) => ({ place: [owner, ...name], schema: inner })),
  );
  for (const { schema } of [...bodies, ...givenFields]) count(schema);
  const sharedKey = (schema: Schema) =>
    shareKeys(schema).find((key) => isWorthSharing(key, occurrences.get(key) ?? 0));

  /** The fields that lead to each schema that is shared. */
  const places = new Map<string, string[][]>();
  const collect = (schema: Schema, place: string[]): void => {
    const key = sharedKey(schema);
    const known = key === undefined ? undefined : places.get(key);
    if (key !== undefined) places.set(key, [...(known ?? []), place]);
    if (!known) for (const [name, inner] of innerSchemas(schema)) collect(inner, [...place, ...name]);
  };
  for (const { owner, schema } of bodies) collect(schema, [owner]);
  for (const { place, schema } of givenFields) collect(schema, place);
  const taken = new Set(Object.keys(given));
  const names = namesFor(places, taken);
  const shapes = commonShapes(names, taken);

  const shared: Schemas = {};
  const share = (schema: Schema): Schema => {
    const key = sharedKey(schema);
    const name = key === undefined ? undefined : names.get(key);
    if (name === undefined) return mapInner(schema, share);
    const { description, ...bare } = schema;
    const about = description === undefined ? {} : { description };
    if (key !== JSON.stringify(schema)) {
      shared[name] ??= mapInner(bare, share);
      return { ...refTo('schemas', name), ...about };
    }
    const shape = shapes.get(JSON.stringify(bare));
    if (shape === undefined || shape === name) shared[name] ??= mapInner(schema, share);
    else {
      shared[shape] ??= mapInner(bare, share);
      shared[name] ??= { ...refTo('schemas', shape), ...about };
    }
    return refTo('schemas', name);
  };
  return { share, shareFields: (schema: Schema) => mapInner(schema, share), shared };
}

/** Of schemas that are shared and differ in their description alone: the name of what they have in common. */
function commonShapes(names: ReadonlyMap<string, string>, taken: ReadonlySet<string>): Map<string, string> {
  const variants = Map.groupBy(names, ([key]) => {
    const { description: _own, ...bare } = JSON.parse(key) as Schema;
    return JSON.stringify(bare);
  });
  const shapes = new Map<string, string>();
  for (const [bare, [first, ...others]] of variants) {
    const own = names.get(bare);
    const name = `${first?.[1]}Shape`;
    if (own !== undefined) shapes.set(bare, own);
    else if (isWorthSharing(bare, others.length + 1) && !taken.has(name)) shapes.set(bare, name);
  }
  return shapes;
}

/** As a whole, or without its description: of fields that have one shape and different meanings, the shape is shared. */
function shareKeys(schema: Schema): string[] {
  if (schema.$ref !== undefined) return [];
  const { description, ...bare } = schema;
  return description === undefined ? [JSON.stringify(bare)] : [JSON.stringify(schema), JSON.stringify(bare)];
}

/** With the name of the field, where it has one. */
function innerSchemas(schema: Schema): [name: string[], Schema][] {
  const { properties = {}, patternProperties = {}, items, anyOf = [] } = schema;
  return [
    ...Object.entries(properties).map(([name, inner]): [string[], Schema] => [[name], inner]),
    ...[...Object.values(patternProperties), ...(items ? [items] : [])].map((inner): [string[], Schema] => [
      [],
      inner,
    ]),
    ...anyOf.map((inner): [string[], Schema] => [inner.properties?.available ? ['unavailable'] : [], inner]),
  ];
}

function mapInner(schema: Schema, change: (schema: Schema) => Schema): Schema {
  const { properties, patternProperties, items, anyOf } = schema;
  const mapAll = (schemas: Schemas) =>
    Object.fromEntries(Object.entries(schemas).map(([name, inner]) => [name, change(inner)]));
  return {
    ...schema,
    ...(properties && { properties: mapAll(properties) }),
    ...(patternProperties && { patternProperties: mapAll(patternProperties) }),
    ...(items && { items: change(items) }),
    ...(anyOf && { anyOf: anyOf.map(change) }),
  };
}

/** What is referred to most often has the shortest name. */
function namesFor(places: ReadonlyMap<string, string[][]>, taken: Set<string>): Map<string, string> {
  const byUse = [...places].toSorted(([, a], [, b]) => b.length - a.length);
  return new Map(
    byUse.map(([key, own]) => {
      const name = freeName(isShape(key) ? own.toSorted(byNameLength) : own, taken);
      taken.add(name);
      return [key, name];
    }),
  );
}

/** Without a description it is the shape of fields that differ in meaning: none of their names is better than another. */
const isShape = (key: string): boolean => (JSON.parse(key) as Schema).description === undefined;

const byNameLength = (a: readonly string[], b: readonly string[]): number =>
  (a.at(-1) ?? '').length - (b.at(-1) ?? '').length;

/** Named for the field that has it; where that is taken, for the fields or the operation around it too. */
function freeName(places: readonly string[][], taken: ReadonlySet<string>): string {
  const longest = Math.max(...places.map((place) => place.length));
  for (let depth = 1; depth <= longest; depth += 1) {
    for (const place of places) {
      const name = pascalCase(place.slice(-depth).join('_'));
      if (!taken.has(name)) return name;
    }
  }
  const [place = []] = places;
  for (let number = 2; ; number += 1) {
    const name = `${pascalCase(place.slice(-1).join('_'))}${number}`;
    if (!taken.has(name)) return name;
  }
}

const pascalCase = (name: string): string =>
  name
    .split(/[^a-zA-Z0-9]+/)
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join('');

/** `null` among the types of a schema, in place of a union with it. */
export function withShortNulls(schema: Schema): Schema {
  const inner = mapInner(schema, withShortNulls);
  const { anyOf, ...about } = inner;
  const [own, other, ...more] = anyOf ?? [];
  if (!own || other?.type !== 'null' || more.length) return inner;
  if (own.enum) return { ...own, ...about, enum: [...own.enum, null] };
  const isPlain = typeof own.type === 'string' && own.const === undefined && !own.properties;
  return isPlain ? { ...own, ...about, type: [own.type as string, 'null'] } : inner;
}

/** What occurs again, as references: `nameOf` names it, with a number where the name is taken. */
export function createSharer<T extends object>(
  kind: string,
  all: readonly T[],
  nameOf: (value: T) => string,
) {
  const counts = new Map<string, number>();
  for (const value of all) {
    const key = JSON.stringify(value);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const shared: Record<string, T> = {};
  const share = (value: T): object => {
    const key = JSON.stringify(value);
    if ((counts.get(key) ?? 0) < 2) return value;
    for (let number = 1; ; number += 1) {
      const name = `${pascalCase(nameOf(value))}${number === 1 ? '' : number}`;
      shared[name] ??= value;
      if (JSON.stringify(shared[name]) === key) return refTo(kind, name);
    }
  };
  return { share, shared };
}
