import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  calmBand,
  calmBands,
  calmChances,
  calmFrequencies,
  chanceText,
  chanceWords,
  usualChanceText,
} from './calm-band.ts';

test('the five bands of the calm level, each from its least level on', () => {
  const table: [number, string][] = [
    [1, 'very calm'],
    [0.75, 'very calm'],
    [0.749, 'calm'],
    [0.55, 'calm'],
    [0.549, 'mixed'],
    [0.4, 'mixed'],
    [0.399, 'busy'],
    [0.25, 'busy'],
    [0.249, 'very busy'],
    [0, 'very busy'],
  ];
  for (const [level, band] of table) assert.equal(calmBand(level), band, `${level}`);
  assert.deepEqual(new Set(table.map(([, band]) => band)), new Set(calmBands));
});

test('chances in words with the percentage, on their side of each limit', () => {
  const table: [number, string][] = [
    [1, 'very likely calm (100 %)'],
    [0.9, 'very likely calm (90 %)'],
    [0.899, 'likely calm (89.9 %)'],
    [0.82, 'likely calm (82 %)'],
    [0.7, 'likely calm (70 %)'],
    [0.699, 'may be calm (69.9 %)'],
    [0.5, 'may be calm (50 %)'],
    [0.496, 'unlikely calm (49.6 %)'],
    [0.1, 'unlikely calm (10 %)'],
    [0.03, 'very unlikely calm (3 %)'],
    [0, 'very unlikely calm (0 %)'],
  ];
  for (const [chance, text] of table) assert.equal(chanceText(chance).replaceAll('\u00a0', ' '), text);
  assert.deepEqual(new Set(table.map(([chance]) => chanceWords(chance))), new Set(calmChances));
});

test('how often an hour was calm in words of frequency, with the number of readings', () => {
  const table: [number, string][] = [
    [1, 'almost always calm (100 % of 28 readings)'],
    [0.899, 'usually calm (89.9 % of 28 readings)'],
    [0.7, 'usually calm (70 % of 28 readings)'],
    [0.54, 'often calm (54 % of 28 readings)'],
    [0.499, 'sometimes calm (49.9 % of 28 readings)'],
    [0.1, 'sometimes calm (10 % of 28 readings)'],
    [0, 'hardly ever calm (0 % of 28 readings)'],
  ];
  const said = table.map(([share]) => usualChanceText(share, 28).replaceAll('\u00a0', ' '));
  assert.deepEqual(
    said,
    table.map(([, text]) => text),
  );
  assert.deepEqual(new Set(said.map((text) => text.replace(/ \(.*/, ''))), new Set(calmFrequencies));
});
