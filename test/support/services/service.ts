// The whole service in this process, on its own store, with a clock that the test sets.

import { randomUUID } from 'node:crypto';
import { after, before, type TestContext } from 'node:test';
import pino from 'pino';
import { hostHeavyAnswers } from '../../../src/cli/runtime/heavy-host.ts';
import type { Registry } from '../../../src/domain/city/city.ts';
import { fromShared, shareRegistry } from '../../../src/domain/city/lists/share-registry.ts';
import { buildLookup } from '../../../src/domain/city/lookup.ts';
import type { Substrate } from '../../../src/domain/signals/signal.ts';
import { DAY, SLOT } from '../../../src/domain/time/slot.ts';
import { cityZone } from '../../../src/domain/time/zone.ts';
import type { AppContext, DomainStatements } from '../../../src/http/answers/app-context.ts';
import { watchDataVersion } from '../../../src/http/cache/data-version.ts';
import type { ConnectionLimits } from '../../../src/http/connections/limit-connections.ts';
import type { AllowedSites } from '../../../src/http/core/cross-site.ts';
import type { HttpLog } from '../../../src/http/logging/access-log.ts';
import { buildServer, type Limits } from '../../../src/http/server/server.ts';
import type { StreamLimits } from '../../../src/http/stream/open-streams.ts';
import type { Metrics } from '../../../src/metrics/metrics.ts';
import { operations } from '../../../src/operations/all.ts';
import { describeFor } from '../../../src/operations/core/city-descriptions.ts';
import { backfill } from '../../../src/pipeline/backfill/backfill.ts';
import type { PipelineContext } from '../../../src/pipeline/core/context.ts';
import { cityDir } from '../../../src/registry/city-dir.ts';
import { loadRegistry } from '../../../src/registry/load.ts';
import type { Source } from '../../../src/sources/source.ts';
import { noStore, openStore } from '../../../src/store/engine/open.ts';
import type { Store } from '../../../src/store/engine/store.ts';
import { keyedHash } from '../../../src/store/prediction/submission-secret.ts';
import { submissionWriter } from '../../../src/store/prediction/submission-writer.ts';
import { beginHistory, finishHistory } from '../../../src/store/runtime/history.ts';
import { migrate } from '../../../src/store/schema/migrate.ts';
import { freshPipeline } from '../pipeline/fresh-pipeline.ts';
import { knowUsual } from '../pipeline/known-usual.ts';
import { type MakePlace, type StorePlace, sqlitePlace } from '../stores/store-places.ts';
import { testSigner } from '../stores/test-key.ts';
import { post } from './http-client.ts';

export interface Settings {
  /** The time of the store's clock, where it is not that of the service. */
  storeNow?: () => number;
  /** The time of the clock, in epoch milliseconds; it stands still until the test changes `clock.now`. */
  now: number;
  /** Days of simulated history before `now`; 0 for an empty store; `month`: a month of everything but forecasts; `stored`: what the place has. */
  days: number | 'month' | 'stored';
  /** Whether what is usual is known before the history begins (known-usual.ts). */
  usual: boolean;
  /** Requests a minute; 0 is off. */
  mcpLimit: number;
  legitimacyLimit: number;
  submitLimit: number;
  readLimit: number;
  /** For each address; 0 is off. */
  ledgerBytesPerSecond: number;
  submitPerDay: { rows: number; bytes: number };
  trustedProxies: string[];
  connections: ConnectionLimits;
  streams: StreamLimits;
  /** Other sites and host names that are let in. */
  sites: AllowedSites;
  registry: Registry;
  /** What the service says its signals are; by default what they are, simulated. */
  substrate: Substrate;
  /** Where the signals of the history come from; by default a simulation of the city. */
  source: Source;
  /** Computes heavy answers in a worker thread, as the real service does; by default on the request thread. */
  heavyThread: boolean;
  /** What the operator states about the domain. */
  domain: DomainStatements;
  /** Counts what it answers. */
  metrics: Metrics;
  /** Where the store lives; by default a new SQLite folder that is removed when the test ends. `none`: no datastore. */
  place: StorePlace | MakePlace | 'none';
}

export const quietLog: HttpLog = { logger: pino({ level: 'silent' }), access: () => undefined };

export const noLimits: Limits = {
  mcp: 0,
  legitimacy: 0,
  submit: 0,
  read: 0,
  ledgerBytesPerSecond: 0,
  submitPerDay: { rows: 0, bytes: 0 },
  trustedProxies: [],
  connections: { total: 10_000, perAddress: 10_000 },
  streams: { total: 10_000, perAddress: 10_000 },
  sites: { origins: [], hosts: [] },
};

const BASE_URL = 'http://pocketwatch.test';
export const NOON = Date.parse('2026-11-11T04:00:00Z');

