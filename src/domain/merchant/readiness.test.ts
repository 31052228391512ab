import assert from 'node:assert/strict';
import { test } from 'node:test';
import { voiceFaults } from '../text/voice.ts';
import { type Cause, causes, readinessFrom, readinessStates } from './readiness.ts';

const all = Object.keys(causes) as Cause[];
const from = (cause: Cause, idle_pressure: number | null = null) =>
  readinessFrom({ slot: 900_000, outlet_id: 'o', pocket_id: 'p', cause, confidence: 0.9, idle_pressure });

test('each of the eight states has a cause, and the meaning of a stored cause is fixed', () => {
  const meaning = Object.fromEntries(
    readinessStates.map((state) => [state, all.filter((cause) => from(cause).state === state)]),
  );
  assert.deepEqual(meaning, {
    READY_FOR_COMFORT: ['rain', 'ease'],
    READY_FOR_SOCIAL: ['social'],
    READY_FOR_FOCUS: ['focus'],
    READY_FOR_FAMILIES: ['families'],
    READY_FOR_TAKEAWAY: ['takeaway'],
    READY_FOR_SPILLOVER: ['overflow', 'crowd'],
    PROTECTING_ATMOSPHERE: ['night', 'fragile', 'heard', 'settled'],
    DO_NOT_PUSH: ['closed', 'closing', 'unobserved', 'shut', 'full', 'tense', 'unsuited', 'usual'],
  });
});

test('every reason is short and passes the voice rules, and no two causes share one', () => {
  const reasons = new Set<string>();
  for (const cause of all) {
    for (const idle of [null, 0, 0.2, 0.5, 1]) {
      const { reason } = from(cause, idle);
      assert.deepEqual(voiceFaults(reason, 'emit'), [], reason);
      // No figure about one outlet, and no count of its neighbours.
      assert.doesNotMatch(reason, /\d/);
      reasons.add(`${cause} ${reason}`);
    }
  }
  assert.equal(new Set([...reasons].map((line) => line.replace(/^\w+ /, ''))).size, reasons.size);
});

test('reason and signals are derived from the stored record', () => {
  const table: [cause: Cause, idle: number | null, reason: string, signals: string[]][] = [
    ['closed', null, 'closed, outside its opening hours.', ['opening_hours']],
    ['full', 0, 'close to full.', ['opening_hours', 'outlet_activity', 'usual_level']],
    [
      'focus',
      0.4,
      'room in a working hour; under its usual level.',
      ['opening_hours', 'outlet_activity', 'atmosphere', 'usual_level'],
    ],
    [
      'rain',
      0.5,
      'room under cover while it rains; far under its usual level.',
      ['opening_hours', 'outlet_activity', 'atmosphere', 'rain_mm', 'usual_level'],
    ],
    [
      'overflow',
      0.1,
      'room while places nearby are fuller than usual; near its usual level.',
      ['opening_hours', 'outlet_activity', 'neighbouring_outlets', 'usual_level'],
    ],
    [
      'social',
      null,
      'room while people are out in company.',
      ['opening_hours', 'outlet_activity', 'atmosphere'],
    ],
  ];
  for (const [cause, idle, reason, signals] of table) {
    const readiness = from(cause, idle);
    assert.deepEqual([readiness.reason, readiness.signals], [reason, signals]);
    assert.deepEqual([readiness.slot, readiness.outlet_id, readiness.pocket_id], [900_000, 'o', 'p']);
    assert.deepEqual([readiness.confidence, readiness.idle_pressure], [0.9, idle]);
  }
});
