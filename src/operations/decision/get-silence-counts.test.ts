import assert from 'node:assert/strict';
import { test } from 'node:test';
import { askOperation } from '../../../test/support/answers/ask-operation.ts';
import { type DecisionFixture, writeDecisions } from '../../../test/support/rows/decisions.ts';
import { describeStores } from '../../../test/support/stores/store-places.ts';
import { storeFor } from '../../../test/support/stores/suite-store.ts';
import { DAY, SLOT } from '../../domain/time/slot.ts';
import { getSilenceCounts } from './get-silence-counts.ts';

const noon = Date.parse('2026-11-11T04:00:00Z');
const midnight = Date.parse('2026-11-10T16:00:00Z');

const made: DecisionFixture[] = [
  { slot: noon, gate: 'resonance' },
  { slot: noon - SLOT, gate: null, vindicated: false },
  { slot: midnight, gate: 'resonance', vindicated: true, minutes: 1.5 },
  { slot: midnight - SLOT, gate: 'why_now', vindicated: true, minutes: 2.25 },
  { pocket: 'dempsey', slot: midnight, gate: 'resonance', vindicated: true, minutes: 4 },
  { pocket: 'dempsey', slot: noon - 7 * DAY + SLOT, gate: 'voice', vindicated: false },
  { pocket: 'dempsey', slot: noon - 7 * DAY, gate: 'why_now', vindicated: true, minutes: 100 },
  { pocket: 'dempsey', slot: midnight - SLOT, gate: null, pause: 'quiet_hours' },
  { pocket: 'dempsey', slot: noon, gate: null, pause: 'already_speaking' },
];

const none = { already_speaking_count: 0, quiet_hours_count: 0 };
const noCells = { spoke_served: 0, spoke_failed: 0, silent_right: 0, silent_wrong: 0, inconclusive: 0 };
const judged = (cells: Partial<typeof noCells> = {}) => ({ decisions_judged: { ...noCells, ...cells } });
const time = (minutes_said: number, minutes_silent: number, share_said: number | null) => ({
  waking_time: { minutes_said, minutes_silent, share_said },
});

describeStores('get_silence_counts', (makePlace) => {
  const store = storeFor(makePlace, (store) => writeDecisions(store, made));
  const ask = (window?: string, now = noon) =>
    askOperation(getSilenceCounts, store(), now, window === undefined ? {} : { window });

  test('totals, by pocket, by reason and by Singapore date', async () => {
    const { structured, text } = await ask();
    assert.deepEqual(structured, {
      window: '7d',
      total_silenced: 5,
      silence_rate: 0.833,
      already_speaking_count: 1,
      quiet_hours_count: 1,
      attention_minutes_preserved: 7.8,
      per_pocket: [
        {
          pocket_id: 'tiongbahru',
          count: 3,
          ...none,
          attention_minutes_preserved: 3.8,
          ...time(15, 45, 0.25),
          ...judged({ spoke_failed: 1, silent_right: 2 }),
        },
        {
          pocket_id: 'dempsey',
          count: 2,
          already_speaking_count: 1,
          quiet_hours_count: 1,
          attention_minutes_preserved: 4,
          ...time(15, 30, 0.333),
          ...judged({ silent_right: 1, silent_wrong: 1 }),
        },
      ],
      per_reason: [
        {
          reason: 'resonance_physical',
          reason_text: 'not enough reasons to speak, mainly because of rain, heat or heavy air',
          gate: 'resonance',
          count: 3,
        },
        { reason: 'voice', reason_text: 'the drafted line broke the style rules', gate: 'voice', count: 1 },
        { reason: 'why_now', reason_text: 'no reason to say it at this hour', gate: 'why_now', count: 1 },
      ],
      daily_counts: [
        { date: '2026-11-04', count: 1, ...none, ...time(0, 15, 0), ...judged({ silent_wrong: 1 }) },
        { date: '2026-11-05', count: 0, ...none, ...time(0, 0, null), ...judged() },
        { date: '2026-11-06', count: 0, ...none, ...time(0, 0, null), ...judged() },
        { date: '2026-11-07', count: 0, ...none, ...time(0, 0, null), ...judged() },
        { date: '2026-11-08', count: 0, ...none, ...time(0, 0, null), ...judged() },
        { date: '2026-11-09', count: 0, ...none, ...time(0, 0, null), ...judged() },
        {
          date: '2026-11-10',
          count: 1,
          ...none,
          quiet_hours_count: 1,
          ...time(0, 15, 0),
          ...judged({ silent_right: 1 }),
        },
        {
          date: '2026-11-11',
          count: 3,
          ...none,
          already_speaking_count: 1,
          ...time(30, 45, 0.4),
          ...judged({ spoke_failed: 1, silent_right: 2 }),
        },
      ],
      ...time(30, 75, 0.286),
      ...judged({ spoke_failed: 1, silent_right: 3, silent_wrong: 1 }),
    });
    assert.equal(
      text,
      'over the last 7d, a line was live for 28.6\u00a0% of waking time: 30 minutes said, 75 minutes silent. 5 silences, 83\u00a0% of the decisions in waking hours; an estimated 8 minutes of attention were preserved. the commonest reason: not enough reasons to speak, mainly because of rain, heat or heavy air (3); most were in tiongbahru (3). of 1 line judged 0 served (0.0\u00a0%), of 4 silences 3 were right (75.0\u00a0%). counted apart: 1 quarter hour with a line still live, 1 at night.',
    );
  });

  test('the days add up to the total, whatever the window', async () => {
    for (const [window, total, days] of [
      ['7d', 5, 8],
      ['14d', 6, 15],
      ['30d', 6, 31],
    ] as const) {
      const { structured } = await ask(window);
      assert.equal(structured.total_silenced, total);
      assert.equal(structured.daily_counts.length, days);
      assert.equal(
        structured.daily_counts.reduce((sum, { count }) => sum + count, 0),
        total,
      );
    }
  });

  test('a window that ends at midnight begins with a whole day', async () => {
    const { daily_counts } = (await ask('7d', midnight)).structured;
    assert.deepEqual([daily_counts[0]?.date, daily_counts.at(-1)?.date], ['2026-11-04', '2026-11-11']);
  });

  test('nothing was decided in the window', async () => {
    const { structured, text } = await ask('7d', noon - 60 * DAY);
    assert.equal(structured.total_silenced, 0);
    assert.equal(
      text,
      'over the last 7d, no waking time was observed. no silence. no line was judged, no silence was judged. counted apart: 0 quarter hours with a line still live, 0 at night.',
    );
  });
});
