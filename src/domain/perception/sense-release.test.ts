import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type SenseWord, senseWords } from '../signals/signal.ts';
import { DAY, SLOT } from '../time/slot.ts';
import { localZone, singapore } from '../time/zones.fixture.ts';
import { shownPeople, wordCounts } from './perception.ts';
import { releaseSenses, type SenseRelease, type SlotSenses, senseDayStart } from './sense-release.ts';

const five = Date.parse('2026-11-11T05:00:00+08:00');
const row = (
  at: number,
  word: SenseWord,
  people: number,
  countable_from: number | null = null,
): SlotSenses => ({
  pocket_id: 'siglap',
  slot: five + at * SLOT,
  word,
  people,
  countable_from,
});
const told = (releases: readonly SenseRelease[]) =>
  releases.map(({ slot, word, people }) => [(slot - five) / SLOT, word, people]);

test('the worked example of docs/formulas.md', () => {
  const rows = [
    row(0, 'calm', 3),
    row(1, 'calm', 1),
    row(1, 'busy', 1),
    row(3, 'calm', 1),
    row(4, 'busy', 4),
    row(6, 'calm', 2),
  ];
  assert.deepEqual(told(releaseSenses(rows, singapore)), [
    [4, 'calm', 5],
    [4, 'busy', 5],
  ]);
});

test('a word is not released by the few people who bring it to five, but at the end of a batch', () => {
  const rows = [
    row(0, 'calm', 4),
    row(0, 'busy', 4),
    row(1, 'calm', 1),
    row(2, 'social', 3),
    row(3, 'busy', 1),
  ];
  // Eight people end a batch at 0. One more calm at 1 tells nothing until five people have spoken since.
  assert.deepEqual(told(releaseSenses(rows, singapore)), [
    [3, 'calm', 5],
    [3, 'busy', 5],
  ]);
});

test('a day begins at 05:00 and takes over nobody from the day before', () => {
  assert.equal(senseDayStart(five, singapore), five);
  assert.equal(senseDayStart(five - 1, singapore), five - DAY);
  assert.equal(senseDayStart(five + DAY - 1, singapore), five);
  assert.deepEqual(told(releaseSenses([row(-1, 'calm', 4), row(0, 'calm', 4)], singapore)), []);
  assert.deepEqual(told(releaseSenses([row(-1, 'calm', 4), row(0, 'calm', 5)], singapore)), [[0, 'calm', 5]]);
});

test('words recorded late change no release of the others and are released among themselves', () => {
  const onTime = [row(0, 'calm', 4), row(1, 'calm', 2), row(2, 'calm', 4)];
  const late = [
    row(0, 'calm', 1, five + DAY),
    row(1, 'calm', 4, five + DAY),
    row(2, 'calm', 4, five + DAY + SLOT),
  ];
  const rows = [...onTime, ...late].sort((a, b) => a.slot - b.slot);
  assert.deepEqual(told(releaseSenses(onTime, singapore)), [[1, 'calm', 6]]);
  assert.deepEqual(told(releaseSenses(rows, singapore)).sort(), [
    [1, 'calm', 5],
    [1, 'calm', 6],
  ]);
});

// The attacker asks for every window at every quarter hour and keeps all answers. `said` are the people of a quarter hour,
// `recorded` the quarter hour in which an operator recorded them late.
const SPAN = 120;
const saids = fc.array(
  fc.record({
    at: fc.nat(SPAN - 1),
    word: fc.constantFrom(...senseWords),
    people: fc.integer({ min: 1, max: 4 }),
    lateBy: fc.option(fc.integer({ min: 5, max: 40 }), { freq: 4 }),
  }),
  { minLength: 20, maxLength: 160 },
);

