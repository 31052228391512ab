import assert from 'node:assert/strict';
import { test } from 'node:test';
import { baseUrl, city } from '../../../../test/support/answers/ask-operation.ts';
import { cityZone } from '../../../domain/time/zone.ts';
import { noStore } from '../../../store/engine/open.ts';
import { styles } from '../../site/assets.ts';
import { outletsPage, outletsQuestion } from './directory.ts';

const [pocket] = city.pockets;
const [outlet] = city.outlets;
assert.ok(pocket && outlet);

/** A city of 10,000 pockets with an outlet each. */
const pockets = Array.from({ length: 10_000 }, (_, n) => ({ ...pocket, id: `p${n}`, name: `Pocket ${n}` }));
const outlets = pockets.map(({ id }, n) => ({
  ...outlet,
  ...{ id: `o${n}`, name: `Outlet ${n}`, pocket_id: id, active: true },
}));
const registry = { ...city, pockets, outlets };
const zone = cityZone(city.city);
const site = {
  ...{ baseUrl, substrate: 'simulated', registry, zone, operations: [], builtAt: '', notice: null },
};

async function render(asked: object): Promise<string> {
  const lookup = { find: () => [], suggest: () => [] };
  const context = {
    ...{ registry, lookup, store: noStore(), now: 0, zone, baseUrl },
    substrate: 'simulated' as const,
  };
  const { structured } = await outletsQuestion.answer({ page: 1, ...asked }, context);
  return outletsPage(site, structured);
}
const shown = (text: string): number => text.match(/href="\/outlet\//g)?.length ?? 0;

test('a large city: a hundred outlets at a time, in a page of ordinary size', async () => {
  const first = await render({});
  assert.equal(shown(first), 100);
  assert.match(first, /10,000 outlets, 1 to 100 shown here/);
  assert.match(first, /rel="next" href="\/outlets\?page=2"/);
  assert.doesNotMatch(first, /rel="prev"/);
  const bytes = Buffer.byteLength(first.replace(styles.page.element.markup, ''));
  assert.ok(bytes < 40_000, `${bytes} without the stylesheet`);
  const last = await render({ page: 100, category: outlet.category });
  assert.match(last, /9,901 to 10,000 shown here/);
  assert.match(last, /rel="prev" href="\/outlets\?category=\w+&amp;page=99"/);
  assert.doesNotMatch(last, /rel="next"/);
});

test('a large city: a search narrows it, and keeps the pocket that was asked for', async () => {
  assert.equal(shown(await render({ q: 'outlet 9999' })), 1);
  const own = await render({ pocket: 'p77' });
  assert.equal(shown(own), 1);
  assert.match(own, /<option value="p77" selected>Pocket 77<\/option>/);
});
