import assert from 'node:assert/strict';
import { test } from 'node:test';
import { leadText, splitText } from './accuracy-text.ts';

test('which of the two is ahead, in points of a hundred', () => {
  const of = (service: number | null, naive: number | null) => leadText(service, naive, 'the naive baseline');
  assert.equal(of(0.81, 0.597), 'the service is 21.3 points ahead of the naive baseline');
  assert.equal(of(0.4, 0.55), 'the service is 15.0 points behind the naive baseline');
  assert.equal(of(0.873, 0.873), 'the service is level with the naive baseline');
  assert.equal(of(null, 0.5), null);
  assert.equal(of(0.5, null), null);
});

test('how many forecasts were sealed before their outcome', () => {
  const of = (before: number, afterwards: number) =>
    splitText({
      sealed_before_outcome: { n: before, accuracy: before ? 0.8 : null },
      written_afterwards: { n: afterwards, accuracy: afterwards ? 0.75 : null },
    });
  assert.equal(of(0, 0), 'none scored yet');
  assert.equal(of(3, 0), '3 scored, all sealed before their outcome');
  assert.equal(
    of(0, 3),
    '3 scored, none sealed before its outcome: all were written afterwards on a virtual clock',
  );
  assert.equal(
    of(1, 3),
    '4 scored, 1 of them sealed before their outcome (0.8 came true) and 3 written afterwards on a virtual clock (0.75 came true)',
  );
});