test('every answer at any time is a sum of steps of five or more people who chose one word', () => {
  const inSlots = (rows: readonly SlotSenses[], until: number) =>
    releaseSenses(
      rows.filter(({ slot, countable_from }) => slot <= until && (countable_from ?? 0) <= until),
      singapore,
    );
  fc.assert(
    fc.property(
      saids,
      fc.array(fc.tuple(fc.nat(SPAN + 40), fc.nat(96)), { maxLength: 40 }),
      (given, windows) => {
        const rows = given
          .map(({ at, word, people, lateBy }) =>
            row(at, word, people, lateBy === null ? null : five + (at + lateBy) * SLOT),
          )
          .sort((a, b) => a.slot - b.slot);
        const all = releaseSenses(rows, singapore);
        for (const { people } of all) assert.ok(people >= 5);

        // What is released stays as it is, and what is added later is a whole step.
        for (const [now, hours] of windows) {
          const until = five + now * SLOT;
          const shown = inSlots(rows, until);
          for (const one of shown)
            assert.ok(
              all.some(
                (other) => other.slot === one.slot && other.word === one.word && other.people === one.people,
              ),
            );
          // Two windows that end together, one quarter hour apart: the question that gave back single people.
          const within = (quarters: number) => shown.filter(({ slot }) => slot > until - quarters * SLOT);
          const [longer, shorter] = [wordCounts(within(hours + 1)), wordCounts(within(hours))];
          for (const word of senseWords) {
            const difference = (longer[word] ?? 0) - (shorter[word] ?? 0);
            assert.ok(difference === 0 || difference >= 5, `${word} ${difference}`);
            const truth = rows.filter((one) => one.word === word && one.slot <= until);
            assert.ok((longer[word] ?? 0) <= truth.reduce((sum, { people }) => sum + people, 0));
          }
          const people = shownPeople(within(hours + 1)) - shownPeople(within(hours));
          assert.ok(people === 0 || people >= 5, `${people}`);
        }

        // Between two quarter hours with releases at least five people spoke, so a release is not one person's doing.
        const onTime = rows.filter(({ countable_from }) => countable_from === null);
        const ends = [...new Set(releaseSenses(onTime, singapore).map(({ slot }) => slot))];
        for (const [at, end] of ends.entries()) {
          const from = Math.max(ends[at - 1] ?? 0, senseDayStart(end, singapore) - 1);
          const between = onTime.filter(({ slot }) => slot > from && slot <= end);
          assert.ok(between.reduce((sum, { people }) => sum + people, 0) >= 5);
        }
      },
    ),
    { numRuns: 200 },
  );
});

test('fewer than five of a word are left uncounted at the end of a day, beside the last batch', () => {
  fc.assert(
    fc.property(saids, (given) => {
      const rows = given
        .filter(({ at }) => at < 72)
        .map(({ at, word, people }) => row(at, word, people))
        .sort((a, b) => a.slot - b.slot);
      const end = Math.max(0, ...rows.map(({ slot }) => slot)) + SLOT;
      // Five people more end the last batch.
      const counted = releaseSenses([...rows, { ...row(0, 'calm', 5), slot: end }], singapore);
      for (const word of senseWords) {
        const said = rows.filter((one) => one.word === word).reduce((sum, { people }) => sum + people, 0);
        const known = counted.filter((one) => one.word === word).reduce((sum, { people }) => sum + people, 0);
        assert.ok(said + (word === 'calm' ? 5 : 0) - known < 5);
      }
    }),
  );
});

test('the day of words begins at 05:00 of the local clock, also when clocks change', () => {
  const berlin = localZone('Europe/Berlin');
  for (const [utc, start] of [
    ['2026-03-29T02:45', '2026-03-28T04:00'],
    ['2026-03-29T03:00', '2026-03-29T03:00'],
    ['2026-10-25T03:45', '2026-10-24T03:00'],
    ['2026-10-25T04:00', '2026-10-25T04:00'],
  ] as const)
    assert.equal(senseDayStart(Date.parse(`${utc}Z`), berlin), Date.parse(`${start}Z`), utc);
});