export async function startService(t: Pick<TestContext, 'after'>, given: Partial<Settings> = {}) {
  const settings = {
    now: NOON,
    days: 1,
    usual: true,
    mcpLimit: noLimits.mcp,
    legitimacyLimit: noLimits.legitimacy,
    submitLimit: noLimits.submit,
    readLimit: noLimits.read,
    ledgerBytesPerSecond: noLimits.ledgerBytesPerSecond,
    submitPerDay: noLimits.submitPerDay,
    trustedProxies: noLimits.trustedProxies,
    connections: noLimits.connections,
    streams: noLimits.streams,
    sites: noLimits.sites,
    ...given,
  };
  const registry = given.registry ?? loadRegistry(cityDir('singapore'));
  // As the service keeps what it answers from.
  const inColumns = fromShared(shareRegistry(registry));
  const clock = { now: settings.now };
  const place = await makePlace(settings.place ?? sqlitePlace, settings);
  const store = place === 'none' ? noStore() : await openMigrated(place, clock.now);
  const pipeline = {
    ...freshPipeline(store, registry, () => clock.now),
    ...(given.source && { source: given.source }),
  };
  if (place !== 'none') await fillStore(pipeline, settings);
  // It writes, so that the version would change under a test that counts what is cached.
  const hash = place === 'none' ? undefined : await keyedHash(store, testSigner);
  const dataVersion = await watchDataVersion(store, undefined, () => clock.now);
  const service = {
    baseUrl: BASE_URL,
    zone: cityZone(registry.city),
    registry: inColumns,
    lookup: buildLookup(inColumns.pockets),
    store,
    substrate: given.substrate ?? pipeline.source.substrate,
    operations: describeFor(operations, registry.city),
    dataVersion,
    now: () => clock.now,
    storeNow: async () => given.storeNow?.() ?? clock.now,
    ledgerKey: testSigner.verifierKey,
    ...(hash && {
      writer: {
        ...submissionWriter(store, testSigner, { clock: () => clock.now }),
        randomId: randomUUID,
        keyedHash: hash,
      },
    }),
    ...(given.heavyThread && place !== 'none' && { heavyAnswers: heavyThread(place, clock.now) }),
    ...(given.metrics && { metrics: given.metrics }),
    build: { version: 'test', deployed_at: new Date(clock.now).toISOString() },
    domain: given.domain ?? {
      securityContacts: ['mailto:security@pocketwatch.test'],
      registryAuth: `v=MCPv1; k=ed25519; p=${'A'.repeat(43)}=`,
    },
  };
  const { mcpLimit: mcp, legitimacyLimit: legitimacy, submitLimit: submit, readLimit: read } = settings;
  const { ledgerBytesPerSecond, submitPerDay, trustedProxies, connections, streams, sites } = settings;
  const limits = {
    ...{ mcp, legitimacy, submit, read, ledgerBytesPerSecond, submitPerDay },
    ...{ trustedProxies, connections, streams, sites },
  };
  const app = buildServer(service, limits, quietLog);
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  t.after(async () => {
    const closed = app.close();
    // It would wait half a minute for connections that clients keep.
    app.server.closeAllConnections();
    await closed;
    dataVersion.stop();
    await store.close();
    if (place !== 'none') await place.remove();
  });
  return { url, app, service, pipeline, clock, store };
}

const heavyThread = (settings: StorePlace, now: number): NonNullable<AppContext['heavyAnswers']> => {
  const { databaseUrl, dataDir } = settings;
  const data = {
    ...{ baseUrl: BASE_URL, substrate: 'simulated' as const, builtAt: new Date(now).toISOString() },
    settings: { databaseUrl, dataDir },
  };
  return (onWithheld, onDeath) => hostHeavyAnswers(data, onWithheld, onDeath);
};

async function fillStore(
  pipeline: PipelineContext,
  { days, now, usual }: Pick<Settings, 'days' | 'now' | 'usual'>,
) {
  const { store } = pipeline;
  if (days === 'stored') return;
  if (typeof days === 'number' && days > 0) {
    if (usual) await knowUsual(store, pipeline.registry);
    return backfill(pipeline, { from: now - days * DAY + SLOT, now });
  }
  if (days !== 'month') return writeNoHistory(store, now);
  const { writeMonth } = await import('../pipeline/history.ts');
  await writeMonth(store);
}

/** Marks an empty history as complete, so that the service reports ready. */
const writeNoHistory = (store: Store, now: number): Promise<void> =>
  store.transaction(async (tx) => {
    await beginHistory(tx, { from: now, until: now - SLOT, now });
    await finishHistory(tx);
  });

/** The history that many tests use is copied from a template; any other is written into an empty store. */
function makePlace(place: Settings['place'], { now, days, registry }: Partial<Settings>) {
  if (typeof place !== 'function') return place;
  const isShared = now === NOON && !registry && days === 1;
  return place(isShared ? days : 'schema');
}

async function openMigrated(place: StorePlace, now: number): Promise<Store> {
  const engine = openStore(place);
  await migrate(engine, now);
  return engine;
}

/** Sends one JSON-RPC request and returns the reply. */
export const rpc = (url: string, method: string, params?: unknown) => rpcAt(`${url}/api/mcp`, method, params);

/** The same, to the whole address. By a connection of its own: while test files compute, one that is kept may be closed. */
export async function rpcAt(address: string, method: string, params?: unknown) {
  const reply = await post(address, { jsonrpc: '2.0', id: 1, method, params });
  return reply.json<{
    result?: Record<string, unknown>;
    error?: { code: number; message: string };
  }>();
}

interface ToolResult {
  content: { type: string; text: string }[];
  structuredContent?: Record<string, unknown>;
  isError?: boolean;
  _meta: Record<string, unknown>;
}

export async function callTool(url: string, name: string, args: object = {}): Promise<ToolResult> {
  const { result } = await rpc(url, 'tools/call', { name, arguments: args });
  return result as unknown as ToolResult;
}

/** A service for one suite: started before its tests, ended after them. */
export function serviceFor(settings: () => Promise<Partial<Settings>>) {
  let started: Awaited<ReturnType<typeof startService>> | undefined;
  let end: () => unknown = () => undefined;
  before(async () => {
    const setEnd = ((close: () => unknown) => {
      end = close;
    }) as TestContext['after'];
    started = await startService({ after: setEnd }, await settings());
  });
  after(() => end());
  return () => {
    if (!started) throw new Error('the service has not started');
    return started;
  };
}
