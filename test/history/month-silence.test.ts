// A simulated month: what counts as a silence, for which one reason, and what it is credited with. Every rule is
// computed again here from stored rows, without the code that decides.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { gateThresholds } from '../../src/domain/decision/gates.ts';
import { resonanceLayers } from '../../src/domain/decision/resonance.ts';
import { decisionId, type SilencePayload } from '../../src/domain/decision/silence.ts';
import { type Reason, reasonText, type SilenceReason } from '../../src/domain/decision/silence-reason.ts';
import { DAY, HOUR, SLOT } from '../../src/domain/time/slot.ts';
import type { AnswerOf } from '../../src/operations/core/define.ts';
import type { getPocketCounterfactuals } from '../../src/operations/decision/get-pocket-counterfactuals.ts';
import type { getSilenceCounts } from '../../src/operations/decision/get-silence-counts.ts';
import { ask } from '../support/services/http-client.ts';
import { monthEntries, monthService, monthSilences } from '../support/services/month.ts';
import { NOON, rpc } from '../support/services/service.ts';

const { url, store, service } = await monthService();
const pockets = service.registry.pockets.map(({ id }) => id);
const get = async <T>(path: string): Promise<T> => (await ask(url + path)).json<T>();

interface Place {
  pocket_id: string;
  slot: number;
}
type MomentRow = Place & Record<string, number> & { silence_reasons: string };
type Silence = Place & { id: string; reason: SilenceReason; gate: string; payload: SilencePayload };

/** Not the id, which has the date: that of every moment of a month would be composed several times. */
const decisionKey = ({ pocket_id, slot }: Place) => `${pocket_id} ${slot}`;
const byKey = <T extends Place>(rows: readonly T[]) => new Map(rows.map((row) => [decisionKey(row), row]));

const moments = await store.all<MomentRow>(
  `select m.*, r.stress from moments m
   join atmosphere_readings r on r.slot = m.slot and r.pocket_id = m.pocket_id`,
);
const packages = await store.all<Place & { expires_at: number }>(
  'select slot, pocket_id, expires_at from packages',
);
const pauses = await store.all<Place & { kind: Reason }>('select slot, pocket_id, kind from pauses');
const sealed = await store.all<Omit<Silence, 'payload'> & { leaf: number }>(
  'select id, slot, pocket_id, reason, gate, leaf from silences order by slot',
);
const payloads = await monthSilences();
const payloadAt = new Map((await monthEntries('silence')).map(({ leaf }, n) => [leaf, payloads[n]]));
const silences: Silence[] = sealed.map(({ leaf, ...row }) => ({
  ...row,
  payload: payloadAt.get(leaf) ?? assert.fail(`no entry ${leaf}`),
}));

/** Singapore is eight hours ahead of UTC. */
const isNight = (slot: number) => {
  const hour = new Date(slot + 8 * HOUR).getUTCHours();
  return hour >= 23 || hour < 7;
};
const lines = Map.groupBy(packages, ({ pocket_id }) => pocket_id);
const isLive = ({ pocket_id, slot }: Place) =>
  (lines.get(pocket_id) ?? []).some((line) => line.slot < slot && line.expires_at > slot);

describe('what a silence is', () => {
  test('every moment has exactly one outcome, and it is the one that the clock and the live lines ask for', () => {
    const [said, silent, paused] = [byKey(packages), byKey(silences), byKey(pauses)];
    assert.equal(said.size + silent.size + paused.size, moments.length);
    for (const moment of moments) {
      const key = decisionKey(moment);
      const pause = isNight(moment.slot) ? 'quiet_hours' : isLive(moment) ? 'already_speaking' : undefined;
      assert.equal(paused.get(key)?.kind, pause, key);
      assert.equal(Number(said.has(key)) + Number(silent.has(key)), pause ? 0 : 1, key);
    }
  });

  test('it still speaks in most pockets, and few of its decisions are to speak', () => {
    assert.ok(lines.size >= pockets.length - 3, `${lines.size}`);
    const rate = silences.length / (silences.length + packages.length);
    assert.ok(rate > 0.9 && rate < 1, `${rate}`);
    for (const kind of ['quiet_hours', 'already_speaking'])
      assert.ok(pauses.filter((pause) => pause.kind === kind).length > 300, kind);
  });

  test('silences alone are credited', async () => {
    const ids = new Set(silences.map(({ id }) => id));
    const logged = await monthEntries('silence');
    assert.deepEqual(new Set(logged.map(({ id }) => id)), ids);
    const judged = await store.all<{ pocket_id: string; slot: number }>(
      'select pocket_id, slot from verdicts where spoke = 0',
    );
    assert.ok(judged.every(({ pocket_id, slot }) => ids.has(decisionId(pocket_id, slot))));
    const [pending] = await store.all<{ n: number }>(
      'select count(*) as n from silences where window_end > ?',
      NOON,
    );
    assert.equal(judged.length, silences.length - (pending?.n ?? 0));
  });

  test('counts are given apart, and the rate is that of waking hours', async () => {
    const within = <T extends Place>(rows: readonly T[]) => rows.filter(({ slot }) => slot > NOON - 30 * DAY);
    const counts = await get<AnswerOf<typeof getSilenceCounts>>('/api/silence?window=30d');
    const [held, said] = [within(silences).length, within(packages).length];
    const paused = within(pauses);
    assert.deepEqual(
      [counts.total_silenced, counts.already_speaking_count, counts.quiet_hours_count, counts.silence_rate],
      [
        held,
        paused.filter(({ kind }) => kind === 'already_speaking').length,
        paused.filter(({ kind }) => kind === 'quiet_hours').length,
        Math.round((1000 * held) / (held + said)) / 1000,
      ],
    );
    const reasons = Map.groupBy(within(silences), ({ reason }) => reason);
    assert.deepEqual(
      new Map(counts.per_reason.map(({ reason, count }) => [reason, count])),
      new Map([...reasons].map(([reason, rows]) => [reason, rows.length])),
    );
  });
});

