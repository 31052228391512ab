// A simulated month of the whole city: a closed outlet is neither recommended nor averaged, every surface gives the same
// count of outlets, and quiet windows and overlaps are as many and as sure as the data shows.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ReadinessRecord, readinessFrom } from '../../src/domain/merchant/readiness.ts';
import { isOpen } from '../../src/domain/time/opening-hours.ts';
import { DAY, HOUR, SLOT } from '../../src/domain/time/slot.ts';
import { singapore } from '../../src/domain/time/zones.fixture.ts';
import type { AnswerOf } from '../../src/operations/core/define.ts';
import type { getDealProposal } from '../../src/operations/merchant/get-deal-proposal.ts';
import type { getObservedPatterns } from '../../src/operations/merchant/get-observed-patterns.ts';
import type { getOutletWeek } from '../../src/operations/merchant/get-outlet-week.ts';
import type { listExperiences } from '../../src/operations/merchant/list-experiences.ts';
import type { listOutlets } from '../../src/operations/merchant/list-outlets.ts';
import type { simulateOutletAutopilot } from '../../src/operations/merchant/simulate-outlet-autopilot.ts';
import { allStories } from '../../src/store/decision/testing/all-stories.ts';
import { readinessRecordsAt } from '../../src/store/merchant/readiness.ts';
import { ask } from '../support/services/http-client.ts';
import { monthService } from '../support/services/month.ts';
import { callTool, NOON } from '../support/services/service.ts';

const { url, store, service, clock } = await monthService();
const { registry } = service;
const active = registry.outlets.filter((outlet) => outlet.active);
const byId = new Map(active.map((outlet) => [outlet.id, outlet]));
const byPocket = Map.groupBy(active, ({ pocket_id }) => pocket_id);
const openTimes = new Map<string, boolean>();
/** Written out here, so that it does not rest on the service's own reading of the hours. */
function isOpenAt(id: string, slot: number): boolean {
  const key = `${id} ${slot % DAY}`;
  const open = openTimes.get(key) ?? isWithinHours(id, slot);
  openTimes.set(key, open);
  return open;
}
function isWithinHours(id: string, slot: number): boolean {
  const { opens_at, closes_at } = byId.get(id) ?? assert.fail(id);
  const now = new Date(slot + 8 * HOUR).toISOString().slice(11, 16);
  return opens_at < closes_at ? now >= opens_at && now < closes_at : now >= opens_at || now < closes_at;
}
const get = async <T>(path: string): Promise<T> => (await ask(`${url}${path}`)).json<T>();

const reports = await store.all<{ slot: number; outlet_id: string; activity: number }>(
  'select * from counted_outlets',
);
/** What each outlet reported at each slot, by slot. */
const counted = Map.groupBy(reports, ({ slot }) => slot);
/** What outlets reported while they were open, by pocket and slot. */
const countedOpen = Map.groupBy(
  reports.filter(({ outlet_id, slot }) => byId.has(outlet_id) && isOpenAt(outlet_id, slot)),
  ({ outlet_id, slot }) => `${byId.get(outlet_id)?.pocket_id} ${slot}`,
);
const openAndCounted = (pocket: string, slot: number): number[] =>
  (countedOpen.get(`${pocket} ${slot}`) ?? []).map(({ activity }) => activity);

test('a closed outlet is never ready, has no idle pressure, and its row says that it is closed', async () => {
  // Every 75 minutes: each quarter hour of a day is met six times in the month.
  const slots = await store.all<{ slot: number }>('select distinct slot from readiness_packs order by slot');
  const rows: ReadinessRecord[] = [];
  for (const { slot } of slots.filter((_, n) => n % 5 === 0))
    rows.push(...(await readinessRecordsAt(store, slot)));
  let closed = 0;
  for (const row of rows) {
    const { state, reason, idle_pressure } = readinessFrom(row);
    const open = isOpenAt(row.outlet_id, row.slot);
    assert.equal(row.cause === 'closed', !open);
    if (open) continue;
    closed += 1;
    assert.deepEqual([state, idle_pressure], ['DO_NOT_PUSH', null]);
    assert.match(reason, /^closed/);
  }
  assert.ok(closed > rows.length / 3);
});

