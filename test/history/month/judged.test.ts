// What became of the decisions of the month, by the rule that judges lines and silences alike.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { checkPromises, decisionTable, LEAST_LINES, type SaidLine } from '../../../scripts/judge/table.ts';
import { MINUTE, SLOT } from '../../../src/domain/time/slot.ts';
import { singapore } from '../../../src/domain/time/zones.fixture.ts';
import { MONTH_START } from '../../support/pipeline/history.ts';
import { monthService } from '../../support/services/month.ts';

/** The lines of the month before lines were judged: for each pocket the quarter hour of each, and its minutes. */
const earlierLines = (): SaidLine[] => {
  const file = new URL('../../support/rows/earlier-lines.json', import.meta.url);
  const lines = JSON.parse(readFileSync(file, 'utf8')) as Record<
    string,
    [quarter: number, minutes: number][]
  >;
  return Object.entries(lines).flatMap(([pocket_id, said]) =>
    said.map(([quarter, minutes]) => {
      const slot = MONTH_START + quarter * SLOT;
      return { pocket_id, slot, expires_at: slot + minutes * MINUTE };
    }),
  );
};

describe('the decisions of a month', async () => {
  const { store } = await monthService();
  const table = await decisionTable(store, singapore, earlierLines());

  test('there are enough lines to judge, and most decisions are silences', () => {
    assert.ok(table.lines.served + table.lines.failed >= LEAST_LINES, JSON.stringify(table));
    assert.ok(table.silences.right > table.silences.wrong);
  });

  for (const { what, holds } of checkPromises(table))
    test(what, () => assert.equal(holds, true, JSON.stringify(table)));
});
