// The settings of the service.

import { resolve } from 'node:path';
import { contacts, hosts, list, origins, proxies } from './config-lists.ts';
import {
  databaseUrl,
  domain,
  integer,
  keptDays,
  ledgerPlace,
  origin,
  registryProof,
  replicaUrl,
  url,
} from './config-values.ts';
import { OperatorError } from './domain/text/operator-error.ts';
import { type FeedKeys, HOSTS_ENDING, isKeyName, newNames } from './sources/core/feed-keys.ts';

/** The one place that reads the environment. Each setting has a default, a parser and a description. */
interface Setting<T> {
  fallback: string;
  read: (text: string) => T;
  about: string;
}

const setting = <T>(fallback: string, read: (text: string) => T, about: string): Setting<T> => ({
  fallback,
  read,
  about,
});

export const settings = {
  PORT: setting('3000', integer(0, 65_535), 'port to listen on; 0 takes any free one'),
  HOST: setting('0.0.0.0', text, 'address to listen on'),
  BASE_URL: setting(
    '',
    optional(url),
    'public address of the service, as used in links; default: this machine',
  ),
  DATA_DIR: setting(
    './data',
    (given) => resolve(given),
    "folder of the embedded store, the ledger's key and its newest checkpoint",
  ),
  DATABASE_URL: setting(
    '',
    optional(databaseUrl),
    'postgres://… to use PostgreSQL, with several hosts the one that takes writes; unset: embedded store; `none`: no datastore',
  ),
  READ_DATABASE_URL: setting(
    '',
    optional(replicaUrl),
    'postgres://… of a streaming replica of DATABASE_URL, which then answers; without DATABASE_URL this process only reads',
  ),
  CITY: setting('', text, 'name of a shipped city, a folder of `cities`; default: singapore'),
  CITY_DIR: setting(
    '',
    optional((given) => resolve(given)),
    'folder of a city of your own, in place of CITY',
  ),
  SEED: setting('', text, 'seed of a simulated city; default: that of its `city.json`'),
  HISTORY_DAYS: setting(
    '',
    optional(integer(1, 366)),
    'days of simulated history written on the first start; default: from the first day of the previous month',
  ),
  FEED_DAYS: setting('14', integer(1, 366), 'days for which measurements of live feeds are kept'),
  ARCHIVE_DAYS: setting(
    '7',
    integer(1, 366),
    'days for which the raw bodies of live feeds are kept, so that a reading leads to the bytes behind it',
  ),
  ARCHIVE_MEGABYTES: setting(
    '1024',
    integer(1, 1_000_000),
    'size of the kept bodies, compressed; beyond it the oldest are removed first',
  ),
  KEEP_SIGNALS_DAYS: setting(
    '',
    optional(keptDays),
    'days for which raw signals are kept (snapshots of pockets, activity of outlets, words of people), at least 190, or `forever`; older ones go when `pocketwatch maintain` is run; default: forever in the embedded store, 400 on PostgreSQL',
  ),
  PIPELINE: setting(
    'on',
    oneOf('on', 'off'),
    '`off`: this process only serves; another one runs the pipeline',
  ),
  DRAIN_SECONDS: setting(
    '0',
    integer(0, 300),
    'seconds for which a service that is told to stop goes on answering while /api/ready says 503, so that a load balancer turns away first',
  ),
  MCP_RATE_LIMIT: setting(
    '30',
    integer(0, 1_000_000),
    'MCP, narration and backtest requests a minute for each address; 0: off',
  ),
  LEGITIMACY_RATE_LIMIT: setting(
    '30',
    integer(0, 1_000_000),
    'legitimacy requests a minute for each address; 0: off',
  ),
  SUBMIT_RATE_LIMIT: setting(
    '10',
    integer(0, 1_000_000),
    'benchmark submissions a minute for each address, over REST and MCP; 0: off',
  ),
  READ_RATE_LIMIT: setting(
    '6000',
    integer(0, 1_000_000_000),
    'units of reading a minute for each address: 1 for each request, 1 for every 100 rows asked for, 1 for every 64 KiB answered; what is cached is free; 0: off',
  ),
  LEDGER_BYTES_PER_SECOND: setting(
    '2097152',
    integer(0, 1_000_000_000_000),
    'bytes of the ledger a second for each address: key, checkpoint, tiles and bundles; 0: off',
  ),
  SUBMIT_ROWS_PER_DAY: setting(
    '100000',
    integer(0, 1_000_000_000),
    'forecasts submitted a day for each address; 0: off',
  ),
  SUBMIT_BYTES_PER_DAY: setting(
    '33554432',
    integer(0, 1_000_000_000_000),
    'bytes of submissions a day for each address; 0: off',
  ),
  MAX_CONNECTIONS: setting('4096', integer(1, 1_000_000), 'open connections in total'),
  MAX_CONNECTIONS_PER_ADDRESS: setting(
    '256',
    integer(1, 1_000_000),
    'open connections of each address, trusted proxies excepted',
  ),
  MAX_STREAMS: setting(
    '2048',
    integer(0, 1_000_000),
    'open streams (/api/stream/live and subscriptions/listen) in total',
  ),
  MAX_STREAMS_PER_ADDRESS: setting('16', integer(0, 1_000_000), 'open streams of each address'),
  TRUSTED_PROXIES: setting(
    '',
    proxies,
    'addresses or CIDR ranges of proxies whose X-Forwarded-For is believed, comma-separated',
  ),
  ALLOWED_ORIGINS: setting(
    '',
    origins,
    'origins of other sites whose pages may submit forecasts, such as https://lab.example, comma-separated',
  ),
  ALLOWED_HOSTS: setting(
    '',
    hosts,
    'host names, besides localhost and that of BASE_URL, under which a loopback address is served, comma-separated',
  ),
  CONTACT_DOMAIN: setting(
    '',
    optional(domain),
    'domain that mail about the service is sent to; its MX record is looked up for /api/heartbeat',
  ),
  SECURITY_CONTACT: setting(
    '',
    optional(contacts),
    'whom to tell of a security problem, for /.well-known/security.txt: e-mail or https addresses, comma-separated, the preferred one first',
  ),
  MCP_REGISTRY_AUTH: setting(
    '',
    optional(registryProof),
    'proof for the MCP registry that the domain is yours, served at /.well-known/mcp-registry-auth: v=MCPv1; k=ed25519; p=… with the public key in base64',
  ),
  LEDGER_KEY: setting(
    '',
    optional((given) => given.replaceAll('\\n', '\n')),
    'private key of the ledger, Ed25519 in PEM; default: `ledger.key` in DATA_DIR, made on the first start',
  ),
  LEDGER_ORIGIN: setting(
    'pocketwatch',
    origin,
    'name of the ledger in its checkpoints; the store keeps the first one and refuses any other',
  ),
  LEDGER_STORAGE: setting(
    'database',
    ledgerPlace,
    'where the ledger is also published as static files: a folder, or s3://BUCKET/PREFIX; `database`: nowhere else',
  ),
  AWS_ACCESS_KEY_ID: setting('', text, 'access key of the bucket of LEDGER_STORAGE'),
  AWS_SECRET_ACCESS_KEY: setting('', text, 'its secret'),
  AWS_SESSION_TOKEN: setting('', text, 'the token that goes with temporary credentials of the bucket'),
  AWS_REGION: setting('us-east-1', text, 'region of the bucket'),
  AWS_ENDPOINT_URL_S3: setting(
    '',
    optional(url),
    'address of an S3-compatible service; default: that of AWS in the region',
  ),
  LEDGER_STORAGE_PATH_STYLE: setting(
    'auto',
    oneOf('auto', 'on', 'off'),
    '`on`: the bucket is in the path of an address, `off`: in its host; `auto`: in the path where AWS_ENDPOINT_URL_S3 is set',
  ),
  LOG_LEVEL: setting(
    'info',
    oneOf('trace', 'debug', 'info', 'warn', 'error', 'silent'),
    'lowest severity that is logged',
  ),
  LOG_FORMAT: setting(
    'auto',
    oneOf('auto', 'text', 'json'),
    'format of the log: `auto` is text on a terminal and JSON elsewhere',
  ),
  METRICS_PORT: setting(
    '',
    optional(integer(0, 65_535)),
    'port on which GET /metrics answers with the metrics of this process, in the text format of Prometheus; 0 takes any free one, which the log names; unset: off',
  ),
  METRICS_HOST: setting('127.0.0.1', text, 'address to listen on for METRICS_PORT'),
  BUILD_ID: setting(
    '',
    text,
    'build identifier shown by /api/version; default: the package version and commit',
  ),
} as const;

