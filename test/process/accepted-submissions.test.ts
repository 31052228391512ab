// A submission that was accepted by a process that was killed before it was appended.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseSubmission } from '../../src/domain/prediction/submission.ts';
import { HOUR, iso } from '../../src/domain/time/slot.ts';
import { openStore } from '../../src/store/engine/open.ts';
import { acceptSubmission } from '../../src/store/prediction/accepted-submissions.ts';
import { beginHistory, finishHistory } from '../../src/store/runtime/history.ts';
import { currentSubmission } from '../support/rows/benchmark-submission.ts';
import { ask } from '../support/services/http-client.ts';
import { eventually } from '../support/services/operator-commands.ts';
import { listen, runHere, serviceEnvironment } from '../support/services/processes.ts';
import { describeStores } from '../support/stores/store-places.ts';

describeStores('a submission that nobody appended', (makePlace) => {
  test('is in the ledger soon after the next start, which says that it is late, and verifies', async (t) => {
    const place = await makePlace();
    const store = openStore(place);
    t.after(async () => {
      await store.close();
      await place.remove();
    });
    const now = Date.now();
    const at = now - 2 * HOUR;
    const parsed = parseSubmission(currentSubmission('tiongbahru', now), at, () => true);
    if (!('submission' in parsed)) assert.fail(JSON.stringify(parsed));
    const { submission } = parsed;
    await store.transaction(async (tx) => {
      await beginHistory(tx, { from: now, until: now, now });
      await finishHistory(tx);
      await acceptSubmission(tx, submission, { id: 'left', nonce: 'n', at });
    });
    const environment = serviceEnvironment(place);
    const { url } = await listen(t, { ...environment, PIPELINE: 'off' });
    const scores = async () => (await ask(`${url}/api/benchmark/scores/left`)).json<Record<string, string>>();
    await eventually(async () => (await scores()).written_at !== null, 15_000);
    const { sealed_at, written_at, payload_hash } = await scores();
    assert.equal(sealed_at, iso(at));
    assert.ok(Date.parse(String(written_at)) >= now);
    const entry = (await ask(`${url}/api/ledger/entry/left`)).json<{
      payload_hash: string;
      payload: Record<string, unknown>;
    }>();
    assert.equal(entry.payload_hash, payload_hash);
    assert.equal(entry.payload.written_late, true);
    const verified = await runHere(t, ['verify', url], environment);
    assert.equal(verified.status, 0, verified.stdout + verified.stderr);
  });
});
