// Simulated weeks of briefs, commitments and their outcomes in two pockets. Every figure is computed a second time, from
// the rows alone.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MomentBrief } from '../../src/domain/merchant/brief.ts';
import type { SustainabilityEvent } from '../../src/domain/merchant/sustainability.ts';
import { inferredTotals } from '../../src/domain/merchant/sustainability-totals.ts';
import { timeUntilClose } from '../../src/domain/time/opening-hours.ts';
import { DAY, HOUR, iso, MINUTE, SLOT } from '../../src/domain/time/slot.ts';
import { singapore } from '../../src/domain/time/zones.fixture.ts';
import type { Operation } from '../../src/operations/core/define.ts';
import { getAvailableExperiences } from '../../src/operations/merchant/get-available-experiences.ts';
import { getPocketSustainability } from '../../src/operations/merchant/get-pocket-sustainability.ts';
import { getSustainability } from '../../src/operations/merchant/get-sustainability.ts';
import { getPocketLive } from '../../src/operations/pocket/get-pocket-live.ts';
import { allStories } from '../../src/store/decision/testing/all-stories.ts';
import { allReadiness } from '../../src/store/merchant/testing/readiness-at.ts';
import { askOperation } from '../support/answers/ask-operation.ts';
import { noon, outletWeeks, registry } from '../support/pipeline/outlet-weeks.ts';
import { storeFor } from '../support/stores/suite-store.ts';

const { startOfDay } = singapore;
const { pockets, outlets } = registry;
const byId = new Map(outlets.map((outlet) => [outlet.id, outlet]));
const weeks = storeFor(outletWeeks, async () => undefined);

interface Answer {
  brief_id: string;
  pocket_id: string;
  outlet_id: string;
  answer: string;
  answered_at: number;
  answered_by: string;
  window_start: number;
  window_end: number;
}
type Event = Omit<SustainabilityEvent, 'evidence'> & { evidence: string };
const briefs = () => weeks().all<MomentBrief>('select * from moment_briefs order by slot, id');
const answers = () => weeks().all<Answer>('select * from brief_answers order by window_end');
const events = () => weeks().all<Event>('select * from sustainability_events order by slot, id');

test('briefs are bounded: none while one is open or a window runs, hours apart, within the opening hours', async () => {
  const all = await briefs();
  const given = new Map((await answers()).map((answer) => [answer.brief_id, answer]));
  assert.ok(all.length > 100, `${all.length}`);
  for (const offers of Map.groupBy(all, ({ outlet_id }) => outlet_id).values()) {
    for (const [i, { slot, outlet_id, window_start, window_end }] of offers.entries()) {
      const outlet = byId.get(outlet_id) ?? assert.fail();
      assert.ok(
        outlet.active && window_end <= slot + timeUntilClose(outlet, slot, singapore) && window_start > slot,
      );
      for (const earlier of offers.slice(0, i)) {
        const answer = given.get(earlier.id);
        if (!answer) assert.ok(earlier.expires_at <= slot);
        else if (answer.answer === 'accepted') assert.ok(answer.window_end <= slot);
        const sameDay = startOfDay(earlier.slot) === startOfDay(slot);
        assert.ok(!sameDay || slot - earlier.slot >= 4 * HOUR);
      }
    }
    for (const day of Map.groupBy(offers, ({ slot }) => startOfDay(slot)).values())
      assert.ok(day.length <= 3);
  }
});

test('every brief was drafted in a moment that is not silent, for an outlet that was ready', async () => {
  const faults = await weeks().all(
    `select b.id from moment_briefs b
     left join moments m on m.slot = b.slot and m.pocket_id = b.pocket_id
     left join counted_outlets a on a.slot = b.slot and a.outlet_id = b.outlet_id
     where m.slot is null or m.silence_reasons <> '[]' or m.band not in ('forming', 'high_resonance', 'peak')
       or a.activity is null or a.activity > 0.6`,
  );
  assert.deepEqual(faults, []);
  const idle = new Map(
    (await allReadiness(weeks())).map((one) => [`${one.slot} ${one.outlet_id}`, one.idle_pressure]),
  );
  const told = new Set((await allStories(weeks())).map(({ slot, pocket_id }) => `${slot} ${pocket_id}`));
  for (const { slot, pocket_id, outlet_id } of await briefs()) {
    assert.ok(told.has(`${slot} ${pocket_id}`));
    const idle_pressure = idle.get(`${slot} ${outlet_id}`);
    assert.ok(idle_pressure !== undefined && (idle_pressure ?? 1) >= 0.1, `${slot} ${outlet_id}`);
  }
});

test('some briefs are accepted and some declined, and all answers are marked as simulated', async () => {
  const all = await answers();
  const count = (answer: string) => all.filter((one) => one.answer === answer).length;
  const offered = (await briefs()).length;
  assert.ok(count('accepted') > 0.2 * offered && count('accepted') < 0.8 * offered);
  assert.ok(count('declined') > 0 && all.length < offered);
  for (const { answered_by } of all) assert.equal(answered_by, 'simulated');
});

