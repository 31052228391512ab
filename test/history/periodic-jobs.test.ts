// Four simulated days of the half-hourly and daily jobs, in a city whose outlets have unmistakable names, so that a
// leaked one is found.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Dimension, dimensions } from '../../src/domain/decision/equilibrium.ts';
import {
  dominantFactor,
  type LegitimacyFactors,
  legitimacyBandAt,
} from '../../src/domain/decision/legitimacy.ts';
import { indexScore } from '../../src/domain/decision/legitimacy-index.ts';
import { storyClauses } from '../../src/domain/narration/live-story.ts';
import { voiceFaults } from '../../src/domain/text/voice.ts';
import { DAY, HOUR } from '../../src/domain/time/slot.ts';
import { allStories } from '../../src/store/decision/testing/all-stories.ts';
import { openStore } from '../../src/store/engine/open.ts';
import type { Engine } from '../../src/store/engine/store.ts';
import { migrate } from '../../src/store/schema/migrate.ts';
import { runDecisionJobs } from '../support/pipeline/decision-jobs.ts';
import { freshPipeline } from '../support/pipeline/fresh-pipeline.ts';
import { knowUsual } from '../support/pipeline/known-usual.ts';
import { runPeriodicJobs } from '../support/pipeline/periodic-jobs.ts';
import { smallCity } from '../support/pipeline/small-city.ts';
import { type StorePlace, sqlitePlace } from '../support/stores/store-places.ts';

const noon = Date.parse('2026-11-11T12:00:00+08:00');
const from = noon - 4 * DAY;
const city = smallCity(6);
const outlets = city.outlets.map((outlet, n) => ({ ...outlet, name: `Zyzzy ${n}th`, unit: `zq${n}` }));
const unmistakable = /zyzzy|zq\d/i;
const isHalfHourly = (slot: number) => slot % (HOUR / 2) === 0;

let place: StorePlace;
let store: Engine;
before(async () => {
  place = await sqlitePlace();
  store = openStore(place);
  await migrate(store, 0);
  const pipeline = freshPipeline(store, { ...city, outlets });
  await knowUsual(store, city);
  await runDecisionJobs(pipeline, from, noon);
  await runPeriodicJobs(pipeline, from, noon);
});
after(async () => {
  await store.close();
  await place.remove();
});

describe('live stories', () => {
  const stories = () => allStories(store);

  test('every half-hourly moment has exactly one story, which expires with it', async () => {
    const moments = await store.all<{ slot: number; pocket_id: string; expires_at: number }>(
      'select slot, pocket_id, expires_at from moments',
    );
    const key = (row: { slot: number; pocket_id: string; expires_at: number }) =>
      `${row.slot} ${row.pocket_id} ${row.expires_at}`;
    const composed = (await stories()).map(key).sort();
    const due = moments.filter(({ slot }) => isHalfHourly(slot)).map(key);
    assert.ok(composed.length > 4 * 48 * (city.pockets.length - 1));
    assert.deepEqual(composed, due.sort());
  });

  test('every clause follows the voice rules and its length, names no outlet, and shows no count under five', async () => {
    for (const row of await stories()) {
      const line = storyClauses.map((clause) => row[clause]).join(' ');
      for (const said of storyClauses.flatMap((clause) => row[clause] || []))
        assert.deepEqual(voiceFaults(said, 'emit'), [], said);
      const { receipts } = row;
      const counted = JSON.stringify(receipts);
      assert.doesNotMatch(line + counted, unmistakable);
      for (const { id } of outlets) assert.ok(!(line + counted).includes(id));
      const counts = [receipts.outlets, receipts.people, ...receipts.intents.map(({ people }) => people)];
      for (const count of counts) assert.ok(count === null || count >= 5, counted);
    }
  });

  test('outlets are counted only where five or more are active', async () => {
    const active = (pocket: string) =>
      outlets.filter((outlet) => outlet.active && outlet.pocket_id === pocket).length;
    const seen = new Set<boolean>();
    for (const { pocket_id, receipts } of await stories()) {
      const counted = receipts.outlets !== null;
      if (active(pocket_id) < 5) assert.equal(counted, false, pocket_id);
      seen.add(counted);
    }
    assert.equal(seen.size, 2);
  });

  test('clauses vary: no pocket repeats one wording for a large part of the time', async () => {
    const all = await stories();
    for (const { id } of city.pockets) {
      const own = all.filter(({ pocket_id }) => pocket_id === id);
      const wordings = new Set(own.map((row) => storyClauses.map((clause) => row[clause]).join(' ')));
      assert.ok(wordings.size > 0.8 * own.length, `${id}: ${wordings.size} of ${own.length}`);
      for (const clause of storyClauses) {
        const times = new Map<string, number>();
        for (const said of own.flatMap((row) => row[clause] || []))
          times.set(said, (times.get(said) ?? 0) + 1);
        if (clause === 'why_this_merchant' && !times.size) continue;
        assert.ok(times.size >= 4 && Math.max(...times.values()) < 0.4 * own.length, `${id} ${clause}`);
      }
    }
  });
});

