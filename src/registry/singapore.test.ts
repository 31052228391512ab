import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { categories, type Pocket } from '../domain/city/city.ts';
import { DAY } from '../domain/time/slot.ts';
import { singapore } from '../domain/time/zones.fixture.ts';
import { cityDir } from './city-dir.ts';
import { loadRegistry } from './load.ts';

const { localDate, weekday } = singapore;

describe('Singapore as shipped', () => {
  const { city, pockets, outlets, intents, holidays } = loadRegistry(cityDir('singapore'));
  const active = outlets.filter((entry) => entry.active);
  const counts = pockets.map(({ id }) => active.filter(({ pocket_id }) => pocket_id === id).length);

  test('has its 18 pockets', () => {
    assert.equal(city.name, 'Singapore');
    assert.deepEqual(
      pockets.map(({ id }) => id),
      (
        'buonavista chipbee cluny dempsey frankel hajilane holland joochiat keongsaik lorkilat rochester serene ' +
        'siglap sunset tanglinhalt tanjongkatong tiongbahru upperthomson'
      ).split(' '),
    );
  });

  test('places every pocket on the island, at a distance from the others', () => {
    for (const { id, lat, lng } of pockets) {
      assert.ok(lat > 1.25 && lat < 1.46 && lng > 103.68 && lng < 103.99, id);
    }
    assert.equal(new Set(pockets.map(({ lat, lng }) => `${lat},${lng}`)).size, 18);
  });

  test('gives every pocket a Chinese alias and a character of its own', () => {
    for (const { id, aliases } of pockets) {
      assert.ok(
        aliases.some((alias) => /\p{sc=Han}/u.test(alias)),
        id,
      );
    }
    assert.equal(new Set(pockets.map(({ character }) => character.summary)).size, 18);
    assert.equal(new Set(pockets.map(({ character }) => JSON.stringify(character.rhythm))).size, 18);
  });

  test('has about 40 active outlets and a few inactive ones', () => {
    assert.ok(active.length >= 36 && active.length <= 44, `${active.length}`);
    assert.ok(outlets.length - active.length >= 3);
    assert.equal(new Set(outlets.map(({ name }) => name)).size, outlets.length);
    assert.equal(new Set(outlets.map(({ category }) => category)).size, categories.length);
    for (const { id } of outlets) assert.match(id, /^.{14}4.{4}[89ab]/, 'a version 4 UUID');
    assert.ok(outlets.some(({ opens_at, closes_at }) => closes_at < opens_at));
  });

  test('has pockets with five or more outlets, and pockets with fewer', () => {
    assert.ok(counts.filter((count) => count >= 5).length >= 4);
    assert.ok(counts.filter((count) => count === 1 || count === 2).length >= 4);
    assert.ok(counts.filter((count) => count <= 1).length >= 2);
    assert.ok(counts.includes(0));
  });

  test('has 29 intents, four of them with public pages', () => {
    assert.equal(intents.length, 29);
    assert.deepEqual(
      intents.filter(({ public_page }) => public_page).map(({ slug }) => slug),
      ['quiet-now', 'rain-friendly', 'late-lunch', 'work-friendly'],
    );
    const slugs = new Set(intents.map(({ slug }) => slug));
    for (const slug of ['calm-work', 'rain-shelter', 'decompression']) assert.ok(slugs.has(slug), slug);
    assert.equal(new Set(intents.map(({ description }) => description)).size, 29);
  });

  test('lists the holidays of 2025 to 2028 in order, a Sunday with its Monday', () => {
    assert.deepEqual(holidays, holidays.toSorted());
    for (const year of ['2025', '2026', '2027', '2028']) {
      assert.ok(holidays.filter((date) => date.startsWith(year)).length >= 11, year);
    }
    const noon = (date: string) => Date.parse(`${date}T12:00:00+08:00`);
    for (const date of holidays.filter((each) => weekday(noon(each)) === 6)) {
      assert.ok(holidays.includes(localDate(noon(date) + DAY)), `${date} is a Sunday`);
    }
  });

  test('cannot be changed', () => {
    assert.throws(() => (pockets as Pocket[]).pop(), TypeError);
    assert.throws(() => Object.assign(pockets[0]?.character.rhythm ?? {}, { lunch: 0 }), TypeError);
    assert.throws(() => intents[0]?.hours[0]?.push(1), TypeError);
  });
});
