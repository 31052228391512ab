import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { leanRules } from './assets.ts';

test('rules are sent without what CSS does not need', () => {
  const rules = `/* a note */
a:hover,
label + div {
  margin: 0 auto;
  font:
    1rem / 1.6 var(--sans),
    serif;
}
@media (min-width: 48rem) {
  p::before {
    content: " ↑";
  }
}
`;
  assert.equal(
    leanRules(rules),
    'a:hover,label + div{margin:0 auto;font:1rem / 1.6 var(--sans),serif}@media (min-width:48rem){p::before{content:" ↑"}}',
  );
});

test('no string of a style has a mark whose spaces are left out', () => {
  const folder = join(import.meta.dirname, '../assets/styles');
  for (const file of readdirSync(folder)) {
    const strings = readFileSync(join(folder, file), 'utf8').match(/"[^"\n]*"/g) ?? [];
    for (const string of strings) assert.doesNotMatch(string, /\s[{};,]|[{};,:]\s/, `${file}: ${string}`);
  }
});