describe('equilibrium', () => {
  interface Row extends Record<Dimension, number | null> {
    slot: number;
    pocket_id: string;
    composite: number | null;
    direction: string;
  }
  const rows = () => store.all<Row>('select * from equilibrium_readings order by pocket_id, slot');

  test('every pocket has a reading each half hour', async () => {
    const all = await rows();
    assert.equal(all.length, city.pockets.length * (4 * 48 + 1));
    assert.ok(all.every(({ slot }) => isHalfHourly(slot)));
  });

  test('the composite is the mean of the dimensions present, at every row', async () => {
    for (const row of await rows()) {
      const present = dimensions.flatMap((dimension) => row[dimension] ?? []);
      for (const value of present) assert.ok(value >= 0 && value <= 1);
      if (!present.length) assert.equal(row.composite, null);
      else {
        const mean = present.reduce((sum, value) => sum + value, 0) / present.length;
        assert.ok(Math.abs((row.composite ?? 2) - mean) <= 0.00051, JSON.stringify(row));
      }
    }
  });

  test('the direction follows from the change of the composite', async () => {
    const seen = new Set<string>();
    let before: Row | undefined;
    for (const row of await rows()) {
      seen.add(row.direction);
      const previous = before?.pocket_id === row.pocket_id ? before.composite : null;
      if (row.composite === null) assert.equal(row.direction, 'unknown');
      else if (previous === null) assert.equal(row.direction, 'forming');
      else {
        const change = row.composite - previous;
        const expected = change > 0.0195 ? 'improving' : change < -0.0195 ? 'degrading' : 'stable';
        assert.equal(row.direction, expected, `${previous} → ${row.composite}`);
      }
      before = row;
    }
    for (const direction of ['forming', 'improving', 'stable', 'degrading']) assert.ok(seen.has(direction));
  });

  test('every dimension with data has varying values', async () => {
    const all = await rows();
    for (const dimension of dimensions) {
      const values = new Set(all.flatMap((row) => row[dimension] ?? []));
      const hasNoData = dimension === 'prediction_trust' || dimension === 'waste_avoidance';
      // Few lines are said in four days: of their shares there are fewer different ones than of the others.
      const least = dimension === 'emission_quality' ? 10 : 20;
      assert.ok(hasNoData ? values.size === 0 : values.size > least, `${dimension}: ${values.size}`);
    }
  });
});

describe('legitimacy index', () => {
  interface Row extends LegitimacyFactors {
    pocket_id: string;
    reading_date: string;
    score: number;
    band: string;
    reason: string;
  }
  const rows = () => store.all<Row>('select * from legitimacy_index');

  test('a reading a morning for each pocket that was observed', async () => {
    const all = await rows();
    const dates = [...new Set(all.map(({ reading_date }) => reading_date))].sort();
    assert.deepEqual(dates, ['2026-11-08', '2026-11-09', '2026-11-10', '2026-11-11']);
    assert.ok(all.length > 0.9 * dates.length * city.pockets.length);
  });

  test('the score follows from the factors of its row, the band from the score; one line names the factor', async () => {
    const reasons = new Set<string>();
    const all = await rows();
    for (const row of all) {
      const { environmental_alignment, fatigue, saturation, merchant_pressure, expected_value } = row;
      const factors = { environmental_alignment, fatigue, saturation, merchant_pressure, expected_value };
      assert.equal(row.score, indexScore(factors));
      assert.equal(row.band, legitimacyBandAt(row.score));
      assert.deepEqual(voiceFaults(row.reason, 'emit'), [], row.reason);
      assert.ok(row.reason.includes(dominantFactor(factors)));
      reasons.add(row.reason);
    }
    assert.ok(reasons.size > 0.6 * all.length, `${reasons.size} of ${all.length}`);
  });
});
