// What is checked of each question of docs/questions.md: the answer against the stored rows, computed here in the
// plainest way.
import assert from 'node:assert/strict';
import type { Registry } from '../../../src/domain/city/city.ts';
import { DAY, HOUR, slotOf } from '../../../src/domain/time/slot.ts';
import { sealOf } from '../../../src/ledger/seal.ts';
import type { AnswerOf } from '../../../src/operations/core/define.ts';
import type { getPocketSilence } from '../../../src/operations/decision/get-pocket-silence.ts';
import type { listExplanations } from '../../../src/operations/decision/list-explanations.ts';
import type { listSilenceVindications } from '../../../src/operations/decision/list-silence-vindications.ts';
import type { scoreLegitimacy } from '../../../src/operations/decision/score-legitimacy.ts';
import type { getAvailableExperiences } from '../../../src/operations/merchant/get-available-experiences.ts';
import type { getMerchantReadiness } from '../../../src/operations/merchant/get-merchant-readiness.ts';
import type { getObservedPatterns } from '../../../src/operations/merchant/get-observed-patterns.ts';
import type { getPocketSustainability } from '../../../src/operations/merchant/get-pocket-sustainability.ts';
import type { comparePockets } from '../../../src/operations/pocket/compare-pockets.ts';
import type { findCalmPocketNow } from '../../../src/operations/pocket/find-calm-pocket-now.ts';
import type { listPockets } from '../../../src/operations/pocket/list-pockets.ts';
import type { lookupPocketByName } from '../../../src/operations/pocket/lookup-pocket-by-name.ts';
import type { getAccuracyReport } from '../../../src/operations/prediction/get-accuracy-report.ts';
import type { getPocketFutures } from '../../../src/operations/prediction/get-pocket-futures.ts';
import type { listPredictions } from '../../../src/operations/prediction/list-predictions.ts';
import type { getChangelog } from '../../../src/operations/report/get-changelog.ts';
import type { getHeartbeat } from '../../../src/operations/report/get-heartbeat.ts';
import type { getStream } from '../../../src/operations/report/get-stream.ts';
import type { getTrustReport } from '../../../src/operations/report/get-trust-report.ts';
import type { Store } from '../../../src/store/engine/store.ts';

export type Replies = { body: Record<string, unknown>; text: string }[];

export interface Recorded {
  store: Store;
  registry: Registry;
  now: number;
}

export interface Question {
  /** Names in angle brackets of the next call, from the replies so far. */
  fill?(replies: Replies, store: Store): Record<string, string> | Promise<Record<string, string>>;
  check(replies: Replies, recorded: Recorded): Promise<void> | void;
}

const number = async (store: Store, sql: string, ...params: (string | number)[]): Promise<number> =>
  (await store.get<{ n: number }>(sql, ...params))?.n ?? Number.NaN;

/** The body of a reply, as the operation declares it. */
const body = <Op>(replies: Replies, n = 0): AnswerOf<Op> =>
  (replies[n]?.body ?? assert.fail()) as AnswerOf<Op>;

const textOf = (replies: Replies, n = 0): string => replies[n]?.text ?? assert.fail();

const share = (part: number, whole: number): number => Math.round((part / whole) * 1000) / 1000;

const currentMoments = ({ store, now }: Recorded) =>
  store.all<{ pocket_id: string; primary_state: string; calm_probability: number; silence_reasons: string }>(
    'select * from moments where slot = ? order by calm_probability desc, half_life_minutes desc',
    slotOf(now),
  );

const firstOutlet = (replies: Replies): string => {
  const { outlets } =
    body<typeof import('../../../src/operations/merchant/list-outlets.ts').listOutlets>(replies);
  return outlets[0]?.id ?? assert.fail('holland has no outlet');
};

