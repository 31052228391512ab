import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { at, coolerPressures, moment, situation } from '../../../test/support/rows/example-moment.ts';
import { decide } from '../decision/decide.ts';
import { voiceFaults } from '../text/voice.ts';
import { DAY, MINUTE, SLOT } from '../time/slot.ts';
import { singapore } from '../time/zones.fixture.ts';
import {
  type Backtest,
  economicRange,
  emptyBacktest,
  replay,
  withheldCount,
  withholdingReasons,
} from './autopilot.ts';
import type { PastMoment } from './replay.ts';

const outlet = { opens_at: '07:30', closes_at: '18:00', seats: 34, typical_spend: 13.5, margin: 0.66 };
const { quality, layers } = decide({ ...situation, pressures: coolerPressures });

/** The example three degrees cooler, at another slot, with nothing said by the service. */
const past = (slot: number, activity = 0.4, more: Partial<PastMoment> = {}) => ({
  moment: { ...moment, signal_saturation: 0, expires_at: slot + 36 * MINUTE },
  factors: quality.factors,
  layers: { ...layers, attention_density: 1 },
  reading: { slot, calm: 0.8, stress: 0.3 },
  usual_stress: 0.4,
  usual_calm: 0.5,
  network_calm: 0.6,
  line_live: false,
  fatigue: 0.1,
  activity,
  ...more,
});
const run = (moments: Parameters<typeof replay>[3], before = emptyBacktest): Backtest =>
  replay(before, 'Tiong Bahru', outlet, moments, singapore);

test('the worked example of docs/formulas.md', () => {
  const { surfaced } = run([past(at)]);
  assert.deepEqual(
    surfaced.map(({ slot, spare_capacity, line }) => ({ slot, spare_capacity, line })),
    [
      {
        slot: at,
        spare_capacity: 0.6,
        line: 'tiong bahru is quiet and at work; much calmer than usual; until about half past four.',
      },
    ],
  );
  assert.deepEqual(economicRange({ surfaced }, outlet), { low: 3.64, midpoint: 9.09, high: 14.54 });
});

test('while its own line is live nothing is decided; then it raises the saturation of the next decisions, for a day', () => {
  const slots = Array.from({ length: 8 }, (_, quarter) => at + quarter * SLOT);
  const { surfaced, withheld, paused } = run(slots.map((slot) => past(slot)));
  // A line is live for 36 minutes. The other layers come to 0.631, so that 0.208 may be taken up; 0.3 is down to that
  // after 48 minutes.
  assert.deepEqual(
    surfaced.map(({ slot }) => (slot - at) / MINUTE),
    [0, 60],
  );
  assert.deepEqual(withheld, { resonance_attention_density: 2 });
  assert.deepEqual(paused, { quiet_hours: 0, already_speaking: 4 });
  assert.equal(run([past(at + DAY)], run([past(at)])).surfaced.length, 2);
});

test('packages that were published count as well', () => {
  const said = {
    moment: { ...moment, signal_saturation: 0.3 },
    layers: { ...layers, attention_density: 0.7 },
  };
  assert.deepEqual(run([past(at, 0.4, said)]).withheld, { resonance_attention_density: 1 });
  const { surfaced, withheld, paused } = run([past(at, 0.4, { line_live: true })]);
  assert.deepEqual([surfaced, withheld, paused.already_speaking], [[], {}, 1], 'it is live');
});

test('nothing is decided in quiet hours', () => {
  const late = at + 8 * 60 * MINUTE;
  const bar = { ...outlet, opens_at: '17:00', closes_at: '02:00' };
  const { surfaced, withheld, paused } = replay(emptyBacktest, 'Tiong Bahru', bar, [past(late)], singapore);
  assert.deepEqual([surfaced, withheld, paused.quiet_hours], [[], {}, 1]);
});

