// The service: opens the store, listens, hosts the pipeline, and closes all of it on a signal.

import { setTimeout as delay } from 'node:timers/promises';
import pino from 'pino';
import { type Config, ConfigError, readConfig } from '../../config.ts';
import { buildLookup } from '../../domain/city/lookup.ts';
import { historySentence } from '../../domain/text/history-progress.ts';
import { iso } from '../../domain/time/slot.ts';
import { cityZone } from '../../domain/time/zone.ts';
import type { AppContext } from '../../http/answers/app-context.ts';
import { operationContext } from '../../http/answers/render-answer.ts';
import { type DataVersion, watchDataVersion } from '../../http/cache/data-version.ts';
import { drain } from '../../http/core/drain.ts';
import type { HeavyAnswers } from '../../http/heavy/jobs.ts';
import { createHttpLog } from '../../http/logging/access-log.ts';
import { createWithheldLines } from '../../http/logging/withheld-lines.ts';
import { buildServer } from '../../http/server/server.ts';
import { createMetrics } from '../../metrics/metrics.ts';
import { operations } from '../../operations/all.ts';
import { describeFor } from '../../operations/core/city-descriptions.ts';
import { dueBy } from '../../pipeline/schedule/schedule.ts';
import { noStore } from '../../store/engine/open.ts';
import { requestTimeouts } from '../../store/engine/postgres.ts';
import { readableStore } from '../../store/engine/readable-store.ts';
import { StoreError } from '../../store/engine/store.ts';
import { currentKey } from '../../store/ledger/ledger-keys.ts';
import { newestSubstrate } from '../../store/observation/snapshots.ts';
import { recordFirstRun } from '../../store/runtime/builds.ts';
import { buildId, packageVersion } from '../runtime/build-id.ts';
import { startCheckRecorder } from '../runtime/check-recorder.ts';
import { type Command, readOptions, say } from '../runtime/command.ts';
import { unlessFull, watchedStore, watchFullDisk } from '../runtime/full-disk.ts';
import { hostHeavyAnswers } from '../runtime/heavy-host.ts';
import { takeSubmissions } from '../runtime/ledger/take-submissions.ts';
import { LiveOutlets } from '../runtime/live-outlets.ts';
import { ignoreWriteFaults, logSink } from '../runtime/log-sink.ts';
import { mailExchange } from '../runtime/mail-exchange.ts';
import { serveMetrics } from '../runtime/metrics/serve-metrics.ts';
import { answeringSettings, loadConfiguredRegistry, onlyReads, openReplica } from '../runtime/open.ts';
import { createPipeline, type Pipeline } from '../runtime/pipeline-factory.ts';
import { hostPipeline } from '../runtime/pipeline-host.ts';
import { progressBar } from '../runtime/terminal/progress.ts';
import { inFormat } from '../runtime/terminal/text-log.ts';

/** How long requests and the running job may take once the listener closes. */
const LONGEST_CLOSE_MS = 15_000;
/** What the running job may take of it. */
const LONGEST_JOB_MS = 10_000;
const REPORT_MS = 500;

export const serveCommand: Command = {
  usage: `pocketwatch serve

Serves MCP, REST and pages, and runs the pipeline alongside. The first start writes the simulated history in the
background; until it is complete GET /api/ready answers 503. Settings come from the environment: PORT, HOST, BASE_URL,
DATA_DIR, DATABASE_URL and others (see README.md).`,
  run: async (args) => {
    readOptions(args, {});
    await serve(readConfig(process.env));
  },
};

interface Serving {
  /** Unset: opened as the settings say. */
  pipeline?: Pipeline;
  /** The time that answers are given for: that of a replay, while one is served. */
  clock?: () => number;
  /** A replay is a record that is over: nobody can forecast it any more. */
  takesSubmissions?: boolean;
}

