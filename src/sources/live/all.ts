// The list of adapters that are polled over HTTP. A feed of `sources.json` names one of them.
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import type { Adapter } from '../core/adapter.ts';
import type { Feed } from '../core/feed.ts';
import { dataGovSg } from './data-gov-sg.ts';
import { gbfs } from './gbfs.ts';
import { gtfsRealtime } from './gtfs-realtime.ts';
import { ltaDatamall } from './lta-datamall.ts';
import { openMeteo } from './open-meteo.ts';

export const adapters: readonly Adapter[] = [dataGovSg, ltaDatamall, openMeteo, gbfs, gtfsRealtime];

/** What is wrong with a feed's `adapter` and `settings`, a line each. */
export function feedProblems(feed: Feed, list: readonly Adapter[] = adapters): string[] {
  const adapter = list.find(({ name }) => name === feed.adapter);
  if (!adapter) return [`adapter must be one of ${list.map(({ name }) => name).join(', ')}`];
  const { settings, about } = adapter;
  const unknown = Object.keys(feed.fields).filter(
    (field) => about.fields !== undefined && !Object.hasOwn(about.fields, field),
  );
  return [
    ...settingProblems(settings, feed.settings),
    ...unknown.map((field) => `fields.${field} is not a field of it`),
  ];
}

function settingProblems(schema: TSchema, settings: unknown): string[] {
  const problems = Compile(schema)
    .Errors(settings)
    .map(({ instancePath, message }) => `settings${instancePath.replaceAll('/', '.')} ${message}`);
  return [...new Set(problems)];
}
