// Rules over every operation that REST can page through with a cursor.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import fc from 'fast-check';
import { askOperation } from '../../test/support/answers/ask-operation.ts';
import { writeDecisions } from '../../test/support/rows/decisions.ts';
import { writeForecasts } from '../../test/support/rows/forecasts.ts';
import { restraint, thinMonth, week } from '../../test/support/rows/reports.ts';
import { writeEventFixtures } from '../../test/support/rows/sustainability.ts';
import { describeStores } from '../../test/support/stores/store-places.ts';
import { storeFor } from '../../test/support/stores/suite-store.ts';
import { DAY, HOUR, MINUTE, SLOT } from '../domain/time/slot.ts';
import type { Store } from '../store/engine/store.ts';
import { writeMonths, writeRestraint, writeWeeks } from '../store/report/reports.ts';
import { operations } from './all.ts';
import { type Operation, Refused } from './core/define.ts';
import { writeCursor } from './core/list-options.ts';

const paged = operations.filter(({ position }) => position);
const start = Date.parse('2026-11-11T04:00:00Z');

/** Arguments under which every row of the fixtures below is listed, and others that filter them. */
const questions: Record<string, Record<string, unknown>[]> = {
  get_pocket_packages: [{ pocket_id: 'tiongbahru' }],
  get_pocket_predictions: [{ since: '1d' }, { since: '1d', pocket_id: 'dempsey', revealed_only: true }],
  get_pocket_counterfactuals: [{ pocket_id: 'tiongbahru' }],
  list_silence_vindications: [{ since: '1d' }, { since: '1d', revealed_only: true }],
  list_explanations: [{}, { pocket_id: 'dempsey' }, { decision_type: 'silence' }],
  list_predictions: [
    { since: '1d' },
    { pocket_id: 'dempsey' },
    { revealed: 'only' },
    { revealed: 'pending' },
  ],
  list_weekly_reports: [{}, { pocket_id: 'dempsey' }],
  list_states_of_pocket: [{ pocket_id: 'dempsey' }],
  list_states_of_restraint: [{}],
  get_stream: [{}, { type: 'sustainability' }, { pocket_id: 'dempsey' }],
  list_ledger_entries: [{ type: 'prediction' }, { type: 'silence' }],
};

/** One slot: two pockets in which something is decided, forecast and saved. */
async function writeSlot(store: Store, slot: number, nth: number): Promise<void> {
  await writeDecisions(store, [
    { slot, gate: 'resonance', vindicated: true },
    nth % 2 ? { slot, pocket: 'dempsey', gate: null } : { slot, pocket: 'dempsey', gate: 'voice' },
    { slot: slot + MINUTE, gate: null },
    { slot: slot + 2 * MINUTE, pocket: 'dempsey', gate: null, pause: 'already_speaking' },
  ]);
  await writeForecasts(store, [
    { slot, score: nth % 3 ? 0.5 : null },
    { slot, pocket: 'dempsey', score: 0.9 },
    { slot, pocket: 'dempsey', horizon: 180 },
  ]);
  const saving = (pocket_id: string, n: number) => ({ id: `${slot}-${9 - n}`, slot, pocket_id });
  await writeEventFixtures(store, ['dempsey', 'tiongbahru', 'dempsey'].map(saving));
}

const monthName = (nth: number) => new Date(Date.UTC(2020, nth, 1)).toISOString().slice(0, 7);
const writePeriod = (store: Store, nth: number): Promise<void> =>
  store.transaction(async (tx) => {
    const [composed_at, month_iso] = [nth, monthName(nth)];
    const week_iso = `${2000 + Math.floor(nth / 40)}-W${String((nth % 40) + 10)}`;
    const pockets = ['dempsey', 'tiongbahru'];
    await writeWeeks(
      tx,
      pockets.map((pocket_id) => ({ ...week, pocket_id, week_iso, composed_at })),
    );
    await writeMonths(
      tx,
      pockets.map((pocket_id) => ({ ...thinMonth, pocket_id, month_iso, composed_at })),
    );
    await writeRestraint(tx, { ...restraint, month_iso, composed_at });
  });

