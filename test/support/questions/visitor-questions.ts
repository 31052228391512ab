// Questions 21 to 30 of docs/questions.md.

import assert from 'node:assert/strict';
import { isOpen } from '../../../src/domain/time/opening-hours.ts';
import { HOUR, slotStart } from '../../../src/domain/time/slot.ts';
import { singapore } from '../../../src/domain/time/zones.fixture.ts';
import { storedEntry } from '../stores/stored-entries.ts';
import { pocketLine, type Recorded, type TextCheck } from './question.ts';

const percentIn = (line: string): number =>
  Number(/calm \((\d+(?:\.\d+)?) %/.exec(line)?.[1] ?? assert.fail(line)) / 100;

/** The sealed chance of calm at a full hour, on the line between the two forecasts around it. */
async function chanceAt({ store, now }: Recorded, pocket: string, at: number): Promise<number> {
  const sealed = await store.all<{ reveal_at: number; leaf: number }>(
    `select p.reveal_at, p.leaf from predictions p
     where p.pocket_id = ? and p.slot = ? and p.generator like 'pocket_projection%'`,
    pocket,
    slotStart(now),
  );
  const found = sealed.find(({ reveal_at }) => reveal_at === at) ?? assert.fail(`no forecast of ${pocket}`);
  return JSON.parse((await storedEntry(store, found.leaf)).payload).forecast.calm_probability;
}

const decidedAt = ({ store }: Recorded, table: string, pocket: string, slot: number) =>
  store.get<{ reason?: string; kind?: string }>(
    `select * from ${table} where pocket_id = ? and slot = ?`,
    pocket,
    slot,
  );

export const visitorQuestions: Record<number, TextCheck> = {
  21: async ([text = ''], recorded) => {
    assert.match(text, /^at 15:00 for 'work-friendly' near orchard \(station\); /);
    const pockets = [...text.matchAll(/^[^(\n]+ \(([a-z]+)\), ([\d.]+) km away/gm)];
    assert.ok(pockets.length);
    const far = pockets.map(([, , kilometres]) => Number(kilometres));
    assert.deepEqual(
      far,
      far.toSorted((a, b) => a - b),
    );
    for (const [, pocket = ''] of pockets) {
      const chance = await chanceAt(recorded, pocket, slotStart(recorded.now) + 3 * HOUR);
      assert.ok(
        Math.abs(percentIn(pocketLine(text, pocket)) - chance) <= 0.0051,
        `${chance}: ${pocketLine(text, pocket)}`,
      );
    }
    assert.match(text, /suits it/);
  },
  22: async ([text = ''], { store, now }) => {
    const read = await store.get<{ calm: number }>(
      'select calm from atmosphere_readings where pocket_id = ? and slot = ?',
      'holland',
      slotStart(now),
    );
    const difference = Math.round(1000 * ((read?.calm ?? Number.NaN) - 0.5)) / 1000;
    const words =
      Math.abs(difference) < 0.05
        ? 'about as usual'
        : difference > 0
          ? 'calmer than usual'
          : 'less calm than usual';
    assert.ok(pocketLine(text, 'holland').includes(words), `${difference}: ${text}`);
  },
  23: ([text = '']) => {
    // Every hour is usually calm in 40 % of its readings here: no window is told that the rows do not give.
    assert.match(text, /^tomorrow for 'family-brunch'; /);
    assert.match(text, /no calm window on that day/);
    assert.doesNotMatch(text, /usually calm \d/);
  },
  24: async ([text = ''], { registry, now, store }) => {
    const open = registry.outlets.filter(
      (one) => one.active && one.category === 'bakery' && isOpen(one, now, singapore),
    );
    assert.ok(open.length);
    for (const { name, id } of open.slice(0, 8))
      assert.ok(text.includes(`'${name}'`) && text.includes(id), name);
    const chances = [...text.matchAll(/bakery in ([a-z]+), .*calm \((\d+(?:\.\d+)?) %/g)];
    for (const [line, pocket = '', percent] of chances) {
      const moment = await store.get<{ calm_probability: number }>(
        'select calm_probability from moments where pocket_id = ? and slot = ?',
        pocket,
        slotStart(now),
      );
      assert.ok(Math.abs(Number(percent) / 100 - (moment?.calm_probability ?? Number.NaN)) <= 0.0051, line);
    }
    const shown = chances.map(([, , percent]) => Number(percent));
    assert.deepEqual(
      shown,
      shown.toSorted((a, b) => b - a),
    );
  },
  25: async ([text = ''], recorded) => {
    const slot = recorded.now - 14 * HOUR;
    const silence = await decidedAt(recorded, 'silences', 'holland', slot);
    const line = await decidedAt(recorded, 'packages', 'holland', slot);
    assert.match(text, /^holland at 22:00 SGT on 2026-11-10: /);
    assert.equal(/: nothing was said, because /.test(text), !line);
    if (silence) assert.match(text, /the line that was drafted and withheld: 'holland village is /);
  },
  26: async ([text = ''], { store, now }) => {
    const lines = async (from: number, to: number) =>
      (
        await store.get<{ n: number }>(
          'select count(*) as n from packages where slot >= ? and slot < ?',
          from,
          to,
        )
      )?.n;
    const [today, yesterday] = [
      await lines(now - 5 * HOUR, now),
      await lines(now - 29 * HOUR, now - 24 * HOUR),
    ];
    assert.match(text, /^2026-11-10 to 2026-11-11, each from 07:00 to 12:00 'SGT':/);
    assert.ok(text.includes(`lines said: ${yesterday}, then ${today};`), text);
  },
  27: ([text = '']) => {
    assert.match(text, /2 to 8 november 2026/);
    assert.match(text, /^a quiet week\./);
  },
  28: async (texts, recorded) => {
    for (const [n, pocket] of ['holland', 'siglap'].entries())
      assert.match(pocketLine(texts[n] ?? '', pocket), /sometimes calm \(40 % of 8 readings\)/);
    assert.ok(recorded.now);
  },
  29: ([text = '']) => assert.match(text, /simulated, newest reading 12:00 SGT\.$/),
  30: async ([text = ''], recorded) => {
    const pause = await decidedAt(recorded, 'pauses', 'holland', recorded.now - 9 * HOUR);
    assert.equal(pause?.kind, 'quiet_hours');
    assert.match(
      text,
      /^holland at 03:00 SGT on 2026-11-11: nothing was said, because it is an hour for sleep\./,
    );
    assert.match(text, /the line of that moment would have been: 'holland village is [^']+\.'/);
  },
};
