// Listens to the feeds that send by themselves (MQTT). A worker listens while it holds the feed's lease, so that of
// several workers one has a connection; messages are stored in batches, with the same checks as polled feeds.
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { MINUTE } from '../../domain/time/slot.ts';
import type { Feed } from '../../sources/core/feed.ts';
import { countFault } from '../../sources/core/measurement.ts';
import type { Checked } from '../../sources/core/quality.ts';
import { type FeedReading, safeMessage } from '../../sources/core/read-feed.ts';
import { brokerCredentials, credentialSecrets, type MqttSettings } from '../../sources/live/mqtt.ts';
import type { ConnectionState } from '../../sources/live/mqtt-connection.ts';
import {
  dueTimes,
  type FeedState,
  leaseFeed,
  renewLease,
  writeFeedState,
} from '../../store/feeds/feed-states.ts';
import { type FeedContext, isToldElsewhere, type ListenSettings } from './feed-context.ts';
import { type MessageBuffer, messageBuffer } from './message-buffer.ts';
import { compressMessages, readMessages } from './read-messages.ts';
import {
  checkReading,
  dropSecretPlaces,
  faultSum,
  LeaseError,
  newest,
  storeReading,
} from './store-reading.ts';

const listenSettings: ListenSettings = {
  batch: 5_000,
  lease: 30_000,
  retry: 5_000,
  rest: 60_000,
  reconnect: 60_000,
};

/** A lease is renewed when a third of it is over: two attempts may fail. */
const RENEWALS = 3;

/** Listens until `signal` aborts; what has come by then is stored. */
export async function runTopicListeners(context: FeedContext, signal: AbortSignal): Promise<void> {
  const settings = { ...listenSettings, ...context.listening };
  await Promise.all(context.listened.map((feed) => keepListening(context, feed, settings, signal)));
}

async function keepListening(
  context: FeedContext,
  feed: Feed,
  settings: ListenSettings,
  signal: AbortSignal,
): Promise<void> {
  const report = storeFaults(context, feed);
  while (!signal.aborted) {
    try {
      await listenWithLease(context, feed, settings, signal, report);
    } catch (error) {
      report(error);
    }
    await delay(settings.retry, undefined, { signal }).catch(() => undefined);
  }
}

/** Logs a fault of the store once, until something was stored or another fault comes. */
function storeFaults({ log }: FeedContext, feed: Feed): (error: unknown) => void {
  let reported: string | undefined;
  return (error) => {
    const message = error === undefined || error instanceof Error ? error?.message : 'unknown error';
    if (message !== undefined && message !== reported && !isToldElsewhere(message))
      log.warn({ feed: feed.id, error: message }, 'feeds cannot be stored');
    reported = message;
  };
}

/** What a worker knows of a feed that it listens to. */
interface Listening {
  feed: Feed;
  lease: string;
  secrets: readonly string[];
  buffer: MessageBuffer;
  /** As it was last stored. */
  state: FeedState;
  connection: Connection | null;
  storedConnection: Connection | null;
  /** When a place and a pocket last had a value. */
  places: Map<string, number>;
  pockets: Map<string, number>;
}

interface Connection {
  state: ConnectionState;
  reason: string;
}

async function listenWithLease(
  context: FeedContext,
  feed: Feed,
  settings: ListenSettings,
  signal: AbortSignal,
  report: (error: unknown) => void,
): Promise<void> {
  const { store, worker, clock, keys, log } = context;
  const lease = `${worker} ${randomUUID()}`;
  const now = await clock();
  if (((await dueTimes(store)).get(feed.id) ?? 0) > now) return;
  const state = await leaseFeed(store, feed.id, lease, now, now + settings.lease);
  if (!state) return;
  const seen = state.pockets.map((pocket): [string, number] => [pocket, state.last_success ?? 0]);
  const listening: Listening = {
    feed,
    lease,
    secrets: credentialSecrets(feed.settings as MqttSettings, keys),
    buffer: messageBuffer(),
    state,
    connection: null,
    storedConnection: null,
    places: new Map(),
    pockets: new Map(seen),
  };
  const stop = new AbortController();
  const stopped = AbortSignal.any([signal, stop.signal]);
  let wake = (): void => undefined;
  const connected = connectBroker(context, listening, settings, stopped, () => wake());
  // An address that may not be asked, a password that is not set or may not be sent there: trying again at once would not help.
  const refused = connected.catch((error) => {
    listening.connection = { state: 'refused', reason: safeMessage(error) };
    stop.abort();
    return true;
  });
  stopped.addEventListener('abort', () => wake(), { once: true });

  let renewed = performance.now();
  let failing = false;
  try {
    while (!stopped.aborted) {
      const isPending = listening.buffer.isFull() || listening.connection !== listening.storedConnection;
      if (failing || !isPending)
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, settings.batch);
          wake = () => {
            // A store that fails is tried at the usual pace, however fast messages come.
            if (failing && !stopped.aborted) return;
            clearTimeout(timer);
            resolve();
          };
        });
      if (stopped.aborted) break;
      const began = performance.now();
      try {
        if (await storeOrRenew(context, listening, settings, began - renewed)) renewed = began;
        failing = false;
        report(undefined);
      } catch (error) {
        if (error instanceof LeaseError) throw error;
        failing = true;
        report(error);
        // Another worker may have the lease by now.
        if (performance.now() - renewed >= settings.lease) throw error;
      }
    }
    stop.abort();
    const rest = (await refused) === true ? settings.rest : 0;
    while (!listening.buffer.isEmpty() || listening.connection !== listening.storedConnection)
      await storeBatch(context, listening, settings.lease);
    // The lease is given back, so that another worker takes over at once.
    const next_due = listening.state.next_due + rest;
    await store.transaction((tx) => writeFeedState(tx, { ...listening.state, next_due }, lease), 'feeds');
  } catch (error) {
    if (!(error instanceof LeaseError)) throw error;
    log.warn({ feed: feed.id }, 'another worker listens to the feed now');
  } finally {
    stop.abort();
    await refused;
  }
}