type Name = keyof typeof settings;
export type Config = { [K in Name]: ReturnType<(typeof settings)[K]['read']> } & {
  /** FEED_KEY_NAME and FEED_KEY_NAME_HOSTS, for as many names as there are. */
  FEED_KEYS: FeedKeys;
};

export class ConfigError extends OperatorError {}

export function readConfig(environment: Record<string, string | undefined>): Config {
  if (environment.CITY && environment.CITY_DIR) throw new ConfigError('set CITY or CITY_DIR, not both');
  const entries = Object.entries(settings).map(([name, { fallback, read }]) => {
    const given = environment[name] || fallback;
    try {
      return [name, read(given)];
    } catch (error) {
      const shown = /DATABASE_URL$|^LEDGER_KEY$/.test(name) ? '' : ` (it is '${given}')`;
      throw new ConfigError(`${name} ${(error as Error).message}${shown}`);
    }
  });
  const config = { ...Object.fromEntries(entries), FEED_KEYS: readFeedKeys(environment) } as Config;
  if (config.LEDGER_STORAGE.kind === 'bucket' && !(config.AWS_ACCESS_KEY_ID && config.AWS_SECRET_ACCESS_KEY))
    throw new ConfigError('a bucket in LEDGER_STORAGE needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY');
  if (config.READ_DATABASE_URL && config.DATABASE_URL === 'none')
    throw new ConfigError(
      'READ_DATABASE_URL is a datastore, but DATABASE_URL is none: leave one of them out',
    );
  return config;
}

