import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { at, intent, moment, reading } from '../../../test/support/rows/example-moment.ts';
import { type Category, categories, type Intent, type Need, needs } from '../city/city.ts';
import { LEAST_CATEGORY_WEIGHT } from '../intent/intent-needs.ts';
import { voiceFaults } from '../text/voice.ts';
import { MINUTE } from '../time/slot.ts';
import { singapore } from '../time/zones.fixture.ts';
import { type IntentInput, intentSubstrate } from './intent-substrate.ts';

const working = { ...intent, categories: { cafe: 0.9, bookshop: 0.6, bakery: 0.3, bar: 0.2 } };
/** All of them open. */
const outlets = (...list: Category[]) => {
  const active = list.map((category) => ({ category }));
  return { active, open: active };
};
const six = outlets('cafe', 'bakery', 'hawker', 'bookshop', 'dessert', 'bar');
const present = { slot: at, moment, reading, rain_mm: 0, spare_capacity: 0.6 };
const substrate = (more: Partial<IntentInput> = {}) =>
  intentSubstrate({
    ...{ zone: singapore, name: 'Tiong Bahru', intent: working, covered: null, outlets: six, present },
    ...more,
  });

test('the worked example of docs/formulas.md', () => {
  assert.deepEqual(substrate(), {
    outlet_count: 6,
    open_now_count: 6,
    match_ratio: 0.3,
    matched_outlets: [
      { id: '1', name: 'cafes', alignment: 0.9, reasons: ['cafes serve it well'] },
      { id: '2', name: 'bookshops', alignment: 0.6, reasons: ['bookshops serve it fairly'] },
      { id: '3', name: 'bakeries', alignment: 0.3, reasons: ['bakeries serve it in part'] },
    ],
    confidence: 'high',
    current_moment_alignment: 0.7,
    narrative_line: "tiong bahru suits 'calm work'; calm is likely until about half past four.",
    reasoning: [
      '15:00 lies within its hours',
      'the atmosphere meets what it wants, calm most of all',
      'of 6 active outlets, each counted as far as its kind serves it and 0 while closed, 30\u00a0% match',
    ],
    signal_tier: { tier: 'experience', reason: 'the open outlets have room, so a visit could be offered' },
  });
});

test('a category is one row, however many outlets it has', () => {
  const { matched_outlets, match_ratio } = substrate({
    outlets: outlets('cafe', 'cafe', 'cafe', 'cafe', 'bar'),
  });
  assert.deepEqual(
    matched_outlets.map(({ id, name }) => [id, name]),
    [['1', 'cafes']],
  );
  assert.equal(match_ratio, 0.72);
});

test('a closed outlet counts 0, and a category of which none is open is not listed', () => {
  const open = outlets('cafe', 'hawker', 'bar').open;
  const evening = substrate({ outlets: { ...six, open } });
  // 0.9 ÷ 6: the closed bakery and bookshop add nothing.
  assert.deepEqual([evening.outlet_count, evening.open_now_count, evening.match_ratio], [6, null, 0.15]);
  assert.deepEqual(
    evening.matched_outlets.map(({ name }) => name),
    ['cafes'],
  );
  const night = substrate({ outlets: { ...six, open: [] } });
  assert.deepEqual([night.match_ratio, night.matched_outlets, night.confidence], [0, [], 'high']);
});

test('with fewer than five outlets only their number is published', () => {
  for (let count = 0; count <= 6; count++) {
    const cafes = substrate({ outlets: outlets(...Array<Category>(count).fill('cafe')) });
    const bars = substrate({ outlets: outlets(...Array<Category>(count).fill('bar')) });
    assert.equal(cafes.outlet_count, count);
    if (count >= 5) {
      assert.deepEqual([cafes.match_ratio, cafes.matched_outlets.length, cafes.confidence], [0.9, 1, 'high']);
      continue;
    }
    assert.deepEqual([cafes.match_ratio, cafes.matched_outlets, cafes.confidence], [null, [], 'low']);
    assert.deepEqual(cafes, bars);
    assert.ok(
      cafes.reasoning.includes('with fewer than 5 active outlets, nothing but their number is shown'),
    );
  }
});

test('without a moment the alignment is null', () => {
  const { current_moment_alignment, confidence, narrative_line, reasoning, signal_tier, match_ratio } =
    substrate({ present: null });
  assert.equal(current_moment_alignment, null);
  assert.equal(confidence, 'low');
  assert.equal(match_ratio, 0.3);
  assert.equal(
    narrative_line,
    "nothing was read in tiong bahru lately; whether it suits 'calm work' is not known.",
  );
  assert.equal(reasoning.length, 2);
  assert.deepEqual(signal_tier, { tier: null, reason: 'not enough recent data' });
});

test('confidence', () => {
  const level = (completeness: number, fragility: number) =>
    substrate({
      present: { ...present, reading: { ...reading, completeness }, moment: { ...moment, fragility } },
    }).confidence;
  for (const [completeness, fragility, confidence] of [
    [0.75, 0.5, 'high'],
    [0.74, 0.5, 'medium'],
    [0.75, 0.51, 'medium'],
  ] as const)
    assert.equal(level(completeness, fragility), confidence);
});

test('the line states how far the moment suits', () => {
  const line = (calm: number, productive: number) =>
    substrate({ present: { ...present, reading: { ...reading, calm, productive } } }).narrative_line;
  assert.match(line(0.6, 0.5), /^tiong bahru suits 'calm work';/);
  assert.match(line(0.5, 0.5), /^tiong bahru suits in part 'calm work';/);
  assert.match(line(0.3, 0.28), /^tiong bahru does not suit 'calm work';/);
});

