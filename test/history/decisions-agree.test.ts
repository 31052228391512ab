// A simulated month: every surface counts the same decisions in the same window.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { gatesInOrder } from '../../src/domain/decision/gates.ts';
import { mqsFactors } from '../../src/domain/decision/moment-quality.ts';
import { resonanceLayers } from '../../src/domain/decision/resonance.ts';
import { signalStatuses } from '../../src/domain/decision/signal-status.ts';
import { voiceFaults } from '../../src/domain/text/voice.ts';
import { DAY, HOUR } from '../../src/domain/time/slot.ts';
import type { LineOutcome } from '../../src/domain/verdict/line-serves.ts';
import { verdictText } from '../../src/domain/verdict/verdict.ts';
import { computeSeal } from '../../src/ledger/seal.ts';
import type { AnswerOf } from '../../src/operations/core/define.ts';
import type { getExplanation } from '../../src/operations/decision/get-explanation.ts';
import type { getPocketCounterfactuals } from '../../src/operations/decision/get-pocket-counterfactuals.ts';
import type { getPocketSilence } from '../../src/operations/decision/get-pocket-silence.ts';
import type { getSilenceCounts } from '../../src/operations/decision/get-silence-counts.ts';
import type { listExplanations } from '../../src/operations/decision/list-explanations.ts';
import type { listSilenceVindications } from '../../src/operations/decision/list-silence-vindications.ts';
import type { getTrustReport } from '../../src/operations/report/get-trust-report.ts';
import { ask } from '../support/services/http-client.ts';
import { monthEntries, monthService, monthSilences } from '../support/services/month.ts';
import { callTool, NOON } from '../support/services/service.ts';

const { url, store, service, clock } = await monthService();
const pockets = service.registry.pockets.map(({ id }) => id);

const get = async <T>(path: string): Promise<T> => {
  const reply = await ask(url + path);
  assert.equal(reply.status, 200, path);
  return reply.json<T>();
};
const number = async (sql: string, ...params: number[]): Promise<number> =>
  (await store.get<{ n: number }>(sql, ...params))?.n ?? Number.NaN;
const total = (rows: readonly { count: number }[]): number => rows.reduce((sum, { count }) => sum + count, 0);

type Counts = AnswerOf<typeof getSilenceCounts>;
type Trust = AnswerOf<typeof getTrustReport>;
type Explanations = AnswerOf<typeof listExplanations>;
type Explanation = AnswerOf<typeof getExplanation>;
type Counterfactuals = AnswerOf<typeof getPocketCounterfactuals>;
type Vindications = AnswerOf<typeof listSilenceVindications>;

for (const [window, days] of [
  ['7d', 7],
  ['30d', 30],
] as const) {
  describe(`over ${window}`, async () => {
    const from = NOON - days * 24 * HOUR;
    const stored = (table: string) => number(`select count(*) as n from ${table} where slot > ?`, from);
    const [silences, packages, pauses] = [
      await stored('silences'),
      await stored('packages'),
      await stored('pauses'),
    ];
    const counts = await get<Counts>(`/api/silence?window=${window}`);
    const trust = await get<Trust>(`/api/trust?window=${window}`);

    test('silence, trust, explanations and counterfactuals count the stored rows', async () => {
      assert.ok(silences > 1000 && packages > 10);
      const explained = async (query: string) =>
        (await get<Explanations>(`/api/explanations?since=${window}${query}`)).count;
      const counterfactuals = [];
      for (const pocket of pockets) {
        const answer = await get<Counterfactuals>(
          `/api/counterfactuals?pocket=${pocket}&hours=${days * 24}&limit=1`,
        );
        counterfactuals.push(answer);
        const { remain_silent_count, borderline_count, legitimate_count } = answer.summary;
        assert.equal(remain_silent_count + borderline_count + legitimate_count, answer.count);
        assert.equal(counts.per_pocket.find(({ pocket_id }) => pocket_id === pocket)?.count, answer.count);
        assert.equal(await explained(`&pocket=${pocket}&decision_type=silence`), answer.count);
      }
      assert.deepEqual(
        {
          silence: counts.total_silenced,
          withheld: trust.signals_withheld.total,
          explained: await explained('&decision_type=silence'),
          counterfactuals: total(counterfactuals),
        },
        { silence: silences, withheld: silences, explained: silences, counterfactuals: silences },
      );
      assert.equal(trust.signals_emitted.total, packages);
      assert.equal(await explained('&decision_type=emit'), packages);
      assert.equal(await explained(''), silences + packages + pauses);
      for (const { already_speaking_count, quiet_hours_count } of [counts, trust])
        assert.equal(already_speaking_count + quiet_hours_count, pauses);
    });

    test('the parts add up to the totals', () => {
      for (const parts of [counts.per_pocket, counts.per_reason, counts.daily_counts])
        assert.equal(total(parts), counts.total_silenced);
      assert.equal(total(trust.signals_emitted.by_tier), packages);
      for (const name of ['already_speaking_count', 'quiet_hours_count'] as const)
        for (const parts of [counts.per_pocket, counts.daily_counts])
          assert.equal(
            parts.reduce((sum, row) => sum + row[name], 0),
            counts[name],
          );
      assert.deepEqual(
        counts.per_reason.map(({ gate: _same, ...row }) => row),
        trust.signals_withheld.by_reason,
      );
      const byGate = Map.groupBy(counts.per_reason, ({ gate }) => gate);
      assert.deepEqual(
        new Map([...byGate].map(([gate, rows]) => [gate, total(rows)])),
        new Map(trust.signals_withheld.by_gate.map(({ gate, count }) => [gate, count])),
      );
      const minutes = counts.per_pocket.reduce((sum, row) => sum + row.attention_minutes_preserved, 0);
      assert.ok(Math.abs(minutes - counts.attention_minutes_preserved) < 0.1 * pockets.length);
    });

    test('vindications and trust agree on the verdicts, and some silences were wrong', async () => {
      const { summary, count } = await get<Vindications>(`/api/silence-vindications?since=${window}`);
      const { total_revealed, vindicated, missed, vindication_rate, inconclusive_count } =
        trust.silence_correctness;
      assert.equal(count, silences);
      assert.deepEqual(summary, {
        vindication_rate,
        total_revealed,
        total_vindicated: vindicated,
        inconclusive_count,
        pending_count: silences - total_revealed - inconclusive_count,
      });
      assert.equal(vindicated + missed, total_revealed);
      const wrong = trust.failure_analysis.filter(({ kind }) => kind === 'missed_silence');
      assert.equal(total(wrong), missed);
      assert.ok(
        vindication_rate !== null && vindication_rate > 0 && vindication_rate < 1,
        `${vindication_rate}`,
      );
      // Only the silences of the last three hours, the longest window, are still pending.
      assert.ok(summary.pending_count <= 12 * pockets.length);
    });
  });
}

