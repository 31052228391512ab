// A simulated month: no intent suits where what it cannot do without is missing, and each suits at times.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { PrimaryState } from '../../../src/domain/atmosphere/primary-state.ts';
import { needs } from '../../../src/domain/city/city.ts';
import { openKinds, pocketOutlets } from '../../../src/domain/city/pocket-outlets.ts';
import { hourFit, intentFit, SUITS, SUITS_IN_PART } from '../../../src/domain/intent/intent-fit.ts';
import { alignmentBound } from '../../../src/domain/intent/intent-needs.ts';
import { knownRainPressure } from '../../../src/domain/signals/scales.ts';
import { SLOT } from '../../../src/domain/time/slot.ts';
import { isWakingHour } from '../../../src/domain/time/waking-hours.ts';
import { singapore } from '../../../src/domain/time/zones.fixture.ts';
import { monthService } from '../../support/services/month.ts';
import { callTool, NOON } from '../../support/services/service.ts';

const { url, store, service, clock } = await monthService();
const { pockets, outlets, intents } = service.registry;

interface Row {
  slot: number;
  pocket_id: string;
  calm_probability: number;
  primary_state: PrimaryState;
  calm: number;
  stress: number;
  social_energy: number;
  productive: number;
  rain_mm: number | null;
}
const rows = await store.all<Row>(
  `select m.slot, m.pocket_id, m.calm_probability, m.primary_state, r.calm, r.stress, r.social_energy, r.productive,
     e.rain_mm
   from moments m
   join atmosphere_readings r on r.slot = m.slot and r.pocket_id = m.pocket_id
   left join snapshots e on e.slot = m.slot and e.pocket_id = m.pocket_id`,
);

const covered = new Map(pockets.map((pocket) => [pocket.id, pocket.covered ?? null]));
/** Opening hours are those of every day, so they are computed once for each quarter hour of a day. */
const opened = new Map<string, ReturnType<typeof openKinds>>();
const openAt = ({ pocket_id, slot }: Row, hour: number) => {
  const key = `${pocket_id} ${hour}`;
  const known = opened.get(key);
  if (known !== undefined) return known;
  const kinds = openKinds(pocketOutlets(outlets, pocket_id, slot, singapore));
  opened.set(key, kinds);
  return kinds;
};
const moments = rows.map((row) => {
  const hour = singapore.hourOfDay(row.slot);
  const present = {
    atmosphere: row,
    calm_probability: row.calm_probability,
    rain: knownRainPressure(row.rain_mm),
    hour,
    covered: covered.get(row.pocket_id) ?? null,
    open_kinds: openAt(row, hour),
  };
  return { row, hour, present };
});

/** Evenly over the month, at every quarter hour of the day. */
const some = moments.filter((_, n) => n % 5 === 0);
const quiet = intents.filter((intent) => intent.needs?.includes('calm'));
const meals = intents.filter((intent) => intent.needs?.includes('outlets'));
const wet = intents.filter((intent) => intent.needs?.includes('rain'));

describe('what an intent cannot do without', () => {
  test('the intents that state a need are those that have it', () => {
    for (const need of needs) assert.ok(intents.some((intent) => intent.needs?.includes(need)));
    assert.ok(moments.length > 40_000);
    for (const slug of ['quiet-now', 'calm-work', 'solo-reading', 'late-night-quiet', 'first-date-quiet'])
      assert.ok(quiet.some((intent) => intent.slug === slug));
  });

  test('a quiet intent never suits where calm is unlikely to stay, nor fits where it is lively or crowded', () => {
    for (const { row, present } of moments) {
      const noisy = row.primary_state === 'lively-social' || row.primary_state === 'tense-crowded';
      if (row.calm_probability >= 0.5 && !noisy) continue;
      for (const intent of quiet) {
        const { alignment } = intentFit(intent, present);
        assert.ok(alignment < (noisy ? SUITS_IN_PART : SUITS), `${intent.slug} ${alignment} ${row.slot}`);
      }
    }
  });

  test('quiet now suits wherever calm is very likely to stay in waking hours', () => {
    const quietNow = quiet.find(({ slug }) => slug === 'quiet-now');
    assert.ok(quietNow);
    const calm = moments.filter(({ row, hour }) => row.calm_probability >= 0.96 && isWakingHour(hour));
    assert.ok(calm.length > 1000);
    for (const { row, present } of calm)
      assert.ok(intentFit(quietNow, present).alignment >= SUITS, `${row.pocket_id} ${row.slot}`);
  });

  test('no meal suits where nothing that serves it is open, and no rain intent where it is dry', () => {
    for (const { row, present } of some) {
      for (const intent of meals)
        if (alignmentBound('outlets', intent, present) < SUITS)
          assert.ok(intentFit(intent, present).alignment < SUITS, `${intent.slug} ${row.slot}`);
      if (row.rain_mm === 0 || row.rain_mm === null)
        for (const intent of wet) assert.equal(intentFit(intent, present).alignment, 0);
    }
  });

  test('each intent suits at least sometimes and not always in its waking hours', () => {
    for (const intent of intents) {
      const held = moments.filter(({ hour }) => isWakingHour(hour) && hourFit(intent.hours, hour) === 1);
      const suiting = held.filter(({ present }) => intentFit(intent, present).alignment >= SUITS).length;
      const share = suiting / held.length;
      assert.ok(suiting >= 20 && share <= 0.9, `${intent.slug}: ${suiting} of ${held.length}`);
    }
  });

  test('the tool says why a need keeps a pocket from suiting, and gives the figure computed here', async () => {
    let named = 0;
    const asked = new Set<string>();
    // A quarter of the intents for each pocket, others for the next.
    for (const [n, { row, present }] of moments
      .filter(({ row }) => row.slot === NOON - (NOON % SLOT))
      .entries())
      for (const intent of intents.filter((_, i) => i % 4 === n % 4)) {
        asked.add(intent.slug);
        clock.now = row.slot;
        const { structuredContent, content } = await callTool(url, 'get_intent_substrate', {
          pocket_id: row.pocket_id,
          slug: intent.slug,
        });
        const { alignment, lacks } = intentFit(intent, present);
        const given = Number(structuredContent?.current_moment_alignment);
        assert.ok(
          Math.abs(given - alignment) < 0.001,
          `${row.pocket_id} ${intent.slug} ${given} ${alignment}`,
        );
        if (lacks === null || given >= SUITS) continue;
        named++;
        assert.match(content[0]?.text ?? '', given < SUITS_IN_PART ? / not: / : / only in part: /);
      }
    clock.now = NOON;
    assert.ok(named > 0);
    assert.equal(asked.size, intents.length);
  });
});
