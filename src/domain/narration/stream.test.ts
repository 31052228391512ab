import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actualOf, expectedOf, newestFirst, type StreamEvent } from './stream.ts';

const narration = (at: number, id: string): StreamEvent => ({
  ...{ type: 'narration', at, id, pocket_id: 'dempsey', tier: 'atmosphere', body: 'a quiet hour.' },
});
const prediction = (at: number, id: string): StreamEvent => ({
  ...{
    type: 'prediction',
    at,
    id,
    pocket_id: 'dempsey',
    generator: 'g',
    expected: 1,
    actual: 1,
    accuracy: 1,
  },
});
const saving = (at: number): StreamEvent => ({
  ...{ type: 'sustainability', at, pocket_id: 'dempsey', kind: 'waste_avoided', value: 2, dollar_value: 3.5 },
});

test('newest first; within a slot narrations, then forecasts, then sustainability events', () => {
  const events = [
    saving(2),
    prediction(2, 'b'),
    prediction(2, 'a'),
    narration(1, 'c'),
    narration(2, 'd'),
    saving(3),
  ];
  const firstEvents = (limit: number) =>
    newestFirst(events, limit).map((event) =>
      `${event.at} ${event.type} ${'id' in event ? event.id : ''}`.trim(),
    );
  const all = [
    '3 sustainability',
    '2 narration d',
    '2 prediction b',
    '2 prediction a',
    '2 sustainability',
    '1 narration c',
  ];
  assert.deepEqual(firstEvents(10), all);
  assert.deepEqual(firstEvents(2), all.slice(0, 2));
  assert.deepEqual(newestFirst([], 5), []);
});

test('expected and actual are a state, or a probability or level', () => {
  assert.equal(expectedOf({ expected_state: 'calm-social', expected_calm: 0.6 }), 'calm-social');
  assert.equal(expectedOf({ expected: 0, filed_under: '3 4' }), 0);
  assert.equal(actualOf({ primary_state: 'calm-social', calm: 0.6 }), 'calm-social');
  assert.equal(actualOf({ outcome: 0 }), 0);
});
