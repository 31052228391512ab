// Answers from the local store, beside a service that may be running: the same operations, without HTTP. It only reads;
// forecasts are sealed by the service.
import type { Config } from '../../../config.ts';
import { buildLookup } from '../../../domain/city/lookup.ts';
import { iso } from '../../../domain/time/slot.ts';
import { cityZone } from '../../../domain/time/zone.ts';
import type { AppContext } from '../../../http/answers/app-context.ts';
import { localAnswers as heavyAnswers } from '../../../http/answers/heavy-answers.ts';
import { createOperationRunner } from '../../../http/answers/operation-runner.ts';
import { watchDataVersion } from '../../../http/cache/data-version.ts';
import { fromLatin1Body } from '../../../http/cache/latin1-body.ts';
import { HttpError } from '../../../http/core/errors.ts';
import { uncounted } from '../../../http/heavy/cost.ts';
import { createHeavyQueue } from '../../../http/heavy/queue.ts';
import { commonMethods } from '../../../http/mcp/common-methods.ts';
import { dispatch, parseMessages } from '../../../http/mcp/dispatcher.ts';
import type { Id } from '../../../http/mcp/json-rpc.ts';
import { fixedMethods, toolList } from '../../../http/mcp/manifest.ts';
import type { Methods } from '../../../http/mcp/methods.ts';
import { watchPockets } from '../../../http/mcp/subscriptions/pocket-updates.ts';
import { operations } from '../../../operations/all.ts';
import { describeFor } from '../../../operations/core/city-descriptions.ts';
import { callableTools } from '../../../operations/core/define.ts';
import { inToolsets, type Toolset } from '../../../operations/core/toolsets.ts';
import { openSource } from '../../../sources/all.ts';
import { noStore } from '../../../store/engine/open.ts';
import { requestTimeouts } from '../../../store/engine/postgres.ts';
import { measurementsReceived } from '../../../store/feeds/measurements.ts';
import { newestSubstrate } from '../../../store/observation/snapshots.ts';
import { buildId } from '../build-id.ts';
import { LiveOutlets } from '../live-outlets.ts';
import { answeringSettings, loadConfiguredCity, onlyReads, openReplica, openUpgradedStore } from '../open.ts';
import type { AnswerLine } from './answer-lines.ts';
import { cancelledRequestId, lineSubscriptions } from './subscriptions.ts';

/** There is one client, which is not limited: nobody else waits, and the number of open lines bounds what it can ask. */
const CLIENT = 'stdio';
const queueLimits = {
  running: 1,
  rest: 0,
  bytesPerSecond: Number.POSITIVE_INFINITY,
  waiting: 1000,
  waitingPerClient: 1000,
};

export interface LocalAnswers {
  answer: AnswerLine;
  close(): Promise<void>;
}

/** `say` gets lines for the operator. */
export async function localAnswers(
  config: Config,
  toolsets: readonly Toolset[],
  say: (line: string) => void,
): Promise<LocalAnswers> {
  const context = await openContext(config, say);
  const { store, dataVersion } = context;
  const onWithheld = (operation: string, faults: readonly string[]) =>
    say(`pocketwatch: a line of ${operation} was withheld: ${faults.join(', ')}`);
  const heavy = { ...context, builtAt: context.build.deployed_at };
  const runner = createOperationRunner(
    context,
    { queue: createHeavyQueue(queueLimits), answers: heavyAnswers(heavy, onWithheld) },
    onWithheld,
  );
  const refuseWrite = (): never => {
    throw new HttpError(403, 'this command only reads: give it --url with the address of a running service');
  };
  const list = toolList(inToolsets(callableTools(context.operations), toolsets));
  const methods: Methods = {
    ...fixedMethods(context, { website: config.BASE_URL, subscriptions: true }),
    ...commonMethods(context)({
      callTool: (name, given) => runner.tool(name, given, uncounted(CLIENT), refuseWrite),
      readOperation: (operation, given) => runner.report(operation, given, uncounted(CLIENT)),
      tools: { list, scope: 'public' },
    }),
  };
  const onError = (error: unknown) => say(`pocketwatch: ${(error as Error).stack}`);
  const updates = watchPockets(context, () => undefined, onError);
  const subscriptions = lineSubscriptions(context, updates);
  return {
    answer: async (text, send) => {
      const parsed = parseMessages(text);
      if ('reply' in parsed) return fromLatin1Body(parsed.reply.body);
      for (const message of parsed.messages) subscriptions.cancel(cancelledRequestId(message));
      const own = {
        ...methods,
        listen: (id: Id, params: object) => subscriptions.listen(id, { ...params }, send),
      };
      const { body } = await dispatch(parsed, own, onError);
      return body === '' ? undefined : fromLatin1Body(body);
    },
    close: async () => {
      updates.stop();
      dataVersion.stop();
      await store.close();
    },
  };
}

async function openContext(config: Config, say: (line: string) => void): Promise<AppContext> {
  const { registry, feeds } = loadConfiguredCity(config);
  const outlets = new LiveOutlets(registry);
  const hasStore = config.DATABASE_URL !== 'none';
  const primary =
    hasStore && !onlyReads(config) ? await openUpgradedStore(config, requestTimeouts) : undefined;
  const replica = await openReplica(answeringSettings(config), primary, (line) =>
    say(`pocketwatch: ${line}`),
  );
  const store = replica ?? primary ?? noStore();
  const source = openSource(registry, {
    SEED: config.SEED,
    feeds,
    received: (until, lookback) => measurementsReceived(store, until, lookback),
  });
  // The store may be that of a replay, which the settings do not tell.
  const stored = hasStore ? await newestSubstrate(store) : null;
  const dataVersion = await watchDataVersion(store, async () => void (await outlets.refresh(store, say)));
  if (!dataVersion.history().finished)
    say('pocketwatch: the store has no complete history yet; "pocketwatch serve" writes it');
  return {
    baseUrl: config.BASE_URL ?? `http://localhost:${config.PORT}`,
    get registry() {
      return outlets.registry;
    },
    zone: cityZone(registry.city),
    lookup: buildLookup(registry.pockets),
    store,
    substrate: stored ?? source.substrate,
    operations: describeFor(operations, registry.city),
    dataVersion,
    now: Date.now,
    ...(replica && { readAt: () => replica.readAt() }),
    storeNow: () => store.clock(),
    ledgerKey: '',
    build: { version: config.BUILD_ID || buildId(), deployed_at: iso(Date.now()) },
  };
}
