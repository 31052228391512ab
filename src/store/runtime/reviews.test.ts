import assert from 'node:assert/strict';
import { test } from 'node:test';
import { silence } from '../../../test/support/rows/decisions.ts';
import { openMigratedStore } from '../../../test/support/stores/open-stores.ts';
import { describeStores } from '../../../test/support/stores/store-places.ts';
import { testLedger } from '../../../test/support/stores/test-ledger.ts';
import type { SilencePayload } from '../../domain/decision/silence.ts';
import { DAY, HOUR, SLOT } from '../../domain/time/slot.ts';
import { singapore } from '../../domain/time/zones.fixture.ts';
import { writeSilences } from '../decision/decisions.ts';
import type { Store } from '../engine/store.ts';
import { openReviews, verdictOn, writeVerdict, writeWithheld } from './reviews.ts';

const now = Date.parse('2026-11-11T04:00:00Z');
const slot = now - HOUR;

/** A silence that only resonance closed, `short` under its threshold. */
const nearMiss = (pocket: string, at: number, short: number, score = 80): SilencePayload => {
  const payload = silence({ pocket, slot: at, gate: 'resonance', score });
  return { ...payload, gates: { ...payload.gates, resonance: 0.5 - short } };
};
const badVoice = (pocket: string, at: number): SilencePayload => ({
  ...silence({ pocket, slot: at, gate: 'voice', score: 80 }),
  candidate_emission_text: 'Visit us now!',
});

const seal = (store: Store, silences: SilencePayload[]) =>
  store.transaction(async (tx) => {
    const ledger = testLedger();
    await writeSilences(tx, ledger, silences);
    await ledger.write(tx);
  });
const openIds = async (store: Store, at = now) =>
  (await openReviews(store, at, singapore)).map(({ id }) => id);

describeStores('open reviews', (makePlace) => {
  test('a near miss is open for two days', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    const far = {
      ...nearMiss('siglap', slot, 0.02),
      gates: { ...nearMiss('siglap', slot, 0.02).gates, why_now: 0.1 },
    };
    await seal(store, [
      nearMiss('holland', slot, 0.02),
      nearMiss('serene', slot, 0.0201),
      nearMiss('cluny', slot, 0.01, 69.9),
      far,
    ]);
    const [review, ...others] = await openReviews(store, now, singapore);
    assert.deepEqual(others, []);
    assert.deepEqual(review, {
      id: 'holland-20261111T0300Z',
      origin: 'near_miss',
      since: slot,
      lapses_at: slot + 2 * DAY,
      subject: 'holland',
      reasons: ['not enough reasons to speak, mainly because of rain, heat or heavy air (resonance 0.48)'],
      line: 'a quiet hour; calmer than usual; until about quarter to one.',
      // The cube root of 0.5 × 0.8 × 0.48.
      pqs: 0.577,
      age: HOUR,
    });
    assert.deepEqual(await openIds(store, slot + 2 * DAY - 1), ['holland-20261111T0300Z']);
    assert.deepEqual(await openIds(store, slot + 2 * DAY), []);
  });

  test('consecutive slots are one case, which lapses and is judged as one', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    const again = slot + 3 * SLOT;
    await seal(store, [
      ...[slot, slot + SLOT, again].map((at) => nearMiss('holland', at, 0.01)),
      nearMiss('siglap', slot + SLOT, 0.01),
    ]);
    const ids = ['holland-20261111T0300Z', 'siglap-20261111T0315Z', 'holland-20261111T0345Z'];
    assert.deepEqual(await openIds(store), ids);
    assert.deepEqual(await openIds(store, slot + 2 * DAY), ids.slice(1));
    const verdict = { review_id: ids[0] as string, verdict: 'upheld', note: '', at: now } as const;
    await store.transaction((tx) => writeVerdict(tx, verdict));
    assert.deepEqual(await openIds(store), ids.slice(1));
    assert.deepEqual({ ...(await verdictOn(store, verdict.review_id)) }, verdict);
    await assert.rejects(store.transaction((tx) => writeVerdict(tx, { ...verdict, verdict: 'overturned' })));
    await assert.rejects(
      store.transaction((tx) => tx.run('delete from review_verdicts')),
      /append-only/,
    );
  });

  test('a draft that broke the voice is open until judged, once for each pocket and day', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    // 15:45 UTC is a quarter to midnight in Singapore.
    const late = Date.parse('2026-11-11T15:45:00Z');
    await seal(store, [
      badVoice('holland', slot),
      badVoice('holland', slot + SLOT),
      badVoice('siglap', slot + SLOT),
      badVoice('holland', late),
      badVoice('holland', late + SLOT),
    ]);
    const later = late + 90 * DAY;
    const ids = ['holland-20261111T0300Z', 'siglap-20261111T0315Z', 'holland-20261111T1600Z'];
    const reviews = await openReviews(store, later, singapore);
    assert.deepEqual(
      reviews.map(({ id }) => id),
      ids,
    );
    assert.deepEqual(
      reviews.map(({ lapses_at }) => lapses_at),
      [null, null, null],
    );
    assert.deepEqual(reviews[0]?.reasons, ['is not lowercase', 'exclaims']);
    assert.equal(reviews[0]?.line, 'Visit us now!');
    await store.transaction((tx) =>
      writeVerdict(tx, { review_id: ids[0] as string, verdict: 'upheld', note: 'mended', at: now }),
    );
    assert.deepEqual(await openIds(store, later), ids.slice(1));
  });

  test('a withheld line of an answer is stored once and open until judged', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    const line = {
      id: 'voice-2026-11-11-0a1b2c3d4e',
      at: slot,
      operation: 'say',
      faults: ['exclaims'],
      line: 'oh!',
    };
    for (const at of [slot, now]) await store.transaction((tx) => writeWithheld(tx, [{ ...line, at }]));
    const { faults, at, operation, ...stored } = line;
    assert.deepEqual(await openReviews(store, slot + 90 * DAY, singapore), [
      {
        ...stored,
        origin: 'answer',
        since: at,
        lapses_at: null,
        subject: operation,
        reasons: faults,
        pqs: null,
        age: 90 * DAY,
      },
    ]);
    await store.transaction((tx) =>
      writeVerdict(tx, { review_id: line.id, verdict: 'overturned', note: '', at: now }),
    );
    assert.deepEqual(await openIds(store), []);
  });
});
