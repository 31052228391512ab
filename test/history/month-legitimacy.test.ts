// A simulated month of the whole city: lines are true to their readings, scores that should move do, texts agree with
// figures, and score_legitimacy agrees with what the service decided.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { pocketFatigue } from '../../src/domain/decision/attention.ts';
import { factorCost, legitimacyBandAt, legitimacyFactors } from '../../src/domain/decision/legitimacy.ts';
import { indexScore } from '../../src/domain/decision/legitimacy-index.ts';
import { type CommitmentWindow, isSleepHour, signalSaturation } from '../../src/domain/decision/moment.ts';
import { decisionId } from '../../src/domain/decision/silence.ts';
import { packageQuality } from '../../src/domain/narration/package.ts';
import { round } from '../../src/domain/stats/unit-scale.ts';
import { partOfDay } from '../../src/domain/text/spoken-clock.ts';
import { dayNames } from '../../src/domain/time/periods.ts';
import { DAY, HOUR } from '../../src/domain/time/slot.ts';
import { singapore } from '../../src/domain/time/zones.fixture.ts';
import { scoreLegitimacy } from '../../src/operations/decision/score-legitimacy.ts';
import { allStories } from '../../src/store/decision/testing/all-stories.ts';
import { askOperation } from '../support/answers/ask-operation.ts';
import { monthService, monthSilences } from '../support/services/month.ts';
import { callTool, NOON } from '../support/services/service.ts';

const { url, store, service } = await monthService();
const pockets = service.registry.pockets.map(({ id }) => id);

interface MomentRow {
  slot: number;
  band: string;
  pocket_id: string;
  signal_saturation: number;
  fatigue: number;
  silence_reasons: string;
}
const moments = await store.all<MomentRow>(
  'select slot, pocket_id, band, signal_saturation, fatigue, silence_reasons from moments order by slot',
);
const waking = moments.filter(({ slot }) => !isSleepHour(singapore.hourOfDay(slot)));
const lines = await store.all<{ pocket_id: string; slot: number; expires_at: number }>(
  'select pocket_id, slot, expires_at from packages order by slot',
);
const linesOf = Map.groupBy(lines, ({ pocket_id }) => pocket_id);