describe('the decisions of the month', () => {
  test('every moment has exactly one outcome', async () => {
    const moments = await number('select count(*) as n from moments');
    const decided = `select s.id, s.slot, s.pocket_id from silences s union all select p.id, p.slot, p.pocket_id from packages p
      union all select k.kind as id, k.slot, k.pocket_id from pauses k`;
    const outcomes = await number(`select count(*) as n from (${decided}) d`);
    const matched = await number(
      `select count(*) as n from (${decided}) d join moments m on m.slot = d.slot and m.pocket_id = d.pocket_id`,
    );
    const both = await number(
      `select count(*) as n from moments m join silences s on s.slot = m.slot and s.pocket_id = m.pocket_id
       join packages p on p.slot = m.slot and p.pocket_id = m.pocket_id`,
    );
    assert.deepEqual([outcomes, matched, both], [moments, moments, 0]);
  });

  test('most decisions of waking hours are silences, and most pockets have emissions', async () => {
    const rows = await store.all<{ pocket_id: string; n: number }>(
      'select pocket_id, count(*) as n from packages group by pocket_id',
    );
    assert.ok(rows.length >= pockets.length - 3, `${rows.length}`);
    const spoken = rows.reduce((sum, { n }) => sum + n, 0);
    const silences = await number('select count(*) as n from silences');
    const share = silences / (silences + spoken);
    assert.ok(share >= 0.9 && share < 1, `${share}`);
  });

  test('mqs is the product of its factors and resonance that of its layers, in every row', async () => {
    const rows = await store.all<Record<string, number | null>>('select * from moments');
    // What was not measured is null, and no factor.
    const error = (row: Record<string, number | null>, whole: string, parts: readonly string[]) =>
      Math.abs((row[whole] ?? Number.NaN) - parts.reduce((product, part) => product * (row[part] ?? 1), 1));
    const layers = resonanceLayers.map((layer) => `layer_${layer}`);
    const wrong = rows.filter(
      (row) => !(error(row, 'mqs', mqsFactors) < 0.0000501 && error(row, 'resonance', layers) < 0.0000501),
    );
    assert.deepEqual(wrong.slice(0, 1), []);
    assert.ok(rows.length > 50_000);
  });

  test('recomputing the hash of each silence from its whole payload gives the served hash', async () => {
    let served = 0;
    // Of one pocket as far back as a list goes; the others are served by the same code.
    const limitOf = (pocket: string) => (pocket === pockets[0] ? 500 : 25);
    // Read whole: asking for thousands of entries by their ids unpacks their bundles again and again.
    const payloads = new Map((await monthEntries('silence')).map(({ id, payload }) => [id, payload]));
    for (const pocket of pockets) {
      const { entries, proof_url } = await get<Counterfactuals>(
        `/api/counterfactuals?pocket=${pocket}&hours=720&limit=${limitOf(pocket)}`,
      );
      for (const { id, substrate_snapshot, payload_hash } of entries) {
        const payload = JSON.parse(payloads.get(id) ?? assert.fail(id));
        assert.equal(computeSeal(payload).payload_hash, payload_hash);
        assert.deepEqual(payload.substrate.environment, substrate_snapshot.environment);
        const { footfall } = substrate_snapshot.environment;
        assert.ok(footfall === null || footfall >= 5, 'a count of a few people');
      }
      const [first] = entries;
      assert.ok(first);
      const proof = await get<{ payload: object; payload_hash: string }>(proof_url.replace('{id}', first.id));
      assert.deepEqual(
        [proof.payload_hash, computeSeal(proof.payload).payload_hash],
        [first.payload_hash, first.payload_hash],
      );
      served += entries.length;
    }
    assert.equal(served, 500 + 25 * (pockets.length - 1));
    const { items } = await get<Explanations>('/api/explanations?decision_type=silence&limit=20');
    for (const { id } of items) {
      const explanation = await get<Explanation>(`/api/explanations/${encodeURIComponent(id)}`);
      assert.ok('payload' in explanation);
      assert.equal(computeSeal(explanation.payload).payload_hash, explanation.payload_hash);
    }
  });

  test('every gate of an emission is open, and one gate of a silence is closed', async () => {
    for (const type of ['emit', 'silence']) {
      const { items } = await get<Explanations>(`/api/explanations?decision_type=${type}&since=7d&limit=40`);
      for (const { id } of items) {
        const { gate_closed, gates } = await get<Explanation>(`/api/explanations/${id}`);
        assert.ok(gates);
        const first = gatesInOrder.find((gate) => !gates[gate].passed) ?? null;
        assert.equal(first, gate_closed, id);
        assert.equal(first === null, type === 'emit', id);
      }
    }
  });
});

