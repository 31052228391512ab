// Live stories, and the moments that they are written from.
import { WHOLE_CITY } from '../../domain/city/districts.ts';
import { LONGEST_HALF_LIFE, type Moment } from '../../domain/decision/moment.ts';
import type { LiveStory, Receipts } from '../../domain/narration/live-story.ts';
import type { StoryInput } from '../../domain/narration/story-input.ts';
import { MINUTE } from '../../domain/time/slot.ts';
import type { Reader, Transaction } from '../engine/store.ts';
import { windowAndDays, withinDays } from '../rows/day-index.ts';
import { rowsAt } from '../rows/district-rows.ts';
import { newestPacked, packedAt, writePacks } from '../rows/slot-packs.ts';
import { type MomentValues, readMoment } from './moments.ts';

/** What a story is written from: a moment, with the reading and the rain behind it. */
export type MomentForStory = Pick<
  StoryInput,
  'moment' | 'band' | 'reading' | 'usual_calm' | 'network_calm' | 'rain_mm'
>;

type StoryMomentRow = MomentValues &
  Pick<MomentForStory, 'band' | 'usual_calm' | 'network_calm'> & { silence_reasons: string };

type ReadingRow = Omit<MomentForStory['reading'], 'anomaly_flag'> & { anomaly_flag: number };

const momentColumns = [
  ...[
    'primary_state',
    'calm_probability',
    'calm_level',
    'calm_change',
    'signal_saturation',
    'movement_friction',
  ],
  ...['fragility', 'half_life_minutes', 'expires_at', 'window_ends_at', 'window_held_share'],
  ...['window_expected_calm', 'silence_reasons', 'band', 'usual_calm', 'network_calm'],
].join(', ');

/** The moments of every pocket of a district at one slot that has a reading, in the order of their ids. */
export async function momentsForStories(
  store: Reader,
  slot: number,
  district = WHOLE_CITY,
): Promise<MomentForStory[]> {
  const [moments, readings, measured] = await Promise.all([
    rowsAt<StoryMomentRow>(store, 'moments', momentColumns, slot, district),
    rowsAt<ReadingRow>(
      store,
      'atmosphere_readings',
      'stress, calm, social_energy, productive, anomaly_flag',
      slot,
      district,
    ),
    rowsAt<Pick<MomentForStory, 'rain_mm'>>(store, 'snapshots', 'rain_mm', slot, district),
  ]);
  return [...moments.keys()].sort().flatMap((pocket) => {
    const [row, read] = [moments.get(pocket), readings.get(pocket)];
    if (!row || !read) return [];
    const { stress, calm, social_energy, productive, anomaly_flag } = read;
    return {
      moment: readMoment(row),
      band: row.band,
      reading: { stress, calm, social_energy, productive, anomaly_flag: anomaly_flag === 1 },
      usual_calm: row.usual_calm,
      network_calm: row.network_calm,
      rain_mm: measured.get(pocket)?.rain_mm ?? null,
    };
  });
}

/** The fields of a story in the order of `LiveStory`; it expires so many milliseconds after its slot. */
type PackedStory = [
  lasts: number,
  why_now: string,
  why_this_merchant: string | null,
  why_users_care: string,
  why_pocket_benefits: string,
  receipts: Receipts,
];

export async function writeStories(
  tx: Transaction,
  stories: readonly LiveStory[],
  district = WHOLE_CITY,
): Promise<void> {
  for (const [slot, own] of Map.groupBy(stories, (story) => story.slot))
    await writePacks(
      tx,
      'story_packs',
      { slot, district },
      new Map(own.map((story) => [story.pocket_id, pack(story)] as const)),
    );
}

const pack = (story: LiveStory): PackedStory => [
  story.expires_at - story.slot,
  story.why_now,
  story.why_this_merchant,
  story.why_users_care,
  story.why_pocket_benefits,
  story.receipts,
];

function unpack(
  slot: number,
  pocket_id: string,
  [lasts, why_now, why_this_merchant, why_users_care, why_pocket_benefits, receipts]: PackedStory,
): LiveStory {
  const clauses = { why_now, why_this_merchant, why_users_care, why_pocket_benefits };
  return { slot, pocket_id, expires_at: slot + lasts, ...clauses, receipts };
}

/** As versions up to 1.0 stored them, until they are packed (src/store/schema/pack-older-rows.ts). */
export interface OlderStory extends Omit<LiveStory, 'receipts' | 'why_this_merchant'> {
  /** Empty where it is left out. */
  why_this_merchant: string;
  /** JSON. */
  receipts: string;
}

export const fromOlder = (story: OlderStory): LiveStory => ({
  ...story,
  why_this_merchant: story.why_this_merchant || null,
  receipts: JSON.parse(story.receipts),
});

/** The stories of a slot, by pocket: of some pockets, or all. */
export async function storiesAt(
  store: Reader,
  slot: number,
  only?: ReadonlySet<string>,
): Promise<LiveStory[]> {
  const packed = await packedAt<PackedStory>(store, 'story_packs', slot, only);
  if (packed.size > 0) return [...packed].map(([pocket, story]) => unpack(slot, pocket, story));
  const older = await store.all<OlderStory>(
    'select * from stories_of_1_0 where slot = ? order by pocket_id',
    slot,
  );
  return older.map(fromOlder);
}

async function newestStory(store: Reader, pocket: string, now: number): Promise<LiveStory | null> {
  // A window is at most a few hours long; an older story has expired whatever followed.
  const after = now - LONGEST_HALF_LIFE * MINUTE;
  const packed = await newestPacked<PackedStory>(store, 'story_packs', pocket, { after, until: now });
  if (packed) return unpack(packed.slot, pocket, packed.entry);
  const older = await store.get<OlderStory>(
    'select * from stories_of_1_0 where pocket_id = ? and slot > ? and slot <= ? order by slot desc limit 1',
    pocket,
    after,
    now,
  );
  return older ? fromOlder(older) : null;
}

/**
 * The newest story of a pocket, with the window of the newest moment since, so that a pocket has one window at a time.
 * Null when that window is over, or when the pocket is no longer in the state that the story tells of. A newer story
 * replaces an older one that would last longer.
 */
export async function currentStory(store: Reader, pocket: string, now: number): Promise<LiveStory | null> {
  const story = await newestStory(store, pocket, now);
  if (!story) return null;
  const moments = await store.all<Pick<Moment, 'primary_state' | 'expires_at'>>(
    `select primary_state, expires_at from moments where pocket_id = ? and ${withinDays('slot')} order by slot`,
    pocket,
    ...windowAndDays({ after: story.slot - 1, until: now }),
  );
  const expires_at = moments.at(-1)?.expires_at ?? story.expires_at;
  const changed = moments.some(({ primary_state }) => primary_state !== moments[0]?.primary_state);
  if (changed || expires_at <= now) return null;
  return { ...story, expires_at };
}
