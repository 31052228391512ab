// The colours of states on the map, as people see them who lack one kind of cone.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { stateKinds } from '../parts/place-words.ts';
import { shapes } from './map.ts';

type Rgb = readonly [number, number, number];

/** Machado, Oliveira and Fernandes (2009), severity 1.0, for linear RGB. */
const sights: Record<string, readonly Rgb[]> = {
  'full colour': [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

const styles = ['base', 'home', 'map']
  .map((name) => readFileSync(join(import.meta.dirname, `../assets/styles/${name}.css`), 'utf8'))
  .join('');

/** A custom property, in the light or the dark scheme. */
function colour(name: string, scheme: 'light' | 'dark'): Rgb {
  const [, light, dark] = new RegExp(`--${name}: light-dark\\((#\\w{6}), (#\\w{6})\\)`).exec(styles) ?? [];
  const hex = scheme === 'light' ? light : dark;
  assert.ok(hex, name);
  const part = (at: number) => linear(Number.parseInt(hex.slice(at, at + 2), 16) / 255);
  return [part(1), part(3), part(5)];
}

/** From sRGB, as WCAG 2 computes it. */
const linear = (share: number): number =>
  share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;

const seen = (colour: Rgb, matrix: readonly Rgb[]): number[] =>
  matrix.map((row) => Math.min(1, Math.max(0, row[0] * colour[0] + row[1] * colour[1] + row[2] * colour[2])));

const luminance = ([r = 0, g = 0, b = 0]: readonly number[]): number => 0.2126 * r + 0.7152 * g + 0.0722 * b;

function contrast(a: Rgb, b: Rgb, matrix: readonly Rgb[]): number {
  const [low = 0, high = 0] = [a, b].map((one) => luminance(seen(one, matrix))).sort((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
}

describe('colours of the map', () => {
  for (const [sight, matrix] of Object.entries(sights))
    for (const scheme of ['light', 'dark'] as const)
      test(`${sight}, ${scheme}: every mark stands out from land and water by 3:1, every label by 4.5:1`, () => {
        for (const ground of ['land', 'water', 'card']) {
          const behind = colour(ground, scheme);
          // `soft` is the outline of a mark without data and `speak` the ring.
          for (const name of ['calm', 'busy', 'tense', 'rain', 'soft', 'speak']) {
            const found = contrast(colour(name, scheme), behind, matrix);
            assert.ok(found >= 3, `${name} on ${ground}: ${found.toFixed(2)}`);
          }
          // `soft` is that of the names of listed places.
          for (const name of ['ink', 'soft']) {
            const found = contrast(colour(name, scheme), behind, matrix);
            assert.ok(found >= 4.5, `labels in ${name} on ${ground}: ${found.toFixed(2)}`);
          }
        }
      });

  test('every kind of state has a shape of its own, so that none is told by colour alone', () => {
    assert.equal(new Set(stateKinds.map((kind) => shapes[kind])).size, stateKinds.length);
  });
});
