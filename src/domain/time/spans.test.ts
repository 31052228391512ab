import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { DAY, HOUR, SLOT, slotOf } from './sgt.ts';
import { partsOf, type Span, spanKinds, spanNames } from './spans.ts';
import { windowOf } from './window.ts';

const noon = Date.parse('2026-11-11T12:00:00+08:00');
const at = (text: string) => Date.parse(`${text}:00+08:00`);
const named = (spans: Span[]) => spans.map(({ from, to }) => [from, to]);

test('a week back from noon: six whole days, and the hours at both ends', () => {
  const { month, day, hour, slots } = partsOf(windowOf('7d', noon));
  assert.deepEqual(named(month), []);
  assert.deepEqual(named(day), [[at('2026-11-05T00:00'), at('2026-11-11T00:00')]]);
  assert.deepEqual(named(hour), [
    [at('2026-11-04T13:00'), at('2026-11-05T00:00')],
    [at('2026-11-11T00:00'), at('2026-11-11T12:00')],
  ]);
  assert.deepEqual(named(slots), [
    [at('2026-11-04T12:15'), at('2026-11-04T13:00')],
    [at('2026-11-11T12:00'), at('2026-11-11T12:15')],
  ]);
});

test('everything: whole months, then the days and hours of this one', () => {
  const { month, day, hour } = partsOf(windowOf('all', noon));
  assert.equal(month.length, 1);
  assert.equal(month[0]?.to, at('2026-11-01T00:00'));
  assert.deepEqual(named(day.slice(-1)), [[at('2026-11-01T00:00'), at('2026-11-11T00:00')]]);
  assert.equal(hour.at(-1)?.to, noon);
});

test('however long the window, each of its slots is in one part and no other slot is', () => {
  const moment = fc.integer({ min: noon - 100 * DAY, max: noon });
  fc.assert(
    fc.property(moment, fc.integer({ min: 0, max: 95 * DAY }), (after, length) => {
      const until = after + length;
      const parts = partsOf({ after, until });
      for (const name of spanNames) {
        const { startOf } = spanKinds[name];
        for (const { from, to } of parts[name]) assert.ok(startOf(from) === from && startOf(to) === to);
      }
      const spans = Object.values(parts)
        .flat()
        .sort((a, b) => a.from - b.from);
      let reached = slotOf(after) + SLOT;
      for (const { from, to } of spans) {
        assert.ok(from === reached && to > from);
        reached = to;
      }
      assert.equal(reached, slotOf(until) + SLOT);
      for (const { from, to } of parts.slots) assert.ok(to - from < HOUR);
    }),
  );
});
