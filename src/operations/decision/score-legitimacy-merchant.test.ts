// What a merchant id stands for in score_legitimacy: never the state of that one outlet.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { askOperation, city } from '../../../test/support/answers/ask-operation.ts';
import { writeDecisions } from '../../../test/support/rows/decisions.ts';
import { NOON } from '../../../test/support/services/service.ts';
import { describeStores } from '../../../test/support/stores/store-places.ts';
import { storeFor } from '../../../test/support/stores/suite-store.ts';
import type { Outlet } from '../../domain/city/city.ts';
import { writeOutletActivity } from '../../store/observation/outlet-activity.ts';
import { scoreLegitimacy } from './score-legitimacy.ts';

const noon = NOON;

describeStores('score_legitimacy with a merchant id', (makePlace) => {
  const [template] = city.outlets;
  assert.ok(template);
  const makeOutlet = (n: number, pocket_id: string, category: Outlet['category']): Outlet => ({
    ...template,
    id: `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`,
    active: true,
    pocket_id,
    category,
  });
  // Five open cafes and a bar in one pocket, two cafes in the other.
  const outlets = [
    ...[1, 2, 3, 4, 5].map((n) => makeOutlet(n, 'cluny', 'cafe')),
    makeOutlet(6, 'cluny', 'bar'),
    ...[7, 8].map((n) => makeOutlet(n, 'serene', 'cafe')),
  ];
  const registry = { ...city, outlets };
  const activity = [0.1, 0.2, 0.3, 0.4, 0.5, 0.9, 0.2, 0.6];
  const store = storeFor(makePlace, async (store) => {
    await writeDecisions(store, [
      { pocket: 'cluny', slot: noon, gate: 'why_now' },
      { pocket: 'serene', slot: noon, gate: 'why_now' },
    ]);
    await store.transaction((tx) =>
      writeOutletActivity(
        tx,
        outlets.map(({ id }, n) => ({ slot: noon, outlet_id: id, activity: activity[n] ?? 0 })),
      ),
    );
  });
  const ask = async (id: string, pocket_id = 'cluny', more = {}) => {
    const given = { pocket_id, candidate_action: 'nudge', merchant_context: { id, ...more } };
    const { structured } = await askOperation(scoreLegitimacy, store(), noon, given, registry);
    assert.ok('gates' in structured);
    return structured;
  };
  const outletId = (n: number) => outlets[n - 1]?.id ?? '';

  test('stands for the mean of its category in its pocket where five are open', async () => {
    const answers = await Promise.all([1, 2, 3, 4, 5].map((n) => ask(outletId(n))));
    for (const answer of answers)
      assert.deepEqual(answer, answers[0], 'every id of the category answers alike');
    // Half of the mean of 0.9, 0.8, 0.7, 0.6 and 0.5.
    assert.equal(answers[0]?.factors.merchant_pressure, 0.35);
    assert.equal(
      answers[0]?.reasoning.at(-1),
      'merchant_pressure is the mean of the open outlets of that category in its pocket',
    );
  });

  test("stands for its pocket's mean where fewer are open, wherever the action would be", async () => {
    // Half of the mean of all six in the pocket.
    assert.equal((await ask(outletId(6))).factors.merchant_pressure, 0.3);
    const elsewhere = await ask(outletId(7));
    assert.equal(elsewhere.factors.merchant_pressure, 0.3);
    assert.deepEqual(await ask(outletId(8)), elsewhere);
    assert.match(elsewhere.reasoning.at(-1) ?? '', /fewer than five of its category are open$/);
  });

  test('an unknown id stands for the pocket of the action, and the reasoning says so', async () => {
    const { factors, reasoning } = await ask('nobody');
    assert.equal(factors.merchant_pressure, 0.25);
    assert.match(reasoning.at(-1) ?? '', /^no active outlet has that merchant id/);
  });

  test('a given idle pressure has precedence', async () => {
    const { factors, reasoning } = await ask(outletId(1), 'cluny', { idle_pressure: 0.9 });
    assert.equal(factors.merchant_pressure, 0.9);
    assert.match(reasoning.at(-1) ?? '', /^saturation/);
  });
});
