import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { HOUR, SLOT } from '../../domain/time/slot.ts';
import { changingZones, localZone } from '../../domain/time/zones.fixture.ts';
import { isCronSlot } from './cron.ts';
import { schedule } from './schedule.ts';

const at = (text: string) => Date.parse(`${text}Z`);
const [from, to] = [at('2026-01-01T00:00'), at('2028-01-01T00:00')];

describe('on the clocks of zones that change them', () => {
  for (const zone of changingZones) {
    test(zone.name, () => {
      const daily = ['0 1 * * *', '30 8 * * *', '30 2 * * *', '15 1 * * *', '0 3 * * *'];
      for (const cron of new Set([...daily, ...schedule.map((job) => job.cron)])) {
        const dates: string[] = [];
        let runs = 0;
        for (let slot = from; slot < to; slot += SLOT) {
          if (!isCronSlot(cron, slot, zone)) continue;
          runs += 1;
          if (!cron.includes('* * * *')) dates.push(zone.localDate(slot));
        }
        if (cron === '*/15 * * * *') assert.equal(runs, (to - from) / SLOT);
        if (cron === '*/30 * * * *' || cron === '15,45 * * * *') assert.equal(runs, (to - from) / (2 * SLOT));
        assert.equal(new Set(dates).size, dates.length, `${cron}: at most once a day`);
        if (cron.endsWith(' * * *') && dates.length) {
          // The first and the last day may lie outside in part.
          assert.ok(dates.length >= 729 && dates.length <= 731, `${cron}: ${dates.length} days`);
        }
        if (cron.endsWith(' 1')) assert.ok(dates.every((date) => new Date(date).getUTCDay() === 1));
        if (cron === '0 4 1 * *') assert.equal(dates.filter((date) => date.endsWith('-01')).length, 24);
      }
    });
  }
});

test('a time that clocks skip is due after the gap, one that they repeat only the first time', () => {
  const berlin = localZone('Europe/Berlin');
  const table: [cron: string, due: string, notDue: string[]][] = [
    ['30 2 * * *', '2026-03-29T01:00', ['2026-03-29T00:30', '2026-03-29T01:30']],
    ['0 3 * * *', '2026-03-29T01:00', ['2026-03-29T02:00']],
    ['30 2 * * *', '2026-10-25T00:30', ['2026-10-25T01:30']],
    ['30 8 * * *', '2026-10-25T07:30', ['2026-10-25T06:30']],
    ['30 8 * * *', '2026-07-15T06:30', ['2026-07-15T07:30']],
  ];
  for (const [cron, due, notDue] of table) {
    assert.ok(isCronSlot(cron, at(due), berlin), `${cron} ${due}`);
    for (const other of notDue) assert.ok(!isCronSlot(cron, at(other), berlin), `${cron} ${other}`);
  }
});

test('an expression that is not supported is an error, not a job that never runs', () => {
  for (const cron of ['* * * * *', '0 9-17 * * *', '0 */2 * * *', '0 9 * 1 *', '0 * * * 1', 'daily'])
    assert.throws(() => isCronSlot(cron, 9 * HOUR, localZone('Europe/Berlin')), /unsupported/, cron);
});
