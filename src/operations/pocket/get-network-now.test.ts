import assert from 'node:assert/strict';
import { test } from 'node:test';
import { askOperation, city } from '../../../test/support/answers/ask-operation.ts';
import { writeDecisions } from '../../../test/support/rows/decisions.ts';
import { NOON } from '../../../test/support/services/service.ts';
import { describeStores } from '../../../test/support/stores/store-places.ts';
import { storeFor } from '../../../test/support/stores/suite-store.ts';
import { iso, MINUTE, SLOT } from '../../domain/time/slot.ts';
import { writeLegitimacyIndex } from '../../store/decision/legitimacy-index.ts';
import { writeReadings } from '../../store/observation/readings.ts';
import type { AnswerOf } from '../core/define.ts';
import { getNetworkNow } from './get-network-now.ts';

const atmosphere = {
  ...{ stress: 0.4, calm: 0.5, social_energy: 0.5, productive: 0.5 },
  primary_state: 'calm-productive',
  completeness: 0.8,
  anomaly_flag: false,
} as const;
const factors = {
  environmental_alignment: 0.5,
  fatigue: 0,
  saturation: 0,
  merchant_pressure: 0.5,
  expected_value: 0.5,
};

describeStores('GET /api/network', (makePlace) => {
  const store = storeFor(makePlace, async (store) => {
    await writeDecisions(store, [
      // Its line is still live when the next one is held back.
      { pocket: 'holland', slot: NOON - SLOT, gate: null },
      { pocket: 'holland', slot: NOON, gate: 'why_now' },
      { pocket: 'siglap', slot: NOON - SLOT, gate: 'resonance' },
      { pocket: 'siglap', slot: NOON, gate: 'why_this_place' },
      // Too old to be current.
      { pocket: 'cluny', slot: NOON - 2 * SLOT, gate: 'resonance' },
    ]);
    await store.transaction((tx) =>
      writeReadings(tx, [{ ...atmosphere, pocket_id: 'joochiat', slot: NOON }]),
    );
    const reading = { reading_date: '2026-11-11', score: 71, band: 'legitimate', reason: 'x' } as const;
    await store.transaction((tx) =>
      writeLegitimacyIndex(tx, NOON - 14 * SLOT, [{ pocket_id: 'siglap', ...reading, factors }]),
    );
  });
  const ask = (now = NOON + MINUTE) => askOperation(getNetworkNow, store(), now);
  const findRow = ({ pockets }: AnswerOf<typeof getNetworkNow>, id: string) =>
    pockets.find(({ pocket_id }) => pocket_id === id);

  test('every pocket of the registry, by name, with counts of speaking, silent and unread', async () => {
    const { structured, text } = await ask();
    assert.deepEqual(
      structured.pockets.map(({ name }) => name),
      city.pockets.map(({ name }) => name).sort(),
    );
    const { captured_at, speaking_count, silent_count, unread_count } = structured;
    assert.equal(captured_at, '2026-11-11T04:00:00.000Z');
    assert.deepEqual([speaking_count, silent_count, unread_count], [1, 1, 16]);
    assert.equal(
      text,
      'at 12:00 SGT: 18 pockets, 1 worth knowing about now, 1 left in silence. not enough recent data: 16.',
    );
  });

  test('a live line is shown; without one, the gate that closed on the newest draft', async () => {
    const { structured } = await ask();
    const [holland, siglap] = [findRow(structured, 'holland'), findRow(structured, 'siglap')];
    assert.deepEqual(
      [holland?.speaking, holland?.silent_because, holland?.signal_status_code],
      [true, null, 'ACTIVE_INTERVENTION'],
    );
    assert.ok(holland?.line);
    assert.equal(holland.line_at, iso(NOON - SLOT));
    assert.deepEqual([siglap?.speaking, siglap?.line, siglap?.line_at], [false, null, null]);
    assert.equal(siglap?.silent_because, 'nothing sets this place apart now');
    assert.equal(siglap?.primary_state, 'calm-productive');
  });

  test('the index of the day where there is one', async () => {
    const { structured } = await ask();
    assert.deepEqual(structured.index, {
      reading_date: '2026-11-11',
      count: 1,
      next_reading_at: '2026-11-12T00:30:00.000Z',
    });
    const scores = ['siglap', 'holland'].map((id) => findRow(structured, id)?.index_score);
    assert.deepEqual(scores, [71, null]);
  });

  test('a pocket without a current moment is unread, not calm', async () => {
    const cluny = findRow((await ask()).structured, 'cluny');
    assert.deepEqual([cluny?.primary_state, cluny?.calm_probability, cluny?.speaking], [null, null, false]);
    assert.equal(cluny?.silent_because, 'nothing has been measured here since 11:45');
  });

  test('no pocket has a current moment', async () => {
    const { structured, text } = await ask(NOON - 100 * SLOT);
    assert.deepEqual([structured.captured_at, structured.unread_count], [null, 18]);
    assert.equal(text, 'none of 18 pockets can be read just now: nothing has been measured here.');
  });
});
