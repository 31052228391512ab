/**
 * Names on the leaderboard (docs/formulas.md, "Benchmark"): nobody can take that of the service or of a reference, nor
 * one that looks the same.
 */
import { deceptiveCharacters, isBlank, isDeceptive } from '../text/plain-text.ts';

/** The names of the two reference rows. */
export const SERVICE_NAME = 'pocketwatch';
export const BASELINE_NAME = 'naive baseline';

/** What is wrong with a submitter's name. */
export function nameFault(name: string): string | undefined {
  if (isBlank(name)) return 'submitter_name is required';
  if (isDeceptive(name)) return `submitter_name must not hold ${deceptiveCharacters}`;
  return isTaken(name)
    ? 'submitter_name must not be that of the service or of a reference: give the name of your own system'
    : undefined;
}

/** What answers and reports call the service and the rules that it is compared with. */
const references = [
  ...['the service', 'service', 'reference', BASELINE_NAME, 'naive', 'baseline'],
  ...['persistence', 'same hour last week', 'last week'],
];

/**
 * Letters of other alphabets, digits and signs that look like a Latin letter of those names. The list need not be
 * complete: the board marks its own rows and quotes every other name.
 */
const lookAlikes: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries({
    a: 'аαɑ4@∂',
    b: 'ьвβ8ƅ',
    c: 'сϲᴄ¢',
    e: 'еєε3€',
    h: 'нһհ',
    i: 'іιıl1!|ӏ',
    k: 'кκ',
    n: 'ոпη',
    o: 'оο0օσ',
    p: 'рρ',
    r: 'гᴦ',
    s: 'ѕ5$ꜱ',
    t: 'тτ7+',
    u: 'υս',
    v: 'νѵ',
    w: 'ѡԝωա',
  }).flatMap(([letter, like]) => [...like].map((other) => [other, letter])),
);

/** What is left of a name without all that a reader hardly sees: case, accents, spaces, signs, other alphabets. */
const nameSkeleton = (name: string): string =>
  [...name.normalize('NFKD').toLowerCase()]
    .map((letter) => lookAlikes[letter] ?? letter)
    .join('')
    .replaceAll('vv', 'w')
    .replace(/[^\p{L}\p{N}]/gu, '');

const own = nameSkeleton(SERVICE_NAME);
const taken = new Set(references.flatMap((name) => [nameSkeleton(name), nameSkeleton(`${name} reference`)]));

/** The service's name is taken in any part of another: "pocketwatch (official)" passes for it as well. */
function isTaken(name: string): boolean {
  const skeleton = nameSkeleton(name);
  return skeleton.includes(own) || taken.has(skeleton);
}
