// What a feed gives now, read once and not stored: over HTTP, from its folder, or from a broker within some seconds.

import { messageBuffer, type ReceivedMessage } from '../../../pipeline/feeds/message-buffer.ts';
import { readNewFiles } from '../../../pipeline/feeds/read-folders.ts';
import { readMessages } from '../../../pipeline/feeds/read-messages.ts';
import type { Poll } from '../../../sources/core/adapter.ts';
import { askFeed, feedKey } from '../../../sources/core/ask-feed.ts';
import type { Feed } from '../../../sources/core/feed.ts';
import { type FeedKeys, oldNameLine } from '../../../sources/core/feed-keys.ts';
import type { FeedTerms } from '../../../sources/core/feed-terms.ts';
import { FetchError } from '../../../sources/core/fetch-error.ts';
import { fetchPolicy } from '../../../sources/core/fetch-policy.ts';
import { countFault } from '../../../sources/core/measurement.ts';
import { type FeedReading, readFeed, safeMessage } from '../../../sources/core/read-feed.ts';
import { withoutSecrets } from '../../../sources/core/redact.ts';
import { adapters } from '../../../sources/live/all.ts';
import { filesAdapter, isForReplays } from '../../../sources/live/files.ts';
import {
  brokerCredentials,
  credentialSecrets,
  type MqttSettings,
  mqttAdapter,
} from '../../../sources/live/mqtt.ts';

export interface ReadOnceSettings {
  keys: FeedKeys;
  userAgent: string;
  clock: () => number;
  /** How long a broker is listened to, and until how many messages have come; default: 10 s, 500. */
  listening?: { ms: number; messages: number };
}

export interface ReadOnce {
  /** Undefined where nothing is read of the feed while the city is live. */
  reading: FeedReading | undefined;
  /** What was done, in plain words. */
  notes: string[];
  /** What went wrong; holds no secret. */
  problem: string | undefined;
}

export function readOnce(
  feed: Feed,
  terms: FeedTerms,
  poll: Poll,
  settings: ReadOnceSettings,
): Promise<ReadOnce> {
  if (feed.adapter === filesAdapter.name) return readFiles(feed, poll);
  if (feed.adapter === mqttAdapter.name) return readBroker(feed, poll, settings);
  return readHttp(feed, terms, poll, settings);
}

const readResult = (
  reading: FeedReading | undefined,
  error: unknown,
  secrets: string[],
  notes: string[] = [],
) => ({
  reading,
  notes,
  problem: error === undefined ? undefined : withoutSecrets(safeMessage(error), secrets),
});

async function readHttp(
  feed: Feed,
  terms: FeedTerms,
  poll: Poll,
  { keys, userAgent }: ReadOnceSettings,
): Promise<ReadOnce> {
  const adapter = adapters.find(({ name }) => name === feed.adapter);
  if (!adapter) throw new Error(`no adapter ${feed.adapter}`);
  let secrets: string[] = [];
  try {
    const key = feedKey(feed, adapter, terms, poll, keys);
    secrets = key ? [key.value] : [];
    const signal = new AbortController().signal;
    const ask = askFeed(feed, adapter, poll, { policy: fetchPolicy(), userAgent, key, signal });
    const reading = await readFeed(feed, adapter, poll, ask);
    const renamed = terms.key && oldNameLine(terms.key.env, keys);
    return readResult(reading, reading.error, secrets, renamed ? [renamed] : []);
  } catch (error) {
    return readResult(undefined, error, secrets);
  }
}

/** File names that are listed; the others are counted. */
const MAX_NAMES = 5;

async function readFiles(feed: Feed, poll: Poll): Promise<ReadOnce> {
  if (isForReplays(feed))
    return readResult(
      undefined,
      undefined,
      [],
      [
        'it has no folder: it says what the rows of replay files mean, and nothing is read while the city is live',
      ],
    );
  const { reading, raw } = await readNewFiles(feed, poll, {});
  const names = raw.map(([name]) => name);
  const more = names.length > MAX_NAMES ? ` and ${names.length - MAX_NAMES} more` : '';
  const empty = reading.error === undefined && names.length === 0;
  const error = empty
    ? new FetchError('network', 'its folder has no file that would be read')
    : reading.error;
  const notes = names.length
    ? [`files that would be read: ${names.slice(0, MAX_NAMES).join(', ')}${more}`]
    : [];
  return readResult(reading, error, [], notes);
}

async function readBroker(
  feed: Feed,
  poll: Poll,
  { keys, clock, listening: limits = { ms: 10_000, messages: 500 } }: ReadOnceSettings,
): Promise<ReadOnce> {
  const settings = feed.settings as MqttSettings;
  const secrets = credentialSecrets(settings, keys);
  const buffer = messageBuffer();
  let came = 0;
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), limits.ms);
  let lost: string | undefined;
  try {
    const credentials = brokerCredentials(settings, keys);
    // Loaded only where a city has such a feed.
    const { listen } = await import('../../../sources/live/mqtt-connection.ts');
    await listen(
      { id: feed.id, settings },
      {
        onMessage(message) {
          buffer.push({ ...message, at: clock() });
          came += 1;
          if (came >= limits.messages) stop.abort();
        },
        onState(state, reason) {
          if (state === 'connected') return;
          lost = reason;
          stop.abort();
        },
      },
      stop.signal,
      { ...credentials, allow_private: feed.allow_private ?? false },
    );
  } catch (error) {
    return readResult(undefined, error, secrets);
  } finally {
    clearTimeout(timer);
  }
  const messages: ReceivedMessage[] = [];
  let dropped = 0;
  while (messages.length === 0 || !buffer.isEmpty()) {
    const batch = buffer.take();
    for (const message of batch.messages) messages.push(message);
    dropped += batch.dropped;
    if (batch.messages.length === 0) break;
  }
  const reading = readMessages(feed, messages, poll);
  if (dropped > 0) countFault(reading.faults, 'dropped', dropped);
  const silent = came === 0 ? `no message came within ${limits.ms / 1000} s` : undefined;
  const problem = lost ?? silent;
  const error = problem === undefined ? reading.error : new FetchError('network', problem);
  return readResult(reading, error, secrets, came > 0 ? [`${came} messages came`] : []);
}
