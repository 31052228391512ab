// Reports of a simulated month of the whole city: they differ by pocket and week for reasons in the readings, and every
// difference they state, or leave out, is computed a second time from the rows.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { voiceFaults } from '../../src/domain/text/voice.ts';
import { dayNames } from '../../src/domain/time/periods.ts';
import { DAY, HOUR } from '../../src/domain/time/slot.ts';
import type { AnswerOf } from '../../src/operations/core/define.ts';
import type { getStateOfPocket } from '../../src/operations/report/get-state-of-pocket.ts';
import type { listWeeklyReports } from '../../src/operations/report/list-weekly-reports.ts';
import {
  againstNetwork,
  dayName,
  dayPart,
  isAwake,
  type Level,
  localHour,
  mean,
  midnight,
  type Part,
  partLevels,
  parts,
  type Quality,
  qualities,
  type Reading,
  squares,
} from '../support/answers/reference-differences.ts';
import { ask } from '../support/services/http-client.ts';
import { monthService } from '../support/services/month.ts';
import { callTool } from '../support/services/service.ts';

const { url, store, service } = await monthService();
const pockets = service.registry.pockets.map(({ id }) => id as string);
const peaks = new Map(
  service.registry.pockets.map(({ id, character }) => [id as string, character.footfall_peak]),
);

type Week = AnswerOf<typeof listWeeklyReports>['reports'][number];
type Difference = Week['sets_apart'][number];
type Month = NonNullable<AnswerOf<typeof getStateOfPocket>['report']>;

type Snapshot = Record<string, number | null> & { slot: number; pocket_id: string };

const near = (a: number | null | undefined, b: number, by = 0.0011) =>
  assert.ok(a !== null && a !== undefined && Math.abs(a - b) <= by, `${a} is not ${b}`);

const readings = (
  await store.all<Reading>(
    'select slot, pocket_id, calm, social_energy as social, productive from atmosphere_readings order by slot',
  )
).filter(isAwake);
const levels = partLevels(readings);
const snapshots = (await store.all<Snapshot>('select * from snapshots')).filter(
  (row) => isAwake(row) && row.slot % HOUR === 0,
);
const reply = await ask(`${url}/api/reports/weekly?limit=26`);
const weeks = Map.groupBy(reply.json<{ reports: Week[] }>().reports, ({ week_iso }) => week_iso);
/** The first day that is observed is a Sunday: its week says little, and is only compared with the network. */
const mondays: [week: string, from: number][] = [
  ['2026-W42', Date.parse('2026-10-12T00:00:00+08:00')],
  ['2026-W43', Date.parse('2026-10-19T00:00:00+08:00')],
  ['2026-W44', Date.parse('2026-10-26T00:00:00+08:00')],
  ['2026-W45', Date.parse('2026-11-02T00:00:00+08:00')],
];
const weekReports = (week: string): Week[] => {
  const reports = weeks.get(week) ?? [];
  assert.equal(reports.length, pockets.length, week);
  return reports;
};

