import assert from 'node:assert/strict';
import { test } from 'node:test';
import { askOperation } from '../../../test/support/answers/ask-operation.ts';
import { ask as fetchFrom } from '../../../test/support/services/http-client.ts';
import { startService } from '../../../test/support/services/service.ts';
import { describeStores } from '../../../test/support/stores/store-places.ts';
import { storeFor } from '../../../test/support/stores/suite-store.ts';
import { indexReading } from '../../domain/decision/legitimacy-index.ts';
import { writeLegitimacyIndex } from '../../store/decision/legitimacy-index.ts';
import type { AnswerOf } from '../core/define.ts';
import { getLegitimacyIndex } from './get-legitimacy-index.ts';

const at = (local: string) => Date.parse(`2026-11-${local}:00+08:00`);
const made = (date: string, pocket: string, expected_value: number) => {
  const factors = {
    environmental_alignment: 0.5,
    fatigue: 0,
    saturation: 0,
    merchant_pressure: 0,
    expected_value,
  };
  return { ...indexReading(pocket, date, factors), factors };
};
const readings = [
  made('2026-08-13', 'tiongbahru', 0.5),
  made('2026-08-14', 'tiongbahru', 0.5),
  made('2026-11-05', 'tiongbahru', 0.5),
  made('2026-11-09', 'tiongbahru', 0.5),
  made('2026-11-11', 'tiongbahru', 0.5),
  made('2026-11-11', 'siglap', 0.75),
];

describeStores('get_legitimacy_index', (makePlace) => {
  const store = storeFor(makePlace, (store) =>
    store.transaction((tx) => writeLegitimacyIndex(tx, at('11T08:30'), readings)),
  );
  const dates = async (given: object, now = '11T12:00') => {
    const asked = await askOperation(getLegitimacyIndex, store(), at(now), { ...given });
    assert.equal(asked.structured.count, asked.structured.readings.length);
    return asked.structured.readings.map(({ pocket_id, reading_date }) => `${pocket_id} ${reading_date}`);
  };

  test('the network, a pocket today, a pocket over days', async () => {
    const pocket_id = 'tiongbahru';
    const table: [given: object, readings: string[]][] = [
      [{}, ['siglap 2026-11-11', 'tiongbahru 2026-11-11']],
      [{ days: 3 }, ['siglap 2026-11-11', 'tiongbahru 2026-11-11', 'tiongbahru 2026-11-09']],
      [
        { days: 7 },
        ['siglap 2026-11-11', 'tiongbahru 2026-11-11', 'tiongbahru 2026-11-09', 'tiongbahru 2026-11-05'],
      ],
      [{ pocket_id }, ['tiongbahru 2026-11-11']],
      [{ pocket_id, days: 1 }, ['tiongbahru 2026-11-11']],
      [{ pocket_id, days: 2 }, ['tiongbahru 2026-11-11']],
      [{ pocket_id, days: 3 }, ['tiongbahru 2026-11-11', 'tiongbahru 2026-11-09']],
      [
        { pocket_id, days: 90 },
        ['2026-11-11', '2026-11-09', '2026-11-05', '2026-08-14'].map((date) => `tiongbahru ${date}`),
      ],
      [{ pocket_id: 'holland', days: 90 }, []],
    ];
    for (const [given, expected] of table)
      assert.deepEqual(await dates(given), expected, JSON.stringify(given));
  });

  test("before today's reading is composed, earlier days are still listed", async () => {
    assert.deepEqual(await dates({}, '12T08:00'), []);
    assert.deepEqual(await dates({ pocket_id: 'tiongbahru' }, '12T08:00'), []);
    assert.deepEqual(await dates({ pocket_id: 'tiongbahru', days: 2 }, '12T08:00'), [
      'tiongbahru 2026-11-11',
    ]);
  });
});

test('GET /api/legitimacy-index', async (t) => {
  const { url, store } = await startService(t, { days: 0, now: at('11T12:00') });
  await store.transaction((tx) => writeLegitimacyIndex(tx, at('11T08:30'), readings));
  const get = async (query: string) => {
    const reply = await fetchFrom(`${url}/api/legitimacy-index${query}`);
    return [reply.status, reply.json<AnswerOf<typeof getLegitimacyIndex> & { error?: string }>()] as const;
  };
  const [status, body] = await get('?pocket=tiongbahru&days=7');
  assert.equal(status, 200);
  assert.deepEqual(Object.keys(body), ['readings', 'count', 'next_reading_at', '_meta']);
  assert.deepEqual(body.readings[0], {
    pocket_id: 'tiongbahru',
    reading_date: '2026-11-11',
    score: 45.5,
    band: 'borderline',
    reason: 'neither for nor against; expected_value costs most (23 points): part of what a line can bring.',
  });
  assert.equal(body.count, 3);
  const refused: [query: string, status: number, error: string][] = [
    ['?pocket=atlantis', 404, 'unknown pocket: atlantis'],
    ['?pocket=siglap&days=0', 400, 'days must be 1-90'],
    ['?pocket=siglap&days=91', 400, 'days must be 1-90'],
    ['?pocket=siglap&days=1.5', 400, 'days must be an integer'],
    ['?days=many', 400, 'days must be an integer'],
  ];
  for (const [query, expected, error] of refused) {
    const [status, body] = await get(query);
    assert.deepEqual([status, body.error], [expected, error], query);
  }
});
