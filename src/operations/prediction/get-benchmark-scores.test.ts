import assert from 'node:assert/strict';
import { test } from 'node:test';
import { submission } from '../../../test/support/rows/benchmark-submission.ts';
import { ask, post } from '../../../test/support/services/http-client.ts';
import { startService } from '../../../test/support/services/service.ts';
import type { AnswerOf } from '../core/define.ts';
import type { getBenchmarkScores } from './get-benchmark-scores.ts';

test('the scores of a submission are at its own address as soon as it is sealed', async (t) => {
  const { url } = await startService(t, { days: 0 });
  const sent = (await post(`${url}/api/benchmark/submit`, submission())).json();
  const reply = await ask(`${url}/api/benchmark/scores/${sent.submission_id}`);
  assert.equal(reply.status, 200);
  const { submission_id, status, accuracy } = reply.json<AnswerOf<typeof getBenchmarkScores>>();
  assert.deepEqual([submission_id, status, accuracy], [sent.submission_id, 'queued_for_scoring', null]);
  assert.doesNotMatch(reply.text, /example\.org|rules of thumb|predicted_state/);
  const unknown = await ask(`${url}/api/benchmark/scores/tiongbahru-20261111T0400Z`);
  assert.deepEqual(
    [unknown.status, unknown.json()],
    [404, { error: 'unknown submission: tiongbahru-20261111T0400Z' }],
  );
});
