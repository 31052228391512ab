// The service on an ordinary day and in conditions that no page may break in: a pipeline that has stopped, a store that
// is away, a first start, a city of one pocket and one of ten thousand. Each is one service in this process.
import type { TestContext } from 'node:test';
import { syntheticCity } from '../../../bench/city/synthetic-city.ts';
import { historyNotBegun } from '../../../src/domain/text/history-progress.ts';
import { HOUR } from '../../../src/domain/time/slot.ts';
import { backfill } from '../../../src/pipeline/backfill/backfill.ts';
import { openStore } from '../../../src/store/engine/open.ts';
import { StoreError } from '../../../src/store/engine/store.ts';
import { migrate } from '../../../src/store/schema/migrate.ts';
import { dynamicPages, staticPages } from '../../../src/web/pages/all.ts';
import { sharedReplies } from '../../../src/web/share/all.ts';
import { freshPipeline } from '../pipeline/fresh-pipeline.ts';
import { knowUsual } from '../pipeline/known-usual.ts';
import { smallCity } from '../pipeline/small-city.ts';
import { sqlitePlace } from '../stores/store-places.ts';
import { hundredAtATime, stoppedCharts } from './condition-checks.ts';
import { NOON, startService } from './service.ts';

export type Started = Awaited<ReturnType<typeof startService>>;
type After = Pick<TestContext, 'after'>;

export interface Condition {
  title: string;
  /** Which statuses a page may have. */
  status(path: string): number[];
  /** What stands at the top of every page; 'none' where there is no notice. */
  notice: RegExp;
  /** Of more pockets than a page lists. */
  isLarge: boolean;
  start(t: After): Promise<Started>;
  /** What else must hold in this condition. */
  check?: { title: string; run(started: Started): Promise<void> };
}

/** How long the pipeline has been still. */
export const STOPPED = 5 * HOUR;
/** Pockets of the large city, and how many of them have a reading: each costs a millisecond. */
const MANY = 10_000;
const MANY_READ = 150;

/** Past periods have no report yet, and a decision may not exist. */
const mayBeMissing = (path: string): boolean =>
  /\/\d{4}-(?:W\d\d|\d\d)$|^\/(?:explanations|ledger)\/none$|^\/nowhere$/.test(path);

const usual = {
  status: (path: string) => (mayBeMissing(path) ? [404] : [200]),
  notice: /^none$/,
  isLarge: false,
};

/** Pages that need no stored rows. */
const withoutRows = /^\/(?:outlets|status|feeds|about|glossary|mcp|docs.*)$/;

export const conditions: readonly Condition[] = [
  { ...usual, title: 'an ordinary day', start: (t) => startService(t) },
  {
    ...usual,
    title: 'a pipeline that has stopped',
    notice: /^Readings are late\. The newest is 5 hours old/,
    start: async (t) => {
      const started = await startService(t);
      started.clock.now = NOON + STOPPED;
      return started;
    },
    check: stoppedCharts,
  },
  {
    ...usual,
    title: 'a store that is away',
    status: (path) => (withoutRows.test(path) ? [200] : [503, 404]),
    notice: /^The store has been unreadable since 12:00 SGT/,
    start: async (t) => {
      const started = await startService(t);
      const { store, dataVersion } = started.service;
      const [get, all] = [store.get, store.all];
      t.after(() => Object.assign(store, { get, all }));
      store.get = () => Promise.reject(new StoreError('unavailable'));
      store.all = () => Promise.reject(new StoreError('unavailable'));
      await dataVersion.refresh().catch(() => undefined);
      return started;
    },
  },
  {
    ...usual,
    title: 'a first start',
    notice: /history/,
    start: async (t) => {
      const started = await startService(t, { days: 0 });
      // What another process would be writing.
      started.service.dataVersion.history = () => historyNotBegun;
      return started;
    },
  },
  { ...usual, title: 'a city of one pocket', start: (t) => startService(t, { registry: smallCity(1) }) },
  {
    ...usual,
    title: 'a city of ten thousand pockets',
    isLarge: true,
    start: startLargeCity,
    check: hundredAtATime,
  },
];

/** The first pockets are read once, the others are yet to be. */
async function startLargeCity(t: After): Promise<Started> {
  const registry = syntheticCity(MANY);
  const pockets = registry.pockets.slice(0, MANY_READ);
  const ids = new Set(pockets.map(({ id }) => id));
  const outlets = registry.outlets.filter(({ pocket_id }) => ids.has(pocket_id));
  const place = await sqlitePlace('schema');
  const store = openStore(place);
  await migrate(store, NOON);
  const pipeline = freshPipeline(store, { ...registry, pockets, outlets }, () => NOON);
  await backfill(pipeline, { from: NOON, now: NOON });
  // Of those that are read: of all it would be a million rows.
  await knowUsual(store, pipeline.registry);
  await store.close();
  return startService(t, { registry, place, days: 'stored' });
}

/** Every page, about things that exist where there are any, and one that does not exist. */
export async function listPages({ url, service }: Started): Promise<string[]> {
  const first = async (path: string, list: string): Promise<string> => {
    const body = (await (await fetch(url + path)).json()) as Record<string, { id: string }[] | undefined>;
    return body[list]?.[0]?.id ?? 'none';
  };
  const { pockets, outlets } = service.registry;
  const samples: Record<string, string> = {
    pocket_id: pockets[0]?.id ?? '',
    outlet_id: outlets.find(({ active }) => active)?.id ?? 'none',
    ...{ date: '2026-11-11', slug: 'quiet-now', week_iso: '2026-W45', month_iso: '2026-10' },
  };
  const explanation = await first('/api/explanations?decision_type=silence&limit=1', 'items');
  const prediction = await first('/api/predictions?limit=1', 'entries');
  const shared = sharedReplies.filter(({ type }) => type === 'text/html');
  const paths = [...dynamicPages, ...staticPages, ...shared].map(({ path }) =>
    path.replaceAll(/:(\w+)/g, (_, name: string) =>
      name === 'id' ? (path.startsWith('/ledger') ? prediction : explanation) : (samples[name] ?? name),
    ),
  );
  const compared = pockets.slice(0, 2).map(({ id }) => id);
  const docs = ['atmosphere', 'legitimacy', 'ledger/proof/id'].map((name) => `/docs/api/${name}`);
  return [...paths, `/compare?pockets=${compared.join(',')}`, '/docs', ...docs, '/nowhere'];
}
