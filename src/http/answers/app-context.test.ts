import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_LAG_MS } from '../../store/engine/servers/readers.ts';
import { answerTimes } from './app-context.ts';

const NOW = Date.parse('2026-11-18T04:00:00Z');
const times = (readAt?: number) => answerTimes({ now: () => NOW, readAt: () => readAt });

test('an answer of the store itself is of now', () => {
  assert.deepEqual(answerTimes({ now: () => NOW }), { computed: NOW, now: NOW });
  assert.deepEqual(times(), { computed: NOW, now: NOW });
});

test('one of a replica is that of the moment up to which it is complete', () => {
  assert.deepEqual(times(NOW - 1_500), { computed: NOW - 1_500, now: NOW - 1_500 });
  assert.deepEqual(times(NOW - MAX_LAG_MS), { computed: NOW - MAX_LAG_MS, now: NOW - MAX_LAG_MS });
});

test('one of a replica that is far behind is asked about now, and says how old it is', () => {
  assert.deepEqual(times(NOW - MAX_LAG_MS - 1), { computed: NOW - MAX_LAG_MS - 1, now: NOW });
});

test('a clock that was set back does not make an answer of the future', () => {
  assert.deepEqual(times(NOW + 5_000), { computed: NOW, now: NOW });
});
