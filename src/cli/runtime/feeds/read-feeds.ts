// Reads the feeds of a live city, with what that needs from the settings.
import type { Config } from '../../../config.ts';
import { type FeedContext, type FeedLog, feedContext } from '../../../pipeline/feeds/feed-context.ts';
import { runTopicListeners } from '../../../pipeline/feeds/listen-topics.ts';
import { runFeedPoller } from '../../../pipeline/feeds/poll-feeds.ts';
import { oldNameLine } from '../../../sources/core/feed-keys.ts';
import type { Pipeline } from '../pipeline-factory.ts';
import { formatUserAgent } from '../user-agent.ts';

/** Polls feeds and listens to those that send by themselves, until `signal` aborts. */
export async function readFeeds(
  config: Config,
  pipeline: Pipeline,
  log: FeedLog,
  signal: AbortSignal,
): Promise<void> {
  const context = buildFeedContext(config, pipeline, log);
  for (const { feed, terms } of context.polled) {
    // A feed that needs its key says so by itself when it is polled.
    const line = terms.key && !terms.key.required && oldNameLine(terms.key.env, config.FEED_KEYS);
    if (line) log.warn({ feed: feed.id }, line);
  }
  await Promise.all([runFeedPoller(context, signal), runTopicListeners(context, signal)]);
}

const buildFeedContext = (config: Config, pipeline: Pipeline, log: FeedLog): FeedContext =>
  feedContext({
    store: pipeline.store,
    feeds: pipeline.feeds,
    pockets: pipeline.registry.pockets,
    time_zone: pipeline.registry.city.time_zone,
    worker: pipeline.worker,
    userAgent: formatUserAgent(config),
    keys: config.FEED_KEYS,
    log,
    keep: {
      feed_days: config.FEED_DAYS,
      archive_days: config.ARCHIVE_DAYS,
      archive_bytes: config.ARCHIVE_MEGABYTES * 1024 * 1024,
    },
  });