export const checks: Record<number, Question> = {
  1: {
    check: async (replies, recorded) => {
      const { pockets, left_out } = body<typeof findCalmPocketNow>(replies);
      const moments = await currentMoments(recorded);
      const open = moments.filter(({ silence_reasons }) => silence_reasons === '[]');
      assert.deepEqual(
        pockets.map(({ pocket_id }) => pocket_id),
        open
          .filter(({ calm_probability }) => calm_probability >= 0.6)
          .slice(0, 3)
          .map(({ pocket_id }) => pocket_id),
      );
      assert.ok(left_out.total <= recorded.registry.pockets.length - pockets.length);
    },
  },
  2: {
    check: async (replies, { store, now }) => {
      const answer = body<typeof scoreLegitimacy>(replies);
      assert.ok('service_would_speak' in answer);
      const said = await number(
        store,
        'select count(*) as n from packages where pocket_id = ? and slot = ?',
        'tiongbahru',
        slotOf(now),
      );
      assert.equal(answer.service_would_speak, said === 1);
      assert.deepEqual(
        answer.closed_gates,
        Object.entries(answer.gates).flatMap(([gate, { passed }]) => (passed ? [] : [gate])),
      );
      assert.match(textOf(replies), /the service/);
    },
  },
  3: {
    check: async (replies, { store, now }) => {
      const row = body<typeof getAccuracyReport>(replies).by_horizon.find(
        ({ horizon_minutes }) => horizon_minutes === 180,
      );
      const [found] = await store.all<{ n: number; hits: number; naive: number }>(
        `select count(*) as n, sum(case when accuracy_score >= 0.5 then 1 else 0 end) as hits,
           sum(case when baseline_score >= 0.5 then 1 else 0 end) as naive
         from reveals where pocket_id = 'holland' and generator = 'pocket_projection_180m' and slot > ?
           and accuracy_score is not null`,
        now - 7 * DAY,
      );
      assert.ok(row && found);
      assert.deepEqual(
        [row.all.n, row.all.accuracy, row.all.baseline],
        [found.n, share(found.hits, found.n), share(found.naive, found.n)],
      );
      assert.ok(textOf(replies).includes('180'));
    },
  },
  4: {
    check: async (replies, { store, now }) => {
      const ahead = body<typeof getPocketFutures>(replies).horizons.find(
        ({ minutes_ahead }) => minutes_ahead === 120,
      );
      const sealed = await store.get<{ payload: string }>(
        `select e.payload from predictions p join ledger_entries e on e.leaf = p.leaf
         where p.pocket_id = 'joochiat' and p.slot = ? and p.generator = 'pocket_projection_120m'`,
        slotOf(now),
      );
      const { forecast, confidence } = JSON.parse(sealed?.payload ?? assert.fail());
      assert.equal(ahead?.expected_state, forecast.expected_state.replace('-', '_'));
      assert.equal(ahead?.confidence, confidence);
    },
  },
  5: {
    check: async (replies, recorded) => {
      const { pocket_a, pocket_b, verdict } = body<typeof comparePockets>(replies);
      assert.ok('calm_probability' in pocket_a && 'calm_probability' in pocket_b && verdict);
      const moments = new Map((await currentMoments(recorded)).map((moment) => [moment.pocket_id, moment]));
      for (const { pocket_id, calm_probability, primary_state } of [pocket_a, pocket_b]) {
        const stored = moments.get(pocket_id);
        assert.deepEqual(
          [calm_probability, primary_state],
          [stored?.calm_probability, stored?.primary_state],
        );
      }
    },
  },
  6: {
    check: async (replies, recorded) => {
      const { details } = body<typeof listPockets>(replies);
      const moments = new Map((await currentMoments(recorded)).map((moment) => [moment.pocket_id, moment]));
      assert.deepEqual(
        details.map(({ pocket_id, calm_probability }) => [pocket_id, calm_probability]),
        recorded.registry.pockets.map(({ id }) => [id, moments.get(id)?.calm_probability ?? null]),
      );
    },
  },
  7: {
    check: (replies) => {
      const silence = body<typeof getPocketSilence>(replies);
      const { items } = body<typeof listExplanations>(replies, 1);
      const [newest] = items;
      assert.ok(newest && 'justification' in silence);
      assert.equal(silence.reason, newest.reason);
      assert.ok(newest.summary.includes(silence.reason_text), newest.summary);
    },
  },
  8: {
    check: (replies) => {
      const { matches } = body<typeof lookupPocketByName>(replies);
      for (const { confidence } of matches) assert.ok(confidence < 0.5, `${confidence}`);
      assert.equal(replies[1]?.body.unknown_pocket, true);
      assert.match(
        textOf(replies, 1),
        /^no moment composable for tanjong pagar — substrate may be thin\.\nno pocket has the id /,
      );
    },
  },
  9: {
    check: async (replies, { store, now }) => {
      const { events } = body<typeof getStream>(replies);
      const said = await number(store, 'select count(*) as n from packages where slot > ?', now - DAY);
      const narrations = events.filter(({ type }) => type === 'narration');
      assert.ok(said > 0 && narrations.length >= Math.min(said, 10), `${narrations.length} of ${said}`);
    },
  },
  10: {
    check: async (replies, { store, now }) => {
      const { experiences } = body<typeof getAvailableExperiences>(replies);
      const live = await number(
        store,
        "select count(*) as n from brief_answers where answer = 'accepted' and window_start <= ? and window_end > ?",
        now,
        now,
      );
      assert.equal(experiences.length, live);
    },
  },
  11: {
    fill: (replies) => (replies.length ? { outlet_id: firstOutlet(replies) } : {}),
    check: async (replies, { registry }) => {
      const outlets = registry.outlets.filter(({ pocket_id, active }) => active && pocket_id === 'holland');
      assert.equal(replies[0]?.body.count, outlets.length);
      const { patterns, outlet_id } = body<typeof getObservedPatterns>(replies, 1);
      assert.equal(outlet_id, firstOutlet(replies));
      for (const { kind, basis } of patterns) assert.ok(kind && basis);
    },
  },
  12: {
    fill: async (_, store) => ({
      outlet_id:
        (await store.get<{ id: string }>('select max(outlet_id) as id from outlet_activity'))?.id ??
        assert.fail(),
    }),
    check: (replies) => {
      const { surfaced_count, withheld_count, decisions_replayed } = replies[0]?.body ?? {};
      assert.equal(Number(surfaced_count) + Number(withheld_count), decisions_replayed);
      assert.match(textOf(replies), /simulation/);
    },
  },
  13: {
    check: (replies, { registry }) => {
      const { rows } = body<typeof getMerchantReadiness>(replies);
      const outlets = registry.outlets.filter(({ pocket_id, active }) => active && pocket_id === 'holland');
      assert.equal(rows.length, outlets.length);
      for (const { name } of outlets) assert.ok(!JSON.stringify(replies).includes(name), name);
    },
  },
  14: {
    check: async (replies, { store }) => {
      const answer = body<typeof getPocketSustainability>(replies);
      assert.ok('dollar_value_sgd' in answer && answer.dollar_value_sgd !== null);
      const stored = await number(
        store,
        "select sum(value_cents) / 100.0 as n from sustainability_events where pocket_id = 'holland'",
      );
      assert.ok(Math.abs(answer.dollar_value_sgd - stored) < 0.01, `${answer.dollar_value_sgd} ${stored}`);
    },
  },
  15: {
    check: async (replies, { store }) => {
      const afterwards = await number(
        store,
        `select count(*) as n from ledger_entries where type not in ('reveal', 'verdict') and payload like '%"backfilled":true%'`,
      );
      assert.equal(replies[0]?.body.written_afterwards, afterwards);
      const { headline, sealed_before_outcome, written_afterwards } = body<typeof getAccuracyReport>(
        replies,
        1,
      );
      assert.equal(sealed_before_outcome.n + written_afterwards.n, headline.revealed_count);
    },
  },
  16: {
    fill: (replies) =>
      replies.length ? { prediction_id: body<typeof listPredictions>(replies).entries[0]?.id ?? '' } : {},
    check: (replies) => {
      const [entry] = body<typeof listPredictions>(replies).entries;
      assert.ok(entry);
      assert.equal(sealOf(entry.prediction_payload).payload_hash, entry.payload_hash);
      assert.ok(JSON.stringify(replies[1]?.body).includes(entry.payload_hash));
    },
  },
  17: {
    check: async (replies, { store, now }) => {
      const { summary } = body<typeof listSilenceVindications>(replies);
      const { silence_correctness, decisions_judged } = body<typeof getTrustReport>(replies, 1);
      assert.equal(summary.vindication_rate, silence_correctness.vindication_rate);
      const [stored] = await store.all<{ n: number; right: number }>(
        'select count(*) as n, sum(1 - served) as right from verdicts where spoke = 0 and served is not null and slot > ?',
        now - 7 * DAY,
      );
      assert.deepEqual([summary.total_revealed, summary.total_vindicated], [stored?.n, stored?.right]);
      const [lines] = await store.all<{ served: number | null; failed: number | null }>(
        'select sum(served) as served, sum(1 - served) as failed from verdicts where spoke = 1 and slot > ?',
        now - 7 * DAY,
      );
      assert.deepEqual(
        [decisions_judged.spoke_served, decisions_judged.spoke_failed],
        [lines?.served ?? 0, lines?.failed ?? 0],
      );
    },
  },
  18: {
    check: (replies) => {
      assert.equal(replies[0]?.body.ready, true);
      const { checks } = body<typeof getHeartbeat>(replies, 1);
      assert.equal(checks.length, 9);
    },
  },
  19: {
    check: (replies) => {
      assert.equal(replies[0]?.body.version, 'test');
      assert.ok(Date.parse(String(replies[0]?.body.deployed_at)));
    },
  },
  20: {
    check: async (replies, { store, now }) => {
      const { entries } = body<typeof getChangelog>(replies);
      for (const { date, atmosphere_readings, narrations_surfaced } of entries) {
        const from = Date.parse(date);
        const count = (table: string) =>
          number(
            store,
            `select count(*) as n from ${table} where slot >= ? and slot < ? and slot <= ?`,
            from,
            from + 24 * HOUR,
            now,
          );
        assert.deepEqual(
          [atmosphere_readings, narrations_surfaced],
          [await count('atmosphere_readings'), await count('packages')],
          date,
        );
      }
    },
  },
};
