import assert from 'node:assert/strict';
import { test } from 'node:test';
import { citationBibtex, citationText } from './citation.ts';

const site = {
  baseUrl: 'https://pocketwatch.test',
  substrate: 'simulated',
  registry: { city: { name: 'Singapore' } },
};
const cited = { title: 'Accuracy of sealed forecasts', path: '/accuracy', date: '2026-11-11' };

test('a citation names the service, the city, the address, the date and the licence', () => {
  assert.equal(
    citationText(site, cited),
    'pocketwatch (2026). Accuracy of sealed forecasts, Singapore. Simulated data. Data as of 2026-11-11. https://pocketwatch.test/accuracy. CC BY-NC-ND 4.0.',
  );
  assert.equal(
    citationBibtex(site, cited),
    `@misc{pocketwatch-accuracy-20261111,
  author = {{pocketwatch}},
  title = {Accuracy of sealed forecasts, Singapore},
  year = {2026},
  howpublished = {\\url{https://pocketwatch.test/accuracy}},
  note = {Simulated data; data as of 2026-11-11; CC BY-NC-ND 4.0}
}`,
  );
});

test('without data there is no year, and a name cannot break out of its field', () => {
  const hostile = { ...site, substrate: 'live', registry: { city: { name: 'A & B} \\input{x}_' } } };
  assert.match(citationText(hostile, { ...cited, date: null }), /\(no date\).* Measured data\. https/);
  const bibtex = citationBibtex(hostile, { ...cited, date: null });
  assert.match(bibtex, /title = \{Accuracy of sealed forecasts, A \\& B inputx\\_\},/);
  assert.doesNotMatch(bibtex, /year/);
});
