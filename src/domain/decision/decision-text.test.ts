import assert from 'node:assert/strict';
import { test } from 'node:test';
import { faultsOf } from '../text/voice.ts';
import { type ClosedGate, closedGateText, decisionLine } from './decision-text.ts';
import { gates } from './gates.ts';

const decided = { pocket_id: 'holland', slot: Date.parse('2026-11-11T06:15:00Z'), legitimacy_score: 52.3 };

test('the line of a silence names the closed gate', () => {
  assert.equal(
    decisionLine({ ...decided, gate: 'resonance' }),
    'holland was left in silence at 14:15 SGT on 2026-11-11: too little resonance; legitimacy 52.3 against a threshold of 70.',
  );
});

test('the line of a package says that every gate was open', () => {
  assert.equal(
    decisionLine({ ...decided, gate: null, legitimacy_score: 81 }),
    'holland was spoken of at 14:15 SGT on 2026-11-11: every gate was open; legitimacy 81 against a threshold of 70.',
  );
});

test('every gate has a text of its own that passes the voice rules', () => {
  assert.deepEqual(Object.keys(closedGateText), [...gates, 'voice']);
  assert.equal(new Set(Object.values(closedGateText)).size, gates.length + 1);
  for (const gate of [null, ...(Object.keys(closedGateText) as ClosedGate[])]) {
    assert.deepEqual(faultsOf(decisionLine({ ...decided, gate })), [], String(gate));
  }
});