async function connectBroker(
  { keys, log }: FeedContext,
  listening: Listening,
  { reconnect }: ListenSettings,
  signal: AbortSignal,
  wake: () => void,
): Promise<void> {
  const { feed, buffer } = listening;
  const settings = feed.settings as MqttSettings;
  const credentials = brokerCredentials(settings, keys);
  // The client is loaded only where a city has such a feed.
  const { listen } = await import('../../sources/live/mqtt-connection.ts');
  await listen(
    { id: feed.id, settings },
    {
      onMessage(message) {
        buffer.push({ ...message, at: performance.now() });
        if (buffer.isFull()) wake();
      },
      onState(state, reason) {
        if (state === 'connected' && listening.state.failures === 0)
          log.info({ feed: feed.id }, 'feed connected');
        listening.connection = { state, reason };
        wake();
      },
    },
    signal,
    { ...credentials, allow_private: feed.allow_private ?? false, reconnect_ms: reconnect },
  );
}

/** True where the lease was renewed: storing a batch does that as well. */
async function storeOrRenew(
  context: FeedContext,
  listening: Listening,
  { lease }: ListenSettings,
  age: number,
): Promise<boolean> {
  const { buffer, connection, storedConnection, feed } = listening;
  if (!buffer.isEmpty() || connection !== storedConnection) await storeBatch(context, listening, lease);
  else if (age < lease / RENEWALS) return false;
  else if (!(await renewLease(context.store, feed.id, listening.lease, (await context.clock()) + lease)))
    throw new LeaseError(feed.id);
  return true;
}

async function storeBatch(context: FeedContext, listening: Listening, lease_ms: number): Promise<void> {
  const { clock, pockets, time_zone } = context;
  const { feed, lease, secrets, buffer, state: before, connection } = listening;
  const batch = buffer.take();
  try {
    const received_at = await clock();
    // When a message came is measured on this machine and told by the clock that all workers share.
    const ahead = received_at - performance.now();
    const messages = batch.messages.map((message) => ({ ...message, at: Math.round(message.at + ahead) }));
    const points = pockets.map(({ id, lat, lng }) => ({ pocket_id: id, lat, lng }));
    const reading = readMessages(feed, messages, { points, time_zone });
    dropSecretPlaces(reading, secrets);
    if (batch.dropped > 0) countFault(reading.faults, 'dropped', batch.dropped);
    const bodies = reading.bodies > 0 ? [await compressMessages(feed, messages, secrets)] : [];
    const checked = await checkReading(context, feed, reading.rows, received_at);
    const after = stateAfter({ ...listening, connection }, reading, checked, received_at);
    const lease_until = received_at + lease_ms;
    await storeReading(context, { checked, bodies, before, after, lease, lease_until, received_at });
    listening.state = after;
    listening.storedConnection = connection;
  } catch (error) {
    buffer.putBack(batch);
    throw error;
  }
}

function stateAfter(
  { feed, state: before, connection, storedConnection, places, pockets }: Listening,
  reading: FeedReading,
  checked: Checked<FeedReading['rows'][number]>,
  received_at: number,
): FeedState {
  const gaveValues = checked.kept.length > 0;
  const state: FeedState = {
    ...before,
    // Messages of which nothing can be used keep no feed fresh.
    next_due: gaveValues || reading.bodies === 0 ? received_at : before.next_due,
    last_attempt: received_at,
    newest_observed: newest(before.newest_observed, checked.newest_observed),
  };
  if (reading.bodies > 0) {
    const faults = faultSum(reading.faults, checked.faults);
    state.faults = faults;
    state.faults_total = faultSum(before.faults_total, faults);
    state.rows_kept = checked.kept.length;
    // A batch holds the sensors that sent just now: what is covered is what had a value that is still fresh.
    const since = received_at - freshMs(feed);
    state.places = remember(places, checked.places, received_at, since).length;
    state.pockets = remember(pockets, checked.pockets, received_at, since).sort();
    if (reading.error === undefined && gaveValues) state.last_success = received_at;
    state.last_error = reading.error === undefined ? null : safeMessage(reading.error);
  }
  if (connection && connection.state !== 'connected') {
    state.failures = before.failures + (connection === storedConnection ? 0 : 1);
    state.last_error = connection.reason;
  } else if (connection) {
    state.failures = 0;
    if (connection !== storedConnection && reading.bodies === 0) state.last_error = null;
  }
  return state;
}

const freshMs = ({ fields }: Feed): number =>
  Math.max(0, ...Object.values(fields).map(({ fresh_minutes }) => fresh_minutes)) * MINUTE;

/** Adds what was seen `now`, and forgets what was last seen before `since`. */
function remember(known: Map<string, number>, seen: Iterable<string>, now: number, since: number): string[] {
  for (const id of seen) known.set(id, now);
  for (const [id, at] of known) if (at < since) known.delete(id);
  return [...known.keys()];
}
