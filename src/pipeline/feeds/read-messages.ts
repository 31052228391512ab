// Messages of sensors that send by themselves: from a batch to rows, and to the body that the archive keeps.
import { isUtf8 } from 'node:buffer';
import { FeedShapeError, type Poll } from '../../sources/core/adapter.ts';
import type { Feed } from '../../sources/core/feed.ts';
import { countFault } from '../../sources/core/measurement.ts';
import { addRows, type FeedReading, noReading } from '../../sources/core/read-feed.ts';
import { holdsSecret, publicUrl } from '../../sources/core/redact.ts';
import { type MqttSettings, parseMessage } from '../../sources/live/mqtt.ts';
import { type ArchivedBody, compressBody } from '../../store/feeds/archive.ts';
import type { ReceivedMessage } from './message-buffer.ts';

/**
 * `at` of each message is epoch milliseconds. A message that cannot be read is counted as a bad value: one odd device
 * must not take the feed down. Where none can be read, the reading has the error of the first.
 */
export function readMessages(
  feed: Feed,
  messages: readonly ReceivedMessage[],
  { points, time_zone }: Omit<Poll, 'now'>,
): FeedReading {
  const settings = feed.settings as MqttSettings;
  const reading = { ...noReading(), bodies: messages.length > 0 ? 1 : 0 };
  let unreadable = 0;
  for (const message of messages)
    try {
      const poll = { now: message.at, points, time_zone };
      addRows(reading, parseMessage(message, { ...feed, settings }, poll), 0);
    } catch (error) {
      if (!(error instanceof FeedShapeError)) throw error;
      unreadable += 1;
      countFault(reading.faults, 'bad_value');
      reading.error ??= error;
    }
  if (unreadable < messages.length) reading.error = undefined;
  return reading;
}

/** The batch as a JSON list; null where a message repeats a secret, which must not come into the archive. */
export async function compressMessages(
  feed: Feed,
  messages: readonly ReceivedMessage[],
  secrets: readonly string[],
): Promise<ArchivedBody | null> {
  const repeats = ({ topic, payload }: ReceivedMessage): boolean =>
    holdsSecret(Buffer.from(topic), secrets) || holdsSecret(payload, secrets);
  if (messages.some(repeats)) return null;
  const body = messages.map(({ topic, payload, retained, at }) => ({
    topic,
    ...(isUtf8(payload)
      ? { payload: Buffer.from(payload).toString() }
      : { payload_base64: Buffer.from(payload).toString('base64') }),
    at: new Date(at).toISOString(),
    ...(retained && { retained }),
  }));
  const { url } = feed.settings as MqttSettings;
  return compressBody(feed.id, publicUrl(url, secrets), Buffer.from(JSON.stringify(body)));
}
