// Live stories, and the moments that they are written from.
import { LONGEST_HALF_LIFE, type Moment } from '../../domain/decision/moment.ts';
import type { LiveStory } from '../../domain/narration/live-story.ts';
import type { StoryInput } from '../../domain/narration/story-input.ts';
import { MINUTE } from '../../domain/time/slot.ts';
import { sameSlotAndPocket } from '../engine/slot-join.ts';
import type { Reader, Transaction } from '../engine/store.ts';
import { type MomentValues, readMoment } from './moments.ts';

/** What a story is written from: a moment, with the reading and the rain behind it. */
export type MomentForStory = Pick<
  StoryInput,
  'moment' | 'band' | 'reading' | 'usual_calm' | 'network_calm' | 'rain_mm'
>;

interface StoryMomentRow
  extends MomentValues,
    Omit<MomentForStory, 'moment' | 'reading'>,
    Omit<MomentForStory['reading'], 'anomaly_flag'> {
  silence_reasons: string;
  anomaly_flag: number;
}

/** The moments of every pocket at one slot, by pocket. */
export async function momentsForStories(store: Reader, slot: number): Promise<MomentForStory[]> {
  const rows = await store.all<StoryMomentRow>(
    `select m.pocket_id, m.primary_state, m.calm_probability, m.calm_level, m.calm_change, m.signal_saturation,
       m.movement_friction, m.fragility, m.half_life_minutes, m.expires_at, m.window_ends_at, m.window_held_share,
       m.window_expected_calm, m.silence_reasons, m.band, m.usual_calm, m.network_calm,
       r.stress, r.calm, r.social_energy, r.productive, r.anomaly_flag, e.rain_mm
     from moments m
     join atmosphere_readings r on ${sameSlotAndPocket('r', 'm')}
     left join env_snapshots e on ${sameSlotAndPocket('e', 'm')}
     where m.slot = ? order by m.pocket_id`,
    slot,
  );
  return rows.map(momentForStory);
}

function momentForStory(row: StoryMomentRow): MomentForStory {
  return {
    moment: readMoment(row),
    band: row.band,
    reading: {
      stress: row.stress,
      calm: row.calm,
      social_energy: row.social_energy,
      productive: row.productive,
      anomaly_flag: row.anomaly_flag === 1,
    },
    usual_calm: row.usual_calm,
    network_calm: row.network_calm,
    rain_mm: row.rain_mm,
  };
}

/** A clause that is left out is stored as an empty text. */
export const writeStories = (tx: Transaction, stories: readonly LiveStory[]): Promise<void> =>
  tx.insert(
    'live_stories',
    stories.map((story) => ({
      ...story,
      why_this_merchant: story.why_this_merchant ?? '',
      receipts: JSON.stringify(story.receipts),
    })),
  );

/**
 * The newest story of a pocket, with the window of the newest moment since, so that a pocket has one window at a time.
 * Null when that window is over, or when the pocket is no longer in the state that the story tells of. A newer story
 * replaces an older one that would last longer.
 */
export async function currentStory(store: Reader, pocket: string, now: number): Promise<LiveStory | null> {
  const row = await store.get<Omit<LiveStory, 'receipts'> & { receipts: string }>(
    'select * from live_stories where pocket_id = ? and slot <= ? order by slot desc limit 1',
    pocket,
    now,
  );
  // A window is at most a few hours long; an older story has expired whatever followed.
  if (!row || row.slot <= now - LONGEST_HALF_LIFE * MINUTE) return null;
  const moments = await store.all<Pick<Moment, 'primary_state' | 'expires_at'>>(
    'select primary_state, expires_at from moments where pocket_id = ? and slot >= ? and slot <= ? order by slot',
    pocket,
    row.slot,
    now,
  );
  const expires_at = moments.at(-1)?.expires_at ?? row.expires_at;
  const changed = moments.some(({ primary_state }) => primary_state !== moments[0]?.primary_state);
  if (changed || expires_at <= now) return null;
  const why_this_merchant = row.why_this_merchant || null;
  return { ...row, why_this_merchant, expires_at, receipts: JSON.parse(row.receipts) };
}
