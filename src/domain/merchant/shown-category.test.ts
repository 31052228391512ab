import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Category, categories } from '../city/city.ts';
import { type ShownCategory, shownCategories } from './shown-category.ts';

const shownFor = (outlets: readonly Category[]): ShownCategory[] => {
  const shown = shownCategories(outlets);
  return outlets.map((category) => shown.get(category) ?? null);
};

test('a category is shown where three outlets share it, else its family, else nothing', () => {
  const table: [outlets: Category[], shown: ShownCategory[]][] = [
    [[], []],
    [
      ['cafe', 'cafe', 'cafe', 'cafe'],
      [null, null, null, null],
    ],
    [
      ['cafe', 'cafe', 'cafe', 'cafe', 'cafe'],
      ['cafe', 'cafe', 'cafe', 'cafe', 'cafe'],
    ],
    [
      ['restaurant', 'restaurant', 'bar', 'bar', 'cafe'],
      ['food_and_drink', 'food_and_drink', 'food_and_drink', 'food_and_drink', 'food_and_drink'],
    ],
    // A bar alone would be the only one under its family's name.
    [
      ['cafe', 'cafe', 'cafe', 'bar', 'florist', 'grocer', 'gallery'],
      [
        ...(['food_and_drink', 'food_and_drink', 'food_and_drink', 'food_and_drink'] as const),
        ...(['shops_and_services', 'shops_and_services', 'shops_and_services'] as const),
      ],
    ],
    // A florist alone would be the only one without a category.
    [
      ['cafe', 'cafe', 'cafe', 'cafe', 'florist'],
      [null, null, null, null, null],
    ],
  ];
  for (const [outlets, shown] of table) assert.deepEqual(shownFor(outlets), shown, outlets.join());
});

test('in any pocket of three outlets or more, what is shown fits three or more', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...categories), { minLength: 3, maxLength: 30 }), (outlets) => {
      const shown = shownFor(outlets);
      for (const label of new Set(shown))
        assert.ok(shown.filter((other) => other === label).length >= 3, `${label} of ${outlets}`);
    }),
    { numRuns: 1000 },
  );
});