const uses = new Map<string, Map<number, number>>();
async function loadUse(outlet_id: string): Promise<Map<number, number>> {
  const known = uses.get(outlet_id);
  if (known) return known;
  const rows = await weeks().all<{ slot: number; activity: number }>(
    'select slot, activity from counted_outlets where outlet_id = ?',
    outlet_id,
  );
  const use = new Map(rows.map(({ slot, activity }) => [slot, activity]));
  uses.set(outlet_id, use);
  return use;
}

/** Computed from the rows by the formula in docs/formulas.md. */
async function expectedOutcome({ outlet_id, window_start, window_end }: Answer) {
  const use = await loadUse(outlet_id);
  const pairs: [number, number][] = [];
  for (let slot = Math.floor(window_start / SLOT) * SLOT + SLOT; slot <= window_end; slot += SLOT) {
    const now = use.get(slot);
    const weeks = [1, 2, 3, 4].flatMap((week) => use.get(slot - 7 * week * DAY) || []);
    if (now !== undefined && weeks.length >= 2)
      pairs.push([now, weeks.reduce((sum, value) => sum + value, 0) / weeks.length]);
  }
  if (!pairs.length || pairs.length < (window_end - window_start) / SLOT / 2) return null;
  const mean = pairs.reduce((sum, [now, usual]) => sum + now - usual, 0) / pairs.length;
  const rise = Math.round(mean * 1e6) / 1e6;
  const hours = ((byId.get(outlet_id)?.seats || 6) * pairs.length) / 4;
  return Math.abs(rise) >= 0.03 ? rise * hours : 0;
}

/** Stored hours are rounded to a hundredth. */
const near = (found: number | null, expected: number | null) =>
  found === null || expected === null ? found === expected : Math.abs(found - expected) < 0.0051;

test('every commitment with enough data is settled once, by activity compared with the usual level', async () => {
  const settled = new Map(
    (
      await weeks().all<{ brief_id: string; slot: number; reclaimed_hours: number }>(
        'select * from commitment_outcomes',
      )
    ).map((row) => [row.brief_id, row]),
  );
  let effective = 0;
  let net = 0;
  for (const answer of (await answers()).filter(
    (one) => one.answer === 'accepted' && one.window_end <= noon,
  )) {
    const expected = await expectedOutcome(answer);
    const found = settled.get(answer.brief_id);
    assert.ok(near(found?.reclaimed_hours ?? null, expected && Math.max(0, expected)), answer.brief_id);
    if (found) assert.equal(found.slot, answer.window_end);
    if (expected && expected > 0) effective++;
    net += expected ?? 0;
  }
  assert.ok(
    settled.size > 20 && effective > 0.2 * settled.size && effective < 0.8 * settled.size,
    `${effective} of ${settled.size}`,
  );
  // What is published is net: windows in which fewer places were in use than usual are taken off.
  const hours = (await events()).filter(({ kind }) => kind === 'idle_reclaimed');
  const published = hours.reduce((sum, { magnitude }) => sum + magnitude, 0);
  assert.ok(hours.some(({ magnitude }) => magnitude < 0));
  assert.ok(Math.abs(published - net) < 0.0051 * hours.length + 0.001, `${published} ${net}`);
});

test('events come from commitments with an effect, and carry their evidence', async () => {
  const all = await events();
  const kinds = new Set(all.map(({ kind }) => kind));
  assert.deepEqual([...kinds].sort(), [
    'attention_saved',
    'idle_reclaimed',
    'purposeful_trip',
    'waste_avoided',
  ]);
  const answered = new Map((await answers()).map((answer) => [answer.brief_id, answer]));
  for (const { kind, evidence, magnitude, outlet_id, slot, pocket_id } of all) {
    const cause = JSON.parse(evidence);
    if (kind === 'attention_saved') {
      const [day] = await weeks().all<{ n: number }>(
        'select sum(1 - served) as n from verdicts where spoke = 0 and pocket_id = ? and slot >= ? and slot < ?',
        pocket_id,
        startOfDay(slot) - DAY,
        startOfDay(slot),
      );
      assert.equal(magnitude, day?.n);
      assert.equal(outlet_id, null);
      continue;
    }
    const answer = answered.get(cause.brief_id) ?? assert.fail(evidence);
    assert.deepEqual([answer.outlet_id, answer.window_end, answer.pocket_id], [outlet_id, slot, pocket_id]);
    if (kind === 'idle_reclaimed') assert.ok(near(magnitude, await expectedOutcome(answer)));
    if (kind === 'purposeful_trip') assert.ok(Math.abs(magnitude) >= 5);
    if (kind === 'waste_avoided')
      assert.ok(timeUntilClose(byId.get(answer.outlet_id) ?? assert.fail(), slot, singapore) < 3 * HOUR);
  }
});

