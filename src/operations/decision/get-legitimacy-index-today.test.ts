import assert from 'node:assert/strict';
import { test } from 'node:test';
import { askOperation } from '../../../test/support/answers/ask-operation.ts';
import { describeStores } from '../../../test/support/stores/store-places.ts';
import { storeFor } from '../../../test/support/stores/suite-store.ts';
import { indexReading } from '../../domain/decision/legitimacy-index.ts';
import { writeLegitimacyIndex } from '../../store/decision/legitimacy-index.ts';
import { noStore } from '../../store/engine/open.ts';
import { getLegitimacyIndexToday } from './get-legitimacy-index-today.ts';

const at = (local: string) => Date.parse(`2026-11-${local}:00+08:00`);
const factors = (environmental_alignment: number) => ({
  environmental_alignment,
  fatigue: 0,
  saturation: 0,
  merchant_pressure: 0,
  expected_value: 0.6,
});
const made = (date: string, pocket: string, alignment: number) => ({
  ...indexReading(pocket, `2026-11-${date}`, factors(alignment)),
  factors: factors(alignment),
});

describeStores('get_legitimacy_index_today', (makePlace) => {
  const readings = [
    made('10', 'tiongbahru', 1),
    made('11', 'tiongbahru', 0.5),
    made('11', 'siglap', 0.7),
    made('11', 'dempsey', 0.5),
  ];
  const store = storeFor(makePlace, (store) =>
    store.transaction((tx) => writeLegitimacyIndex(tx, at('11T08:30'), readings)),
  );
  const ask = (now: string, pocket_id?: string) =>
    askOperation(getLegitimacyIndexToday, store(), at(now), pocket_id === undefined ? {} : { pocket_id });

  test("today's reading of a pocket", async () => {
    const { structured, text } = await ask('11T08:30', 'tiongbahru');
    assert.deepEqual(structured, {
      pocket_id: 'tiongbahru',
      reading_date: '2026-11-11',
      next_reading_at: '2026-11-12T00:30:00.000Z',
      score: 59,
      band: 'borderline',
      reason:
        'neither for nor against; environmental_alignment costs most (20 points): the surroundings help only in part.',
      latest: null,
    });
    assert.match(text, /^tiongbahru on 2026-11-11: 59 of 100, borderline\. neither for nor against;/);
  });

  test('the network, highest score first', async () => {
    const { structured, text } = await ask('11T23:59');
    assert.ok('readings' in structured);
    const { readings: list, ...rest } = structured;
    assert.deepEqual(
      list.map(({ pocket_id, score, band }) => [pocket_id, score, band]),
      [
        ['siglap', 83, 'legitimate'],
        ['dempsey', 59, 'borderline'],
        ['tiongbahru', 59, 'borderline'],
      ],
    );
    assert.deepEqual(Object.keys(list[0] ?? {}), ['pocket_id', 'reading_date', 'score', 'band', 'reason']);
    assert.deepEqual(rest, {
      reading_date: '2026-11-11',
      next_reading_at: '2026-11-12T00:30:00.000Z',
      count: 3,
      latest: [],
    });
    assert.equal(
      text,
      'legitimacy index of 2026-11-11, 3 pockets: siglap 83 (legitimate), dempsey 59 (borderline), tiongbahru 59 (borderline).',
    );
  });

  test("before half past eight there is none, and yesterday's stands beside it with its date", async () => {
    const { structured, text } = await ask('12T00:00', 'tiongbahru');
    assert.deepEqual(structured, {
      pocket_id: 'tiongbahru',
      reading_date: '2026-11-12',
      next_reading_at: '2026-11-12T00:30:00.000Z',
      score: null,
      band: null,
      reason: null,
      latest: {
        pocket_id: 'tiongbahru',
        reading_date: '2026-11-11',
        score: 59,
        band: 'borderline',
        reason:
          'neither for nor against; environmental_alignment costs most (20 points): the surroundings help only in part.',
      },
    });
    assert.equal(
      text,
      'tiongbahru has no index reading for 2026-11-12; the next is composed at 08:30 SGT on 2026-11-12. on 2026-11-11 it was 59 of 100, borderline.',
    );
    const network = await ask('12T08:29');
    assert.ok('readings' in network.structured);
    const { latest, ...none } = network.structured;
    assert.deepEqual(none, {
      reading_date: '2026-11-12',
      next_reading_at: '2026-11-12T00:30:00.000Z',
      readings: [],
      count: 0,
    });
    assert.deepEqual(
      latest.map(({ pocket_id, reading_date }) => `${pocket_id} ${reading_date}`),
      ['siglap 2026-11-11', 'dempsey 2026-11-11', 'tiongbahru 2026-11-11'],
    );
    assert.match(network.text, / the newest: legitimacy index of 2026-11-11, 3 pockets: siglap 83/);
    assert.match(
      network.text,
      /^no index reading exists for 2026-11-12 yet; the next is composed at 08:30 SGT/,
    );
  });

  test('a pocket without a reading that morning, and one that is not in the registry', async () => {
    for (const pocket of ['holland', 'atlantis', "' or 1=1 --"]) {
      const { structured, text } = await ask('11T12:00', pocket);
      assert.ok('pocket_id' in structured);
      assert.equal(structured.pocket_id, pocket);
      assert.equal(structured.score, null);
      assert.match(
        text,
        /has no index reading for 2026-11-11; the next is composed at 08:30 SGT on 2026-11-12\./,
      );
    }
  });
});

test('get_legitimacy_index_today without a store', async () => {
  await assert.rejects(askOperation(getLegitimacyIndexToday, noStore(), at('11T12:00')), {
    code: 'not_configured',
  });
});
