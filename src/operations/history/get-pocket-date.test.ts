import assert from 'node:assert/strict';
import { test } from 'node:test';
import { askOperation } from '../../../test/support/answers/ask-operation.ts';
import { reading, writeDecisions } from '../../../test/support/rows/decisions.ts';
import { NOON } from '../../../test/support/services/service.ts';
import { describeStores } from '../../../test/support/stores/store-places.ts';
import { storeFor } from '../../../test/support/stores/suite-store.ts';
import { emptyNorm } from '../../domain/stats/norm.ts';
import { DAY, HOUR, MINUTE, SLOT } from '../../domain/time/slot.ts';
import { writeNorms } from '../../store/observation/norms.ts';
import { writeReadings } from '../../store/observation/readings.ts';
import { NotFound, Refused } from '../core/define.ts';
import { getPocketDate } from './get-pocket-date.ts';

describeStores('GET /api/pocket-date', (makePlace) => {
  const store = storeFor(makePlace, async (store) => {
    // Today from 11:00 to 12:00: tense twice, a gap, a line, and its own line still live. Calm is 0.75 throughout.
    const at = (n: number) => NOON - HOUR + n * SLOT;
    await writeDecisions(store, [
      { slot: at(0), gate: 'moment_silence' },
      { slot: at(1), gate: 'moment_silence' },
      { slot: at(3), gate: null },
      { slot: at(4), gate: null, pause: 'already_speaking' },
    ]);
    await store.transaction(async (tx) => {
      await writeReadings(tx, [reading({ slot: NOON - DAY, gate: null })]);
      // Wednesdays from 11:00 to 12:00 are known, those from 12:00 on are not yet.
      const norm = (samples: number) => ({ samples, mean: 0.6, variance: 0 });
      const known = { crowd: emptyNorm, stress: emptyNorm, calm: norm(8), calm_share: 1 };
      await writeNorms(tx, 2 * 24 + 11, new Map([['tiongbahru', known]]));
      await writeNorms(tx, 2 * 24 + 12, new Map([['tiongbahru', { ...known, calm: norm(7) }]]));
    });
  });
  const ask = (given: { date?: string } = {}, now = NOON + MINUTE) =>
    askOperation(getPocketDate, store(), now, { pocket_id: 'tiongbahru', ...given });

  test('today: readings up to now, the usual of each hour, and the newest reading against it', async () => {
    const { structured: day, text } = await ask();
    assert.deepEqual([day.date, day.weekday, day.reading_count], ['2026-11-11', 'wednesday', 4]);
    assert.deepEqual(
      [day.from, day.to, day.as_of],
      ['2026-11-10T16:00:00.000Z', '2026-11-11T16:00:00.000Z', '2026-11-11T04:00:00.000Z'],
    );
    assert.deepEqual([day.previous_date, day.next_date], ['2026-11-10', null]);
    assert.equal(day.usual.length, 24);
    assert.deepEqual(day.usual[11], { at: '2026-11-11T03:00:00.000Z', calm: 0.6 });
    assert.deepEqual(day.usual[12], { at: '2026-11-11T04:00:00.000Z', calm: null });
    assert.deepEqual(day.usually_calm, [
      { from: '2026-11-11T03:00:00.000Z', to: '2026-11-11T04:00:00.000Z' },
    ]);
    assert.equal(day.now, null, 'the hour of the newest reading has no usual');
    assert.equal(text, 'tiongbahru on 2026-11-11: 4 readings, 1 line said. usually calm 11:00 to 12:00.');
    const earlier = (await ask({}, NOON - MINUTE)).structured;
    assert.deepEqual(earlier.now, {
      captured_at: '2026-11-11T03:45:00.000Z',
      calm: 0.75,
      usual_calm: 0.6,
      difference: 0.15,
      compared: 'calmer',
    });
  });

  test('what was said and what was not, with one reason each', async () => {
    const { decisions } = (await ask()).structured;
    assert.deepEqual(
      decisions.map(({ from, to, kind, reason }) => [from.slice(11, 16), to.slice(11, 16), kind, reason]),
      [
        ['16:00', '03:00', 'no_moment', 'not_observed'],
        ['03:00', '03:30', 'silence', 'tense'],
        ['03:30', '03:45', 'no_moment', 'not_observed'],
        ['03:45', '04:00', 'emit', null],
        ['04:00', '04:15', 'already_speaking', 'already_speaking'],
      ],
    );
    assert.deepEqual(
      decisions.map(({ text }) => text !== null),
      [false, false, false, true, false],
    );
    assert.match(decisions[1]?.explanation ?? '', /\/explanations\/silence:tiongbahru-20261111T0300Z$/);
    assert.equal(decisions[2]?.explanation, null);
  });

  test('a day that is over', async () => {
    const { structured: day } = await ask({ date: '2026-11-10' });
    assert.deepEqual([day.reading_count, day.next_date, day.now], [1, '2026-11-11', null]);
    assert.equal(day.as_of, day.to);
    assert.deepEqual(
      day.decisions.map(({ kind }) => kind),
      ['no_moment'],
    );
  });

  test('a day without a record, one to come, and one that does not exist', async () => {
    await assert.rejects(ask({ date: '2026-10-01' }), NotFound);
    await assert.rejects(ask({ date: '2026-11-12' }), NotFound);
    await assert.rejects(ask({ date: '2026-02-30' }), Refused);
  });

  test('a pocket that was never observed', async () => {
    const { structured } = await askOperation(getPocketDate, store(), NOON, { pocket_id: 'dempsey' });
    assert.deepEqual(
      [structured.readings, structured.decisions, structured.now, structured.previous_date],
      [[], [], null, null],
    );
  });
});