const fields = {
  waste_avoided: 'waste_avoided_units',
  idle_reclaimed: 'idle_reclaimed_hours',
  purposeful_trip: 'purposeful_trips',
  attention_saved: 'attention_saved_count',
} as const;

/** Summed in whole hundredths, so that rounding errors do not add up. */
function summed(all: readonly Event[]) {
  const sums: Record<string, number> = { dollar: 0 };
  for (const field of Object.values(fields)) sums[field] = 0;
  for (const { kind, magnitude, value_cents } of all) {
    sums[fields[kind]] = (sums[fields[kind]] ?? 0) + Math.round(magnitude * 100);
    sums.dollar = (sums.dollar ?? 0) + value_cents;
  }
  return Object.fromEntries(Object.entries(sums).map(([field, hundredths]) => [field, hundredths / 100]));
}

test('totals equal the sum of events on every surface', async () => {
  const all = await events();
  const ask = async <Input, Answer>(operation: Operation<Input, Answer>, given: Record<string, unknown>) =>
    (await askOperation(operation, weeks(), noon, given)).structured;
  const within = (days: number) => all.filter(({ slot }) => slot > noon - days * DAY && slot <= noon);
  for (const { id } of pockets) {
    const own = within(14).filter(({ pocket_id }) => pocket_id === id);
    const { dollar, ...figures } = summed(own);
    const answer = await ask(getPocketSustainability, { pocket_id: id, window_days: 14 });
    assert.ok('amount' in answer);
    const { compared_with_silence: _other, ...saved } = answer;
    assert.deepEqual(saved, {
      ...{
        pocket_id: id,
        window: '14d',
        ...figures,
        dollar_value_sgd: dollar,
        amount: dollar,
        currency: 'SGD',
        inferred: [...inferredTotals, 'dollar_value_sgd'],
      },
    });
    const recent = (await ask(getPocketLive, { pocket_id: id })).sustainability_recent;
    assert.equal(recent.length, 5);
    const known = new Set(
      own.map((event) => `${iso(event.slot)} ${event.kind} ${event.magnitude} ${event.value_cents / 100}`),
    );
    for (const { timestamp, kind, value, dollar_value } of recent)
      assert.ok(known.has(`${timestamp} ${kind} ${value} ${dollar_value}`));
  }
  for (const [window, days] of [
    ['7d', 7],
    ['30d', 30],
    ['all', 1000],
  ] as const) {
    const { totals, per_pocket } = await ask(getSustainability, { window });
    const { dollar, attention_saved_count: _notInTotals, ...figures } = summed(within(days));
    assert.deepEqual(totals, { dollar_value_recovered: dollar, ...figures });
    for (const { pocket_id, ...row } of per_pocket) {
      const { dollar, ...own } = summed(within(days).filter((event) => event.pocket_id === pocket_id));
      assert.deepEqual(row, { dollar_value_recovered: dollar, ...own });
    }
    assert.equal(per_pocket.length, pockets.length);
  }
  for (const { id } of outlets.filter(({ active }) => active)) {
    const { totals } = await ask(getSustainability, { merchant: id, window: 'all' });
    const { dollar, attention_saved_count, ...figures } = summed(
      all.filter(({ outlet_id }) => outlet_id === id),
    );
    assert.equal(attention_saved_count, 0);
    assert.deepEqual(totals, { dollar_value_recovered: dollar, ...figures });
  }
});

test('experiences are live exactly within their windows, and nothing names an outlet', async () => {
  const accepted = (await answers()).filter(({ answer }) => answer === 'accepted').slice(-60);
  const seen = async (pocket_id: string, now: number) => {
    const { structured, text } = await askOperation(getAvailableExperiences, weeks(), now, { pocket_id });
    const all = `${JSON.stringify(structured)} ${text}`;
    assert.doesNotMatch(all, /zyzzy|zq\d|brief\d/i);
    for (const { id } of outlets) assert.ok(!all.includes(id));
    return structured.experiences.map(({ window_ends_at }) => window_ends_at);
  };
  for (const { pocket_id, answered_at, window_start, window_end } of accepted) {
    const live = (at: number) =>
      accepted.filter(
        (one) =>
          one.pocket_id === pocket_id &&
          one.answered_at <= at &&
          one.window_start <= at &&
          one.window_end > at,
      ).length;
    const opens = Math.max(answered_at, window_start);
    assert.ok((await seen(pocket_id, opens)).includes(iso(window_end)));
    assert.ok((await seen(pocket_id, window_end - 1000)).includes(iso(window_end)));
    assert.ok(!(await seen(pocket_id, window_end + 1000)).includes(iso(window_end)));
    if (opens > (accepted[10]?.window_end ?? 0)) {
      assert.equal((await seen(pocket_id, opens - 1000)).length, live(opens - 1000));
      assert.equal((await seen(pocket_id, opens + MINUTE)).length, live(opens + MINUTE));
    }
  }
});