describe('published lines', async () => {
  const sealed = async (after: number) => {
    const rows = await store.all<{ leaf: number }>('select leaf from silences where slot > ?', after);
    const leaves = new Set(rows.map(({ leaf }) => leaf));
    return (await monthEntries('silence')).flatMap(({ leaf, payload }) => (leaves.has(leaf) ? payload : []));
  };
  const said = await store.all<{ pocket_id: string; line: string }>(
    'select pocket_id, composed_text as line from packages order by slot',
  );

  test('emitted and drafted lines follow the voice rules and their limit of 18 words', async () => {
    const silences = await monthSilences();
    const drafted = silences.map((silence) => silence.candidate_emission_text);
    for (const line of [...said.map(({ line }) => line), ...drafted])
      assert.deepEqual(voiceFaults(line, 'emit'), [], line);
  });

  test('summaries and reasons follow the voice rules', async () => {
    const { items } = await get<Explanations>('/api/explanations?since=30d&limit=500');
    const reasons = await store.all<{ outcome: LineOutcome; spoke: number }>(
      'select distinct outcome, spoke from verdicts',
    );
    assert.ok(reasons.length > 6);
    for (const line of [
      ...items.map(({ summary }) => summary),
      ...reasons.map(({ outcome, spoke }) => verdictText(spoke === 1, outcome)),
    ])
      assert.deepEqual(voiceFaults(line), [], line);
  });

  test('no line names an outlet', async () => {
    const names = service.registry.outlets.map(({ name }) => name.toLowerCase());
    const lines = said.map(({ line }) => line).join('\n');
    const allText = (lines + (await sealed(NOON - DAY)).join('\n')).toLowerCase();
    assert.deepEqual(
      names.filter((name) => allText.includes(name)),
      [],
    );
  });

  test('no pocket repeats a single template', () => {
    for (const pocket of pockets) {
      const templates = new Map<string, number>();
      const lines = said.filter(({ pocket_id }) => pocket_id === pocket).map(({ line }) => line);
      for (const line of lines) {
        const template = line.replaceAll(/\d+(?:[.:]\d+)?/g, '#');
        templates.set(template, (templates.get(template) ?? 0) + 1);
      }
      const most = Math.max(...templates.values()) / lines.length;
      assert.ok(
        templates.size >= Math.min(8, lines.length / 2) && (lines.length < 8 || most < 0.4),
        `${pocket}: ${templates.size} templates, ${most} one of them`,
      );
    }
  });

  test('a day shows every status, and every answer names a window in the future', async (t) => {
    t.after(() => {
      clock.now = NOON;
    });
    const seen = new Set<string>();
    for (let hour = 0; hour < 24; hour += 1.5) {
      clock.now = NOON - hour * HOUR;
      for (const pocket_id of pockets) {
        const { structuredContent, content } = await callTool(url, 'get_pocket_silence', { pocket_id });
        const silence = structuredContent as AnswerOf<typeof getPocketSilence>;
        if (!('signal_status_code' in silence)) continue;
        seen.add(silence.signal_status_code);
        const { next_possible_window: next } = silence;
        assert.ok(next === null || Date.parse(next) > clock.now);
        assert.ok(content[0]?.text.startsWith(`${pocket_id}: ${silence.signal_status_code}.`));
        for (const line of [silence.justification, ...silence.outlook])
          assert.deepEqual(voiceFaults(line), [], line);
      }
    }
    assert.deepEqual([...seen].sort(), [...signalStatuses].sort());
  });
});
