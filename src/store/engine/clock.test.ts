import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openMigratedStore } from '../../../test/support/stores/open-stores.ts';
import { describeStores } from '../../../test/support/stores/store-places.ts';
import { HOUR, iso, MINUTE, SLOT } from '../../domain/time/slot.ts';
import { boundedClock, ClockError, refuseWrongSlot, refuseWrongTime, STEP_CONFIRMED_MS } from './clock.ts';

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

const storeAt = (time: number) => ({ clock: async () => time });
const isRefused = (check: Promise<void>) =>
  check.then(
    () => false,
    (error) => {
      assert.ok(error instanceof ClockError, String(error));
      return true;
    },
  );

test('a time is refused that is more than a minute from the clock of the store, in either direction', async () => {
  const store = storeAt(start);
  for (const off of [-MINUTE, -1, 0, 1, MINUTE])
    assert.equal(await isRefused(refuseWrongTime(store, start + off)), false, `${off}`);
  for (const off of [-26 * HOUR, -5 * MINUTE, -MINUTE - 1, MINUTE + 1, 5 * MINUTE, 26 * HOUR])
    assert.equal(await isRefused(refuseWrongTime(store, start + off)), true, `${off}`);
});

test('a slot is refused that has not come or has passed, by more than a minute', async () => {
  const slot = start;
  /** Of the store, after the beginning of the slot. */
  const table: [time: number, refused: boolean][] = [
    [-HOUR, true],
    [-MINUTE - 1, true],
    [-MINUTE, false],
    [0, false],
    [SLOT - 1, false],
    [SLOT + MINUTE, false],
    [SLOT + MINUTE + 1, true],
    [26 * HOUR, true],
  ];
  for (const [time, refused] of table)
    for (const own of [slot, slot + SLOT / 2, slot + SLOT - 1])
      assert.equal(await isRefused(refuseWrongSlot(storeAt(slot + time), own)), refused, `${time} ${own}`);
});

test('a refusal says by how much the clocks differ, in which direction', async () => {
  const tail = `the store's clock (${iso(start)}): nothing is written until the clocks agree; set the clock of this machine`;
  const table: [off: number, words: string][] = [
    [26 * HOUR, '1560 minutes ahead of'],
    [-26 * HOUR, '1560 minutes behind'],
    [-MINUTE - 1, '1 minute behind'],
  ];
  for (const [off, words] of table) {
    const message = `${iso(start + off)} is ${words} ${tail}`;
    await assert.rejects(refuseWrongTime(storeAt(start), start + off), { name: 'ClockError', message });
  }
  await assert.rejects(
    refuseWrongSlot(storeAt(start), start - 20 * MINUTE),
    /is 20 minutes behind the store's/,
  );
});

describeStores("a store's clock", (makePlace) => {
  test('is that of its transactions, and no process sets it for itself', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    const { now } = Date;
    const before = await store.clock();
    assert.ok(Number.isInteger(before) && before > 0, `${before}`);
    t.mock.method(Date, 'now', () => now() + 26 * HOUR);
    const within = await store.transaction((tx) => tx.clock());
    assert.ok(before <= within && within <= (await store.clock()), `${before} ${within}`);
    assert.ok(within < before + HOUR, `${within}`);
    assert.equal(await isRefused(refuseWrongTime(store, Date.now())), true);
  });
});
