// Simulated weeks of two pockets: the readiness of outlets, and their patterns recomputed from the rows.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readinessFrom, readinessStates } from '../../src/domain/merchant/readiness.ts';
import { voiceFaults } from '../../src/domain/text/voice.ts';
import { isOpen } from '../../src/domain/time/opening-hours.ts';
import { DAY, SLOT } from '../../src/domain/time/slot.ts';
import { singapore } from '../../src/domain/time/zones.fixture.ts';
import { getMerchantReadiness } from '../../src/operations/merchant/get-merchant-readiness.ts';
import { getObservedPatterns } from '../../src/operations/merchant/get-observed-patterns.ts';
import { allReadiness } from '../../src/store/merchant/testing/readiness-at.ts';
import { askOperation } from '../support/answers/ask-operation.ts';
import { referencePatterns, type StoredQuarter } from '../support/answers/reference-patterns.ts';
import { from, noon, outletWeeks, registry } from '../support/pipeline/outlet-weeks.ts';
import { storeFor } from '../support/stores/suite-store.ts';

const { startOfDay } = singapore;
const active = registry.outlets.filter((outlet) => outlet.active);
const weeks = storeFor(outletWeeks, async () => undefined);

/** What was counted, by slot and outlet. */
const activities = async (): Promise<Map<string, number>> => {
  const rows = await weeks().all<{ slot: number; outlet_id: string; activity: number }>(
    'select * from counted_outlets',
  );
  return new Map(rows.map(({ slot, outlet_id, activity }) => [`${slot} ${outlet_id}`, activity]));
};

test('every active outlet has a readiness row at every slot; all eight states occur', async () => {
  const rows = await allReadiness(weeks());
  assert.equal(rows.length, active.length * ((noon - from) / SLOT + 1));
  const outlets = new Map(active.map((outlet) => [outlet.id, outlet]));
  const states = new Map<string, number>();
  const reasons = new Set<string>();
  for (const row of rows) {
    const { state, reason, confidence, idle_pressure } = readinessFrom(row);
    states.set(state, (states.get(state) ?? 0) + 1);
    reasons.add(reason);
    const outlet = outlets.get(row.outlet_id);
    assert.ok(outlet && outlet.pocket_id === row.pocket_id);
    assert.ok(isOpen(outlet, row.slot, singapore) || (state === 'DO_NOT_PUSH' && idle_pressure === null));
    assert.ok(confidence >= 0 && confidence <= 1);
  }
  for (const reason of reasons) assert.deepEqual(voiceFaults(reason, 'emit'), []);
  for (const state of readinessStates)
    assert.ok((states.get(state) ?? 0) >= 100, `${state} ${states.get(state)}`);
});

test('missing data lowers the confidence, and no outlet is ready without an activity count or a moment', async () => {
  const rows = (await allReadiness(weeks())).filter(
    ({ cause, slot }) => cause !== 'closed' && cause !== 'closing' && slot > from + 14 * DAY,
  );
  const places = await weeks().all<{ slot: number; pocket_id: string; moment: number; completeness: number }>(
    `select r.slot, r.pocket_id, r.completeness, o.slot as moment from atmosphere_readings r
     left join moments o on o.slot = r.slot and o.pocket_id = r.pocket_id`,
  );
  const byPlace = new Map(places.map((read) => [`${read.slot} ${read.pocket_id}`, read]));
  const counted = await activities();
  let unobserved = 0;
  for (const { slot, pocket_id, outlet_id, cause, confidence } of rows) {
    const activity = counted.get(`${slot} ${outlet_id}`) ?? null;
    const { moment = null, completeness = 0 } = byPlace.get(`${slot} ${pocket_id}`) ?? {};
    const seen = (activity === null ? 0 : 0.4) + 0.4 * completeness + 0.2;
    assert.ok(Math.abs(confidence - seen) < 0.0006, `${confidence} ${seen}`);
    assert.equal(cause === 'unobserved', activity === null || moment === null);
    if (cause === 'unobserved') unobserved += 1;
  }
  assert.ok(unobserved > 0);
});

