import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { DAY, SLOT } from '../time/slot.ts';
import { localZone, singapore } from '../time/zones.fixture.ts';
import type { MqsBand } from './moment-quality.ts';
import {
  type NextWindowInput,
  nextPossibleWindow,
  type SignalStatus,
  signalStatus,
  WINDOW_RECORD,
} from './signal-status.ts';

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
  /** The same clock time on each of the days before Wednesday 11 November. */
  const before = (clock: string, days: readonly number[]) => days.map((ago) => at(clock) - ago * DAY);
  const calendar = { zone: singapore, weekend: [5, 6], holidays: [] };
  const seen = { live_until: null, since: at('00:00') - WINDOW_RECORD, calendar };
  const window = (now: number, began: number[], more: Partial<NextWindowInput> = {}) =>
    nextPossibleWindow({ ...seen, now, began, ...more });
  // 10, 9, 6, 5 November: working days. 7, 8, 1 November: days of rest.
  const worked = [1, 2, 5, 6];
  const rested = [4, 3, 10];

  test('the worked example of docs/formulas.md', () => {
    const began = [...before('08:15', worked), ...before('10:00', [1]), ...before('19:45', [1, 2, 5])];
    assert.deepEqual(window(at('02:00'), began), {
      at: at('08:00'),
      share: 0.095,
      reason: 'a line began between 08:00 and 08:30 SGT on 4 of 22 working days',
    });
    assert.deepEqual(window(at('12:10'), began), {
      at: at('19:30'),
      share: 0.071,
      reason: 'a line began between 19:30 and 20:00 SGT on 3 of 22 working days',
    });
  });

  test('working days and days of rest are counted apart, holidays among the latter', () => {
    // Of three days of rest in a week ten are known.
    const long = { ...calendar, weekend: [4, 5, 6] };
    const rested = [3, 4, 5, 10];
    const began = [...before('08:15', [1, 2, 6]), ...before('11:15', rested)];
    assert.equal(window(at('09:00', '2026-11-12'), began, { calendar: long }).at, null);
    const friday = window(at('22:00', '2026-11-12'), began, { calendar: long });
    assert.equal(friday.at, at('11:00', '2026-11-13'));
    assert.match(friday.reason, /on 4 of \d\d days of rest$/);
    const holidays = ['2026-11-11'];
    assert.equal(window(at('02:00'), began, { calendar: { ...long, holidays } }).at, at('11:00'));
  });

  test('with fewer than ten days of the kind, all days count together', () => {
    const began = [...before('08:15', worked), ...before('11:15', rested)];
    const saturday = window(at('22:00', '2026-11-13'), began);
    assert.equal(saturday.at, at('08:00', '2026-11-14'));
    assert.match(saturday.reason, /on 4 of 30 days$/);
  });

  test('half hours are those of the clock, also before a change of clocks', () => {
    const zone = localZone('Europe/Berlin');
    const now = zone.atLocal('2026-10-27', '02:00');
    // Lines at 08:15 on working days: before the change that is 06:15 UTC, after it 07:15.
    const began = ['22', '23', '26'].map((day) => zone.atLocal(`2026-10-${day}`, '08:15'));
    const next = window(now, began, {
      calendar: { ...calendar, zone },
      since: now - 14 * DAY,
    });
    assert.equal(next.at, zone.atLocal('2026-10-27', '08:00'));
    assert.equal(next.reason, 'a line began between 08:00 and 08:30 CET on 3 of 10 working days');
  });

  test('none begins beside a live line, nor in a half hour that has begun', () => {
    const began = [...before('08:15', worked), ...before('09:45', worked)];
    assert.equal(window(at('07:59'), began).at, at('08:00'));
    assert.equal(window(at('08:05'), began).at, at('09:30'));
    assert.equal(window(at('07:00'), began, { live_until: at('08:20') }).at, at('09:30'));
  });

  test('null, with the reason, where lines were too few or the pocket is too new', () => {
    assert.deepEqual(window(at('12:00'), before('08:15', [1, 2])), {
      at: null,
      share: null,
      reason: 'in no half hour of the coming day did a line begin on 3 or more, and a tenth, of such days',
    });
    const reason = 'the pocket has been observed for fewer than 10 days';
    for (const since of [null, at('12:00') - 10 * DAY + SLOT])
      assert.deepEqual(window(at('12:00'), before('08:15', [1, 2]), { since }), {
        at: null,
        share: null,
        reason,
      });
  });

  test('is always a coming half hour within a day, in which lines began on three days', () => {
    const slots = fc.array(fc.integer({ min: 1, max: 30 * 96 }), { maxLength: 300 });
    fc.assert(
      fc.property(slots, fc.integer({ min: 0, max: DAY }), (ago, later) => {
        const now = at('00:00') + later;
        const began = ago.map((count) => at('00:00') - count * SLOT);
        const next = window(now, began).at;
        if (next === null) return;
        assert.equal(next % (2 * SLOT), 0);
        assert.ok(next > now && next < now + DAY);
        const same = began.filter((slot) => (((slot - next) % DAY) + DAY) % DAY < 2 * SLOT);
        assert.ok(new Set(same.map((slot) => Math.floor(slot / DAY))).size >= 3);
      }),
    );
  });
});
