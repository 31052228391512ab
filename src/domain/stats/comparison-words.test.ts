import assert from 'node:assert/strict';
import { test } from 'node:test';
import { voiceFaults } from '../text/voice.ts';
import { type Compared, comparisonText } from './comparison-words.ts';
import type { Comparison } from './matched-comparison.ts';

const texts: [what: Compared, comparison: Comparison, text: string][] = [
  [
    'calm',
    { pairs: 12, difference: 0.2, standard_error: 0.1 },
    'compared with not speaking: not known, with 12 of the 20 pairs of like moments that it takes.',
  ],
  [
    'calm',
    { pairs: 45, difference: 0.034, standard_error: 0.01 },
    'compared with not speaking: calm an hour after speaking was 3.4 points of a hundred higher than after like moments of silence, give or take 1 (45 pairs, 90 days).',
  ],
  [
    'use',
    { pairs: 45, difference: -0.012, standard_error: 0.01 },
    'compared with not speaking: the share of places in use an hour after speaking was 1.2 points of a hundred lower than after like moments of silence, give or take 1 (45 pairs, 90 days); chance alone could give that.',
  ],
  [
    'use',
    { pairs: 20, difference: 0, standard_error: 0.02 },
    'compared with not speaking: the share of places in use an hour after speaking was the same as after like moments of silence, give or take 2 (20 pairs, 90 days); chance alone could give that.',
  ],
];

test('a comparison in words', () => {
  for (const [what, comparison, text] of texts) {
    assert.equal(comparisonText(what, comparison), text);
    assert.deepEqual(voiceFaults(text), []);
  }
});