describe('the reason is the reason', () => {
  const known = byKey(moments);

  /** The written order of docs/formulas.md, from stored scores. */
  function referenceReason({ payload, ...place }: Silence): string {
    const moment = known.get(decisionKey(place));
    assert.ok(moment);
    const of = (name: string) => Number(moment[name]);
    if (payload.usual_calm === null) return 'no_norm';
    if (of('stress') >= 0.62) return 'tense';
    if (of('fragility') > 0.7) return 'fragile';
    // Of saturation, or of the time in which lines were live; said-time.ts has tests of its own.
    if (payload.substrate.moment.silence_reasons.includes(reasonText.heard_enough)) return 'heard_enough';
    assert.ok(of('signal_saturation') <= 0.8);
    if (of('resonance') < 0.5) {
      const measured = resonanceLayers.filter((layer) => moment[`layer_${layer}`] !== null);
      const scores = measured.map((layer) => of(`layer_${layer}`));
      return `resonance_${measured[scores.indexOf(Math.min(...scores))]}`;
    }
    const { why_this_place, why_now, why_this_person, why_worth_attention, why_low_effort } = payload.gates;
    const rest = { why_this_place, why_now, why_this_person, why_worth_attention, why_low_effort };
    const closed = Object.entries(rest).find(
      ([gate, score]) => score !== null && score < gateThresholds[gate as keyof typeof rest],
    );
    return closed ? closed[0] : 'voice';
  }

  test('the sealed reason is the earliest cause, and the gate is its gate', () => {
    for (const silence of silences) {
      const { id, reason, gate, payload } = silence;
      assert.equal(reason, referenceReason(silence), id);
      assert.deepEqual([payload.reason, payload.gate_closed], [reason, gate], id);
      assert.equal(payload.reason_text, reasonText[reason], id);
      const { silence_reasons } = payload.substrate.moment;
      // A moment that asks for silence states that, and the first of its own reasons.
      assert.equal(gate === 'moment_silence', silence_reasons.length > 0, id);
      if (silence_reasons.length) assert.equal(silence_reasons[0], payload.reason_text, id);
    }
  });

  test('no reason is named for most silences, and many are', () => {
    const share = (test: (silence: Silence) => boolean) => silences.filter(test).length / silences.length;
    const resonance = share(({ gate }) => gate === 'resonance');
    assert.ok(resonance > 0.2 && resonance < 0.65, `${resonance}`);
    assert.ok(share(({ gate }) => gate === 'moment_silence') > 0.1);
    assert.ok(new Set(silences.map(({ reason }) => reason)).size >= 10);
  });
});

describe('attention', () => {
  interface Credited extends Place {
    revealed_at: number;
    vindicated: number | null;
    attention_minutes_preserved: number;
  }

  test('a silence found right is credited the people of a quarter hour, and their value follows', async () => {
    const footfalls = byKey(
      await store.all<Place & { footfall: number | null }>(
        `select r.slot, r.pocket_id, e.footfall from atmosphere_readings r
         join snapshots e on e.slot = r.slot and e.pocket_id = r.pocket_id`,
      ),
    );
    const credited = await store.all<Credited>(
      'select pocket_id, slot, revealed_at, 1 - served as vindicated, attention_minutes_preserved from verdicts where spoke = 0',
    );
    const days = new Map<string, number>();
    for (const row of credited) {
      const { pocket_id, slot, vindicated, attention_minutes_preserved: minutes } = row;
      const quarters = Array.from({ length: (row.revealed_at - slot) / SLOT }, (_, n) => n + 1);
      const hour = quarters.flatMap(
        (n) => footfalls.get(decisionKey({ pocket_id, slot: slot + n * SLOT }))?.footfall ?? [],
      );
      const people = hour.reduce((sum, n) => sum + n, 0) / Math.max(1, hour.length) / 4;
      assert.ok(Math.abs(minutes - (vindicated ? (people / 25) * (15 / 60) : 0)) < 0.0051, decisionKey(row));
      if (!vindicated) continue;
      const date = new Date(slot + 8 * HOUR).toISOString().slice(0, 10);
      days.set(`${pocket_id}-${date}`, (days.get(`${pocket_id}-${date}`) ?? 0) + minutes);
    }
    const events = await store.all<{ id: string; value_cents: number }>(
      "select id, value_cents from sustainability_events where kind = 'attention_saved'",
    );
    assert.ok(events.length > 400);
    for (const { id, value_cents } of events)
      assert.ok(Math.abs(value_cents - 4 * (days.get(id.replace('.attention_saved', '')) ?? 0)) <= 0.51, id);
  });
});

test('counterfactuals at default arguments stay under 48 KB', async () => {
  for (const pocket_id of pockets) {
    const reply = await rpc(url, 'tools/call', {
      name: 'get_pocket_counterfactuals',
      arguments: { pocket_id },
    });
    const { entries } = (reply.result as { structuredContent: AnswerOf<typeof getPocketCounterfactuals> })
      .structuredContent;
    assert.ok(entries.length > 20, pocket_id);
    const bytes = Buffer.byteLength(JSON.stringify(reply));
    assert.ok(bytes < 48_000, `${pocket_id}: ${bytes} bytes for ${entries.length} rows`);
  }
});
