import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { at, moment, situation } from '../../../test/support/rows/example-moment.ts';
import { noMomentReasons } from '../atmosphere/no-moment.ts';
import { voiceFaults } from '../text/voice.ts';
import { HOUR, SLOT } from '../time/slot.ts';
import { singapore } from '../time/zones.fixture.ts';
import { decide } from './decide.ts';
import { type Gate, gates, gatesInOrder, toGateResults } from './gates.ts';
import { type LayerScores, resonanceLayers } from './resonance.ts';
import {
  findSilenceReason,
  gateClosedBy,
  isSilenceReason,
  pauseAt,
  pauseKinds,
  type Reason,
  reasonOrder,
  reasonText,
  silenceReasons,
} from './silence-reason.ts';

const layers = Object.fromEntries(resonanceLayers.map((layer) => [layer, 0.9])) as LayerScores;
const line = 'a quiet hour; calmer than usual; until about quarter to one.';
const scores = (closed: readonly Gate[]) =>
  toGateResults(
    Object.fromEntries(gates.map((gate) => [gate, closed.includes(gate) ? 0 : 1])) as Record<Gate, number>,
  );
const reasonWhen = (closed: readonly Gate[], silence_reasons: string[] = [], text = line) =>
  findSilenceReason({ moment: { silence_reasons }, layers, gates: scores(closed), line: text });

test('the worked example of docs/formulas.md', () => {
  assert.equal(pauseAt(at, null, singapore), null);
  assert.equal(decide(situation).reason, 'resonance_human_energy');
  const tense = { ...moment, should_stay_silent: true, silence_reasons: [reasonText.tense] };
  assert.equal(decide({ ...situation, moment: tense }).reason, 'tense');
  assert.equal(pauseAt(at, at + SLOT, singapore), 'already_speaking');
  assert.equal(pauseAt(at + 8 * HOUR, at + 9 * HOUR, singapore), 'quiet_hours');
});

describe('a pause', () => {
  const clock = (hhmm: string) => Date.parse(`2026-11-11T${hhmm}:00+08:00`);
  test('from 23:00 to 07:00, whether a line is live or not', () => {
    for (const [hhmm, pause] of [
      ['06:45', 'quiet_hours'],
      ['07:00', null],
      ['22:45', null],
      ['23:00', 'quiet_hours'],
    ] as const) {
      assert.equal(pauseAt(clock(hhmm), null, singapore), pause);
      assert.equal(pauseAt(clock(hhmm), clock(hhmm) + 1, singapore), pause ?? 'already_speaking');
    }
  });

  test('a line is live until it expires, and not at that very slot', () => {
    assert.equal(pauseAt(at, at + 1, singapore), 'already_speaking');
    assert.equal(pauseAt(at, at, singapore), null);
  });
});

test('the order is written once: the moment, the gates, the voice', () => {
  const inOrder = reasonOrder.filter((step) => (gates as readonly string[]).includes(step));
  assert.deepEqual(['moment_silence', ...inOrder], gatesInOrder);
  assert.deepEqual(reasonOrder.slice(0, pauseKinds.length + noMomentReasons.length), [
    ...pauseKinds,
    ...noMomentReasons,
  ]);
  assert.equal(reasonOrder.at(-1), 'voice');
});

test('of several causes the earliest is stated', () => {
  const all = [...gates];
  const own = ['no_norm', 'tense', 'fragile', 'heard_enough'] as const;
  for (const [n, reason] of own.entries())
    assert.equal(
      reasonWhen(
        all,
        own.slice(n).map((later) => reasonText[later]),
      ),
      reason,
    );
  const rest = all.filter((gate) => gate !== 'moment_silence');
  assert.equal(reasonWhen(rest), 'resonance_time', 'of layers as weak the first');
  for (const [n, gate] of rest.entries())
    if (gate !== 'resonance') assert.equal(reasonWhen(rest.slice(n)), gate);
  assert.equal(reasonWhen(rest.slice(3), [], 'Hurry!'), 'why_this_person');
  assert.equal(reasonWhen([], [], 'Hurry!'), 'voice');
  assert.equal(reasonWhen([]), null);
});

test('resonance is stated with its weakest layer', () => {
  for (const layer of resonanceLayers)
    assert.equal(
      findSilenceReason({
        moment: { silence_reasons: [] },
        layers: { ...layers, [layer]: 0.2 },
        gates: scores(['resonance']),
        line,
      }),
      `resonance_${layer}`,
    );
});

test('the stated reason closes a gate that is closed, and no earlier one is', () => {
  const closed = fc.subarray<Gate>(gates.filter((gate) => gate !== 'moment_silence'));
  fc.assert(
    fc.property(closed, (gates) => {
      const reason = reasonWhen(gates);
      if (!reason) return assert.deepEqual(gates, []);
      const gate = gateClosedBy(reason) as Gate;
      assert.ok(gates.includes(gate));
      const earlier = gatesInOrder.slice(0, gatesInOrder.indexOf(gate));
      assert.ok(!earlier.some((other) => gates.includes(other)));
    }),
  );
});

test('every reason has words of its own that pass the voice rules, and those of a moment close moment_silence', () => {
  const reasons = Object.keys(reasonText) as Reason[];
  assert.equal(new Set(Object.values(reasonText)).size, reasons.length);
  for (const text of Object.values(reasonText)) assert.deepEqual(voiceFaults(text), [], text);
  assert.deepEqual(reasons.filter(isSilenceReason).toSorted(), [...silenceReasons].sort());
  assert.deepEqual(new Set(silenceReasons.map(gateClosedBy)), new Set([...gates, 'voice']));
  assert.equal(gateClosedBy('fragile'), 'moment_silence');
});
