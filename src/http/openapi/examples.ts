// Example values of parameters and request bodies, about things of this city that exist.
import type { Registry } from '../../domain/city/city.ts';
import { monthBefore, weekBefore, weekOf } from '../../domain/time/periods.ts';
import { compactIso, DAY, HOUR, iso, SLOT, slotOf } from '../../domain/time/slot.ts';
import type { Zone } from '../../domain/time/zone.ts';

export interface ExampleSource {
  registry: Registry;
  zone: Zone;
  now: number;
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
  const [first, second = first] = registry.pockets;
  const pocket = first?.id ?? '';
  const outlet = registry.outlets.find(({ active }) => active);
  const slot = slotOf(now);
  const silence = `${pocket}-${compactIso(slot - SLOT)}`;
  const lastMonth = zone.dateOf(monthBefore(now, zone).from).slice(0, 7);
  const lastWeek = weekOf(weekBefore(now, zone).from, zone);
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
    'docs.q': 'calm',
    near: (registry.places[0] ?? first)?.name,
    day: zone.dateOf(now + DAY),
    date: zone.dateOf(now),
    pockets: [pocket, second?.id],
    intent: registry.intents[0]?.slug,
    'page_home.at': 15,
    'search_ledger.from': zone.dateOf(now - DAY),
    'page_ledger.from': zone.dateOf(now - DAY),
    to: zone.dateOf(now),
    before: `${slot}.1`,
    week: lastWeek,
    week_iso: lastWeek,
    month: lastMonth,
    month_iso: lastMonth,
    at: iso(slot - SLOT),
    generator: 'pocket_projection_60m',
    id: silence,
    'get_explanation.id': `silence:${silence}`,
    'page_explanation.id': `silence:${silence}`,
    'get_benchmark_scores.id': '7f9c24e8-3b12-4fef-91e0-1f6e9d1b2a55',
    'mcp.body': { jsonrpc: '2.0', id: 1, method: 'tools/list' },
    hash: '0'.repeat(64),
    path: '0/000',
    'docs_address.path': 'api/atmosphere',
    from: 1,
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
    // Opaque: a client sends back the one that it was given.
    cursor: 'WzEsIjNrOXgiXQ',
    fields: 'pocket_id',
    toolset: 'reader',
    'x-pocketwatch-toolsets': 'reader',
    'Last-Event-ID': '12.1794796200000.3',
    last_event_id: '12.1794796200000.3',
    'Idempotency-Key': '0b8c1d9e-5a52-4c0f-8a0e-6a6de1d7f3c1',
  };
}

export type ExampleOf = (operation: string, name: string, schema: object) => unknown;

/** Gives the example of a parameter, or undefined where there is none. */
export function exampleFinder(source: ExampleSource): ExampleOf {
  const named = namedExamples(source);
  const find = (operation: string, name: string, schema: Keywords): unknown => {
    const choices =
      schema.enum ?? schema.anyOf?.flatMap((choice) => ('const' in choice ? [choice.const] : []));
    if (choices?.length) return schema.default ?? choices[0];
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
