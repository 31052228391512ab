// A simulated month: `verify` computes the verdict on every line and silence again, and names one that was changed.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lineOutcomes } from '../../../src/domain/verdict/line-serves.ts';
import type { VerdictPayload } from '../../../src/domain/verdict/verdict.ts';
import { wrongVerdict } from '../../../src/verify/figures/verdicts.ts';
import { httpFetch } from '../../../src/verify/http-fetch.ts';
import { monthService } from '../../support/services/month.ts';
import { verifyLedger } from '../../support/services/verify-ledger.ts';
import { storedEntries } from '../../support/stores/stored-entries.ts';

const { url, store } = await monthService();

test('the month verifies, with its lines, its silences and a verdict on each whose end has come', {
  timeout: 300_000,
}, async () => {
  const verdict = await verifyLedger({ fetch: httpFetch(url), api: httpFetch(url, 'api') });
  assert.ok(verdict.ok, JSON.stringify(verdict));
  assert.equal(verdict.figures, 'compared');
  const { line = 0, silence = 0, verdict: judged = 0 } = verdict.entries;
  assert.ok(line > 0 && silence > line, JSON.stringify(verdict.entries));
  const open = await store.get<{ n: number }>(
    `select count(*) as n from (select slot, pocket_id from silences union all select slot, pocket_id from packages) d
     where not exists (select 1 from verdicts v where v.slot = d.slot and v.pocket_id = d.pocket_id)`,
  );
  assert.equal(judged, line + silence - (open?.n ?? 0));
});

test('every verdict follows from its readings, and none does with another outcome', async () => {
  const rows = await storedEntries(store, 'verdict');
  const found = new Map<string, number>();
  for (const { payload } of rows) {
    const verdict: VerdictPayload = JSON.parse(payload);
    assert.equal(wrongVerdict(verdict), undefined, payload);
    for (const outcome of lineOutcomes)
      if (outcome !== verdict.outcome)
        assert.ok(wrongVerdict({ ...verdict, outcome }), `${outcome} in ${payload}`);
    assert.ok(wrongVerdict({ ...verdict, served: verdict.served === null ? true : !verdict.served }));
    const key = `${verdict.decision} ${verdict.served}`;
    found.set(key, (found.get(key) ?? 0) + 1);
  }
  for (const key of ['line true', 'line false', 'silence true', 'silence false', 'silence null'])
    assert.ok(found.get(key), `${key} of ${JSON.stringify([...found])}`);
});