test('the spare capacity of a pocket is the mean over its open outlets alone', async () => {
  const moments = await store.all<{ slot: number; pocket_id: string; spare_capacity: number | null }>(
    'select slot, pocket_id, spare_capacity from moments',
  );
  let none = 0;
  for (const { slot, pocket_id, spare_capacity } of moments) {
    const uses = openAndCounted(pocket_id, slot);
    if (!uses.length) none += 1;
    const expected = uses.length ? 1 - uses.reduce((sum, use) => sum + use, 0) / uses.length : null;
    if (expected === null) assert.equal(spare_capacity, null, `${pocket_id} ${slot}`);
    else assert.ok(Math.abs((spare_capacity ?? -1) - expected) < 1e-9, `${pocket_id} ${slot}`);
  }
  assert.ok(none > 0 && none < moments.length);
});

test('a live story counts and averages open outlets alone', async () => {
  let figures = 0;
  for (const { slot, pocket_id, receipts, why_this_merchant } of await allStories(store)) {
    const uses = openAndCounted(pocket_id, slot);
    const shown = uses.length >= 5 ? uses.length : null;
    assert.equal(receipts.outlets, shown);
    const figure = /(\d+)\u00a0%/.exec(why_this_merchant ?? '')?.[1];
    if (shown === null) assert.equal(figure, undefined, why_this_merchant ?? '');
    if (figure === undefined) continue;
    figures += 1;
    assert.equal(
      Number(figure),
      Math.round((100 * uses.reduce((sum, use) => sum + Math.min(1, use), 0)) / uses.length),
    );
  }
  assert.ok(figures > 0);
});

test('no brief, experience, proposal or backtest recommends an outlet while it is closed', async () => {
  const briefs = await store.all<{
    outlet_id: string;
    slot: number;
    window_start: number;
    window_end: number;
  }>('select outlet_id, slot, window_start, window_end from moment_briefs');
  assert.ok(briefs.length > 100);
  for (const { outlet_id, slot, window_start, window_end } of briefs)
    for (const time of [slot, window_start, window_end - 1])
      assert.ok(isOpenAt(outlet_id, time), `${outlet_id} ${time}`);
  let asked = 0;
  for (let hour = 0; hour < 24; hour += 3) {
    clock.now = NOON - DAY + hour * HOUR;
    const { count, experiences } = await get<AnswerOf<typeof listExperiences>>('/api/experiences');
    assert.equal(count, experiences.length);
    const closed = active.filter(({ id }) => !isOpenAt(id, clock.now));
    // Others at each time, so that nearly every outlet is met.
    for (const { id } of closed.filter((_, n) => (n + hour / 3) % 5 === 0)) {
      const { proposal, reason } = await get<AnswerOf<typeof getDealProposal>>(
        `/api/deal-proposal?outlet=${id}`,
      );
      asked += 1;
      assert.equal(proposal, null);
      assert.match(reason, /closed|not enough recent data/);
    }
  }
  assert.ok(asked > 20, `${asked}`);
  clock.now = NOON;
  for (const { id } of active.slice(0, 8)) {
    const args = { outlet_id: id, days_back: 7 };
    const { structuredContent } = await callTool(url, 'simulate_outlet_autopilot', args);
    const backtest = structuredContent as AnswerOf<typeof simulateOutletAutopilot>;
    assert.ok('sample_emissions' in backtest);
    for (const { at } of backtest.sample_emissions) assert.ok(isOpenAt(id, Date.parse(at)));
    const open = [...counted.keys()].filter((slot) => slot > NOON - 7 * DAY && isOpenAt(id, slot));
    assert.ok(backtest.decisions_replayed > 0 && backtest.decisions_replayed <= open.length);
  }
});

