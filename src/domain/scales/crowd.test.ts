import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  counterLevel,
  crowdOf,
  noProxyNorms,
  type ProxyNorms,
  proxyLevel,
  updateProxyNorms,
} from './crowd.ts';
import { addToRange, type OwnRange } from './own-range.ts';

const counter = (value: number) => ({ value, points: 'up', proxy: false }) as const;
const freeSpaces = (value: number) => ({ value, points: 'down', proxy: true }) as const;

/** A week of a counter that goes from 0 to 100 and back every day. */
const week = Array.from({ length: 168 }, (_, n) => 100 - Math.abs((n % 24) - 12) * (100 / 12)).reduce<
  OwnRange | undefined
>((own, value, n) => addToRange(own, n * 3_600_000, value) ?? own, undefined);

test('a counter is judged by its own usual range', () => {
  assert.equal(counterLevel(counter(0), week), 0);
  assert.equal(counterLevel(counter(500), week), 1);
  const middle = counterLevel(counter(50), week);
  assert.ok(middle !== null && middle > 0.4 && middle < 0.6);
  assert.equal(counterLevel(counter(50), undefined), null);
});

const norms = (...values: [weekday: number, value: number][]): ProxyNorms =>
  values.reduce((known, [weekday, value]) => updateProxyNorms(known, weekday, value), noProxyNorms);

test('a proxy is judged by what is usual for that hour of the week, then of the day', () => {
  const tuesdays = norms([1, 90], [1, 110], [1, 95], [1, 105], [5, 10], [5, 12], [5, 8], [5, 10]);
  assert.equal(proxyLevel(freeSpaces(100), tuesdays, 1), 0.5);
  assert.ok((proxyLevel(freeSpaces(80), tuesdays, 1) ?? 0) > 0.7);
  assert.equal(proxyLevel(freeSpaces(100), tuesdays, 5), 0);
  // A Thursday was never seen: the mean of all days, 55, stands in.
  assert.equal(proxyLevel(freeSpaces(55), tuesdays, 3), 0.5);
});

test('a proxy that was hardly seen, or always says the same, says nothing', () => {
  assert.equal(proxyLevel(freeSpaces(10), norms([1, 90], [1, 110], [1, 95]), 1), null);
  assert.equal(proxyLevel(freeSpaces(0), norms([1, 0], [1, 0], [1, 0], [1, 0]), 1), null);
});

test('counters weigh twice as much as proxies, and unknown levels nothing', () => {
  assert.equal(crowdOf([]), null);
  assert.equal(crowdOf([{ level: null, proxy: false }]), null);
  assert.equal(
    crowdOf([
      { level: 0.9, proxy: false },
      { level: 0.3, proxy: true },
      { level: null, proxy: true },
    ]),
    0.7,
  );
});
