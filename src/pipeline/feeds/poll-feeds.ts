// Polls the feeds that are due. Publishers are asked side by side, the feeds of one publisher one after another. This
// runs apart from the slot's job, which reads what is stored: a slow feed delays no tick and no other publisher.
import { setTimeout as delay } from 'node:timers/promises';
import { dueTimes } from '../../store/feeds/feed-states.ts';
import { type FeedContext, isToldElsewhere, type PolledFeed } from './feed-context.ts';
import { forgetOld } from './forget.ts';
import { type FeedOutcome, pollFeed } from './poll-feed.ts';

/** How often the poller looks for feeds that are due. */
const LOOK_MS = 5_000;
const PRUNE_EVERY_MS = 60 * 60_000;

/** Polls what is due at `now`, except feeds whose publisher is still being asked. Never throws. */
export async function pollFeeds(
  context: FeedContext,
  now: number,
  signal: AbortSignal,
): Promise<FeedOutcome[]> {
  const { store, polled, busy } = context;
  let times: Map<string, number>;
  try {
    await pruneIfDue(context, now);
    times = await dueTimes(store);
  } catch (error) {
    return [failedOutcome('all', error)];
  }
  const due = polled.filter((one) => (times.get(one.feed.id) ?? 0) <= now && !busy.has(queueKey(one)));
  const groups = Map.groupBy(due, queueKey);
  const outcomes = await Promise.all(
    [...groups].map(async ([queue, feeds]) => {
      busy.add(queue);
      try {
        const results: FeedOutcome[] = [];
        for (const feed of feeds) {
          if (signal.aborted) break;
          results.push(await tryPoll(context, feed, results.length === 0 ? now : undefined, signal));
        }
        return results;
      } finally {
        busy.delete(queue);
      }
    }),
  );
  return outcomes.flat();
}

/** A folder is read whether or not its publisher is being asked for something else. */
const queueKey = ({ feed, terms, http }: PolledFeed): string =>
  JSON.stringify(http ? [terms.publisher] : ['folder', feed.id]);

/** At `now`, or at the time when the feed's turn has come. */
async function tryPoll(
  context: FeedContext,
  polled: PolledFeed,
  now: number | undefined,
  signal: AbortSignal,
): Promise<FeedOutcome> {
  try {
    return await pollFeed(context, polled, now ?? (await context.clock()), signal);
  } catch (error) {
    return failedOutcome(polled.feed.id, error);
  }
}

/** A fault of the store: that of a feed is in its state. */
const failedOutcome = (feed: string, error: unknown): FeedOutcome => ({
  feed,
  outcome: 'unstored',
  rows: 0,
  error: error instanceof Error ? error.message : 'unknown error',
});

async function pruneIfDue(context: FeedContext, now: number): Promise<void> {
  if (now - context.pruned_at < PRUNE_EVERY_MS) return;
  context.pruned_at = now;
  await forgetOld(context, now);
}

/** Polls by the store's clock until `signal` aborts; polls under way are then given up. */
export async function runFeedPoller(context: FeedContext, signal: AbortSignal): Promise<void> {
  const { clock, log } = context;
  const running = new Set<Promise<void>>();
  let reported: string | undefined;
  const poll = async () => {
    const outcomes = await pollFeeds(context, await clock(), signal);
    const error = outcomes.find(({ outcome }) => outcome === 'unstored')?.error;
    if (error !== undefined && error !== reported && !isToldElsewhere(error))
      log.warn({ error }, 'feeds cannot be stored');
    if (error !== undefined || outcomes.length > 0) reported = error;
  };
  while (!signal.aborted) {
    // Not awaited: what is due at other publishers does not wait for a slow one.
    const round: Promise<void> = poll()
      .catch(() => undefined)
      .finally(() => running.delete(round));
    running.add(round);
    await delay(LOOK_MS, undefined, { signal }).catch(() => undefined);
  }
  await Promise.all(running);
}