test('every operation that is paged has a list, a limit and questions below', () => {
  assert.deepEqual(
    paged.map(({ name }) => name),
    Object.keys(questions),
  );
  for (const { name, list, input } of paged) assert.ok(list && 'limit' in input.properties, name);
});

describeStores('paging', (makePlace, engine) => {
  const store = storeFor(makePlace, async () => undefined);
  let now = start;
  let written = 0;
  const append = async () => {
    now += 2 * HOUR;
    written += 1;
    await writeSlot(store(), now - SLOT, written);
    await writePeriod(store(), written);
  };
  before(async () => {
    for (let nth = 0; nth < 13; nth += 1) await append();
  });

  for (const operation of paged) {
    const { list = '', input } = operation;
    const ask = async (given: Record<string, unknown>) => {
      const { structured, next_cursor } = await askOperation(operation, store(), now, given);
      return { rows: (structured as Record<string, object[]>)[list] ?? [], next_cursor };
    };
    const { maximum = 200 } = input.properties.limit as { maximum?: number };

    for (const question of questions[operation.name] ?? [])
      test(`${operation.name} ${JSON.stringify(question)}: pages make up the list while rows are added`, () =>
        fc.assert(
          fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }), async (limits) => {
            const { rows: whole } = await ask({ ...question, limit: maximum });
            assert.ok(whole.length > 4, 'the fixtures have rows for every question');
            const pages: object[] = [];
            let cursor: string | null | undefined;
            for (let nth = 0; cursor !== null && pages.length < whole.length; nth += 1) {
              const limit = limits[nth % limits.length];
              const page = await ask({ ...question, limit, ...(cursor && { cursor }) });
              assert.notEqual(page.next_cursor, undefined);
              pages.push(...page.rows);
              cursor = page.next_cursor;
              // Windows end later from here on, so their oldest rows would leave them.
              if (nth < 2) await append();
            }
            if (whole.length < maximum) assert.equal(cursor, null);
            assert.deepEqual(inOrder(operation, pages.slice(0, whole.length)), inOrder(operation, whole));
          }),
          { numRuns: engine === 'sqlite' ? 3 : 1 },
        ));
  }

  test('a cursor that is not ours, of other arguments, or changed is refused with what to do', async () => {
    const operation = operations.find(({ name }) => name === 'list_predictions');
    assert.ok(operation);
    const ask = (given: Record<string, unknown>) =>
      askOperation(operation, store(), now, { since: 'all', limit: 2, ...given });
    const { next_cursor: cursor } = await ask({});
    assert.ok(cursor);
    assert.equal((await ask({ cursor, limit: 3 })).structured !== undefined, true);
    const forged = (position: object, at = now) =>
      writeCursor(
        { name: operation.name, input: { since: 'all', revealed: 'both' } },
        { now: at, position: position as never },
      );
    assert.ok(await ask({ cursor: forged({ slot: now, leaf: 3 }) }));
    const cases: [object, RegExp][] = [
      [{ cursor: 'nonsense' }, /not one that this address gave: ask without it/],
      [{ cursor: Buffer.from('[2,"x",1,{}]').toString('base64url') }, /not one that this address gave/],
      [{ cursor, since: '7d' }, /belongs to other arguments/],
      [{ cursor, pocket_id: 'dempsey' }, /belongs to other arguments/],
      [{ cursor: forged({ slot: now }) }, /was changed/],
      [{ cursor: forged({ slot: now, leaf: 2 ** 53 }) }, /was changed/],
      [{ cursor: forged({ slot: now, leaf: '1' }) }, /was changed/],
      [{ cursor: forged({ slot: now, leaf: 1, more: 1 }) }, /was changed/],
      [{ cursor: forged({ slot: now, leaf: 1 }, now + DAY) }, /was changed/],
    ];
    for (const [given, message] of cases)
      await assert.rejects(
        ask({ ...given }),
        (error) => error instanceof Refused && message.test(error.message),
      );
  });
});

/** Each type of event has a share of a page, so pages of the stream are not in the order of one long list. */
const inOrder = ({ name }: Operation, rows: readonly object[]) =>
  name === 'get_stream' ? rows.map((row) => JSON.stringify(row)).sort() : rows;