describe('weekly reports', () => {
  test('each pocket has a narrative of its own, and the weeks are not all of one state', () => {
    for (const [week] of mondays) {
      const reports = weekReports(week);
      assert.equal(new Set(reports.map(({ narrative }) => narrative)).size, pockets.length);
      const states = Map.groupBy(reports, ({ metrics }) => metrics.atmosphere_score.primary_state);
      assert.ok(states.size >= 3, `${week}: ${[...states.keys()]}`);
      for (const { narrative } of reports) assert.deepEqual(voiceFaults(narrative), []);
    }
  });

  test('the narrative begins with the newest difference from the usual', () => {
    for (const [week] of mondays) {
      for (const { pocket_id, narrative, sets_apart, holidays } of weekReports(week)) {
        const begin = `${pocket_id} in ${week}: `;
        assert.ok(narrative.startsWith(begin), narrative);
        const opening = narrative.slice(begin.length);
        for (const { day, holiday, text } of sets_apart) {
          assert.equal(holiday, holidays.find((one) => one.day === day)?.name ?? null);
          assert.equal(text.includes(', a public holiday, it was'), holiday !== null);
        }
        const usual = sets_apart.filter(({ against }) => against === 'own_usual').slice(0, 2);
        const latest = Math.max(...usual.map(({ day }) => dayNames.indexOf(day ?? 'monday')));
        const newest = usual.filter(({ day }) => dayNames.indexOf(day ?? 'monday') === latest);
        if (newest.length)
          assert.ok(
            newest.some(({ text }) => opening.startsWith(text)),
            narrative,
          );
        for (const { text } of usual) assert.ok(narrative.includes(text), narrative);
      }
    }
  });

  test('the narrative is three to five sentences, none of them true of every pocket', () => {
    for (const [week] of mondays) {
      const sentences = weekReports(week).map(({ narrative }) =>
        narrative.slice(narrative.indexOf(': ') + 2).split(/(?<=\.) /),
      );
      for (const told of sentences) assert.ok(told.length >= 3 && told.length <= 5, told.join(' '));
      for (const sentence of sentences[0] ?? [])
        assert.ok(
          sentences.some((others) => !others.includes(sentence)),
          `${week}: ${sentence}`,
        );
    }
  });

  test('quiet windows lie within a waking day', () => {
    for (const report of [...weeks.values()].flat())
      assert.ok((report.metrics.quiet_window_score.longest_minutes ?? 0) <= 16 * 60);
  });

  test('stable hours are not at an end of the scale, and steadier than the same hour elsewhere', () => {
    for (const [week, from] of mondays) {
      const hours = Map.groupBy(
        within(from, from + 7 * DAY),
        ({ slot }) => `${dayName(slot)} ${localHour(slot)}`,
      );
      for (const { pocket_id, metrics } of weekReports(week)) {
        assert.equal(metrics.stable_periods.length, 3);
        for (const { day, hour, calm, deviation, network_deviation } of metrics.stable_periods) {
          const all = Map.groupBy(hours.get(`${day} ${hour}`) ?? [], (row) => row.pocket_id);
          const calms = (all.get(pocket_id) ?? []).map((row) => row.calm);
          const spread = (values: readonly number[]) => Math.sqrt(squares(values) / values.length);
          assert.ok(
            calms.every((level) => level > 0.05 && level < 0.95),
            `${calms}`,
          );
          near(calm, mean(calms));
          near(deviation, spread(calms));
          const others = [...all]
            .filter(([id]) => id !== pocket_id)
            .map(([, rows]) => rows.map((row) => row.calm))
            .filter((levels) => levels.every((level) => level > 0.05 && level < 0.95));
          near(network_deviation, mean(others.map(spread)));
          assert.ok(deviation < (network_deviation ?? 0));
        }
      }
    }
  });
});

const within = (from: number, to: number): Reading[] =>
  readings.filter(({ slot }) => slot >= from && slot < to);

/** Checks what is stated against the network, and that what is not stated is within its bounds. */
function checkNetwork(stated: readonly Difference[], some: readonly Level[], pocket: string): void {
  for (const quality of qualities) {
    const found = stated.filter((one) => one.against === 'network' && one.quality === quality);
    assert.ok(found.length <= 1);
    const figures = (Object.keys(parts) as Part[]).map((part) => ({
      part,
      ...againstNetwork(
        some.filter((level) => level.part === part),
        pocket,
        quality,
      ),
    }));
    const [shown] = found;
    const inSpreads = (one: { difference: number; pocket_spread: number | null }) =>
      Math.abs(one.difference) / (one.pocket_spread ?? 1);
    // With a margin for rounding: a difference at its bound may be stated or not.
    const clear = figures.filter(
      ({ difference, standard_error, pocket_spread }) =>
        Math.abs(difference) >= Math.max(0.05, 4 * standard_error, pocket_spread) + 0.005,
    );
    if (!shown) {
      assert.deepEqual(clear, [], `${pocket} ${quality}`);
      continue;
    }
    const same = figures.find(({ part }) => part === shown.part);
    assert.ok(same);
    for (const key of ['value', 'reference', 'difference', 'standard_error', 'pocket_spread'] as const)
      near(shown[key], same[key]);
    const least = Math.max(0.05, 4 * same.standard_error, same.pocket_spread);
    assert.ok(Math.abs(same.difference) >= least - 0.005, `${pocket} ${quality}`);
    assert.deepEqual([shown.rank, shown.of_pockets], [same.rank, pockets.length]);
    for (const other of clear) assert.ok(inSpreads(other) <= inSpreads(shown) + 0.1, `${pocket} ${quality}`);
  }
}

