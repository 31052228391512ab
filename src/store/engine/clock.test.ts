import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openMigratedStore } from '../../../test/support/stores/open-stores.ts';
import { describeStores } from '../../../test/support/stores/store-places.ts';
import { HOUR, MINUTE } from '../../domain/time/slot.ts';
import { boundedClock, ClockError, refuseAhead, STEP_CONFIRMED_MS } from './clock.ts';

const start = Date.parse('2026-11-11T04:00:00Z');

/** A machine that boots at `start`: `pass` lets time pass, `step` sets its clock. Times are milliseconds after `start`. */
function machine() {
  const state = { elapsed: 0, offset: 0 };
  const clock = boundedClock(
    () => start + state.elapsed + state.offset,
    () => state.elapsed,
  );
  return {
    read: () => clock() - start,
    pass: (milliseconds: number) => {
      state.elapsed += milliseconds;
    },
    step: (milliseconds: number) => {
      state.offset += milliseconds;
    },
  };
}

test('time that passes is believed, also in one piece, as when a machine was suspended', () => {
  const { read, pass } = machine();
  for (let hours = 1; hours <= 3; hours += 1) {
    pass(HOUR);
    assert.equal(read(), hours * HOUR);
  }
});

test('small corrections are believed in both directions, and so is any step back', () => {
  const { read, step } = machine();
  const table = [
    [MINUTE, MINUTE],
    [MINUTE, 2 * MINUTE],
    [-30_000, 90_000],
    [-HOUR, 90_000 - HOUR],
  ];
  for (const [by = 0, expected] of table) {
    step(by);
    assert.equal(read(), expected);
  }
});

test('a step ahead is not believed, and leaves no trace when it is taken back', () => {
  const { read, pass, step } = machine();
  step(26 * HOUR);
  assert.equal(read(), 0);
  pass(STEP_CONFIRMED_MS - 1);
  assert.equal(read(), STEP_CONFIRMED_MS - 1);
  step(-26 * HOUR);
  pass(STEP_CONFIRMED_MS);
  assert.equal(read(), 2 * STEP_CONFIRMED_MS - 1);
});

test('a step ahead that lasts is believed, counted from the last step', () => {
  const { read, pass, step } = machine();
  step(2 * HOUR);
  assert.equal(read(), 0);
  pass(STEP_CONFIRMED_MS - MINUTE);
  step(-HOUR);
  assert.equal(read(), STEP_CONFIRMED_MS - MINUTE);
  pass(STEP_CONFIRMED_MS - 1);
  assert.equal(read(), 2 * STEP_CONFIRMED_MS - MINUTE - 1);
  pass(1);
  assert.equal(read(), 2 * STEP_CONFIRMED_MS - MINUTE + HOUR);
});

describeStores("a store's clock", (makePlace) => {
  test('refuses what is more than a minute ahead of it', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    const time = await store.clock();
    assert.ok(Number.isInteger(time) && time > 0, `${time}`);
    await refuseAhead(store, time - 26 * HOUR);
    await refuseAhead(store, time + MINUTE);
    await assert.rejects(refuseAhead(store, time + HOUR), ClockError);
  });
});
