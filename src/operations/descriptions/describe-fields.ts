// Gives every field of an answer a description, for OpenAPI and the pages of /docs. A field's own description wins;
// the others have theirs by name, so that one name has one meaning everywhere.
import type { TSchema } from 'typebox';
import { commonFields } from './common.ts';
import { decisionFields } from './decision.ts';
import { merchantFields } from './merchant.ts';
import { observationFields } from './observation.ts';
import { predictionFields } from './prediction.ts';
import { reportFields } from './report.ts';

/** By the name of the field, or by `parent.field` where the name means something else there. The parent of a field at the top is its operation. */
export const fieldDescriptions: Readonly<Record<string, string>> = {
  ...commonFields,
  ...observationFields,
  ...decisionFields,
  ...merchantFields,
  ...predictionFields,
  ...reportFields,
};

interface Keywords {
  $ref?: string;
  description?: string;
  type?: string;
  properties?: Record<string, Keywords>;
  patternProperties?: Record<string, Keywords>;
  items?: Keywords;
  anyOf?: Keywords[];
}

/** A copy of a schema in which every field has a description, as far as one is known; those of `own` come first. */
export const withFieldDescriptions = <S extends TSchema>(
  operation: string,
  schema: S,
  own: Readonly<Record<string, string>> = {},
): S => describe(schema as Keywords, operation, (key) => own[key] ?? fieldDescriptions[key]) as S;

type Lookup = (key: string) => string | undefined;

function describe(schema: Keywords, parent: string, lookup: Lookup): Keywords {
  const changes: Keywords = {};
  const { properties, patternProperties, items, anyOf } = schema;
  if (properties)
    changes.properties = mapValues(properties, (field, name) => describeField(field, name, parent, lookup));
  if (patternProperties)
    changes.patternProperties = mapValues(patternProperties, (inner) => describe(inner, parent, lookup));
  if (items) changes.items = describe(items, parent, lookup);
  if (anyOf) changes.anyOf = anyOf.map((member) => describe(member, parent, lookup));
  return Object.keys(changes).length ? withChanges(schema, changes) : schema;
}

function describeField(field: Keywords, name: string, parent: string, lookup: Lookup): Keywords {
  // What it refers to has a description of its own.
  if (field.$ref !== undefined) return field;
  const described = describe(field, name, lookup);
  const description =
    described.description ?? lookup(`${parent}.${name}`) ?? descriptionOfNullable(described) ?? lookup(name);
  return description === undefined ? described : withChanges(described, { description });
}

/** Where a field is null or of one schema, the description of that schema. */
function descriptionOfNullable({ anyOf = [] }: Keywords): string | undefined {
  const [schema, ...others] = anyOf.filter(({ type }) => type !== 'null');
  return others.length ? undefined : schema?.description;
}

const mapValues = (
  fields: Record<string, Keywords>,
  change: (field: Keywords, name: string) => Keywords,
): Record<string, Keywords> =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, change(field, name)]));

/** Properties that are not enumerable stay, since TypeBox keeps its own in them. */
function withChanges(schema: Keywords, changes: Keywords): Keywords {
  const copy = Object.create(Object.getPrototypeOf(schema), Object.getOwnPropertyDescriptors(schema));
  for (const [name, value] of Object.entries(changes))
    Object.defineProperty(copy, name, { value, enumerable: true, configurable: true, writable: true });
  return copy;
}
