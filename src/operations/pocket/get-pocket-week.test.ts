import assert from 'node:assert/strict';
import { test } from 'node:test';
import { askOperation } from '../../../test/support/answers/ask-operation.ts';
import { reading } from '../../../test/support/rows/decisions.ts';
import { NOON } from '../../../test/support/services/service.ts';
import { describeStores } from '../../../test/support/stores/store-places.ts';
import { storeFor } from '../../../test/support/stores/suite-store.ts';
import { emptyHourNorm } from '../../domain/atmosphere/anomaly.ts';
import { DAY, HOUR, MINUTE, SLOT } from '../../domain/time/slot.ts';
import { writeNorms } from '../../store/observation/norms.ts';
import { writeReadings } from '../../store/observation/readings.ts';
import { getPocketWeek } from './get-pocket-week.ts';

// NOON is that of Wednesday 11 November 2026.
const WEDNESDAY = 2 * 24;
const norm = (samples: number, mean: number) => ({
  ...emptyHourNorm,
  calm: { samples, mean, variance: 0.01 },
});

describeStores('GET /api/pocket-week', (makePlace) => {
  const store = storeFor(makePlace, (store) =>
    store.transaction(async (tx) => {
      const hours: [hour: number, samples: number, mean: number][] = [
        [WEDNESDAY + 3, 32, 0.9],
        [WEDNESDAY + 9, 8, 0.61236],
        [WEDNESDAY + 12, 12, 0.3],
        [WEDNESDAY + 13, 12, 0.28],
        [WEDNESDAY + 14, 7, 0.1],
        [167, 8, 0.5],
      ];
      for (const [hour, samples, mean] of hours)
        await writeNorms(
          tx,
          hour,
          new Map([
            ['tiongbahru', norm(samples, mean)],
            ['holland', norm(32, 0)],
          ]),
        );
      // The last reading of the day before, two of 11:00, and the first of 12:00.
      const read: [slot: number, calm: number][] = [
        [NOON - 12 * HOUR - SLOT, 0.1],
        [NOON - HOUR, 0.4],
        [NOON - SLOT, 0.5],
        [NOON, 0.3],
      ];
      await writeReadings(
        tx,
        read.map(([slot, calm]) => ({ ...reading({ slot, gate: null }), calm })),
      );
    }),
  );
  const ask = (pocket_id: string, now = NOON + MINUTE) =>
    askOperation(getPocketWeek, store(), now, { pocket_id });

  test('every hour of the week of this pocket; under two weeks of readings its usual is not known', async () => {
    const { usual, as_of } = (await ask('tiongbahru')).structured;
    assert.equal(as_of, new Date(NOON).toISOString());
    assert.equal(usual.length, 168);
    assert.deepEqual(usual[0], { weekday: 'monday', hour: 0, usual_calm: null, readings: 0 });
    assert.deepEqual(usual[WEDNESDAY + 9], { weekday: 'wednesday', hour: 9, usual_calm: 0.612, readings: 8 });
    assert.deepEqual(usual[WEDNESDAY + 14], {
      weekday: 'wednesday',
      hour: 14,
      usual_calm: null,
      readings: 7,
    });
    assert.deepEqual(usual[167], { weekday: 'sunday', hour: 23, usual_calm: 0.5, readings: 8 });
    assert.equal(usual.filter(({ usual_calm }) => usual_calm !== null).length, 5);
  });

  test('the hours of today that were read, and none of the day before', async () => {
    const { today } = (await ask('tiongbahru')).structured;
    assert.deepEqual(today, {
      date: '2026-11-11',
      weekday: 'wednesday',
      holiday: null,
      hours: [
        { hour: 11, calm: 0.45, readings: 2 },
        { hour: 12, calm: 0.3, readings: 1 },
      ],
    });
    const before = (await ask('tiongbahru', NOON - DAY / 2 + MINUTE)).structured.today;
    assert.deepEqual([before.date, before.hours], ['2026-11-11', []]);
  });

  test('says when it is usually busiest and calmest, and how this hour is', async () => {
    assert.equal(
      (await ask('tiongbahru')).text,
      'tiongbahru on a wednesday: usually busiest from 12:00 to 14:00 (busy), calmest from 09:00 to 10:00 (calm). this hour so far is busy (n 1).',
    );
    assert.equal(
      (await ask('dempsey')).text,
      'what is usual in dempsey on a wednesday is known after two weeks of readings.',
    );
  });

  test('names a public holiday, which the usual does not tell apart', async () => {
    const deepavali = Date.parse('2026-11-09T12:00+08:00');
    const { structured, text } = await ask('tiongbahru', deepavali);
    assert.match(structured.today.holiday ?? '', /Deepavali/);
    assert.match(text, /today is a public holiday/);
  });
});
