import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HOUR, SLOT } from '../../domain/time/slot.ts';
import type { Committed } from '../source.ts';
import { simulatedCity } from './city.ts';
import { simulateMerchants, withVisitors } from './merchants.ts';
import { outlet, singaporeTime, tinyCity } from './tiny-city.fixture.ts';

const noon = singaporeTime('2026-03-04T12:00:00');
const slots = Array.from({ length: 400 }, (_, n) => noon + n * 2 * SLOT);
const outlets = Array.from({ length: 30 }, (_, n) => outlet(n, 'open', 'cafe', ['08:00', '18:00']).id);
const answers = (seed: string, outlet_id: string) =>
  slots.map((slot) => simulateMerchants(seed).answer({ outlet_id, slot }));
const answerShare = (given: (string | null)[], answer: string | null) =>
  given.filter((one) => one === answer).length / given.length;

test('the same offer gets the same answer; another seed is another merchant', () => {
  const [one = ''] = outlets;
  assert.deepEqual(answers('tiny', one), answers('tiny', one));
  assert.notDeepEqual(answers('tiny', one), answers('other', one));
});

test('merchants accept, decline or do not answer, with different probabilities', () => {
  const shares = outlets.map((id) => answerShare(answers('tiny', id), 'accepted'));
  assert.ok(Math.min(...shares) > 0.1 && Math.max(...shares) < 0.8);
  assert.ok(Math.max(...shares) - Math.min(...shares) > 0.3);
  for (const answer of ['declined', null])
    for (const id of outlets) assert.ok(answerShare(answers('tiny', id), answer) > 0.08);
});

test('commitments may attract visitors to their own outlet while it is open', async () => {
  const registry = tinyCity();
  const city = simulatedCity(registry);
  const [cafe, , bar] = registry.outlets;
  assert.ok(cafe && bar);
  const rises = new Set<number>();
  for (let n = 0; n < 60; n++) {
    const slot = noon + n * 24 * HOUR;
    const plain = city.signalsAt(slot);
    const window_end = slot + HOUR;
    const committed: Committed[] = [cafe, bar].map((place) => ({ outlet_id: place.id, window_end }));
    const drawn = await city.observe(slot, committed);
    assert.deepEqual(await city.observe(slot, committed), drawn);
    assert.deepEqual(await city.observe(slot), plain);
    for (const [i, signal] of plain.entries()) {
      const { value, ...rest } = drawn[i] ?? assert.fail();
      const { value: before, ...same } = signal;
      assert.deepEqual(rest, same);
      if (signal.outlet_id !== cafe.id) assert.equal(value, before, 'it is noon, and the bar is closed');
      else {
        assert.ok(value >= before && value <= 1);
        rises.add(Math.round((value - before) * 100));
      }
    }
  }
  assert.ok(rises.has(0) && rises.size > 10, [...rises].join());
});

test('without commitments signals are unchanged', () => {
  const signals = simulatedCity(tinyCity()).signalsAt(noon);
  assert.equal(withVisitors(signals, [], 'tiny'), signals);
});
