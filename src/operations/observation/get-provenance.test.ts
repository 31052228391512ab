import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { askOperation, baseUrl } from '../../../test/support/answers/ask-operation.ts';
import { parkingBytes, townRegistry, writeTown } from '../../../test/support/rows/feeds.ts';
import { describeStores } from '../../../test/support/stores/store-places.ts';
import { storeFor } from '../../../test/support/stores/suite-store.ts';
import { HOUR, iso, MINUTE, SLOT } from '../../domain/time/slot.ts';
import { writeSnapshots } from '../../store/observation/snapshots.ts';
import { substrateTraceAt } from '../../store/observation/substrate-trace.ts';
import { getProvenance } from './get-provenance.ts';

const noon = Date.parse('2026-10-20T10:00:00Z');
const town = townRegistry();
const parkingHash = createHash('sha256').update(parkingBytes).digest('hex');

describeStores('get_provenance', (makePlace) => {
  const store = storeFor(makePlace, (empty) => writeTown(empty, noon));
  const ask = (given: object, now = noon + MINUTE) =>
    askOperation(getProvenance, store(), now, { pocket_id: 'domplatz', ...given }, town);

  test('leads from a reading to the rows and bytes that its signals rest on', async () => {
    const { structured, text } = await ask({ at: iso(noon + 7 * MINUTE) });
    assert.equal(structured.at, iso(noon));
    assert.deepEqual([structured.substrate, structured.completeness], ['live', 0.5]);
    assert.equal(structured.reading?.calm, 0.75);
    assert.deepEqual(
      structured.signals.map(({ kind, source }) => [kind, source]),
      [
        ['rain_mm', 'counters/old bridge/north'],
        ['crowd', 'counters/old bridge/north'],
        ['crowd', 'parking/theatre'],
      ],
    );
    const [rain, bikes, parking] = structured.signals.map(({ measurements }) => measurements);
    assert.deepEqual(parking, [
      {
        feed: 'parking',
        place_id: 'theatre',
        field: 'free',
        observed_at: iso(noon - 10 * MINUTE),
        received_at: iso(noon - MINUTE),
        body: {
          hash: parkingHash,
          bytes: parkingBytes.length,
          url: `${baseUrl}/api/feeds/bodies/${parkingHash}`,
        },
      },
    ]);
    // A sum of the quarter hour rests on each of its rows; their body is no longer kept.
    assert.deepEqual(
      bikes?.map(({ observed_at }) => observed_at),
      [iso(noon - 10 * MINUTE), iso(noon - 15 * MINUTE)],
    );
    assert.deepEqual([bikes?.[0]?.body?.bytes, bikes?.[0]?.body?.url], [null, null]);
    assert.deepEqual(
      rain?.map(({ field, observed_at, body }) => [field, observed_at, body]),
      [['rain', null, null]],
    );
    assert.equal(structured.note, null);
    assert.equal(text, 'the reading of domplatz at 12:00 CEST rests on 3 signals.');
  });

  test('shows the latest reading unless asked for another, and no value', async () => {
    const { structured } = await ask({});
    assert.equal(structured.at, iso(noon));
    assert.doesNotMatch(JSON.stringify(structured.signals), /"value"/);
    const before = (await ask({}, noon - 1)).structured;
    assert.deepEqual([before.at, before.reading, before.signals], [null, null, []]);
    const { structured: none, text } = await ask({ at: iso(noon - HOUR) });
    assert.deepEqual([none.at, none.signals], [iso(noon - HOUR), []]);
    assert.equal(text, 'domplatz: nothing was read of this pocket in that quarter hour.');
  });

  test('a simulated or replayed reading has sources and no bytes', async () => {
    const { snapshot } = await substrateTraceAt(store(), 'domplatz', noon);
    assert.ok(snapshot);
    const provenance = snapshot.provenance.map((one) => ({ ...one, fresh: true }));
    for (const [n, substrate, words] of [
      [1, 'simulated', /^a model of the city/],
      [2, 'replay', /were recorded/],
    ] as const) {
      const slot = noon + n * SLOT;
      const row = { ...snapshot, crowd_gap: null, provenance, slot, pocket_id: 'domplatz' };
      await store().transaction((tx) => writeSnapshots(tx, [row], substrate));
      const { signals, note } = (await ask({ at: iso(slot) }, slot)).structured;
      assert.equal(signals.length, 3);
      assert.ok(signals.every(({ measurements }) => measurements.length === 0));
      assert.match(note ?? '', words);
    }
  });
});