test('idle pressure is how far the stored activity is under its usual level', async () => {
  const { holidays } = registry;
  const all = await allReadiness(weeks());
  const counted = await activities();
  for (const outlet of active.slice(0, 4)) {
    const rows = all.filter(({ outlet_id }) => outlet_id === outlet.id);
    const hours = new Map<string, { n: number; mean: number }>();
    let compared = 0;
    for (const { slot, idle_pressure } of rows) {
      const activity = counted.get(`${slot} ${outlet.id}`) ?? null;
      const singapore = new Date(slot + 8 * 3_600_000);
      const rest =
        [0, 6].includes(singapore.getUTCDay()) || holidays.includes(singapore.toISOString().slice(0, 10));
      const key = `${rest} ${singapore.getUTCHours()}`;
      const usual = hours.get(key) ?? { n: 0, mean: 0 };
      if (!activity) {
        assert.equal(idle_pressure, null);
        continue;
      }
      if (usual.n < 8) assert.equal(idle_pressure, null);
      else {
        const idle = Math.min(1, Math.max(0, (usual.mean - activity) / usual.mean));
        assert.ok(Math.abs((idle_pressure ?? -1) - idle) < 0.0006, `${slot}`);
        compared += 1;
      }
      const n = Math.min(32, usual.n + 1);
      hours.set(key, { n, mean: usual.mean * (1 - 1 / n) + activity / n });
    }
    assert.ok(compared > 300);
  }
});

test('every pattern equals an independent computation from the stored rows', async () => {
  const kinds = new Map<string, number>();
  for (const outlet of active) {
    const rows = await weeks().all<StoredQuarter>(
      `select e.slot, a.activity, e.rain_mm, r.primary_state from snapshots e
       left join counted_outlets a on a.slot = e.slot and a.outlet_id = ?
       left join atmosphere_readings r on r.slot = e.slot and r.pocket_id = e.pocket_id
       where e.pocket_id = ? and e.slot >= ? and e.slot < ? order by e.slot`,
      outlet.id,
      outlet.pocket_id,
      startOfDay(noon) - 28 * DAY,
      startOfDay(noon),
    );
    const given = { outlet_id: outlet.id };
    const { structured } = await askOperation(getObservedPatterns, weeks(), noon, given, registry);
    const patterns = structured.patterns.map(({ window, ...pattern }) => {
      assert.equal(window !== undefined, pattern.kind === 'quiet_window');
      // The evidence as data is that of the text.
      if (window) {
        const { from, to, weeks_quiet, weeks_seen, n } = window;
        const [others, own] = [window.under_other_days, window.under_own_mean].map((share) =>
          Math.round(100 * share),
        );
        const words = `, ${from} to ${to}, in ${weeks_quiet} of ${weeks_seen} weeks: ${others}\u00a0% under the same hours of other days, ${own}\u00a0% under its mean while open (n = ${n}).`;
        assert.ok(pattern.text.endsWith(words), `${pattern.text} ${words}`);
      }
      return pattern;
    });
    assert.deepEqual(patterns, referencePatterns(outlet, rows), outlet.id);
    for (const { kind } of structured.patterns) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  }
  for (const kind of ['rain_sensitivity', 'dna_descriptor', 'hours_overlap'])
    assert.equal(kinds.get(kind), active.length, kind);
  assert.ok((kinds.get('quiet_window') ?? 0) > active.length);
});

test('no answer about a pocket names an outlet, at any hour', async () => {
  for (let now = startOfDay(noon) - DAY; now < startOfDay(noon); now += 4 * SLOT) {
    for (const { id: pocket_id } of registry.pockets) {
      const { structured, text } = await askOperation(
        getMerchantReadiness,
        weeks(),
        now,
        { pocket_id, limit: 100 },
        registry,
      );
      assert.equal(structured.rows.length, active.filter((outlet) => outlet.pocket_id === pocket_id).length);
      const whole = JSON.stringify(structured) + text;
      assert.doesNotMatch(whole, /zyzzy/i);
      for (const { id, unit } of registry.outlets) assert.ok(!whole.includes(id) && !whole.includes(unit));
    }
  }
});