export async function serve(config: Config, serving: Serving = {}): Promise<void> {
  const { clock = Date.now, takesSubmissions = true } = serving;
  if (onlyReads(config) && config.PIPELINE === 'on')
    throw new ConfigError('without DATABASE_URL this process only reads: set PIPELINE=off, or DATABASE_URL');
  const noticeMs = config.DRAIN_SECONDS * 1000;
  // Until there is something to close. Process 1 of a container does not receive a signal that it has no handler for.
  let close = async () => {};
  onStopSignal(noticeMs + LONGEST_CLOSE_MS, () => close());
  const sink = inFormat(config.LOG_FORMAT, logSink());
  ignoreWriteFaults();
  const log = pino({ level: config.LOG_LEVEL, name: 'http' }, sink);
  const build = config.BUILD_ID || buildId();
  log.info({ version: packageVersion(), build, node: process.version }, 'pocketwatch starts');
  const pipeline =
    serving.pipeline ??
    (config.DATABASE_URL === 'none' || onlyReads(config)
      ? undefined
      : await createPipeline(config, { timeouts: requestTimeouts, form: 'columns' }));
  const settings = answeringSettings(config);
  const replica = await openReplica(settings, pipeline?.store, (line) => log.warn(line));
  const stored = replica ?? pipeline?.store;

  const files = pipeline?.registry ?? loadConfiguredRegistry(config, 'columns');
  const outlets = new LiveOutlets(files);
  const zone = cityZone(files.city);
  const fullDisk = watchFullDisk(pipeline?.store.location ?? '', log);
  const store = stored
    ? readableStore(watchedStore(stored, fullDisk), () => dataVersion.upgrade())
    : noStore();
  const onChange = async () => {
    void pipeline?.keepCheckpoint();
    if (pipeline) await pipeline.reloadOutlets(stored);
    else if (stored) await outlets.refresh(stored, say);
  };
  const dataVersion: DataVersion = await watchDataVersion(stored ?? store, onChange, clock);
  const deployedAt = pipeline
    ? await recordFirstRun(watchedStore(pipeline.store, fullDisk), build, Date.now())
    : Date.now();
  const withheldLines =
    pipeline &&
    createWithheldLines(
      store,
      Date.now,
      zone,
      unlessFull((err) => log.error({ err }, 'withheld lines not stored')),
    );
  const baseUrl = config.BASE_URL ?? `http://localhost:${config.PORT}`;
  // A process that does not observe serves what is stored, which may be of a replay.
  const observed = stored && config.PIPELINE === 'off' ? await newestSubstrate(store) : null;
  const substrate = observed ?? pipeline?.source.substrate ?? 'simulated';
  const heavyData = { baseUrl, substrate, builtAt: iso(deployedAt), settings };
  const metricsPort = config.METRICS_PORT;
  const metrics = metricsPort === undefined ? undefined : createMetrics();
  const submissions =
    stored && takesSubmissions ? await takeSubmissions(store, pipeline, config.DATA_DIR, log) : undefined;
  const context: AppContext = {
    baseUrl,
    get registry() {
      return pipeline?.registry ?? outlets.registry;
    },
    zone,
    lookup: buildLookup(files.pockets),
    store,
    substrate,
    operations: describeFor(operations, files.city),
    dataVersion,
    now: clock,
    ...(replica && { readAt: () => replica.readAt() }),
    storeNow: () => store.clock(),
    ledgerKey: pipeline?.signer.verifierKey ?? (stored && (await currentKey(store))?.verifier_key) ?? '',
    ...(submissions && { writer: submissions.writer }),
    ...(withheldLines && { withheld: withheldLines }),
    ...(stored && {
      status: {
        dueBy: (now) => dueBy(now, zone),
        mail: mailExchange(config.CONTACT_DOMAIN),
        storeDamage: () => pipeline?.store.damage,
        fullSince: () => fullDisk.since(),
        isUpgraded: () => dataVersion.upgrade() !== undefined,
        isKeyChanged: async () =>
          pipeline !== undefined && (await currentKey(store))?.verifier_key !== pipeline.signer.verifierKey,
        replica: () => replica?.state(),
      },
    }),
    ...(stored && {
      heavyAnswers: (onWithheld, onDeath) =>
        refuseHeavy(hostHeavyAnswers(heavyData, onWithheld, onDeath), dataVersion),
    }),
    build: { version: build, deployed_at: iso(deployedAt) },
    ...(metrics && { metrics }),
    domain: {
      ...(config.SECURITY_CONTACT && { securityContacts: config.SECURITY_CONTACT }),
      ...(config.MCP_REGISTRY_AUTH && { registryAuth: config.MCP_REGISTRY_AUTH }),
      ...(config.BASE_URL && { publicUrl: config.BASE_URL }),
    },
  };
  const limits = {
    mcp: config.MCP_RATE_LIMIT,
    legitimacy: config.LEGITIMACY_RATE_LIMIT,
    submit: config.SUBMIT_RATE_LIMIT,
    read: config.READ_RATE_LIMIT,
    ledgerBytesPerSecond: config.LEDGER_BYTES_PER_SECOND,
    submitPerDay: { rows: config.SUBMIT_ROWS_PER_DAY, bytes: config.SUBMIT_BYTES_PER_DAY },
    trustedProxies: config.TRUSTED_PROXIES,
    sites: { origins: config.ALLOWED_ORIGINS, hosts: config.ALLOWED_HOSTS },
    connections: { total: config.MAX_CONNECTIONS, perAddress: config.MAX_CONNECTIONS_PER_ADDRESS },
    streams: { total: config.MAX_STREAMS, perAddress: config.MAX_STREAMS_PER_ADDRESS },
  };
  const app = buildServer(context, limits, createHttpLog(log, sink));
  const hostsPipeline = pipeline !== undefined && config.PIPELINE === 'on';
  const metered =
    metrics &&
    (await serveMetrics(context, metrics, {
      ...{ host: config.METRICS_HOST, port: metricsPort ?? 0, dataDir: config.DATA_DIR },
      ...{ engine: stored ? store.engine : null, hostsPipeline },
    }));
  if (metered) log.info({ address: metered.url }, 'metrics');
  const listening = new URL(await app.listen({ host: config.HOST, port: config.PORT }));
  listening.hostname = 'localhost';
  printAddresses(
    config.BASE_URL ?? listening.origin,
    stored ? `${substrate} ${files.city.name}, ${store.engine} store` : 'no datastore',
  );
  const host = hostsPipeline
    ? hostPipeline(store.engine === 'sqlite', log, {
        onReport: (report) => {
          if (report.damage) pipeline.store.reportDamage?.(report.damage);
          if (report.full === null) fullDisk.wrote('pipeline');
          else if (report.full) fullDisk.met('pipeline', report.full);
          metered?.take(report);
        },
        onDeath: () => metered?.pipelineDied(),
      })
    : undefined;
  const recorder =
    pipeline && !serving.clock
      ? startCheckRecorder(
          () => ({ ...operationContext(context), store }),
          unlessFull((err) => log.warn({ err }, 'checks not recorded')),
        )
      : undefined;
  const stop = new AbortController();
  void reportHistory(dataVersion, stop.signal);
  close = async () => {
    stop.abort();
    // It ends while requests do. At idle priority it may not get on while other programs use every core: then its
    // transaction is undone, as by a crash.
    const jobEnded = host?.stop(LONGEST_JOB_MS) ?? true;
    await drain(app, noticeMs);
    submissions?.stop();
    dataVersion.stop();
    // What follows may wait for its transaction.
    if (!(await jobEnded)) {
      say('the running job did not finish in time: it is run again at the next start');
      return;
    }
    await withheldLines?.flush();
    await recorder?.stop();
    await pipeline?.keepCheckpoint();
    await metered?.stop();
    await store.close();
  };
}

