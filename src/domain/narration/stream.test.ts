import assert from 'node:assert/strict';
import { test } from 'node:test';
import { forecastValue, observedValue, type StreamEvent, shareNewest } from './stream.ts';

const narration = (at: number, id: string): StreamEvent => ({
  ...{ type: 'narration', at, id, pocket_id: 'dempsey', tier: 'atmosphere', body: 'a quiet hour.' },
});
const prediction = (at: number, id: string): StreamEvent => ({
  ...{
    type: 'prediction',
    at,
    leaf: at,
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
  basis: 'inferred',
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
    shareNewest(events, limit).map((event) =>
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
  assert.deepEqual(firstEvents(3), ['3 sustainability', '2 narration d', '2 prediction b']);
  assert.deepEqual(firstEvents(1), ['2 narration d']);
  assert.deepEqual(shareNewest([], 5), []);
});

test('each type has its share of the limit, and leaves to the others what it does not need', () => {
  const many = (n: number, make: (at: number, id: string) => StreamEvent) =>
    Array.from({ length: n }, (_, nth) => make(1000 - nth, `${nth}`));
  const table: [said: number, forecasts: number, saved: number, limit: number, shares: number[]][] = [
    [100, 100, 100, 30, [10, 10, 10]],
    [100, 100, 100, 50, [17, 17, 16]],
    [2, 100, 0, 50, [2, 48, 0]],
    [5, 100, 10, 50, [5, 35, 10]],
    [0, 100, 0, 50, [0, 50, 0]],
    [3, 4, 5, 50, [3, 4, 5]],
  ];
  for (const [said, forecasts, saved, limit, shares] of table) {
    const events = [...many(forecasts, prediction), ...many(said, narration), ...many(saved, saving)];
    const shared = shareNewest(events, limit);
    const types = ['narration', 'prediction', 'sustainability'];
    assert.deepEqual(
      types.map((type) => shared.filter((event) => event.type === type).length),
      shares,
    );
    for (const [at, event] of shared.entries()) assert.ok(event.at <= (shared[at - 1]?.at ?? 1000));
    for (const type of types) {
      const own = shared.filter((event) => event.type === type);
      assert.ok(
        own.every(({ at }, nth) => at === 1000 - nth),
        'the newest of its type',
      );
    }
  }
});

test('expected and actual are a state, or a probability or level', () => {
  assert.equal(forecastValue({ expected_state: 'calm-social', expected_calm: 0.6 }), 'calm-social');
  assert.equal(forecastValue({ expected: 0, filed_under: '3 4' }), 0);
  assert.equal(observedValue({ primary_state: 'calm-social', calm: 0.6 }), 'calm-social');
  assert.equal(observedValue({ outcome: 0 }), 0);
});