describe('what was said and drafted', () => {
  interface Line {
    line: string;
    slot: number;
    calm: number;
    usual_calm: number | null;
    network_calm: number | null;
  }
  const readingOf = `m.slot, m.window_expected_calm as calm, m.usual_calm, m.network_calm from moments m
    join atmosphere_readings r on r.slot = m.slot and r.pocket_id = m.pocket_id`;

  /** Bounds of how much calmer than what it is compared with, by the words of the comparison. */
  const bounds: [words: RegExp, from: number, below: number][] = [
    [/^much calmer/, 0.15, 2],
    [/^calmer/, 0.015, 2],
    [/^a little calmer/, 0.015, 0.05],
    [/^about as calm|^calm as/, -0.05, 0.05],
    [/^(?:calm, but )?less|^rather less/, -2, -0.049],
  ];

  function check({ line, slot, calm, usual_calm, network_calm }: Line): void {
    const [, comparison = ''] = line.split('; ');
    const isOfCity = /elsewhere|rest of the city/.test(comparison);
    const reference = isOfCity ? network_calm : usual_calm;
    const [, from = Number.NaN, below = Number.NaN] = bounds.find(([words]) => words.test(comparison)) ?? [];
    const difference = round(calm - (reference ?? Number.NaN));
    assert.ok(difference >= from && difference < below, `${line} ${difference}`);
    const hour = /usual (\w+day) (\w+)$/.exec(comparison)?.slice(1).join(' ');
    if (hour) assert.equal(hour, `${dayNames[singapore.weekday(slot)]} ${partOfDay(slot, singapore)}`);
  }

  test('the comparison of every spoken line is that of its reading, and never speaks against it', async () => {
    const said = await store.all<Line>(
      `select p.composed_text as line, x.* from packages p join (select m.pocket_id, ${readingOf}) x
       on x.slot = p.slot and x.pocket_id = p.pocket_id`,
    );
    assert.ok(said.length > 100, `${said.length}`);
    for (const line of said) check(line);
    for (const { line } of said) assert.doesNotMatch(line, /; (?:calm, but |rather )?less/);
  });

  test('so is that of every draft', async () => {
    const readings = new Map(
      (await store.all<Line & { pocket_id: string }>(`select m.pocket_id, ${readingOf}`)).map((row) => [
        decisionId(row.pocket_id, row.slot),
        row,
      ]),
    );
    const drafts = await monthSilences();
    let compared = 0;
    for (const { id, candidate_emission_text: line } of drafts) {
      const reading = readings.get(id);
      assert.ok(reading, id);
      if (line.includes('; not to be compared yet;')) continue;
      compared += 1;
      check({ ...reading, line });
    }
    assert.ok(compared > 0.9 * drafts.length, `${compared} of ${drafts.length}`);
  });

  test('stories call calm likely from one half on', async () => {
    const read = await store.all<{ slot: number; pocket_id: string; calm_probability: number }>(
      'select slot, pocket_id, calm_probability from moments',
    );
    const chances = new Map(read.map((one) => [`${one.slot} ${one.pocket_id}`, one.calm_probability]));
    const odds = (await allStories(store)).flatMap(({ slot, pocket_id, why_now }) => {
      const calm_probability = chances.get(`${slot} ${pocket_id}`) ?? assert.fail();
      return why_now.includes('likely') ? [{ why_now, calm_probability }] : [];
    });
    assert.ok(odds.length > 1000, `${odds.length}`);
    for (const { why_now, calm_probability } of odds)
      assert.equal(why_now.includes('not likely to be calm'), calm_probability < 0.5, why_now);
  });

  test('every package has a quality score that is not public, and ten fit into 16 KB', async () => {
    const rows = await store.all<{
      pqs: number;
      confidence: number;
      legitimacy_score: number;
      resonance: number;
    }>('select pqs, confidence, legitimacy_score, resonance from packages');
    for (const row of rows) assert.ok(row.pqs === packageQuality(row) && row.pqs > 0 && row.pqs <= 1);
    assert.ok(new Set(rows.map(({ pqs }) => pqs)).size > 50);
    for (const pocket_id of pockets) {
      const answer = await callTool(url, 'get_pocket_packages', { pocket_id });
      const { packages } = answer.structuredContent as { packages: { pqs: null; receipts: null }[] };
      assert.equal(packages.length, Math.min(10, linesOf.get(pocket_id)?.length ?? 0));
      for (const { pqs, receipts } of packages) assert.deepEqual([pqs, receipts], [null, null]);
      assert.ok(JSON.stringify(answer).length < 16 * 1024, pocket_id);
    }
  });
});

describe('what takes attention', () => {
  test('fatigue is that of the lines of the last day, and moves', () => {
    for (const [n, { pocket_id, slot, fatigue }] of moments.entries()) {
      if (n % 7 !== 0) continue;
      const spoken = (linesOf.get(pocket_id) ?? []).map((line) => line.slot);
      const recent = spoken.filter((at) => at < slot && at > slot - DAY);
      assert.equal(fatigue, pocketFatigue(recent, slot), `${pocket_id} ${slot}`);
    }
    const values = waking.map(({ fatigue }) => fatigue).sort((a, b) => a - b);
    assert.equal(values[0], 0.1);
    assert.ok((values.at(-1) ?? 0) > 0.25 && new Set(values).size > 100);
  });

  test('saturation is that of lines and commitments, mostly low', async () => {
    const answers = await store.all<CommitmentWindow & { pocket_id: string; answered_at: number }>(
      "select pocket_id, window_start, window_end, answered_at from brief_answers where answer = 'accepted'",
    );
    const commitmentsOf = Map.groupBy(answers, ({ pocket_id }) => pocket_id);
    for (const [n, { pocket_id, slot, signal_saturation }] of moments.entries()) {
      if (n % 7 !== 0) continue;
      const spoken = (linesOf.get(pocket_id) ?? []).map((line) => line.slot);
      const recent = spoken.filter((at) => at < slot && at > slot - DAY);
      const known = (commitmentsOf.get(pocket_id) ?? []).filter(
        ({ answered_at, window_end }) => answered_at <= slot && window_end > slot - 8 * HOUR,
      );
      assert.equal(signal_saturation, signalSaturation(recent, slot, known), `${pocket_id} ${slot}`);
    }
    const values = waking.map((row) => row.signal_saturation).sort((a, b) => a - b);
    assert.ok((values[Math.floor(values.length / 2)] ?? 1) < 0.3, 'half of the time it is low');
    const full = waking.filter((row) => row.signal_saturation > 0.8);
    assert.ok(full.length < 0.01 * waking.length, `${full.length}`);
    for (const { silence_reasons } of full) assert.match(silence_reasons, /enough was said here recently/);
  });
});

