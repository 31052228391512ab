import assert from 'node:assert/strict';
import { test } from 'node:test';
import { askOperation } from '../../../test/support/answers/ask-operation.ts';
import { type DecisionFixture, sealedSilence, writeDecisions } from '../../../test/support/rows/decisions.ts';
import { describeStores } from '../../../test/support/stores/store-places.ts';
import { storeFor } from '../../../test/support/stores/suite-store.ts';
import { SLOT } from '../../domain/time/slot.ts';
import { computeSeal } from '../../ledger/seal.ts';
import { silencesByBand } from '../../store/decision/counterfactuals.ts';
import { entryById } from '../../store/ledger/ledger-reads.ts';
import { getPocketCounterfactuals } from './get-pocket-counterfactuals.ts';

const noon = Date.parse('2026-11-11T04:00:00Z');

const scores = [80, 75, 60, 50, 45, 39.9];
const made: DecisionFixture[] = [
  ...scores.map((score, n): DecisionFixture => ({ slot: noon - n * SLOT, gate: 'resonance', score })),
  { slot: noon - 6 * SLOT, gate: null },
  { pocket: 'dempsey', slot: noon, gate: 'why_now' },
  ...[80.3, 80.2, 80.1].map(
    (score, n): DecisionFixture => ({ pocket: 'holland', slot: noon - n * SLOT, gate: 'resonance', score }),
  ),
];

describeStores('get_pocket_counterfactuals', (makePlace) => {
  const store = storeFor(makePlace, (store) => writeDecisions(store, made));
  const ask = (given: object, now = noon) =>
    askOperation(getPocketCounterfactuals, store(), now, { pocket_id: 'tiongbahru', ...given });

  test('scores are added up exactly, in whatever order the rows are read', async () => {
    const window = { after: noon - 3 * SLOT, until: noon };
    const [tally] = await silencesByBand(store(), 'holland', window);
    assert.deepEqual([tally?.count, tally?.legitimacy], [3, 240.6]);
  });

  test('the drafted line, its distance from the threshold, the reason, and where the payload stands', async () => {
    const { structured, text } = await ask({ limit: 1 });
    const payload = sealedSilence({ slot: noon, gate: 'resonance', score: 80 });
    const {
      silence_reasons: _stated,
      window_ends_at: _end,
      held_share: _held,
      expected_calm: _expected,
      ...moment
    } = payload.substrate.moment;
    assert.deepEqual(structured, {
      pocket_id: 'tiongbahru',
      window_hours: 24,
      count: 6,
      summary: {
        remain_silent_count: 1,
        borderline_count: 3,
        legitimate_count: 2,
        avg_legitimacy_score: 58.3,
        avg_candidate_confidence: 0.5,
      },
      reason_texts: {
        resonance_physical: 'not enough reasons to speak, mainly because of rain, heat or heavy air',
      },
      proof_url: '/api/ledger/proof/{id}',
      entries: [
        {
          id: 'tiongbahru-20261111T0400Z',
          candidate_emission_text: 'a quiet hour; calmer than usual; until about quarter to one.',
          candidate_confidence: 0.5,
          legitimacy_score: 80,
          band: 'legitimate',
          delta_to_emit_threshold: 10,
          gate_closed: 'resonance',
          reason: 'resonance_physical',
          substrate_snapshot: { ...payload.substrate, moment },
          sealed_at: '2026-11-11T04:00:00.000Z',
          payload_hash: computeSeal(payload).payload_hash,
        },
      ],
    });
    assert.match(
      text,
      /^tiongbahru was left in silence 6 times over the last 24h: 1 remain_silent, 3 borderline/,
    );
    assert.match(text, /rain, heat or heavy air; 10 over the emit threshold: 'a quiet hour;/);
    assert.match(
      text,
      /1 of 6 are listed; all are rows of \/api\/counterfactuals\?pocket=tiongbahru&hours=24&format=csv and the whole sealed payload of one is at \/api\/ledger\/proof\/\{id\}\.$/m,
    );
  });

  test('the hash is that of the sealed payload, which the ledger holds whole under the id', async () => {
    const { structured } = await ask({});
    assert.equal(structured.entries.length, 6);
    for (const { id, payload_hash, substrate_snapshot } of structured.entries) {
      const entry = await entryById(store(), id);
      assert.ok(entry);
      const payload = JSON.parse(entry.payload);
      assert.equal(computeSeal(payload).payload_hash, payload_hash);
      assert.deepEqual(payload.substrate.environment, substrate_snapshot.environment);
    }
  });

  test('newest first, within the window; the summary is of the window and not of the list', async () => {
    const sealed = async (given: object, now = noon) => {
      const { structured } = await ask(given, now);
      return [
        structured.count,
        structured.entries.map(({ sealed_at }) => (noon - Date.parse(sealed_at)) / SLOT),
      ];
    };
    assert.deepEqual(await sealed({}), [6, [0, 1, 2, 3, 4, 5]]);
    assert.deepEqual(await sealed({ hours: 1 }), [4, [0, 1, 2, 3]]);
    assert.deepEqual(await sealed({ hours: 1.0000001 }), [5, [0, 1, 2, 3, 4]]);
    assert.deepEqual(await sealed({ limit: 2 }), [6, [0, 1]]);
    assert.deepEqual(await sealed({ limit: 2.9 }), [6, [0, 1]]);
    assert.deepEqual(await sealed({}, noon - 1), [5, [1, 2, 3, 4, 5]]);
  });

  test('nothing to average gives null', async () => {
    for (const pocket_id of ['siglap', 'atlantis']) {
      const { structured, text } = await ask({ pocket_id, hours: 720 });
      assert.deepEqual(structured, {
        pocket_id,
        window_hours: 720,
        count: 0,
        summary: {
          remain_silent_count: 0,
          borderline_count: 0,
          legitimate_count: 0,
          avg_legitimacy_score: null,
          avg_candidate_confidence: null,
        },
        reason_texts: {},
        proof_url: '/api/ledger/proof/{id}',
        entries: [],
      });
      assert.equal(text, `${pocket_id} has no silences over the last 720h.`);
    }
  });
});
