import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type PrimaryState, primaryStates } from '../atmosphere/primary-state.ts';
import { senseWords } from '../signals/signal.ts';
import { expectedWords, type Sensed, senseAgreement, wordDistribution } from './perception.ts';

const report = (
  word: Sensed['word'],
  people: number,
  primary_state: PrimaryState | null = 'calm-restful',
) => ({
  word,
  people,
  primary_state,
});

test('the expected shares of every state add up to 1', () => {
  for (const state of primaryStates) {
    const sum = senseWords.reduce((total, word) => total + expectedWords[state][word], 0);
    assert.ok(Math.abs(sum - 1) < 1e-9, state);
  }
});

test('a total of 0 to 4 withholds the distribution and the agreement, 5 and 6 do not', () => {
  for (const people of [0, 1, 2, 3, 4]) {
    assert.equal(wordDistribution([report('calm', people)]), null);
    assert.equal(senseAgreement([report('calm', people)]), null);
  }
  for (const people of [5, 6]) {
    assert.deepEqual(wordDistribution([report('calm', people)])?.calm, { count: people, share: 1 });
    assert.equal(senseAgreement([report('calm', people)]), 0.75);
  }
});

test('a word chosen by fewer than five is withheld and not part of the total, whichever states it was chosen in', () => {
  const sensed = [
    report('calm', 3),
    report('calm', 4, 'calm-social'),
    report('busy', 4),
    report('social', 1, null),
    report('focused', 8, null),
  ];
  assert.deepEqual(wordDistribution(sensed), {
    calm: { count: 7, share: 0.467 },
    busy: null,
    social: null,
    focused: { count: 8, share: 0.533 },
    transitional: null,
  });
});

test('the worked example of docs/formulas.md', () => {
  const sensed = [
    report('calm', 10, 'calm-social'),
    report('social', 10, 'calm-social'),
    report('busy', 5, 'lively-social'),
  ];
  assert.equal(senseAgreement(sensed), 0.9);
});

test('agreement of chosen words with the states read', () => {
  const table: [sensed: Sensed[], agreement: number | null][] = [
    [[], null],
    [[report('calm', 9, null)], null],
    [[report('calm', 9, null), report('busy', 4)], null],
    [[report('busy', 10, 'calm-restful')], 0.05],
    [[report('busy', 10, 'tense-crowded')], 0.65],
    [
      [
        report('calm', 15),
        report('social', 2),
        report('busy', 1),
        report('focused', 1),
        report('transitional', 1),
      ],
      1,
    ],
  ];
  for (const [sensed, agreement] of table)
    assert.equal(senseAgreement(sensed), agreement, JSON.stringify(sensed));
});

test('agreement lies in 0..1, and does not depend on how the counts are divided into rows', () => {
  const one = fc.record({
    word: fc.constantFrom(...senseWords),
    primary_state: fc.constantFrom(...primaryStates),
    people: fc.integer({ min: 2, max: 30 }),
  });
  fc.assert(
    fc.property(fc.array(one, { minLength: 3, maxLength: 20 }), (sensed) => {
      const agreement = senseAgreement(sensed);
      assert.ok(agreement !== null && agreement >= 0 && agreement <= 1);
      const halves = sensed.flatMap((s) => [
        { ...s, people: 1 },
        { ...s, people: s.people - 1 },
      ]);
      assert.ok(Math.abs((senseAgreement(halves) ?? -1) - agreement) < 0.0011);
      assert.deepEqual(wordDistribution(halves), wordDistribution(sensed));
    }),
  );
});
