import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SLOT } from '../time/slot.ts';
import { type JudgedMoment, missedMoments } from './missed-moments.ts';

/** A letter a quarter hour: s would have served, l with a line live, n would not have, u unknown, a space not read. */
const readings = (text: string): JudgedMoment[] =>
  [...text].flatMap((letter, n) =>
    letter === ' '
      ? []
      : [
          {
            slot: n * SLOT,
            serves: letter === 'u' ? null : letter !== 'n',
            live: letter === 'l',
          },
        ],
  );

const cases: [text: string, runs: number][] = [
  ['', 0],
  ['sss', 0],
  ['ssss', 1],
  ['ssssssssss', 1],
  // The worked example of docs/formulas.md.
  ['nsssssnssslssss', 2],
  ['ssnss', 0],
  ['ssuss', 0],
  ['ss ss', 0],
  ['sslss', 0],
  ['ssssnssss', 2],
];
for (const [text, runs] of cases)
  test(`${runs} in '${text}'`, () => assert.equal(missedMoments(readings(text)), runs));
