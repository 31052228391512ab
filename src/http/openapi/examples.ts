// Example values of parameters and request bodies, about things of this city that exist.

import type { Registry } from '../../domain/city/city.ts';
import { findPocket, outletsAt } from '../../domain/city/lists/find-entries.ts';
import { isoWeek, monthBefore, weekBefore } from '../../domain/time/periods.ts';
import { DAY, HOUR, iso, SLOT, slotStart } from '../../domain/time/slot.ts';
import type { Zone } from '../../domain/time/zone.ts';
import { type ExampleIds, takesStoredId } from './example-ids.ts';

export interface ExampleSource {
  registry: Registry;
  zone: Zone;
  now: number;
  /** Those that only the store knows. */
  ids: ExampleIds;
}

/** The JSON Schema keywords that examples are made from. */
interface Keywords {
  type?: string;
  enum?: readonly unknown[];
  anyOf?: readonly { const?: unknown }[];
  default?: unknown;
  minimum?: number;
  items?: Keywords;
  properties?: Record<string, Keywords>;
  required?: readonly string[];
}

/** By the name of the parameter, or by `operation.parameter` where the name means something else there. */
function namedExamples({ registry, zone, now }: ExampleSource): Record<string, unknown> {
  const pocket = examplePocket(registry);
  const first = findPocket(registry, pocket);
  const second = registry.pockets.find(({ id }) => id !== pocket) ?? first;
  const outlet = outletIn(registry, pocket);
  const slot = slotStart(now);
  const lastMonth = zone.localDate(monthBefore(now, zone).from).slice(0, 7);
  const lastWeek = isoWeek(weekBefore(now, zone).from, zone);
  return {
    pocket,
    pocket_id: pocket,
    a: pocket,
    pocket_id_a: pocket,
    b: second?.id,
    pocket_id_b: second?.id,
    outlet: outlet?.id,
    outlet_id: outlet?.id,
    merchant: outlet?.id,
    'get_observed_patterns.id': outlet?.id,
    slug: (registry.intents.find(({ public_page }) => public_page) ?? registry.intents[0])?.slug,
    query: first?.name.toLowerCase(),
    q: outlet?.name.split(' ')[0]?.toLowerCase(),
    near: (registry.places[0] ?? first)?.name,
    day: zone.localDate(now + DAY),
    date: zone.localDate(now),
    pockets: [pocket, second?.id],
    intent: registry.intents[0]?.slug,
    'search_ledger.from': zone.localDate(now - DAY),
    to: zone.localDate(now),
    before: `${slot}.1`,
    leaf: '0',
    week: lastWeek,
    week_iso: lastWeek,
    month: lastMonth,
    month_iso: lastMonth,
    at: iso(slot - SLOT),
    generator: 'pocket_projection_60m',
    'mcp.body': { jsonrpc: '2.0', id: 1, method: 'tools/list' },
    from: 1,
    'ledger_consistency.to': 1,
    candidate_action: 'lunch_nudge',
    channel: 'push',
    fatigue_score: 0.2,
    idle_pressure: 0.5,
    submitter_name: 'my forecaster',
    system_description: 'a model of my own',
    contact_email: 'me@example.org',
    prediction_window_start: iso(slot + SLOT),
    prediction_window_end: iso(slot + SLOT + 3 * HOUR),
    horizon_minutes: 60,
    predicted_state: 'calm-productive',
    predicted_calm_probability: 0.7,
    confidence: 0.6,
    toolset: 'reader',
    'x-pocketwatch-toolsets': 'reader',
    'Last-Event-ID': '12.1794796200000.3',
    last_event_id: '12.1794796200000.3',
    'Idempotency-Key': '0b8c1d9e-5a52-4c0f-8a0e-6a6de1d7f3c1',
  };
}

/** The pocket that examples are about: the first with an outlet that is open to questions. */
export const examplePocket = (registry: Registry): string =>
  (registry.pockets.find(({ id }) => outletIn(registry, id)) ?? registry.pockets[0])?.id ?? '';

const outletIn = (registry: Registry, pocket: string) =>
  outletsAt(registry, pocket).find(({ active }) => active);

/** Path parameters that name something in the store. */
const pathNames = ['id', 'hash', 'path'];

export type ExampleOf = (operation: string, name: string, schema: object) => unknown;

/** Gives the example of a parameter, or undefined where there is none. */
export function exampleFinder(source: ExampleSource): ExampleOf {
  const named = namedExamples(source);
  const find = (operation: string, name: string, schema: Keywords): unknown => {
    const choices =
      schema.enum ?? schema.anyOf?.flatMap((choice) => ('const' in choice ? [choice.const] : []));
    if (choices?.length) return schema.default ?? choices[0];
    if (takesStoredId(operation) && pathNames.includes(name)) return source.ids[operation];
    const known = named[`${operation}.${name}`] ?? named[name];
    if (known !== undefined && fits(schema, known)) return known;
    if (schema.default !== undefined) return schema.default;
    if (schema.type === 'integer' || schema.type === 'number') return schema.minimum ?? 1;
    if (schema.type === 'boolean') return true;
    if (schema.type === 'array') return schema.items && [find(operation, '', schema.items)];
    if (schema.type === 'object') return exampleObject(schema, (inner, own) => find(operation, inner, own));
    return undefined;
  };
  return find;
}

/** A type that is not stated is a union, for which the examples are written by hand. */
function fits({ type }: Keywords, value: unknown): boolean {
  if (type === 'array') return Array.isArray(value);
  if (type === undefined) return true;
  return type === 'integer' ? Number.isInteger(value) : type === typeof value;
}

/** The required fields, or the first one where none is. */
function exampleObject(
  { properties = {}, required = Object.keys(properties).slice(0, 1) }: Keywords,
  exampleOf: (name: string, schema: Keywords) => unknown,
): object {
  return Object.fromEntries(required.map((name) => [name, exampleOf(name, properties[name] ?? {})]));
}