test('quiet windows and the confidence of an overlap follow from the data', async () => {
  const windows = new Map<number, number>();
  const confidences = new Map<string, number>();
  // A third of them, of all pockets: each is computed from four weeks of its own.
  const some = active.filter((_, n) => n % 3 === 0);
  for (const { id } of some) {
    const { patterns } = await get<AnswerOf<typeof getObservedPatterns>>(`/api/observed-patterns?id=${id}`);
    const quiet = patterns.filter(({ kind }) => kind === 'quiet_window');
    windows.set(quiet.length, (windows.get(quiet.length) ?? 0) + 1);
    for (const { text } of quiet) {
      const [, from = '', to = '', weeks, seen, others, own] =
        /, (\S+) to (\S+), in (\d) of (\d) weeks: (\d+)\u00a0% under .*, (\d+)\u00a0% under/.exec(text) ??
        assert.fail(text);
      assert.ok(Number(weeks) >= 3 && Number(weeks) >= 0.75 * Number(seen), text);
      assert.ok(Number(others) >= 25 && Number(own) >= 25, text);
      const outlet = byId.get(id) ?? assert.fail(id);
      const at = (time: string) => Date.parse(`2026-11-11T${time}:00+08:00`);
      assert.ok(isOpen(outlet, at(from), singapore) && isOpen(outlet, at(to) - SLOT, singapore), text);
    }
    const overlap = patterns.find(({ kind }) => kind === 'hours_overlap') ?? assert.fail(id);
    confidences.set(overlap.confidence, (confidences.get(overlap.confidence) ?? 0) + 1);
    const points = Number(/varies by (\d+) points$/.exec(overlap.basis)?.[1]);
    const bounds = { high: [0, 15], medium: [15, 25], low: [25, 100] } as const;
    const [least, most] = bounds[overlap.confidence];
    assert.ok(points >= least && points <= most, `${overlap.confidence} ${overlap.basis}`);
  }
  for (const count of [0, 1, 2]) assert.ok(windows.has(count), JSON.stringify([...windows]));
  assert.ok(confidences.size >= 2 && Math.max(...confidences.values()) < some.length);
});

test('the week of an outlet is the mean over what was counted while it was open', async () => {
  const byOutlet = Map.groupBy(reports, ({ outlet_id }) => outlet_id);
  for (const { id } of active.slice(0, 8)) {
    const { hours, as_of, days } = await get<AnswerOf<typeof getOutletWeek>>(`/api/outlet-week?outlet=${id}`);
    // Whole days: today is not part of it.
    const today = singapore.startOfDay(Date.parse(as_of));
    const open = (byOutlet.get(id) ?? []).flatMap(({ slot, activity }) =>
      slot >= today - days * DAY && slot < today && isOpenAt(id, slot) ? [activity] : [],
    );
    const n = hours.reduce((sum, hour) => sum + hour.n, 0);
    assert.equal(n, open.length);
    const mean = hours.reduce((sum, hour) => sum + (hour.use ?? 0) * hour.n, 0) / n;
    const expected = open.reduce((sum, activity) => sum + activity, 0) / n;
    assert.ok(Math.abs(mean - expected) <= 0.005, `${id}: ${mean} ${expected}`);
  }
});

test("the directory is the registry's active outlets", async () => {
  const { count, outlets } = await get<AnswerOf<typeof listOutlets>>('/api/outlets');
  assert.equal(count, active.length);
  assert.deepEqual(outlets.map(({ id }) => id).sort(), [...byId.keys()].sort());
  for (const [pocket, own] of byPocket) {
    const { outlets: listed } = await get<AnswerOf<typeof listOutlets>>(`/api/outlets?pocket=${pocket}`);
    assert.deepEqual(listed.map(({ id }) => id).sort(), own.map(({ id }) => id).sort());
  }
});
