// Entry point of `npm run feeds`: emulates the feeds of a city, so that the service can be tried without a network.

import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { UsageError } from '../src/cli/runtime/command.ts';
import { cityDir } from '../src/registry/city-dir.ts';
import { RegistryError } from '../src/registry/registry-error.ts';
import { ltaDatamall } from '../src/sources/live/lta-datamall.ts';
import { type EmulatedCity, emulatedCity } from '../test/support/feed-server/emulated-city.ts';
import { faultKinds, isFaultKind } from '../test/support/feed-server/faults.ts';
import { startFeedServer } from '../test/support/feed-server/server.ts';

const kinds = Object.entries(faultKinds)
  .map(([kind, what]) => `  ${kind.padEnd(25)} ${what}`)
  .join('\n');

const HELP = `npm run feeds -- [--city NAME|DIR] [--port N] [--fault [PATH=]KIND]… [--help]

Answers as the publishers of a live city's feeds do, with values that follow the time of day, and writes a copy of
the city's folder that asks for them here. It prints how to start the service with that copy. Ctrl-C ends it.

  --city NAME|DIR     a shipped city or the folder of one; default: singapore-live
  --port N            default: 4100; 0 takes any free one
  --fault [PATH=]KIND a fault of all feeds, or of those below PATH, such as /lta-datamall=html; may be repeated
  --help              this text

Faults, which can also be switched while it runs:
${kinds}
`;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      city: { type: 'string', default: 'singapore-live' },
      port: { type: 'string', default: '4100' },
      fault: { type: 'string', multiple: true, default: [] },
      help: { type: 'boolean' },
    },
  });
  if (values.help) {
    process.stdout.write(HELP);
    return;
  }
  if (!/^\d{1,5}$/.test(values.port) || Number(values.port) > 65_535)
    throw new UsageError('--port must be a number from 0 to 65535');
  const faults = values.fault.map(readFault);
  const from = existsSync(join(values.city, 'city.json')) ? resolve(values.city) : cityDir(values.city);
  const city = emulatedCity(from);
  if (city.feeds.length === 0) throw new UsageError(`no feed of ${values.city} can be emulated`);
  const server = await startFeedServer({ port: Number(values.port), places: city.places });
  for (const { path, kind } of faults) server.setFault(path, kind);
  const dir = mkdtempSync(join(tmpdir(), 'pocketwatch-feeds-'));
  city.write(dir, server.url);
  process.stdout.write(instructions(city, dir, server.url));
  const stop = () => {
    rmSync(dir, { recursive: true, force: true });
    void server.close();
  };
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
}

function readFault(text: string) {
  const [, path = '/', kind = ''] = /^(?:(\/[^=]*)=)?(\w+)$/.exec(text) ?? [];
  if (!isFaultKind(kind)) throw new UsageError(`--fault ${text}: the kinds are\n${kinds}`);
  return { path, kind };
}

function instructions({ feeds, others }: EmulatedCity, dir: string, url: string): string {
  const width = Math.max(...feeds.map(({ id }) => id.length));
  const isKeyed = feeds.some(({ adapter }) => adapter === ltaDatamall.name);
  const name = ltaDatamall.about.key?.env;
  // Any key will do, and this machine is not among the hosts of its publisher.
  const key = isKeyed ? `${name}=any ${name}_HOSTS=${new URL(url).host} ` : '';
  const missing =
    others.length > 0 ? `not emulated, asked at their own addresses: ${others.join(', ')}\n` : '';
  return `feeds:
${feeds.map(({ id, publisher }) => `  ${id.padEnd(width)}  ${url}/${publisher}`).join('\n')}
${missing}
start the service in another terminal:
  CITY_DIR=${dir} DATA_DIR=./data/emulated ${key}npm start

switch a fault on and off:
  curl -X POST '${url}/faults?path=/${feeds[0]?.publisher}&kind=html'
  curl -X POST '${url}/faults?path=/${feeds[0]?.publisher}&kind=none'

what was asked for: ${url}/    kinds of faults: ${url}/faults
`;
}

try {
  await main();
} catch (error) {
  const code = (error as { code?: string }).code ?? '';
  const isKnown =
    error instanceof UsageError ||
    error instanceof RegistryError ||
    code === 'EADDRINUSE' ||
    code.startsWith('ERR_PARSE_ARGS');
  if (!isKnown) throw error;
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}
