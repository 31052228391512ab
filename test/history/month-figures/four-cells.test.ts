// A simulated month: what became of lines and silences, counted from the verdicts themselves, is the same on every page,
// tool and REST address that states it, and no other surface states it.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { decisionId } from '../../../src/domain/decision/silence.ts';
import { DAY } from '../../../src/domain/time/slot.ts';
import { singapore } from '../../../src/domain/time/zones.fixture.ts';
import { cellsText, failedOutcomes } from '../../../src/domain/verdict/decision-cells.ts';
import type { LineOutcome } from '../../../src/domain/verdict/line-serves.ts';
import { type DecisionCells, verdictText } from '../../../src/domain/verdict/verdict.ts';
import type { AnswerOf } from '../../../src/operations/core/define.ts';
import type { getExplanation } from '../../../src/operations/decision/get-explanation.ts';
import type { getSilenceCounts } from '../../../src/operations/decision/get-silence-counts.ts';
import type { getTrustReport } from '../../../src/operations/report/get-trust-report.ts';
import type { listStatesOfPocket } from '../../../src/operations/report/list-states-of-pocket.ts';
import type { listStatesOfRestraint } from '../../../src/operations/report/list-states-of-restraint.ts';
import { allEndpoints } from '../../support/answers/openapi-document.ts';
import { sampleIds } from '../../support/answers/operation-answers.ts';
import { sampleAddress } from '../../support/answers/sample-addresses.ts';
import { ask } from '../../support/services/http-client.ts';
import { monthService } from '../../support/services/month.ts';
import { browserHeaders } from '../../support/services/pages.ts';
import { callTool, NOON } from '../../support/services/service.ts';

const { url, store, service } = await monthService();
const pockets = service.registry.pockets.map(({ id }) => id).sort();

interface Row {
  id: string;
  pocket_id: string;
  slot: number;
  spoke: 0 | 1;
  served: 0 | 1 | null;
  outcome: LineOutcome;
}
const rows = (
  await store.all<Omit<Row, 'id'>>(
    'select pocket_id, slot, spoke, served, outcome from verdicts order by slot, pocket_id',
  )
).map((row): Row => ({ ...row, id: decisionId(row.pocket_id, row.slot) }));

const within = (from: number, to: number, pocket?: string) =>
  rows.filter(
    ({ slot, pocket_id }) => slot >= from && slot < to && (pocket === undefined || pocket_id === pocket),
  );

function count(own: readonly Row[]): DecisionCells {
  const n = (spoke: number, served: number | null) =>
    own.filter((row) => row.spoke === spoke && row.served === served).length;
  return {
    spoke_served: n(1, 1),
    spoke_failed: n(1, 0),
    silent_right: n(0, 0),
    silent_wrong: n(0, 1),
    inconclusive: n(0, null) + n(1, null),
  };
}
const lastDays = (days: number, pocket?: string) => within(NOON - days * DAY + 1, NOON + 1, pocket);
const ofOctober = (pocket?: string) =>
  within(Date.parse('2026-10-01T00:00:00+08:00'), Date.parse('2026-11-01T00:00:00+08:00'), pocket);

const get = async <T>(path: string): Promise<T> => (await ask(url + path)).json<T>();
const page = async (path: string): Promise<string> => {
  const { status, text } = await ask(url + path, { headers: browserHeaders });
  assert.equal(status, 200, path);
  return text.replace(/<head>.*?<\/head>/s, '');
};
const words = (text: string): string => text.replace(/<[^>]*>/g, ' ').replace(/[^\S\u00a0]+/g, ' ');
const figures = (cells: DecisionCells): string =>
  Object.values(cells)
    .map((n) => n.toLocaleString('en'))
    .join(' ');

type PerPocket = { pocket_id: string; decisions_judged: DecisionCells }[];
const byPocket = (found: PerPocket) =>
  new Map(found.map(({ pocket_id, decisions_judged }) => [pocket_id, decisions_judged]));

