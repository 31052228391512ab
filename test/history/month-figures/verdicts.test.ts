// A simulated month: the rule of `verify` finds every verdict on a line or a silence right, and one that was changed wrong.
// That it does so over HTTP, for a whole log, is ../month-ledger.test.ts.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lineOutcomes } from '../../../src/domain/verdict/line-serves.ts';
import type { VerdictPayload } from '../../../src/domain/verdict/verdict.ts';
import { wrongVerdict } from '../../../src/verify/figures/verdicts.ts';
import { monthEntries } from '../../support/services/month.ts';

test('every verdict follows from its readings, and none does with another outcome', async () => {
  const rows = await monthEntries('verdict');
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
