import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { clockOf, DAY, HOUR, MINUTE, SLOT } from '../time/sgt.ts';
import { type ClosedGate, closedGateText } from './decision-text.ts';
import { isSleepHour, saturationOf } from './moment.ts';
import type { MqsBand } from './moment-quality.ts';
import { type LayerScores, resonanceLayers } from './resonance.ts';
import { nextPossibleWindow, type SignalStatus, signalStatus } from './signal-status.ts';

describe('the signal status', () => {
  const calm = { calm_probability: 0.8, fragility: 0.2, should_stay_silent: false };
  const hushed = { ...calm, should_stay_silent: true };
  const table: [moment: typeof calm, band: MqsBand, live: boolean, status: SignalStatus][] = [
    [calm, 'peak', true, 'ACTIVE_INTERVENTION'],
    [hushed, 'decaying', true, 'ACTIVE_INTERVENTION'],
    [calm, 'decaying', false, 'DECAY_WINDOW'],
    [hushed, 'decaying', false, 'DECAY_WINDOW'],
    [calm, 'forming', false, 'FORMING_WINDOW'],
    [calm, 'high_resonance', false, 'FORMING_WINDOW'],
    [calm, 'peak', false, 'FORMING_WINDOW'],
    [hushed, 'peak', false, 'WITHHOLD_INTENTIONAL'],
    [calm, 'weak', false, 'STABLE_CALM'],
    [hushed, 'silent', false, 'STABLE_CALM'],
    [{ ...calm, calm_probability: 0.6, fragility: 0.5 }, 'silent', false, 'STABLE_CALM'],
    [{ ...calm, calm_probability: 0.599 }, 'weak', false, 'WITHHOLD_INTENTIONAL'],
    [{ ...calm, fragility: 0.501 }, 'weak', false, 'WITHHOLD_INTENTIONAL'],
  ];
  for (const [moment, band, live, status] of table) {
    test(`${JSON.stringify(moment)} ${band}${live ? ', live' : ''} → ${status}`, () => {
      assert.equal(signalStatus({ moment, band, live }), status);
    });
  }
});

describe('the next possible window', () => {
  const at = (clock: string, day = '2026-11-11') => Date.parse(`${day}T${clock}:00+08:00`);
  const open = Object.fromEntries(resonanceLayers.map((layer) => [layer, 1])) as LayerScores;
  const window = (
    now: number,
    gate: ClosedGate | null,
    { minutes = 45, layers = {} as Partial<LayerScores>, spoken = [] as number[] } = {},
  ) => {
    const moment = { expires_at: now + minutes * MINUTE };
    return nextPossibleWindow({ now, moment, layers: { ...open, ...layers }, gate, spoken });
  };

  test('the worked example of docs/formulas.md', () => {
    // 23:30, no recent packages. Awakeness is 0.5 at 07:15.
    assert.equal(window(at('23:30'), 'resonance', { layers: { time: 0 } }), at('07:15', '2026-11-12'));
    // 14:00, just spoken, the other layers at 0.72: saturation may be 0.305, and is 0.3 at once.
    assert.equal(
      window(at('14:00'), null, { layers: { physical: 0.72 }, spoken: [at('14:00')] }),
      at('14:15'),
    );
    // At 0.6 it may be 0.166, which takes 90 × log2(0.3 ÷ 0.1667) = 76 minutes; the moment is over before.
    const spoken = [at('14:00')];
    assert.equal(window(at('14:00'), null, { minutes: 120, layers: { physical: 0.6 }, spoken }), at('15:30'));
  });

  test('a gate closed by the state stays closed until the moment expires', () => {
    for (const gate of Object.keys(closedGateText) as ClosedGate[]) {
      if (gate === 'resonance') continue;
      assert.equal(clockOf(window(at('14:00'), gate)), '14:45', gate);
    }
    assert.equal(clockOf(window(at('14:00'), 'why_now', { minutes: 46 })), '15:00');
    assert.equal(clockOf(window(at('14:00'), 'resonance', { layers: { physical: 0.49 } })), '14:45');
  });

  test('after an expired moment the next slot is possible', () => {
    assert.equal(clockOf(window(at('14:07'), 'why_now', { minutes: 0 })), '14:15');
  });

  test('saturation and hours for sleep delay it', () => {
    const spoken = Array.from({ length: 12 }, (_, n) => at('13:45') - n * SLOT);
    assert.ok(saturationOf(spoken, at('14:00')) > 0.8);
    const first = window(at('14:00'), 'resonance', { spoken });
    assert.ok(saturationOf(spoken, first) <= 0.5 && saturationOf(spoken, first - SLOT) > 0.5);
    assert.equal(window(at('22:20'), 'why_now', { minutes: 90 }), at('07:15', '2026-11-12'));
  });

  test('is always a future slot of the waking day, within a day', () => {
    const times = fc.integer({ min: at('00:00'), max: at('00:00') + 3 * DAY });
    const gates = fc.constantFrom(null, ...(Object.keys(closedGateText) as ClosedGate[]));
    const given = fc.record({
      minutes: fc.integer({ min: 0, max: 240 }),
      ago: fc.array(fc.integer({ min: 0, max: 23 * 4 }), { maxLength: 20 }),
      physical: fc.double({ min: 0, max: 1, noNaN: true }),
    });
    fc.assert(
      fc.property(times, gates, given, (now, gate, { minutes, ago, physical }) => {
        const spoken = ago.map((slots) => now - slots * SLOT);
        const next = window(now, gate, { minutes, layers: { physical }, spoken });
        assert.equal(next % SLOT, 0);
        assert.ok(next > now && next <= now + DAY + HOUR);
        assert.ok(!isSleepHour(next));
      }),
    );
  });
});
