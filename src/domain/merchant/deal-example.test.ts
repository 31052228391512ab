import assert from 'node:assert/strict';
import { test } from 'node:test';
import { end, hours, outletUses, start } from '../../../test/support/rows/four-weeks.ts';
import { voiceFaults } from '../text/voice.ts';
import { isOpen } from '../time/opening-hours.ts';
import { DAY, HOUR, iso } from '../time/slot.ts';
import { singapore } from '../time/zones.fixture.ts';
import { type DealExample, dealExample } from './deal-example.ts';
import { usesWhileOpen } from './patterns/opening-day.ts';
import type { OutletUse } from './patterns/pattern.ts';
import { weekOfUse } from './week-of-use.ts';

const input = {
  ...{ zone: singapore, name: 'Tiong Bahru', now: end, currency: 'SGD' },
  outlet: { ...hours, typical_spend: 13.5, margin: 0.66 },
};
function makeExample(given: typeof input, counted: readonly OutletUse[]): DealExample | null {
  const uses = usesWhileOpen(given.outlet, counted, singapore);
  return dealExample(given, uses, weekOfUse(given.outlet, uses).hours);
}

test('the worked example of docs/formulas.md: the next quiet window, at its usual use', () => {
  assert.deepEqual(makeExample(input, outletUses), {
    at: start + 29 * DAY + 14 * HOUR,
    basis: 'quiet_window',
    use: 0.2,
    n: 16,
    proposal: {
      tier: 'experience',
      headline: 'a visit in tiong bahru at 11.80 SGD in place of 13.50, until about 15:00.',
      math: {
        ...{ regular_price_sgd: 13.5, proposed_price_sgd: 11.8, saving_sgd: 1.7 },
        ...{ currency: 'SGD', regular_price: 13.5, proposed_price: 11.8, saving: 1.7 },
      },
      merchant_reason:
        'about 80\u00a0% of its room is usually free at this hour, and the price keeps at least half of the margin.',
      mutual_benefit: 'room that is usually empty earns 11.80 SGD, and the visitor keeps 1.70 SGD.',
    },
  });
});

test('at any time of a week it is about an hour that is still to come and open', () => {
  for (let now = end; now < end + 7 * DAY; now += 5 * HOUR) {
    const example = makeExample({ ...input, now }, outletUses);
    assert.ok(example && example.at > now && isOpen(hours, example.at, singapore), iso(now));
    assert.deepEqual(voiceFaults(example.proposal.headline, 'emit'), []);
  }
});

test('without a quiet window it is the quietest open hour of the next day, also after midnight', () => {
  const late = { opens_at: '18:30', closes_at: '02:00' };
  const open = [18.5, 19, 20, 21, 22, 23, 24, 25];
  const counted = Array.from({ length: 28 }, (_, day) =>
    open.flatMap((hour) =>
      [0, 0.25].map((part) => ({
        slot: start + day * DAY + (hour + part) * HOUR,
        activity: hour === 25 ? 0.3 : 0.4,
      })),
    ),
  ).flat();
  const example = makeExample({ ...input, outlet: { ...input.outlet, ...late } }, counted);
  assert.deepEqual([example?.basis, example?.use], ['quietest_hour', 0.3]);
  assert.equal(singapore.localClock(example?.at ?? 0), '01:00');
  assert.ok((example?.at ?? 0) - end <= DAY);
});

test('there is none where nothing was counted, or where a usual hour leaves too little room', () => {
  assert.equal(makeExample(input, []), null);
  const full = outletUses.map((use) => ({ ...use, activity: 0.8 }));
  assert.equal(makeExample(input, full), null);
  const closed = outletUses.map(({ slot }) => ({ slot: slot - 6 * HOUR, activity: 0.1 }));
  assert.equal(makeExample(input, closed), null, 'what was counted while it was closed is not its use');
});
