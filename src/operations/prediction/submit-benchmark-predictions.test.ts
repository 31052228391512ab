import assert from 'node:assert/strict';
import { test } from 'node:test';
import { prediction, submission } from '../../../test/support/rows/benchmark-submission.ts';
import { ask, post } from '../../../test/support/services/http-client.ts';
import { callTool, NOON, serviceFor, startService } from '../../../test/support/services/service.ts';
import { describeStores } from '../../../test/support/stores/store-places.ts';
import { storedEntries } from '../../../test/support/stores/stored-entries.ts';
import { DAY, HOUR, iso } from '../../domain/time/slot.ts';
import { computeSeal } from '../../ledger/seal.ts';
import type { AnswerOf } from '../core/define.ts';
import type { submitBenchmarkPredictions } from './submit-benchmark-predictions.ts';

type Answer = AnswerOf<typeof submitBenchmarkPredictions>;

interface Proof {
  type: string;
  payload_hash: string;
  payload: { detached: { hash: string; bytes: number } } & Record<string, unknown>;
}

describeStores('submit_benchmark_predictions', (makePlace) => {
  const storeClock = { now: NOON };
  const service = serviceFor(async () => ({
    days: 0,
    place: await makePlace(),
    storeNow: () => storeClock.now,
  }));
  const submit = (changed: object = {}) => post(`${service().url}/api/benchmark/submit`, submission(changed));
  const fetchProof = async (id: string) =>
    (await ask(`${service().url}/api/ledger/proof/${id}`)).json<Proof>();
  const detachedAt = ({ payload }: Proof) =>
    ask(`${service().url}/api/ledger/detached/${payload.detached.hash.slice('sha256:'.length)}`);

  test('over REST: an id and a status, never cached', async () => {
    const reply = await submit();
    assert.equal(reply.status, 200);
    assert.equal(reply.headers['cache-control'], 'no-store');
    const { submission_id, _meta, ...rest } = reply.json<
      Pick<Answer, 'submission_id' | 'status'> & { _meta: object }
    >();
    assert.match(submission_id, /^[0-9a-f-]{36}$/);
    assert.deepEqual(rest, { status: 'queued_for_scoring' });
  });

  test('over MCP: where the scores will be, and the hash of what was sealed', async () => {
    const name = "Bob's BOT!";
    const { structuredContent, content } = await callTool(
      service().url,
      'submit_benchmark_predictions',
      submission({ submitter_name: name, predictions: JSON.stringify([prediction]) }),
    );
    const { submission_id: id, ...rest } = structuredContent as unknown as Answer;
    const { payload_hash, payload, type } = await fetchProof(id);
    const scores = 'http://pocketwatch.test/api/benchmark/scores';
    assert.deepEqual(rest, {
      status: 'queued_for_scoring',
      leaderboard_url: scores,
      scores_url: `${scores}/${id}`,
      sealed_at: payload.sealed_at,
      written_at: payload.written_at,
      payload_hash,
    });
    assert.equal(computeSeal(payload).payload_hash, payload_hash);
    assert.equal(type, 'submission');
    assert.match(content[0]?.text ?? '', /^sealed 1 forecast of 'Bob’s BOT!' as /);
  });

  test('the ledger has the public fields at once and the items after the window; other fields are not stored', async () => {
    const secret = { contact_email: 'zq7@example.org', system_description: 'zq8 rules' };
    const id = String(
      (await submit({ ...secret, predictions: [prediction, prediction] })).json().submission_id,
    );
    const proof = await fetchProof(id);
    const { detached, ...open } = proof.payload;
    assert.deepEqual(open, {
      type: 'submission',
      id,
      submitter_name: 'a system',
      sealed_at: iso(NOON),
      prediction_window_start: iso(NOON),
      prediction_window_end: iso(NOON + 3 * HOUR),
      prediction_count: 2,
      written_at: iso(NOON),
    });
    assert.equal((await detachedAt(proof)).status, 404);
    service().clock.now = NOON + 3 * HOUR - 1;
    assert.equal((await detachedAt(proof)).status, 404);
    service().clock.now = NOON + 3 * HOUR;
    // The clock of this machine is fast: by the store's the window is still open.
    storeClock.now = NOON + 3 * HOUR - 1;
    assert.equal((await detachedAt(proof)).status, 404);
    storeClock.now = NOON + 3 * HOUR;
    const items = await detachedAt(proof);
    service().clock.now = NOON;
    assert.equal(items.status, 200);
    assert.equal(items.headers['cache-control'], 'public, max-age=31536000, immutable');
    const { nonce, predictions } = items.json<{ nonce: string; predictions: object[] }>();
    assert.match(nonce, /^[0-9a-f-]{36}$/);
    const stored = { ...prediction, predicted_state: 'calm-productive' };
    assert.deepEqual(predictions, [stored, stored]);
    assert.deepEqual(detached, {
      hash: computeSeal({ nonce, predictions }).payload_hash,
      bytes: Buffer.byteLength(items.text),
    });
    const tables = ['submissions', 'pipeline_state', 'job_runs'];
    for (const table of tables) {
      const rows = await service().store.all(`select * from ${table}`);
      assert.doesNotMatch(JSON.stringify(rows), /zq7|zq8/, table);
    }
    assert.doesNotMatch(JSON.stringify(await storedEntries(service().store)), /zq7|zq8/);
  });

  test('equal items of two submissions have different hashes', async () => {
    const [a, b] = [await submit({ submitter_name: 'a' }), await submit({ submitter_name: 'b' })].map(
      (reply) => String(reply.json().submission_id),
    );
    assert.notEqual(
      (await fetchProof(String(a))).payload.detached.hash,
      (await fetchProof(String(b))).payload.detached.hash,
    );
  });

  const tooMany = Array(1001).fill(prediction);
  const refused: [changed: object, status: number, error: string][] = [
    [{ submitter_name: undefined }, 400, 'submitter_name is required'],
    [{ submitter_name: '' }, 400, 'submitter_name is required'],
    [{ submitter_name: 'x'.repeat(121) }, 400, 'submitter_name too long (max 120 chars)'],
    [{ submitter_name: 'a\0' }, 400, 'submitter_name must not hold a NUL character'],
    [{ contact_email: 'x'.repeat(201) }, 400, 'contact_email too long (max 200 chars)'],
    [{ system_description: 'x'.repeat(2001) }, 400, 'system_description too long (max 2000 chars)'],
    [{ predictions: [] }, 400, 'predictions must have 1-1000 items'],
    [{ predictions: tooMany }, 400, 'predictions must have 1-1000 items'],
    [
      { predictions: [{ ...prediction, mood: 1 }] },
      400,
      'unknown argument: predictions[0].mood (known: pocket_id, horizon_minutes, predicted_state, predicted_calm_probability, confidence)',
    ],
    [
      { predictions: [prediction, { ...prediction, pocket_id: '', confidence: 2 }] },
      400,
      'predictions[1].pocket_id is required; predictions[1].confidence must be 0-1',
    ],
    [{ predictions: [{ ...prediction, confidence: 1.01 }] }, 400, 'predictions[0].confidence must be 0-1'],
    [
      { predictions: [{ ...prediction, predicted_calm_probability: '0.5' }] },
      400,
      'predictions[0].predicted_calm_probability must be a number',
    ],
    [
      { predictions: [{ ...prediction, horizon_minutes: 61 }] },
      400,
      'predictions[0].horizon_minutes must be one of 60, 120, 180',
    ],
    [
      { predictions: [prediction, { ...prediction, pocket_id: 'Atlantis' }] },
      404,
      "predictions[1].pocket_id: unknown pocket: 'Atlantis'",
    ],
    [
      { prediction_window_end: '2026-11-11T07:00:00' },
      400,
      'prediction_window_end must be an ISO 8601 time with its zone, such as 2026-11-11T04:00:00Z',
    ],
    [
      { prediction_window_end: iso(NOON + 7 * DAY + 1) },
      400,
      'prediction_window_end must be at most 7 days in the future',
    ],
    [
      { sealed_at: iso(NOON) },
      400,
      'unknown argument: sealed_at (known: submitter_name, prediction_window_start, prediction_window_end, predictions, contact_email, system_description)',
    ],
  ];
  for (const [changed, status, error] of refused) {
    test(`${JSON.stringify(changed).slice(0, 60)} → ${status} ${error.slice(0, 60)}`, async () => {
      const before = await service().store.get('select count(*) as n from submissions');
      const reply = await submit(changed);
      assert.deepEqual([reply.status, reply.json()], [status, { error }]);
      const { isError, content } = await callTool(
        service().url,
        'submit_benchmark_predictions',
        submission(changed),
      );
      assert.deepEqual([isError, content[0]?.text], [true, `error: ${error}`]);
      assert.deepEqual(await service().store.get('select count(*) as n from submissions'), before);
    });
  }

  test('the largest that is allowed is sealed', async () => {
    const predictions = Array(1000).fill({ ...prediction, predicted_calm_probability: 0.123456789012345 });
    const reply = await submit({ predictions, submitter_name: '荷'.repeat(120) });
    assert.equal(reply.status, 200);
  });

  test('concurrent submissions are all sealed, in one log', async () => {
    const replies = await Promise.all(
      Array.from({ length: 12 }, (_, n) => submit({ submitter_name: `system ${n}` })),
    );
    const ids = new Set(replies.map((reply) => reply.json().submission_id));
    assert.equal(ids.size, 12);
    const { size } = (await service().store.get<{ size: number }>('select size from ledger_size')) ?? {
      size: 0,
    };
    const { n } = (await service().store.get<{ n: number }>('select count(*) as n from submissions')) ?? {
      n: -1,
    };
    assert.equal(size, n);
  });

  test('a sealed submission refuses to be changed', async () => {
    for (const statement of ['update submissions set window_end = 0', 'delete from submissions']) {
      await assert.rejects(
        service().store.transaction((tx) => tx.run(statement)),
        /append-only/,
      );
    }
  });
});

test('without a datastore the submission is refused with that reason', async (t) => {
  const { url } = await startService(t, { place: 'none' });
  const reply = await post(`${url}/api/benchmark/submit`, submission());
  assert.deepEqual([reply.status, reply.json()], [503, { error: 'datastore not configured' }]);
});
