// What an operator has to set before the feeds of a city are read with their keys. Nothing is asked or sent.
import type { Poll } from '../../../sources/core/adapter.ts';
import { feedKey } from '../../../sources/core/ask-feed.ts';
import type { Feed } from '../../../sources/core/feed.ts';
import { type FeedKeys, oldNameLine } from '../../../sources/core/feed-keys.ts';
import { feedTerms } from '../../../sources/core/feed-terms.ts';
import { safeMessage } from '../../../sources/core/read-feed.ts';
import { adapters } from '../../../sources/live/all.ts';
import { brokerCredentials, type MqttSettings, mqttAdapter } from '../../../sources/live/mqtt.ts';

/** A line for each feed that would not be read, or would be read without a key that was meant for it. */
export const keyLines = (feeds: readonly Feed[], poll: Poll, keys: FeedKeys): string[] =>
  feeds.flatMap((feed) => {
    const line = keyLine(feed, poll, keys);
    return line === undefined ? [] : [`${feed.id}: ${line}`];
  });

function keyLine(feed: Feed, poll: Poll, keys: FeedKeys): string | undefined {
  try {
    if (feed.adapter === mqttAdapter.name) brokerCredentials(feed.settings as MqttSettings, keys);
    const adapter = adapters.find(({ name }) => name === feed.adapter);
    if (!adapter) return undefined;
    const terms = feedTerms(feed, adapter);
    feedKey(feed, adapter, terms, poll, keys);
    return terms.key ? oldNameLine(terms.key.env, keys) : undefined;
  } catch (error) {
    return safeMessage(error);
  }
}
