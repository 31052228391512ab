// The list of adapters. A feed of `sources.json` names one of them.
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/schema';
import type { Adapter, AdapterTerms } from '../core/adapter.ts';
import type { Feed } from '../core/feed.ts';
import { dataGovSg } from './data-gov-sg.ts';
import { filesAdapter } from './files.ts';
import { gbfs } from './gbfs.ts';
import { genericCsv } from './generic-csv.ts';
import { genericJson } from './generic-json.ts';
import { gtfsRealtime } from './gtfs-realtime.ts';
import { ltaDatamall } from './lta-datamall.ts';
import { mqttAdapter } from './mqtt.ts';
import { openMeteo } from './open-meteo.ts';

export const allAdapters: readonly AdapterTerms[] = [
  dataGovSg,
  ltaDatamall,
  openMeteo,
  gbfs,
  gtfsRealtime,
  genericJson,
  genericCsv,
  filesAdapter,
  mqttAdapter,
];

/** Those that are polled over HTTP: folders of files and sensors over MQTT need no requests. */
export const adapters: readonly Adapter[] = allAdapters.filter(
  (adapter): adapter is Adapter => 'requests' in adapter,
);

/** What is wrong with a feed's `adapter` and `settings`, a line each. */
export function feedProblems(feed: Feed, list: readonly AdapterTerms[] = allAdapters): string[] {
  const adapter = list.find(({ name }) => name === feed.adapter);
  if (!adapter) return [`adapter must be one of ${list.map(({ name }) => name).join(', ')}`];
  const { settings, about } = adapter;
  const named = Object.entries(feed.fields).flatMap(([field, { capacity }]) => [
    { field, at: `fields.${field}` },
    ...(capacity === undefined ? [] : [{ field: capacity, at: `fields.${field}.capacity` }]),
  ]);
  const unknown = named.filter(
    ({ field }) => about.fields !== undefined && !Object.hasOwn(about.fields, field),
  );
  const unsent = feed.key && !('requests' in adapter);
  return [
    ...(unsent ? ['key is sent with requests over HTTP, and this adapter makes none'] : []),
    ...settingProblems(adapter, settings, feed.settings),
    ...unknown.map(({ at }) => `${at} is not a field of it`),
  ];
}

function settingProblems({ check }: AdapterTerms, schema: TSchema, settings: unknown): string[] {
  const [, errors] = Compile(schema).Errors(settings);
  const problems = errors.map(
    ({ instancePath, message }) => `settings${instancePath.replaceAll('/', '.')} ${message}`,
  );
  if (problems.length || !check) return [...new Set(problems)];
  try {
    check(settings);
    return [];
  } catch (error) {
    return [error instanceof Error ? error.message : 'settings contradict each other'];
  }
}