describe('what sets a week apart', () => {
  test('from the network: stated and left out as the readings say', () => {
    for (const [week, from] of mondays) {
      const some = levels.filter(({ day }) => day >= from && day < from + 7 * DAY);
      const reports = weekReports(week);
      for (const { pocket_id, sets_apart } of reports) checkNetwork(sets_apart, some, pocket_id);
      const apart = reports.filter(({ sets_apart }) =>
        sets_apart.some(({ against }) => against === 'network'),
      );
      assert.ok(apart.length > pockets.length / 2, `${week}: ${apart.length}`);
    }
  });

  test('from the own usual: stated and left out as the readings say', () => {
    let stated = 0;
    for (const [week, from] of mondays) {
      const cells = [
        ...Map.groupBy(
          levels.filter(({ day }) => day >= from - 28 * DAY && day < from + 7 * DAY),
          ({ pocket_id, day, part }) => `${pocket_id} ${dayName(day)} ${part}`,
        ).values(),
      ].flatMap((all) => {
        const [now, earlier] = [all.find(({ day }) => day >= from), all.filter(({ day }) => day < from)];
        return now && earlier.length >= 2 ? [{ now, earlier }] : [];
      });
      const spread = (some: typeof cells, quality: Quality) =>
        Math.sqrt(
          some.reduce((sum, { earlier }) => sum + squares(earlier.map((one) => one[quality])), 0) /
            some.reduce((sum, { earlier }) => sum + earlier.length - 1, 0),
        );
      const isWeekend = (day: number) => dayName(day) === 'saturday' || dayName(day) === 'sunday';
      for (const { pocket_id, sets_apart, compared_with } of weekReports(week)) {
        const shown = sets_apart.filter(({ against }) => against === 'own_usual');
        stated += shown.length;
        if (week === '2026-W42') assert.match(compared_with.note ?? '', /^too few earlier weeks were read/);
        for (const { now, earlier } of cells.filter((cell) => cell.now.pocket_id === pocket_id)) {
          const alike = cells.filter(
            (cell) => cell.now.part === now.part && isWeekend(cell.now.day) === isWeekend(now.day),
          );
          const own = alike.filter((cell) => cell.now.pocket_id === pocket_id);
          const one = shown.find(({ day, part }) => day === dayName(now.day) && part === now.part);
          for (const quality of qualities) {
            const reference = mean(earlier.map((level) => level[quality]));
            const error =
              Math.max(spread(own, quality), spread(alike, quality)) * Math.sqrt(1 + 1 / earlier.length);
            const difference = now[quality] - reference;
            if (one?.quality === quality) {
              near(one.value, now[quality]);
              near(one.reference, reference);
              near(one.difference, difference);
              near(one.standard_error, error);
              assert.ok(Math.abs(difference) >= Math.max(0.05, 3 * error) - 0.005, `${week} ${pocket_id}`);
              const others = cells.filter(
                (cell) =>
                  cell.now.part === now.part && cell.now.day === now.day && cell.now.pocket_id !== pocket_id,
              );
              const shifts = others.map(
                (cell) => cell.now[quality] - mean(cell.earlier.map((level) => level[quality])),
              );
              near(one.network_difference, mean(shifts));
              checkCause(
                one,
                pocket_id,
                [now.day],
                earlier.map(({ day }) => day),
              );
            } else if (!one && shown.length < 3)
              assert.ok(Math.abs(difference) < Math.max(0.05, 3 * error) + 0.005, `${week} ${pocket_id}`);
          }
        }
      }
    }
    assert.ok(stated > 0);
  });

  /** The measurements behind a cause, from the snapshots of the full hours. */
  function checkCause({ cause, part }: Difference, pocket: string, days: number[], earlier: number[]): void {
    if (!cause) return;
    const means = (of: number[]) =>
      of.flatMap((day) => {
        const known = snapshots
          .filter(
            (row) => row.pocket_id === pocket && midnight(row.slot) === day && dayPart(row.slot) === part,
          )
          .flatMap((row) => row[cause.signal] ?? []);
        return known.length
          ? [mean(known) / (cause.signal === 'footfall' ? (peaks.get(pocket) ?? 1) : 1)]
          : [];
      });
    near(cause.value, mean(means(days)));
    near(cause.reference, mean(means(earlier)));
  }
});

