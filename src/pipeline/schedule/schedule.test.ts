import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { DAY, SLOT, slotStart } from '../../domain/time/slot.ts';
import { singapore } from '../../domain/time/zones.fixture.ts';
import type { Job } from '../core/context.ts';
import { dueSlots, isDue, schedule } from './schedule.ts';

const at = (text: string) => Date.parse(`2026-11-${text}:00+08:00`);
const quarterly = { cron: '*/15 * * * *', late: 'skip' } as const;
const mornings = { cron: '30 8 * * *', late: 'run' } as const;
const mondays = { cron: '0 9 * * 1', late: 'run' } as const;

test('what is due, by Singapore time', () => {
  const table: [Pick<Job, 'cron' | 'late'>, last: string | null, now: string, due: string[]][] = [
    [quarterly, '11T12:00', '11T12:14', []],
    [quarterly, '11T12:00', '11T12:15', ['11T12:15']],
    [quarterly, '11T12:00', '11T12:44', ['11T12:30']],
    [quarterly, '01T12:00', '11T12:07', ['11T12:00']],
    [quarterly, null, '11T12:07', ['11T12:00']],
    [mornings, null, '11T12:07', ['11T08:30']],
    [mornings, '10T08:30', '11T08:29', []],
    [mornings, '10T08:30', '11T08:31', ['11T08:30']],
    [mornings, '08T08:30', '11T23:00', ['09T08:30', '10T08:30', '11T08:30']],
    [mondays, '02T09:00', '16T10:00', ['09T09:00', '16T09:00']],
    [{ ...mornings, late: 'skip' }, '08T08:30', '11T23:00', ['11T08:30']],
  ];
  for (const [job, last, now, due] of table) {
    assert.deepEqual(
      dueSlots(job, last === null ? null : at(last), at(now), singapore),
      due.map(at),
      `${job.cron} at ${now}`,
    );
  }
});

test('however the clock jumps, no slot is due twice or early, and the present slot is due unless it ran', () => {
  const jumps = fc.array(fc.integer({ min: -2 * DAY, max: 3 * DAY }), { maxLength: 30 });
  fc.assert(
    fc.property(jumps, fc.constantFrom(quarterly, mornings, mondays), (steps, job) => {
      let now = at('11T12:00');
      const ran = new Set([now - DAY]);
      for (const step of steps) {
        now += step;
        const current = slotStart(now);
        const before = [...ran].filter((slot) => slot <= current);
        const due = dueSlots(job, before.length ? Math.max(...before) : null, now, singapore);
        assert.equal(due.at(-1) === current, isDue(job, current, singapore) && !ran.has(current));
        for (const slot of due) {
          assert.ok(slot <= now && isDue(job, slot, singapore) && !ran.has(slot));
          ran.add(slot);
        }
      }
    }),
  );
});

test('every job of the schedule falls on quarter hours only', () => {
  for (const job of schedule) {
    for (let minute = at('01T00:00'); minute < at('09T00:00'); minute += 60_000) {
      if (minute % SLOT !== 0)
        assert.equal(isDue(job, minute, singapore), false, `${job.name} ${new Date(minute).toISOString()}`);
    }
    assert.equal(slotStart(at('01T00:00')), at('01T00:00'));
  }
});

test('submissions are scored after every other job of the slot, before the transaction', () => {
  const last = schedule.at(-1);
  assert.equal(last?.name, 'submission_score');
  assert.ok(last?.prepare);
});