/** Values stay out of messages: a key may have been put where hosts belong. */
export function readFeedKeys(environment: Record<string, string | undefined>): FeedKeys {
  const set = Object.entries(environment).flatMap(([name, text]): [string, string][] => {
    const value = text?.trim();
    return value ? [[name, value]] : [];
  });
  const lists = set.flatMap(([name, value]): [string, string[]][] => {
    const key = name.endsWith(HOSTS_ENDING) ? name.slice(0, -HOSTS_ENDING.length) : '';
    return isKeyName(key) ? [[key, keyHosts(name, value)]] : [];
  });
  return {
    values: new Map(set.filter(([name]) => isKeyName(name))),
    hosts: new Map(lists),
    old: new Set(set.flatMap(([name]) => (newNames.has(name) ? [name] : []))),
  };
}

function keyHosts(name: string, given: string): string[] {
  return list(given).map((item) => {
    const [, host = '', port] = /^(.+?)(?::(\d{1,5}))?$/.exec(item) ?? [];
    const at = URL.parse(`https://${host}`);
    if (!at || at.href !== `https://${at.host}/` || at.port || !/^(\[[\da-f:.]+\]|[\w.-]+)$/.test(at.host))
      throw new ConfigError(
        `${name} must be host names, each with or without a port, such as api.example or 127.0.0.1:4100, comma-separated`,
      );
    return port === undefined ? at.hostname : `${at.hostname}:${Number(port)}`;
  });
}

function text(given: string): string {
  return given;
}

function oneOf<const T extends string>(...values: T[]) {
  return (given: string): T => {
    const value = values.find((candidate) => candidate === given);
    if (value === undefined) throw new Error(`must be one of ${values.join(', ')}`);
    return value;
  };
}

function optional<T>(read: (given: string) => T) {
  return (given: string): T | undefined => (given ? read(given) : undefined);
}
