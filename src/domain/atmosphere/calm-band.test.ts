import assert from 'node:assert/strict';
import { test } from 'node:test';
import { calmBand, calmBands, calmChances, chanceText, chanceWords } from './calm-band.ts';

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
