// A simulated month: speaking is compared with like moments of silence, on every surface by the same figures.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { cityCalendar, isRestDay } from '../../../src/domain/city/rest-day.ts';
import { type Cell, compareWithinCells, LEAST_PAIRS } from '../../../src/domain/stats/matched-comparison.ts';
import { HOUR } from '../../../src/domain/time/slot.ts';
import { partHours, wakingParts } from '../../../src/domain/time/waking-hours.ts';
import { singapore } from '../../../src/domain/time/zones.fixture.ts';
import { ask } from '../../support/services/http-client.ts';
import { monthService } from '../../support/services/month.ts';
import { callTool, NOON } from '../../support/services/service.ts';

const { url, store, service } = await monthService();
const { pockets } = service.registry;
const calendar = cityCalendar(service.registry);
const midnight = singapore.startOfDay(NOON);

/** Every decision until yesterday, with calm then and an hour later: what the daily sums were made from. */
const decisions = (
  await Promise.all(
    ['packages', 'silences'].map((table, at) =>
      store
        .all<{ slot: number; pocket_id: string; primary_state: string; calm: number; later: number | null }>(
          `select d.slot, d.pocket_id, r.primary_state, r.calm, l.calm as later from ${table} d
         join atmosphere_readings r on r.slot = d.slot and r.pocket_id = d.pocket_id
         left join atmosphere_readings l on l.slot = d.slot + ${HOUR} and l.pocket_id = d.pocket_id
         where d.slot < ?`,
          midnight,
        )
        .then((rows) => rows.map((row) => ({ ...row, spoke: at === 0 }))),
    ),
  )
).flat();

const dayPartKey = (slot: number): string => {
  const hour = singapore.hourOfDay(slot);
  const part = wakingParts.find((one) => hour >= partHours[one].from && hour < partHours[one].to);
  return `${isRestDay(slot, calendar)} ${part}`;
};
const changeSums = (changes: readonly number[]) => ({
  n: changes.length,
  sum: changes.reduce((sum, one) => sum + one, 0),
  squares: changes.reduce((sum, one) => sum + one ** 2, 0),
});
function recompute(pocket: string) {
  const own = decisions.filter(({ pocket_id, later }) => pocket_id === pocket && later !== null);
  const cells = [
    ...Map.groupBy(own, ({ slot, primary_state }) => `${dayPartKey(slot)} ${primary_state}`).values(),
  ].map((rows): Cell => {
    const changes = (spoke: boolean) =>
      changeSums(rows.filter((row) => row.spoke === spoke).map(({ calm, later }) => (later ?? 0) - calm));
    return { treated: changes(true), control: changes(false) };
  });
  return compareWithinCells(cells);
}

describe('compared with not speaking', () => {
  test('equilibrium gives what follows from the decisions and readings themselves', async () => {
    assert.ok(decisions.some(({ spoke }) => spoke) && decisions.some(({ spoke }) => !spoke));
    let known = 0;
    for (const { id } of pockets) {
      const { structuredContent, content } = await callTool(url, 'get_pocket_equilibrium', { pocket_id: id });
      const compared = structuredContent?.compared_with_silence as {
        pairs: number;
        difference: number | null;
        standard_error: number | null;
        text: string;
      };
      const expected = recompute(id);
      assert.equal(compared.pairs, expected.pairs, id);
      assert.ok(content[0]?.text?.includes(compared.text));
      if (expected.pairs < LEAST_PAIRS) {
        assert.deepEqual([compared.difference, compared.standard_error], [null, null]);
        assert.match(compared.text, /: not known, with /);
        continue;
      }
      known++;
      assert.ok(Math.abs((compared.difference ?? 9) - (expected.difference ?? 0)) < 2e-4, id);
      assert.ok(Math.abs((compared.standard_error ?? 9) - (expected.standard_error ?? 0)) < 2e-4, id);
    }
    assert.ok(known > 0);
  });

  test('the page shows it beside the six measures, and the composite is their mean alone', async () => {
    const id = pockets[0]?.id ?? '';
    const { structuredContent } = await callTool(url, 'get_pocket_equilibrium', { pocket_id: id });
    const { dimensions, composite } = structuredContent as {
      dimensions: Record<string, number | null>;
      composite: number;
    };
    const present = Object.values(dimensions).filter((value) => value !== null);
    assert.equal(present.length <= 6, true);
    assert.ok(Math.abs(composite - present.reduce((sum, value) => sum + value, 0) / present.length) < 0.001);
    const page = await ask(`${url}/pocket/${id}/evidence`);
    assert.match(page.text, /Compared with not speaking: /);
  });

  test('savings are compared too, for the network and for pockets with five outlets or more', async () => {
    const told = async (path: string) => JSON.parse((await ask(`${url}${path}`)).text).compared_with_silence;
    const network = await told('/api/sustainability?window=90d');
    assert.equal(network.window_days, 90);
    assert.ok(network.pairs >= LEAST_PAIRS && network.difference !== null && network.standard_error > 0);
    for (const { id } of pockets) {
      const active = service.registry.outlets.filter((one) => one.active && one.pocket_id === id).length;
      const { structuredContent, content } = await callTool(url, 'get_pocket_sustainability', {
        pocket_id: id,
      });
      if (structuredContent?.available === false) continue;
      const compared = structuredContent?.compared_with_silence as { text: string } | null;
      assert.equal(compared === null, active < 5, id);
      if (compared) assert.ok(content[0]?.text?.includes(compared.text));
      assert.match(content[0]?.text ?? '', /inferred from that, not observed: /);
    }
  });
});