describe('the four cells', () => {
  for (const days of [7, 30] as const)
    test(`of the last ${days} days are those of the verdicts, of all pockets, of each and of each day`, async () => {
      const whole = count(lastDays(days));
      const each = new Map(pockets.map((pocket) => [pocket, count(lastDays(days, pocket))]));
      const trust = await get<AnswerOf<typeof getTrustReport>>(`/api/trust?window=${days}d`);
      const silence = await get<AnswerOf<typeof getSilenceCounts>>(`/api/silence?window=${days}d`);
      assert.deepEqual([trust.decisions_judged, silence.decisions_judged], [whole, whole]);
      assert.deepEqual(byPocket(trust.per_pocket), each);
      assert.deepEqual(byPocket(silence.per_pocket), each);
      for (const { date, decisions_judged } of silence.daily_counts)
        assert.deepEqual(
          decisions_judged,
          count(lastDays(days).filter(({ slot }) => singapore.localDate(slot) === date)),
          date,
        );
      const { vindicated, missed } = trust.silence_correctness;
      assert.deepEqual([vindicated, missed], [whole.silent_right, whole.silent_wrong]);
      for (const path of ['/trust', '/silence']) {
        const shown = words(await page(`${path}?window=${days}d`));
        assert.ok(shown.includes(cellsText(whole)), path);
        for (const cells of [whole, ...each.values()])
          assert.ok(shown.includes(figures(cells)), `${path} does not show ${figures(cells)}`);
      }
    });

  test('name every line that failed, by what became of it', async () => {
    const { failure_analysis } = await get<AnswerOf<typeof getTrustReport>>('/api/trust?window=30d');
    const found = new Map(
      failure_analysis.flatMap((failure) => ('outcome' in failure ? [[failure.outcome, failure.count]] : [])),
    );
    const failed = lastDays(30).filter(({ spoke, served }) => spoke === 1 && served === 0);
    assert.ok(failed.length > 0);
    assert.deepEqual(
      found,
      new Map(
        failedOutcomes.flatMap((outcome) => {
          const n = failed.filter((row) => row.outcome === outcome).length;
          return n ? [[outcome, n] as const] : [];
        }),
      ),
    );
    const shown = words(await page('/trust?window=30d'));
    for (const outcome of found.keys())
      assert.ok(shown.toLowerCase().includes(`line failed ${verdictText(true, outcome as LineOutcome)}`));
  });

  test('of a month are the same in the report, its list, the pages and the text of the tool', async () => {
    const whole = count(ofOctober());
    const each = new Map(pockets.map((pocket) => [pocket, count(ofOctober(pocket))]));
    const { reports } = await get<AnswerOf<typeof listStatesOfRestraint>>(
      '/api/state-of-restraint?month=2026-10',
    );
    assert.deepEqual(
      reports.map(({ metrics }) => metrics.decisions_judged),
      [whole],
    );
    assert.deepEqual(byPocket(reports[0]?.per_pocket ?? []), each);
    const { structuredContent, content } = await callTool(url, 'get_state_of_restraint', {
      month_iso: '2026-10',
    });
    const report = structuredContent as { decisions_judged: DecisionCells; per_pocket: PerPocket };
    assert.deepEqual([report.decisions_judged, byPocket(report.per_pocket)], [whole, each]);
    assert.ok(content[0]?.text.includes(cellsText(whole)));
    const shown = words(await page('/reports/restraint/2026-10'));
    assert.ok(shown.includes(cellsText(whole)));
    for (const cells of [whole, ...each.values()]) assert.ok(shown.includes(figures(cells)), figures(cells));
    assert.ok(words(await page('/trust')).includes(`2026-10 ${figures(whole)}`));
    for (const pocket of pockets.slice(0, 3)) {
      const state = await get<AnswerOf<typeof listStatesOfPocket>>(
        `/api/state-of-pocket?pocket=${pocket}&month=2026-10`,
      );
      assert.deepEqual(state.report?.decisions_judged, each.get(pocket));
    }
  });

  test('name the line that failed with the highest legitimacy, and how many failed', async () => {
    const { reports } = await get<AnswerOf<typeof listStatesOfRestraint>>(
      '/api/state-of-restraint?month=2026-10',
    );
    const failed = ofOctober().filter(({ spoke, served }) => spoke === 1 && served === 0);
    const scores = new Map(
      (
        await store.all<{ id: string; legitimacy_score: number }>('select id, legitimacy_score from packages')
      ).map(({ id, legitimacy_score }) => [id, legitimacy_score]),
    );
    const highest = Math.max(...failed.map(({ id }) => scores.get(id) ?? 0));
    const text = reports[0]?.narrative_top_failure ?? '';
    const { spoke_served, spoke_failed } = count(ofOctober());
    if (!failed.length) return assert.match(text, /none of \d+ lines judged failed\.$/);
    assert.ok(text.includes(`with a legitimacy of ${highest};`), text);
    assert.ok(text.endsWith(`${spoke_failed} of ${spoke_served + spoke_failed} lines judged failed.`), text);
  });

  test('are stated by these surfaces and no other', async () => {
    const ids = await sampleIds(url);
    const endpoints = (await allEndpoints(url)).filter(({ method }) => method === 'get');
    const found: string[] = [];
    for (const endpoint of endpoints) {
      if (/^\/(?:docs|openapi|glossary)/.test(endpoint.path)) continue;
      const reply = await ask(url + sampleAddress(endpoint, service, ids, {}), {
        headers: endpoint.path.startsWith('/api/') ? {} : browserHeaders,
      });
      if (reply.status === 200 && /"decisions_judged"|Spoke and it served|>Lines served</.test(reply.text))
        found.push(endpoint.path);
    }
    assert.deepEqual(found.sort(), [
      '/api/silence',
      '/api/state-of-pocket',
      '/api/state-of-restraint',
      '/api/trust',
      '/reports',
      '/reports/pocket/{pocket_id}',
      '/reports/pocket/{pocket_id}/{month_iso}',
      '/reports/restraint',
      '/reports/restraint/{month_iso}',
      '/silence',
      '/trust',
    ]);
  });
});

