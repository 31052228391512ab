// Fixture briefs, each with the live story it refers to.
import type { MomentBrief } from '../../../src/domain/merchant/brief.ts';
import { valueStack } from '../../../src/domain/merchant/value-stack.ts';
import { HOUR, MINUTE } from '../../../src/domain/time/slot.ts';
import { writeStories } from '../../../src/store/decision/live-stories.ts';
import type { Store } from '../../../src/store/engine/store.ts';
import { writeBriefs } from '../../../src/store/merchant/briefs.ts';

type BriefFixture = Partial<MomentBrief> & { slot: number };

export const cafe = '76a79a20-8ce3-432d-8c1e-112b88ef9510';

export const exampleBrief = ({ slot, ...more }: BriefFixture): MomentBrief => ({
  id: `made-${slot}.brief1`,
  slot,
  pocket_id: 'tiongbahru',
  outlet_id: cafe,
  state: 'READY_FOR_FOCUS',
  line: 'calm-productive outside and room inside.',
  value_stack: valueStack({
    category: 'cafe',
    seats: 34,
    state: 'READY_FOR_FOCUS',
    idle_pressure: 0.3,
    spare_capacity: 0.5,
    calm: 0.8,
    rain: 0,
    half_life_minutes: 60,
    window_minutes: 60,
    day_gone: 0.5,
  }),
  window_start: slot + 15 * MINUTE,
  window_end: slot + HOUR + 15 * MINUTE,
  expires_at: slot + 45 * MINUTE,
  ...more,
});

/** All briefs of a pocket in a slot share one story. */
export const writeBriefFixtures = (store: Store, all: readonly BriefFixture[]): Promise<void> =>
  store.transaction(async (tx) => {
    const briefs = all.map(exampleBrief);
    await writeBriefs(tx, briefs);
    const stories = new Map(
      briefs.map(({ slot, pocket_id }) => [`${slot} ${pocket_id}`, { slot, pocket_id }]),
    );
    await writeStories(
      tx,
      [...stories.values()].map(({ slot, pocket_id }) => ({
        pocket_id,
        slot,
        expires_at: slot + 20 * MINUTE,
        why_now: 'an ordinary hour.',
        why_this_merchant: 'the 6 outlets here are 25\u00a0% in use.',
        why_users_care: "the hour suits 'calm work'.",
        why_pocket_benefits: 'visits in a calm hour spare the crowded ones.',
        receipts: { outlets: 6, people: null, intents: [] },
      })),
    );
  });