test('where a need decides, line and reasons say why it does not suit', () => {
  const held = (need: Need, more: Partial<IntentInput> = {}) => {
    const { narrative_line, reasoning } = substrate({ intent: { ...working, needs: [need] }, ...more });
    return [narrative_line, reasoning.at(-2)];
  };
  const calm = (calm_probability: number) => ({
    present: { ...present, moment: { ...moment, calm_probability } },
  });
  assert.deepEqual(held('calm', calm(0.07)), [
    "tiong bahru does not suit 'calm work': it is unlikely to stay calm.",
    'not: it is unlikely to stay calm',
  ]);
  assert.deepEqual(held('calm', calm(0.52)), [
    "tiong bahru suits in part 'calm work': it may well not stay calm.",
    'only in part: it may well not stay calm',
  ]);
  assert.match(
    String(held('calm', calm(0.6))[0]),
    /^tiong bahru suits 'calm work'; calm is likely until about/,
  );
  assert.equal(held('rain')[1], 'not: no rain is falling');
  assert.equal(held('outlets', { outlets: { ...six, open: [] } })[1], 'not: nothing that serves it is open');
});

test('a meal in a pocket with fewer than five outlets is the same, whichever of them is open', () => {
  const meal: Intent = { ...working, needs: ['outlets', 'shelter'] };
  for (let count = 0; count < 5; count++) {
    const { active } = outlets(...Array<Category>(count).fill('cafe'));
    const answers = [active, []].map((open) => substrate({ intent: meal, outlets: { active, open } }));
    assert.deepEqual(answers[0], answers[1]);
    assert.equal(answers[0]?.current_moment_alignment, 0.5);
    assert.match(String(answers[0]?.narrative_line), /suits in part .*: too few outlets are known there\.$/);
  }
});

test('reasons name the hours, and the rain where the intent depends on it', () => {
  const reasons = (minutes: number, rain: number, rain_mm: number | null) =>
    substrate({
      intent: { ...working, rain },
      present: { ...present, slot: at + minutes * MINUTE, rain_mm },
    }).reasoning.slice(0, -1);
  assert.equal(reasons(195, 0, 0)[0], '18:15 lies at the edge of its hours');
  assert.equal(reasons(240, 0, 0)[0], '19:00 lies outside its hours');
  assert.equal(reasons(0, 0.5, 1.25)[2], 'steady rain, where it is meant for rain');
  assert.equal(reasons(0, -0.5, 0)[2], 'no rain, where it wants it dry');
  assert.equal(reasons(0, 0.5, null).length, 2);
  const shunning = { ...working, atmosphere: { calm: 0.2, stress: -0.9, social_energy: 0, productive: 0 } };
  assert.match(String(substrate({ intent: shunning }).reasoning[1]), /, stress least of all$/);
  const any = { ...working, atmosphere: { calm: 0, stress: 0, social_energy: 0, productive: 0 } };
  assert.equal(substrate({ intent: any }).reasoning[1], 'it wants nothing of the atmosphere');
});

test('a name or title that breaks the voice rules is left out of the line', () => {
  const plain = 'the pocket suits this intent; calm is likely until about half past four.';
  for (const more of [
    { name: 'Quiet!' },
    { name: 'a name of a great many words, as no pocket has it' },
    { intent: { ...working, title: 'Buy now' } },
  ])
    assert.equal(substrate(more).narrative_line, plain);
});

test('for any pocket, every figure is within its range and every line passes the voice rules', () => {
  const share = fc.double({ min: 0, max: 1, noNaN: true });
  const leaning = fc.double({ min: -1, max: 1, noNaN: true });
  const kinds = fc.constantFrom(...categories);
  fc.assert(
    fc.property(
      fc.array(kinds, { maxLength: 12 }),
      fc.nat({ max: 12 }),
      fc.dictionary(kinds, share),
      fc.record({ calm: leaning, stress: leaning, social_energy: leaning, productive: leaning }),
      fc.record({ calm: share, stress: share, social_energy: share, productive: share, completeness: share }),
      fc.record({
        rain: leaning,
        rain_mm: fc.option(fc.double({ min: 0, max: 80, noNaN: true })),
        needs: fc.uniqueArray(fc.constantFrom(...needs)),
        covered: fc.option(share),
      }),
      fc.integer({ min: 0, max: 95 }),
      (kinds, openCount, categories, atmosphere, qualities, { rain, rain_mm, needs, covered }, quarter) => {
        const result = substrate({
          intent: { ...working, categories, atmosphere, rain, needs },
          covered,
          outlets: { ...outlets(...kinds), open: outlets(...kinds.slice(0, openCount)).open },
          present: { ...present, slot: at + quarter * 15 * MINUTE, reading: qualities, rain_mm },
        });
        const { match_ratio, matched_outlets, current_moment_alignment: alignment } = result;
        assert.ok(alignment !== null && alignment >= 0 && alignment <= 1);
        assert.equal(match_ratio === null, kinds.length < 5);
        assert.ok(match_ratio === null || (match_ratio >= 0 && match_ratio <= 1));
        assert.ok(
          matched_outlets.every(
            (row, at) => row.id === `${at + 1}` && row.alignment >= LEAST_CATEGORY_WEIGHT,
          ),
        );
        assert.ok(matched_outlets.length <= new Set(kinds).size);
        assert.deepEqual(voiceFaults(result.narrative_line, 'emit'), []);
        for (const line of [...result.reasoning, ...matched_outlets.flatMap(({ reasons }) => reasons)])
          assert.deepEqual(voiceFaults(line), [], line);
      },
    ),
  );
});