describe('the state of each pocket in October', async () => {
  const [from, to] = [Date.parse('2026-10-11T00:00:00+08:00'), Date.parse('2026-11-01T00:00:00+08:00')];
  const months = new Map<string, Month>();
  for (const pocket_id of pockets) {
    const { structuredContent } = await callTool(url, 'get_state_of_pocket', { pocket_id });
    const { report } = structuredContent as unknown as AnswerOf<typeof getStateOfPocket>;
    assert.ok(report);
    months.set(pocket_id, report);
  }
  const hours = Map.groupBy(within(from, to), ({ slot }) => `${dayName(slot)} ${localHour(slot)}`);

  test('the strongest calm window is where the pocket is furthest above the others, and differs between pockets', () => {
    for (const [pocket, { observations, narrative }] of months) {
      const window = observations?.strongest_calm_window;
      assert.ok(window);
      const ahead = [...hours].map(([label, all]) => {
        const byPocket = Map.groupBy(all, ({ pocket_id }) => pocket_id);
        const calm = (rows: readonly Reading[]) => mean(rows.map((row) => row.calm));
        const own = calm(byPocket.get(pocket) ?? []);
        const others = mean([...byPocket].filter(([id]) => id !== pocket).map(([, rows]) => calm(rows)));
        return { label, own, others, difference: own - others };
      });
      const [day = '', clock = ''] = window.label.split(' ');
      const same = ahead.find(({ label }) => label === `${day} ${Number.parseInt(clock, 10)}`);
      near(window.calm, same?.own ?? 0);
      near(window.network_calm, same?.others ?? 0);
      near(window.difference, Math.max(...ahead.map(({ difference }) => difference)), 0.002);
      assert.ok(narrative.includes(window.label), narrative);
    }
    const labels = new Set(
      [...months.values()].map(({ observations }) => observations?.strongest_calm_window?.label),
    );
    assert.ok(labels.size > pockets.length / 2, `${[...labels]}`);
  });

  test('narratives differ, and what sets a pocket apart is as the readings say', () => {
    assert.equal(new Set([...months.values()].map(({ narrative }) => narrative)).size, pockets.length);
    const some = levels.filter(({ day }) => day >= from && day < to);
    for (const [pocket, { observations, narrative }] of months) {
      assert.ok(observations);
      checkNetwork(observations.sets_apart, some, pocket);
      assert.deepEqual(observations.compared_with, {
        other_pockets: pockets.length - 1,
        earlier: [],
        note: 'too few earlier months were read to say what is usual.',
      });
      assert.deepEqual(voiceFaults(narrative), []);
    }
  });
});
