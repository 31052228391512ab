import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countText } from './count-text.ts';

test('one thing is told as one', () => {
  assert.deepEqual(
    [0, 1, 2].map((n) => countText(n, 'forecast')),
    ['0 forecasts', '1 forecast', '2 forecasts'],
  );
  assert.deepEqual(
    [1, 2].map((n) => countText(n, 'reading is', 'readings are')),
    ['1 reading is', '2 readings are'],
  );
});
