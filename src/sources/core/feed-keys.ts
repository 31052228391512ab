// The keys of feeds. A city's files may come from strangers: they name a key and where it goes in a request, and have no
// say in which variables of the environment are keys, nor in which hosts get one. Both are the operator's word.
import { FetchError } from './fetch-error.ts';

/** What the environment says about keys; `src/config.ts` reads it. Nothing else of the environment reaches a feed. */
export interface FeedKeys {
  /** By the name of its variable. */
  values: ReadonlyMap<string, string>;
  /** Where each may be sent, by the same name: `host` or `host:port`. */
  hosts: ReadonlyMap<string, readonly string[]>;
  /** Variables that earlier versions read and that are still set. */
  old: ReadonlySet<string>;
}

/** Variables that may hold a key. The lookahead keeps the lists of hosts apart from the keys. */
export const KEY_NAME = '^(?!.*_HOSTS$)FEED_KEY_[A-Z0-9_]{1,55}$';
/** Completes "… must be". */
export const KEY_NAME_RULE =
  'a name in capitals that begins with FEED_KEY_ and does not end in _HOSTS, such as FEED_KEY_OPENAQ: no other environment variable is read for a feed';
export const HOSTS_ENDING = '_HOSTS';

const keyName = new RegExp(KEY_NAME);
export const isKeyName = (name: string): boolean => keyName.test(name);

/** What the docs and adapters of earlier versions called their keys. */
export const newNames: ReadonlyMap<string, string> = new Map([
  ['LTA_ACCOUNT_KEY', 'FEED_KEY_LTA'],
  ['DATA_GOV_SG_KEY', 'FEED_KEY_DATA_GOV_SG'],
  ['OPENAQ_KEY', 'FEED_KEY_OPENAQ'],
  ['BROKER_USERNAME', 'FEED_KEY_BROKER_USERNAME'],
  ['BROKER_PASSWORD', 'FEED_KEY_BROKER_PASSWORD'],
]);

/** The line for a city's file that has a name of an earlier version; undefined for any other name. */
export function renameLine(old: string): string | undefined {
  const name = newNames.get(old);
  return name === undefined ? undefined : `${old} is no longer read: rename it to ${name}`;
}

/** The same for an environment in which a key is set under its old name alone. */
export function oldNameLine(name: string, { values, old }: FeedKeys): string | undefined {
  if (values.has(name)) return undefined;
  const [former] = [...newNames].find(([before, now]) => now === name && old.has(before)) ?? [];
  return former === undefined ? undefined : renameLine(former);
}

/** What a feed asks for: its own words or those of its adapter. */
export interface WantedKey {
  env: string;
  required: boolean;
  /** Hosts of the publisher that its adapter knows. */
  hosts: readonly string[];
}

export interface Key {
  name: string;
  value: string;
  hosts: readonly string[];
  /** Whether some of the hosts are by the operator's word. */
  is_listed: boolean;
}

/** Null where it is not set and not required. */
export function findKey({ env, required, hosts }: WantedKey, keys: FeedKeys): Key | null {
  const value = keys.values.get(env);
  const listed = keys.hosts.get(env) ?? [];
  if (value !== undefined)
    return { name: env, value, hosts: [...hosts, ...listed], is_listed: listed.length > 0 };
  if (!required) return null;
  const line = oldNameLine(env, keys);
  throw new FetchError('refused', `its key ${env} is not set${line === undefined ? '' : `; ${line}`}`);
}

const encrypted: Readonly<Record<string, string>> = { 'https:': '443', 'wss:': '443', 'mqtts:': '8883' };
const plain: Readonly<Record<string, string>> = { 'http:': '80', 'ws:': '80', 'mqtt:': '1883' };

/**
 * How a list of hosts may name the host of an address. A name without a port stands for the encrypted protocols at their
 * usual port: by it no city file can have the key sent in clear, or to another program on the same machine.
 */
function hostNames({ protocol, hostname, port: given }: URL): string[] {
  const port = given || encrypted[protocol] || plain[protocol];
  if (port === undefined || hostname === '') return [];
  const host = hostname.toLowerCase();
  return port === encrypted[protocol] ? [host, `${host}:${port}`] : [`${host}:${port}`];
}

const mayGoTo = ({ hosts }: Key, url: URL): boolean => hostNames(url).some((name) => hosts.includes(name));

/** Throws where one of the keys may not be sent to one of the addresses, and says what the operator can set. */
export function refuseOtherHosts(keys: readonly Key[], urls: readonly URL[]): void {
  const refused = keys.filter((key) => urls.some((url) => !mayGoTo(key, url)));
  if (refused.length === 0) return;
  const elsewhere = urls.filter((url) => refused.some((key) => !mayGoTo(key, url)));
  const hosts = [...new Set(elsewhere.map((url) => hostNames(url)[0] ?? url.host))].join(',');
  const lists = refused.map(({ name }) => `${name}${HOSTS_ENDING}`);
  const what = refused.some(({ is_listed }) => is_listed)
    ? `add ${hosts} to ${lists.join(' and ')}`
    : `set ${lists.map((list) => `${list}=${hosts}`).join(' and ')}`;
  throw new FetchError('forbidden', `its key may not be sent to that host: ${what}`);
}

/** A key and its place in a request: a header or a parameter of the query. */
export interface SentKey extends Key {
  header?: string | undefined;
  query?: string | undefined;
}

/** The request as it is sent. Throws where the key may not go there: after a redirect, for example. */
export function withKey(
  url: URL,
  headers: Readonly<Record<string, string>>,
  key: SentKey | null,
): { url: URL; headers: Readonly<Record<string, string>> } {
  if (!key) return { url, headers };
  refuseOtherHosts([key], [url]);
  if (key.header !== undefined) return { url, headers: { ...headers, [key.header]: key.value } };
  return key.query === undefined
    ? { url, headers }
    : { url: withParameter(url, key.query, key.value), headers };
}

/** The other parameters stay as they are written: some publishers take no other spelling. */
function withParameter(url: URL, name: string, value: string): URL {
  const others = url.search
    .slice(1)
    .split('&')
    .filter((part) => part !== '' && ![...new URLSearchParams(part).keys()].includes(name));
  const to = new URL(url);
  to.search = [...others, `${encodeURIComponent(name)}=${encodeURIComponent(value)}`].join('&');
  return to;
}
