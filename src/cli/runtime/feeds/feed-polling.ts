// What the poller of a live city's feeds needs from the settings.
import type { Config } from '../../../config.ts';
import { type FeedContext, type FeedLog, feedContext } from '../../../pipeline/feeds/feed-context.ts';
import type { Pipeline } from '../pipeline-factory.ts';
import { userAgentOf } from '../user-agent.ts';

export const feedContextOf = (config: Config, pipeline: Pipeline, log: FeedLog): FeedContext =>
  feedContext({
    store: pipeline.store,
    feeds: pipeline.feeds,
    pockets: pipeline.registry.pockets,
    time_zone: pipeline.registry.city.time_zone,
    worker: pipeline.worker,
    userAgent: userAgentOf(config),
    environment: process.env,
    log,
    keep: {
      feed_days: config.FEED_DAYS,
      archive_days: config.ARCHIVE_DAYS,
      archive_bytes: config.ARCHIVE_MEGABYTES * 1024 * 1024,
    },
  });
