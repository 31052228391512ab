import assert from 'node:assert/strict';
import { test } from 'node:test';
import { askOperation } from '../../../test/support/answers/ask-operation.ts';
import { saidLine, writeDecisions } from '../../../test/support/rows/decisions.ts';
import { describeStores } from '../../../test/support/stores/store-places.ts';
import { storeFor } from '../../../test/support/stores/suite-store.ts';
import { testLedger } from '../../../test/support/stores/test-ledger.ts';
import { DAY, HOUR, SLOT } from '../../domain/time/slot.ts';
import { writePackages } from '../../store/decision/decisions.ts';
import type { Answered, AnswerOf } from '../core/define.ts';
import { getPocketPackages } from './get-pocket-packages.ts';

const noon = Date.parse('2026-11-11T04:00:00Z');
const line = 'a quiet hour; calmer than usual; until about quarter to one.';

describeStores('get_pocket_packages', (makePlace) => {
  const store = storeFor(makePlace, async (store) => {
    await writeDecisions(store, [
      { slot: noon - DAY, gate: null },
      { slot: noon - DAY + SLOT, gate: null, tier: 'experience' },
      { slot: noon - HOUR, gate: null },
      { slot: noon - SLOT, gate: 'why_now' },
      { slot: noon, gate: null },
      { pocket: 'siglap', slot: noon, gate: 'resonance' },
    ]);
    const frequent = Array.from({ length: 60 }, (_, n) =>
      saidLine({ pocket: 'holland', slot: noon - n * HOUR, gate: null }),
    );
    const ledger = testLedger();
    await store.transaction(async (tx) => {
      await writePackages(tx, ledger, frequent);
      await ledger.write(tx);
    });
  });
  const list = async (pocket_id: string, limit?: number, now = noon) =>
    askOperation(getPocketPackages, store(), now, { pocket_id, ...(limit && { limit }) });
  const slots = ({ structured }: Answered<AnswerOf<typeof getPocketPackages>>) =>
    structured.packages.map(({ identity }) => Date.parse(identity.composed_at));

  test('the whole projection', async () => {
    const { structured, text } = await list('tiongbahru', 1);
    assert.deepEqual(structured, {
      pocket_id: 'tiongbahru',
      count: 1,
      packages: [
        {
          identity: {
            id: 'tiongbahru-20261111T0400Z',
            pocket_id: 'tiongbahru',
            source_kind: 'moment',
            composed_at: '2026-11-11T04:00:00.000Z',
          },
          experience: { composed_text: line, json_ld: {} },
          attribution_meta: {
            license: 'CC BY-NC-ND 4.0',
            attribution_required: true,
            composed_by: 'pocketwatch',
          },
          pqs: null,
          receipts: null,
          tier: 'atmosphere',
          _projection_version: '1.0',
        },
      ],
      _projection_version: '1.0',
    });
    assert.equal(
      text.split('\nthe next page: ')[0],
      `surfaced for tiongbahru, newest first (1):\n2026-11-11 12:00 SGT (atmosphere): ${line}`,
    );
  });

  test('newest first', async () => {
    assert.deepEqual(slots(await list('tiongbahru')), [noon, noon - HOUR, noon - DAY + SLOT, noon - DAY]);
  });

  test('as of an earlier time', async () => {
    assert.deepEqual(slots(await list('tiongbahru', 2, noon - 1)), [noon - HOUR, noon - DAY + SLOT]);
    assert.deepEqual(slots(await list('tiongbahru', 10, noon - DAY)), [noon - DAY]);
  });

  test('ten unless another limit is given, up to fifty', async () => {
    for (const [limit, count] of [
      [undefined, 10],
      [1, 1],
      [50, 50],
    ] as const)
      assert.equal((await list('holland', limit)).structured.count, count);
    for (const limit of [-1, 51])
      await assert.rejects(list('holland', limit), { message: 'limit must be 1-50' });
  });

  test('nothing was surfaced: an empty list is a normal answer', async () => {
    for (const pocket of ['siglap', 'Atlantis']) {
      const { structured, text } = await list(pocket);
      assert.deepEqual(structured, { pocket_id: pocket, count: 0, packages: [], _projection_version: '1.0' });
      assert.equal(text, `nothing has been surfaced for ${pocket} so far: silence is the usual outcome.`);
    }
  });
});
