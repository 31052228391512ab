import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { runInNewContext } from 'node:vm';
import * as labelPlacement from '../charts/label-placement.ts';
import { assets, leanRules, moduleScript } from './assets.ts';

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

test('no string of the map scripts has a mark whose spaces are left out', () => {
  for (const name of ['map-marks', 'map-labels', 'map-places']) {
    const script = readFileSync(join(import.meta.dirname, `../assets/${name}.js`), 'utf8');
    const code = script.replaceAll(/^\s*(?:\/\/|\/?\*).*$/gm, '');
    const strings = code.match(/'[^'\n]*'|"[^"\n]*"|`[^`]*`/g) ?? [];
    assert.ok(strings.length > 3, name);
    for (const string of strings)
      assert.doesNotMatch(string, /\s[=<>&|?:,;]|[=<>&|?:,;]\s/, `${name}: ${string}`);
  }
});

test('the browser places marks and labels as the server does: with the same functions, which need nothing else', () => {
  const script = moduleScript(labelPlacement);
  assert.ok(assets.mapLabelsScript.body.startsWith(script));
  const points = Array.from({ length: 25 }, (_, n) => ({
    x: 20 + ((n * 67) % 320),
    y: 20 + ((n * 41) % 210),
  }));
  const within = { x: 0, y: 0, width: 360, height: 260 };
  const place = ({ spread, labelPlaces }: typeof labelPlacement) => {
    const dots = spread(points, 26, within);
    const marks = dots.map((dot, n) => {
      const kept = n % 3 ? undefined : { x: dot.x + 12, y: dot.y - 30, width: 50, height: 15 };
      return { ...dot, origin: points[n] ?? dot, radius: 8, width: 50, kept };
    });
    const room = { within, reserved: [], height: 15, reaches: [0, 3, 8, 14], tries: 8, nearerBy: 1 };
    return { dots, places: labelPlaces(marks, marks, room) };
  };
  const here = JSON.stringify(place(labelPlacement));
  assert.match(here, /"line":\[\{/, 'lines to labels are among the places');
  assert.equal(
    runInNewContext(`${script}\nJSON.stringify((${place})({ spread, labelPlaces }))`, { points, within }),
    here,
  );
});
