import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import pino from 'pino';
import { type Config, readConfig } from '../../config.ts';
import { buildLookup } from '../../domain/city/lookup.ts';
import { iso } from '../../domain/time/sgt.ts';
import { watchDataVersion } from '../../http/cache/data-version.ts';
import type { AppContext } from '../../http/core/app-context.ts';
import { buildServer } from '../../http/core/server.ts';
import { createHttpLog } from '../../http/logging/access-log.ts';
import { createWithheldLines } from '../../http/logging/withheld-lines.ts';
import { operations } from '../../operations/all.ts';
import { dueBy } from '../../pipeline/core/schedule.ts';
import { noStore } from '../../store/engine/open.ts';
import { appender } from '../../store/ledger/append.ts';
import { buildId } from '../runtime/build-id.ts';
import { type Command, readOptions, say } from '../runtime/command.ts';
import { logSink } from '../runtime/log-sink.ts';
import { mailExchange } from '../runtime/mail-exchange.ts';
import { registryOf } from '../runtime/open.ts';
import { createPipeline, type Pipeline } from '../runtime/pipeline-factory.ts';
import { hostPipeline } from '../runtime/pipeline-host.ts';
import { writeHistory } from './backfill.ts';

const LONGEST_DRAIN_MS = 15_000;

export const serveCommand: Command = {
  usage: `pocketwatch serve

Opens the store, writes the simulated city's history on the first start, then serves MCP, REST and pages.
Settings come from the environment: PORT, HOST, BASE_URL, DATA_DIR, DATABASE_URL and others (see README.md).`,
  run: async (args) => {
    readOptions(args, {});
    await serve(readConfig(process.env));
  },
};

async function serve(config: Config): Promise<void> {
  const sink = logSink();
  const log = pino({ level: config.LOG_LEVEL, name: 'http' }, sink);
  const works = config.DATABASE_URL === 'none' ? undefined : await createPipeline(config);
  if (works && config.PIPELINE === 'on') await writeHistory(works, Date.now(), config.HISTORY_DAYS);

  const files = works?.registry ?? registryOf(config);
  const store = works?.store ?? noStore();
  const dataVersion = await watchDataVersion(store, works?.renew);
  const withheld =
    works && createWithheldLines(store, Date.now, (err) => log.error({ err }, 'reviews not kept'));
  const service: AppContext = {
    baseUrl: config.BASE_URL ?? `http://localhost:${config.PORT}`,
    get registry() {
      return works?.registry ?? files;
    },
    lookup: buildLookup(files.pockets),
    store,
    substrate: works?.source.substrate ?? 'simulated',
    operations,
    dataVersion,
    now: Date.now,
    ledgerKey: works?.signer.verifierKey ?? '',
    ...(works && { writer: { append: appender(store, works.signer), randomId: randomUUID } }),
    ...(withheld && { withheld }),
    ...(works && {
      status: { substrate: works.source.substrate, dueBy, mail: mailExchange(config.CONTACT_DOMAIN) },
    }),
    build: { version: config.BUILD_ID || buildId(), deployed_at: iso(Date.now()) },
  };
  const limits = {
    mcp: config.MCP_RATE_LIMIT,
    legitimacy: config.LEGITIMACY_RATE_LIMIT,
    submit: config.SUBMIT_RATE_LIMIT,
    trustedProxies: config.TRUSTED_PROXIES,
  };
  const app = buildServer(service, limits, createHttpLog(log, sink));
  await warmUp(app, files.pockets[0]?.id);
  await app.listen({ host: config.HOST, port: config.PORT });
  const pipeline =
    works && config.PIPELINE === 'on' ? hostPipeline(store.engine === 'sqlite', log) : undefined;
  welcome(service.baseUrl, store.engine, works);
  onSignal(async () => {
    await app.close();
    dataVersion.stop();
    await withheld?.flush();
    await pipeline?.stop();
    await store.close();
  });
}

/** The first page of a process takes ten times as long as the next: nobody need wait for it. */
async function warmUp(app: FastifyInstance, pocket: string | undefined): Promise<void> {
  for (const url of ['/', `/pocket/${pocket}`]) await app.inject({ url });
}

function welcome(baseUrl: string, engine: string, works: Pipeline | undefined): void {
  const substrate = works ? `${works.source.substrate} city, ${engine} store` : 'no datastore';
  say(`
pocketwatch is listening (${substrate})
  how to ask   ${baseUrl}/docs
  MCP          ${baseUrl}/api/mcp
  REST         ${baseUrl}/api/atmosphere?pocket=tiongbahru
  OpenAPI      ${baseUrl}/openapi.json
`);
}

/** The first signal drains and closes; whatever hangs is cut off. */
function onSignal(close: () => Promise<void>): void {
  let closing = false;
  const handle = (signal: NodeJS.Signals) => {
    if (closing) return;
    closing = true;
    say(`${signal}: finishing what is under way`);
    setTimeout(() => process.exit(1), LONGEST_DRAIN_MS).unref();
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
