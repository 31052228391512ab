import assert from 'node:assert/strict';
import { test } from 'node:test';
import { askOperation, city } from '../../../test/support/answers/ask-operation.ts';
import { writeDecisions } from '../../../test/support/rows/decisions.ts';
import { writeUsual } from '../../../test/support/rows/usual-hours.ts';
import { NOON } from '../../../test/support/services/service.ts';
import { describeStores } from '../../../test/support/stores/store-places.ts';
import { storeFor } from '../../../test/support/stores/suite-store.ts';
import { isOpen } from '../../domain/time/opening-hours.ts';
import { DAY, HOUR, MINUTE } from '../../domain/time/slot.ts';
import { singapore } from '../../domain/time/zones.fixture.ts';
import { findOutlet } from './find-outlet.ts';

describeStores('find_outlet', (makePlace) => {
  const store = storeFor(makePlace, async (store) => {
    await writeDecisions(store, [
      {
        pocket: 'joochiat',
        slot: NOON,
        gate: 'resonance',
        moment: { calm_level: 0.8, calm_probability: 0.9 },
      },
      {
        pocket: 'tiongbahru',
        slot: NOON,
        gate: 'why_now',
        moment: { calm_level: 0.4, calm_probability: 0.2 },
      },
    ]);
    await writeUsual(store, NOON + 6 * HOUR, { tiongbahru: 0.9 });
  });
  const ask = (given: Record<string, unknown> = {}, now = NOON + MINUTE) =>
    askOperation(findOutlet, store(), now, given);
  const bakeries = city.outlets.filter(({ active, category }) => active && category === 'bakery');

  test('of a kind, open then, those in the calmest pockets first, with the id that other tools take', async () => {
    const { structured, text } = await ask({ kind: 'bakery', open_at: 'now', limit: 20 });
    const open = bakeries.filter((one) => isOpen(one, NOON + MINUTE, singapore));
    assert.ok(open.length);
    assert.deepEqual(structured.outlets.map(({ id }) => id).sort(), open.map(({ id }) => id).sort());
    const chances = structured.outlets.map(({ pocket_calm }) => pocket_calm?.calm_probability ?? -1);
    assert.deepEqual(
      chances,
      chances.toSorted((a, b) => b - a),
    );
    for (const { id } of structured.outlets) assert.ok(text.includes(`outlet_id ${id}`));
    assert.match(text.replaceAll('\u00a0', ' '), /its pocket: very likely calm \(90 %\)/);
  });

  test('at a later time its pocket is told from the usual', async () => {
    const { structured } = await ask({ pocket_id: 'tiongbahru', open_at: '18:00', limit: 20 });
    assert.equal(structured.at, '2026-11-11T10:00:00.000Z');
    for (const { open_then, pocket_calm } of structured.outlets) {
      assert.equal(open_then, true);
      assert.deepEqual(pocket_calm, { basis: 'usual', calm_probability: 1, n: 8 });
    }
  });

  test('by a name that is misspelt', async () => {
    const [bakery] = bakeries;
    const asked = `${bakery?.name.slice(0, -1)}`;
    assert.equal((await ask({ name: asked })).structured.outlets[0]?.id, bakery?.id);
    assert.match((await ask({ name: 'zzqq' })).text, /^no outlet by the name 'zzqq' is listed\.$/);
  });

  test('where everything is closed it says so, and what to do', async () => {
    const night = await ask({ kind: 'bakery', open_at: 'now' }, NOON + 15 * HOUR);
    assert.equal(night.structured.count, 0);
    assert.match(night.text, /^no bakery open at 2026-11-12 03:00 SGT is listed; without open_at/);
  });

  test('a time that is none, passed or beyond a week is refused', async () => {
    await assert.rejects(ask({ open_at: 'soonish' }), /open_at must be now, or a clock time/);
    await assert.rejects(ask({ open_at: 'yesterday 10:00' }), /within the next seven days/);
    await assert.rejects(
      ask({ open_at: new Date(NOON + 8 * DAY).toISOString() }),
      /within the next seven days/,
    );
  });
});
