import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { icons } from '../share/manifest.ts';
import { Canvas } from './canvas.ts';
import { CARD, type LinkCard, linkCardPng } from './link-card.ts';
import { decodePng } from './png.fixture.ts';
import { encodePng } from './png.ts';
import { canDraw, drawText, textWidth } from './stroke-font.ts';

const white = { red: 255, green: 255, blue: 255, alpha: 255 };
const black = { red: 0, green: 0, blue: 0, alpha: 255 };

describe('PNG', () => {
  test('a drawing decodes to what was drawn, with smooth edges', async () => {
    const canvas = new Canvas(40, 20, '#ffffff');
    canvas.stroke(
      [
        { x: 10, y: 10.5 },
        { x: 30, y: 10.5 },
      ],
      4,
      '#000000',
    );
    const image = decodePng(await encodePng(canvas.image()));
    assert.deepEqual([image.width, image.height], [40, 20]);
    assert.deepEqual([image.at(20, 10), image.at(20, 2), image.at(0, 10)], [black, white, white]);
    const { red } = image.at(20, 12);
    assert.ok(red > 0 && red < 255, `the edge is half covered: ${red}`);
  });

  test('an empty drawing is all ground, and what lies outside is cut off', async () => {
    const canvas = new Canvas(3, 3, '#ffffff');
    assert.deepEqual(decodePng(await encodePng(canvas.image())).at(1, 1), white);
    canvas.stroke(
      [
        { x: -50, y: -50 },
        { x: 90, y: 90 },
      ],
      3,
      '#000000',
    );
    assert.deepEqual(decodePng(await encodePng(canvas.image())).at(1, 1), black);
  });
});

describe('the font', () => {
  test('has every letter and digit, and common accents', () => {
    assert.ok(canDraw("abcdefghijklmnopqrstuvwxyz ABCDEFGHIJKLMNOPQRSTUVWXYZ 0123456789 .,:-–·/%&+'’()"));
    assert.ok(canDraw('Überwasser, Aasee, Kreuzviertel, Straße, Ñuñoa, Kadıköy'.replace('ı', 'i')));
    assert.ok(!canDraw('中峇鲁'));
  });

  test('a text is as wide as it says', async () => {
    const canvas = new Canvas(400, 60, '#ffffff');
    drawText(canvas, 'Holland', { x: 20, y: 45 }, { height: 30, thickness: 3, colour: '#000000' });
    const image = decodePng(await encodePng(canvas.image()));
    const columns = Array.from({ length: 400 }, (_, x) => x).filter((x) =>
      Array.from({ length: 60 }).some((_, y) => image.at(x, y).red < 128),
    );
    assert.ok(Math.abs((columns[0] ?? 0) - 20) <= 2);
    assert.ok(Math.abs((columns.at(-1) ?? 0) - (20 + textWidth('Holland', 30))) <= 2);
  });
});

describe('link cards', () => {
  const card: LinkCard = {
    names: ['中峇鲁', 'tiongbahru'],
    line: 'Calm, productive',
    data: 'Simulated data',
    calm: { level: 0.75, label: 'Calm level 0.75', time: '12:00 SGT' },
  };
  /** The colours at three places along the meter. */
  const meter = async (level: number) => {
    const image = decodePng(await linkCardPng({ ...card, calm: card.calm && { ...card.calm, level } }));
    return [100, 600, 1100].map((x) => image.at(x, 478));
  };

  test('have the size that sites ask for and stay small', async () => {
    const png = await linkCardPng(card);
    const { width, height } = decodePng(png);
    assert.deepEqual({ width, height }, CARD);
    assert.ok(png.length < 60_000, `${png.length} bytes`);
  });

  test('the meter is filled up to the calm level, in the colour of its step', async () => {
    const [calmLeft, calmMiddle, calmRight] = await meter(0.75);
    assert.deepEqual(calmLeft, { red: 0x78, green: 0xab, blue: 0x98, alpha: 255 });
    assert.deepEqual(calmMiddle, calmLeft);
    assert.notDeepEqual(calmRight, calmLeft);
    const [tense, middle] = await meter(0.1);
    assert.deepEqual(tense, { red: 0xc2, green: 0x60, blue: 0x2f, alpha: 255 });
    assert.deepEqual(middle, calmRight);
  });

  test('a long name is made to fit, and a card without figures has no meter', async () => {
    const long = await linkCardPng({ ...card, names: ['A long name '.repeat(9)], calm: null });
    const image = decodePng(long);
    for (const y of [280, 478]) assert.deepEqual(image.at(1180, y), image.at(0, 0), 'the margin is empty');
  });
});

describe('icons', () => {
  const bytesAt = (path: string): Buffer =>
    icons.find((icon) => icon.path === path)?.bytes ?? Buffer.alloc(0);

  test('are squares of the size in their name, with the mark in the middle', () => {
    for (const { path, bytes } of icons.filter(({ type }) => type === 'image/png')) {
      const { width, height, at } = decodePng(bytes);
      const size = Number(/\d+/.exec(path)?.[0] ?? 180);
      assert.deepEqual([width, height], [size, size], path);
      assert.notDeepEqual(at(size / 2, Math.round(size * 0.56)), at(0, 0), path);
    }
  });

  test('favicon.ico holds one transparent PNG', () => {
    const ico = bytesAt('/favicon.ico');
    assert.deepEqual([...ico.subarray(0, 8)], [0, 0, 1, 0, 1, 0, 32, 32]);
    const [length, offset] = [ico.readUInt32LE(14), ico.readUInt32LE(18)];
    assert.equal(offset + length, ico.length);
    const image = decodePng(ico.subarray(offset));
    assert.deepEqual([image.width, image.at(0, 0).alpha], [32, 0]);
  });
});
