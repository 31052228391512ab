import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type SenseWord, senseWords } from '../../domain/signals/signal.ts';
import { singapore } from '../../domain/time/zones.fixture.ts';
import { calendarSlotAt } from './calendar.ts';
import { type StreetConditions, wordWeights } from './senses.ts';
import { createSites } from './sites.ts';
import { singaporeTime, tinyCity } from './tiny-city.fixture.ts';

const sites = createSites(tinyCity().pockets, 'x');
const [office, open] = sites as [(typeof sites)[0], (typeof sites)[0]];
const street = (level: number, more: Partial<StreetConditions> = {}): StreetConditions => ({
  crowd: { usual: level, level },
  change: 0,
  transit: 0.2,
  felt: 0,
  ...more,
});

const cases: [SenseWord, string, typeof office, StreetConditions][] = [
  ['calm', '2026-03-03T15:00:00', open, street(0.2)],
  ['busy', '2026-03-03T13:00:00', open, street(1)],
  ['social', '2026-03-06T21:00:00', open, street(0.65)],
  ['focused', '2026-03-03T10:15:00', office, street(0.5)],
  ['transitional', '2026-03-03T08:15:00', office, street(0.5, { transit: 0.7, change: 0.2 })],
];

for (const [word, local, site, conditions] of cases) {
  test(`the likeliest word is ${word} at ${local.slice(11, 16)} with a level of ${conditions.crowd.level}`, () => {
    const weights = wordWeights(site, calendarSlotAt(singaporeTime(local), new Set(), singapore), conditions);
    assert.equal(senseWords.toSorted((a, b) => weights[b] - weights[a])[0], word, JSON.stringify(weights));
    assert.ok(senseWords.every((other) => weights[other] > 0));
  });
}
