/**
 * How far the category of an outlet may be told in a row that does not name it. The directory lists the category of every
 * outlet, so a category that one outlet of the pocket has identifies it.
 */
import type { Category } from '../city/city.ts';
import { SMALLEST_COUNT } from '../stats/small-count-suppression.ts';

export const categoryFamilies = ['food_and_drink', 'shops_and_services'] as const;
type CategoryFamily = (typeof categoryFamilies)[number];
/** Null: an outlet of any category. */
export type ShownCategory = Category | CategoryFamily | null;

/** The fewest outlets of a pocket that what is shown must fit. */
const MIN_ALIKE = 3;

const familyOf: Record<Category, CategoryFamily> = {
  cafe: 'food_and_drink',
  bakery: 'food_and_drink',
  restaurant: 'food_and_drink',
  hawker: 'food_and_drink',
  bar: 'food_and_drink',
  dessert: 'food_and_drink',
  bookshop: 'shops_and_services',
  grocer: 'shops_and_services',
  florist: 'shops_and_services',
  gallery: 'shops_and_services',
  wellness: 'shops_and_services',
  boutique: 'shops_and_services',
};

/**
 * What is shown for each category, given those of all active outlets of a pocket: the category itself, else its family,
 * else null, so that each fits three outlets or more. Under five outlets all are null.
 */
export function shownCategories(outlets: readonly Category[]): Map<Category, ShownCategory> {
  const shown = new Map<Category, ShownCategory>(outlets.map((category) => [category, category]));
  if (outlets.length < SMALLEST_COUNT) return allNull(shown);
  const alike = (label: ShownCategory) => outlets.filter((category) => shown.get(category) === label).length;
  for (const family of categoryFamilies) {
    const own = [...shown.keys()].filter((category) => familyOf[category] === family);
    const few = own.filter((category) => alike(category) < MIN_ALIKE);
    const inFew = outlets.filter((category) => few.includes(category)).length;
    // One or two outlets left over would be the only ones under the family's name: then the whole family takes it.
    for (const category of inFew >= MIN_ALIKE ? few : inFew > 0 ? own : []) shown.set(category, family);
    if (alike(family) < MIN_ALIKE)
      for (const category of own) if (shown.get(category) === family) shown.set(category, null);
  }
  const nulls = alike(null);
  return nulls > 0 && nulls < MIN_ALIKE ? allNull(shown) : shown;
}

const allNull = (shown: ReadonlyMap<Category, ShownCategory>): Map<Category, ShownCategory> =>
  new Map([...shown.keys()].map((category) => [category, null]));
