// A simulated month as an assistant asks about it: why calm pockets are not listed, and what the stream shows.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isSleepHour } from '../../src/domain/decision/moment.ts';
import { DAY, HOUR, MINUTE } from '../../src/domain/time/slot.ts';
import { singapore } from '../../src/domain/time/zones.fixture.ts';
import { findCalmPocketNow } from '../../src/operations/pocket/find-calm-pocket-now.ts';
import { listPockets } from '../../src/operations/pocket/list-pockets.ts';
import { getStream } from '../../src/operations/report/get-stream.ts';
import { askOperation, city } from '../support/answers/ask-operation.ts';
import { monthService } from '../support/services/month.ts';
import { NOON } from '../support/services/service.ts';

const { store } = await monthService();
const days = await store.get<{ first: number; last: number }>(
  'select min(slot) as first, max(slot) as last from moments',
);
assert.ok(days && days.last <= NOON);
/** Every seven hours of the month, a few minutes after a quarter hour: each hour of the day is met. */
const times = Array.from(
  { length: Math.floor((days.last - days.first) / (7 * HOUR)) },
  (_, n) => days.first + n * 7 * HOUR + 4 * MINUTE,
);

interface StoredMoment {
  pocket_id: string;
  calm_probability: number;
  silence_reasons: string;
  expires_at: number;
}

test('find_calm_pocket_now lists or counts every pocket, by day and by night', async () => {
  const seen = { night: 0, withheldAtNight: 0, day: 0, listedByDay: 0 };
  for (const now of times) {
    const { structured } = await askOperation(findCalmPocketNow, store, now, { top_n: 10 });
    const { count, pockets, left_out } = structured;
    const { total, quiet_hours_end_at, calmer: _named, ...reasons } = left_out;
    assert.equal(count + total, city.pockets.length);
    assert.equal(
      Object.values(reasons).reduce((sum, n) => sum + n, 0),
      total,
    );
    const stored = await store.all<StoredMoment>(
      'select pocket_id, calm_probability, silence_reasons, expires_at from moments where slot = ?',
      now - 4 * MINUTE,
    );
    const calm = stored.filter((row) => row.calm_probability >= 0.6 && row.expires_at > now);
    if (stored.length === city.pockets.length)
      assert.equal(
        count + left_out.quiet_hours + left_out.silent + left_out.beyond_top_n,
        calm.length,
        'every calm pocket is listed, or withheld for a stated reason',
      );
    for (const { pocket_id } of pockets) {
      const row = stored.find((one) => one.pocket_id === pocket_id);
      if (row) assert.equal(row.silence_reasons, '[]');
    }
    if (isSleepHour(singapore.hourOfDay(now))) {
      seen.night += 1;
      seen.withheldAtNight += left_out.quiet_hours;
      assert.equal(count, 0);
      if (left_out.quiet_hours) {
        const end = Date.parse(quiet_hours_end_at ?? '');
        assert.ok(
          end > now &&
            end - now <= 8 * HOUR &&
            !isSleepHour(singapore.hourOfDay(end)) &&
            isSleepHour(singapore.hourOfDay(end - MINUTE)),
        );
      }
    } else {
      seen.day += 1;
      seen.listedByDay += count;
      assert.equal(left_out.quiet_hours, 0);
    }
  }
  assert.ok(seen.night > 10 && seen.day > 30, JSON.stringify(seen));
  assert.ok(seen.withheldAtNight > 0 && seen.listedByDay > 0, JSON.stringify(seen));
});

test('list_pockets agrees with find_calm_pocket_now on every pocket that is listed', async () => {
  for (const now of times.filter((_, n) => n % 5 === 0)) {
    const { structured } = await askOperation(findCalmPocketNow, store, now, { top_n: 10 });
    const { details } = (await askOperation(listPockets, store, now)).structured;
    for (const { pocket_id, primary_state, calm_probability } of structured.pockets) {
      const own = details.find((one) => one.pocket_id === pocket_id);
      assert.deepEqual([own?.primary_state, own?.calm_probability], [primary_state, calm_probability]);
    }
  }
});

test('the stream shows every kind of event that the last day has, newest first', async () => {
  for (const now of times.filter((time, n) => n % 8 === 0 && time > days.first + DAY)) {
    const ask = async (given: Record<string, unknown>) =>
      (await askOperation(getStream, store, now, given)).structured.events;
    const all = await ask({ since: '24h', limit: 20 });
    for (const type of ['narration', 'sustainability']) {
      const own = await ask({ since: '24h', limit: 200, type });
      const shown = all.filter((event) => event.type === type);
      assert.ok(shown.length >= Math.min(own.length, Math.floor(20 / 3)), `${type} at ${new Date(now)}`);
      assert.deepEqual(shown, own.slice(0, shown.length));
    }
    const timestamps = all.map(({ timestamp }) => timestamp);
    assert.deepEqual(timestamps, timestamps.toSorted().reverse());
  }
});