test('no decision while the outlet is closed or has no activity', () => {
  const midnight = at - 15 * 60 * MINUTE;
  for (const [hour, activity, decisions] of [
    [7.25, 0.4, 0],
    [7.5, 0.4, 1],
    [17.75, 0.4, 1],
    [18, 0.4, 0],
    [15, 0, 0],
  ] as const) {
    const { first, surfaced, ...rest } = run([past(midnight + hour * 60 * MINUTE, activity)]);
    assert.equal(surfaced.length + withheldCount({ first, surfaced, ...rest }), decisions, `${hour}`);
    assert.equal(first === null, decisions === 0);
  }
});

test('reasons are counted, the most frequent first, resonance by its weakest layer', () => {
  const withheld = {
    why_now: 3,
    resonance_human_energy: 5,
    tense: 3,
    voice: 1,
  };
  assert.deepEqual(withholdingReasons({ ...emptyBacktest, withheld }), [
    {
      gate: 'resonance',
      reason: 'resonance_human_energy',
      reason_text: 'not enough reasons to speak, mainly because of a strained or empty street',
      count: 5,
    },
    { gate: 'moment_silence', reason: 'tense', reason_text: 'the pocket is tense', count: 3 },
    { gate: 'why_now', reason: 'why_now', reason_text: 'no reason to say it at this hour', count: 3 },
    { gate: 'voice', reason: 'voice', reason_text: 'the drafted line broke the style rules', count: 1 },
  ]);
});

test('an outlet without seats counts as six places; no lines give no value', () => {
  const { surfaced } = run([past(at)]);
  assert.equal(economicRange({ surfaced }, { ...outlet, seats: 0 }).midpoint, 1.6);
  assert.deepEqual(economicRange(emptyBacktest, outlet), { low: 0, midpoint: 0, high: 0 });
});

const share = fc.double({ min: 0, max: 1, noNaN: true });
const history = fc.array(
  fc.record({ gap: fc.integer({ min: 1, max: 40 }), activity: share, calm: share, physical: share }),
  { maxLength: 60 },
);
const pastMoments = (rows: { gap: number; activity: number; calm: number; physical: number }[]) => {
  let slot = at;
  return rows.map(({ gap, activity, calm, physical }) => {
    slot += gap * SLOT;
    return past(slot, activity, {
      layers: { ...layers, attention_density: 1, physical },
      reading: { slot, calm, stress: 0.3 },
    });
  });
};

test('for any history: counts add up, the range is ordered, lines pass the voice rules', () => {
  fc.assert(
    fc.property(history, (rows) => {
      const moments = pastMoments(rows);
      const backtest = run(moments);
      const alone = moments.filter((one) => {
        const { surfaced, withheld } = run([one]);
        return surfaced.length + Object.keys(withheld).length === 1;
      });
      const { quiet_hours, already_speaking } = backtest.paused;
      assert.equal(backtest.surfaced.length + withheldCount(backtest) + already_speaking, alone.length);
      assert.equal(quiet_hours, 0, 'the outlet is closed then');
      const counts = withholdingReasons(backtest).map(({ count }) => count);
      assert.equal(
        counts.reduce((sum, count) => sum + count, 0),
        withheldCount(backtest),
      );
      const { low, midpoint, high } = economicRange(backtest, outlet);
      assert.ok(0 <= low && low <= midpoint && midpoint <= high);
      for (const { line } of backtest.surfaced) assert.deepEqual(voiceFaults(line, 'emit'), [], line);
      for (const { reason_text } of withholdingReasons(backtest))
        assert.deepEqual(voiceFaults(reason_text), []);
    }),
  );
});

test('replaying a history in parts gives the same result', () => {
  fc.assert(
    fc.property(history, fc.nat(), (rows, cut) => {
      const moments = pastMoments(rows);
      const at = cut % (moments.length + 1);
      assert.deepEqual(run(moments.slice(at), run(moments.slice(0, at))), run(moments));
    }),
  );
});