describe('the page of a decision', () => {
  const cells: [name: string, spoke: 0 | 1, served: 0 | 1 | null, mark: RegExp][] = [
    ['a line that served', 1, 1, />Right<\/span>/],
    ['a line that failed', 1, 0, />Wrong<\/span>/],
    ['a silence that was right', 0, 0, />Right<\/span>/],
    ['a silence that was wrong', 0, 1, />Wrong<\/span>/],
    ['a silence that could not be judged', 0, null, /It could not be judged/],
  ];
  for (const [name, spoke, served, mark] of cells)
    test(`${name}: what was known, what happened, and the verdict`, async () => {
      const row = rows.findLast((one) => one.spoke === spoke && one.served === served);
      assert.ok(row, `no such decision in the month`);
      const id = `${spoke ? 'emit' : 'silence'}:${row.id}`;
      const text = await page(`/explanations/${id}`);
      const [known, happened, verdict] = ['id="known"', 'id="happened"', 'id="verdict"'].map((place) =>
        text.indexOf(place),
      ) as [number, number, number];
      assert.ok(known > 0 && known < happened && happened < verdict, `${known} ${happened} ${verdict}`);
      assert.match(text.slice(verdict), mark);
      assert.ok(text.slice(verdict).includes(`href="/ledger/${row.id}.verdict"`));
      assert.ok(words(text).includes(verdictText(spoke === 1, row.outcome)));
      const { was_it_right } = await get<AnswerOf<typeof getExplanation>>(`/api/explanations/${id}`);
      assert.ok(was_it_right?.revealed);
      const { calm } = was_it_right.what_happened;
      const shown = words(text.slice(happened, verdict));
      for (const [n, level] of calm.entries()) {
        const at = singapore.clockWithZone(row.slot + n * (DAY / 96));
        assert.ok(
          shown.includes(`${at} ${level === null ? 'not known' : level.toFixed(3)}`),
          `${at} ${level}`,
        );
      }
      await page(`/ledger/${row.id}.verdict`);
      await page(`/ledger/${row.id}`);
    });

  test('a silence that is not judged yet says when it will be, and a pause that nothing was decided', async () => {
    const open = await store.get<{ id: string; window_end: number }>(
      'select id, window_end from silences where window_end > ? order by slot desc limit 1',
      NOON,
    );
    assert.ok(open);
    const shown = words(await page(`/explanations/silence:${open.id}`));
    assert.ok(shown.includes(`it is judged at ${singapore.clockWithZone(open.window_end)}`), shown);
    const pause = await store.get<{ kind: string; pocket_id: string; slot: number }>(
      'select kind, pocket_id, slot from pauses order by slot desc limit 1',
    );
    assert.ok(pause);
    const slot = new Date(pause.slot).toISOString().replace(/[-:]/g, '').slice(0, 13);
    const text = await page(`/explanations/${pause.kind}:${pause.pocket_id}-${slot}Z`);
    assert.ok(words(text).includes('nothing was decided, so nothing is judged'));
    assert.doesNotMatch(text, /id="(?:known|happened|verdict)"/);
  });
});