describe('what decides', () => {
  test('effort decides at times; the voice, a guard, never has to', async () => {
    const rows = await store.all<{ gate: string; n: number }>(
      'select gate, count(*) as n from silences group by gate',
    );
    const count = new Map(rows.map(({ gate, n }) => [gate, n]));
    const total = rows.reduce((sum, { n }) => sum + n, 0);
    const effort = count.get('why_low_effort') ?? 0;
    assert.ok(effort > 0 && effort < 0.05 * total, `${effort} of ${total}`);
    assert.equal(count.get('voice'), undefined);
  });

  test('most moments are silent or weak, few are a peak', () => {
    const share = (...bands: string[]) =>
      moments.filter(({ band }) => bands.includes(band)).length / moments.length;
    assert.ok(share('silent', 'weak') > 0.5);
    assert.ok(share('peak') > 0.005 && share('peak') < 0.1);
  });

  test('the daily index knows days of every band, and its reason says what costs most', async () => {
    const rows = await store.all<
      Record<(typeof legitimacyFactors)[number], number> & {
        pocket_id: string;
        score: number;
        band: string;
        reason: string;
      }
    >('select * from legitimacy_index');
    const silent = rows.filter(({ band }) => band === 'remain_silent');
    const legitimate = rows.filter(({ band }) => band === 'legitimate');
    assert.ok(silent.length > 0 && silent.length < 0.15 * rows.length, `${silent.length} of ${rows.length}`);
    assert.ok(legitimate.length > 0.1 * rows.length && legitimate.length < 0.7 * rows.length);
    assert.ok(new Set(silent.map(({ pocket_id }) => pocket_id)).size < pockets.length);
    assert.ok(new Set(rows.map(({ fatigue }) => fatigue)).size > 20);
    for (const row of rows) {
      assert.equal(row.score, indexScore(row));
      assert.equal(row.band, legitimacyBandAt(row.score));
      const costs = legitimacyFactors.map((factor) => factorCost(row, factor).points);
      const [, factor = '', points = ''] = /; (\w+) costs most \(([\d.]+) points\): /.exec(row.reason) ?? [];
      assert.ok(Math.abs(Number(points) - Math.max(...costs)) <= 0.55, row.reason);
      const { text } = factorCost(row, legitimacyFactors.find((one) => one === factor) ?? 'fatigue');
      assert.ok(row.reason.endsWith(`: ${text}.`), row.reason);
    }
  });

  test('score_legitimacy names what the service decided, and tells when its recommendation differs', async () => {
    const silences = await store.all<{
      id: string;
      pocket_id: string;
      slot: number;
      legitimacy_score: number;
    }>('select id, pocket_id, slot, legitimacy_score from silences where slot > ?', NOON - 12 * HOUR);
    const said = lines.filter(({ slot }) => slot > NOON - 2 * DAY);
    const score = async (pocket_id: string, slot: number) => {
      const given = { pocket_id, candidate_action: 'lunch_nudge' };
      const { structured } = await askOperation(scoreLegitimacy, store, slot, given);
      assert.ok('gates' in structured);
      const { recommendation, service_would_speak, service_silent_because, why_different } = structured;
      assert.equal(service_would_speak, service_silent_because === null);
      assert.equal(why_different !== null, (recommendation === 'emit') !== service_would_speak);
      return structured;
    };
    let different = 0;
    for (const { pocket_id, slot, legitimacy_score } of silences) {
      const answer = await score(pocket_id, slot);
      assert.equal(answer.legitimacy_score, legitimacy_score);
      assert.ok(answer.closed_gates.length > 0, 'no silence without a closed gate');
      assert.equal(answer.service_would_speak, false);
      if (answer.why_different !== null) different++;
    }
    assert.ok(different > 0, 'some silences are recommended as emit');
    for (const { pocket_id, slot, expires_at } of said) {
      const spoken = await score(pocket_id, slot);
      assert.deepEqual(spoken.closed_gates, []);
      assert.match(spoken.service_silent_because ?? '', /^a line of the service is still live$/);
      assert.ok(expires_at > slot);
    }
  });
});