/** Its thread has a connection of its own: what the store's reader refuses is refused here. */
function refuseHeavy(answers: HeavyAnswers, { upgrade }: DataVersion): HeavyAnswers {
  const readable = (): HeavyAnswers => {
    if (upgrade() === 'unreadable') throw new StoreError('unreadable');
    return answers;
  };
  return {
    answer: async (job, registry) => readable().answer(job, registry),
    table: async (job, registry) => readable().table(job, registry),
    stop: () => answers.stop(),
  };
}

/** Shows the progress of the history until it is complete, also when another process writes it. */
async function reportHistory({ history }: DataVersion, stop: AbortSignal): Promise<void> {
  if (!history().finished) {
    const show = progressBar(historySentence);
    for (; !history().finished; await delay(REPORT_MS, undefined, { ref: false })) {
      if (stop.aborted) return;
      show(history());
    }
    show(history());
  }
  say('pocketwatch is ready');
}

function printAddresses(baseUrl: string, data: string): void {
  say(`${baseUrl}/ is pocketwatch (${data})
  docs  ${baseUrl}/docs
  MCP   ${baseUrl}/api/mcp`);
}

/** The first signal lets requests and the running job finish, for at most `longestMs`. */
function onStopSignal(longestMs: number, close: () => Promise<void>): void {
  let closing = false;
  const handle = (signal: NodeJS.Signals) => {
    if (closing) return;
    closing = true;
    say(`${signal}: finishing requests and the running job`);
    setTimeout(() => {
      say(`requests or the store did not finish within ${longestMs / 1000} seconds: stopped without them`);
      process.exit(1);
    }, longestMs).unref();
    close().then(
      () => process.exit(0),
      (error) => {
        say(String(error));
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', handle);
  process.on('SIGINT', handle);
}
