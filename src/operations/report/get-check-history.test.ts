import assert from 'node:assert/strict';
import { test } from 'node:test';
import { askOperation, baseUrl, city } from '../../../test/support/answers/ask-operation.ts';
import { freshPipeline } from '../../../test/support/pipeline/fresh-pipeline.ts';
import { smallCity } from '../../../test/support/pipeline/small-city.ts';
import { NOON } from '../../../test/support/services/service.ts';
import { describeStores } from '../../../test/support/stores/store-places.ts';
import { storeFor } from '../../../test/support/stores/suite-store.ts';
import { recordChecks } from '../../cli/runtime/check-recorder.ts';
import { buildLookup } from '../../domain/city/lookup.ts';
import { checkNames } from '../../domain/report/heartbeat.ts';
import { DAY, HOUR, MINUTE, SLOT } from '../../domain/time/slot.ts';
import { singapore } from '../../domain/time/zones.fixture.ts';
import { backfill } from '../../pipeline/backfill/backfill.ts';
import { dueBy } from '../../pipeline/schedule/schedule.ts';
import { getCheckHistory } from './get-check-history.ts';

describeStores('GET /api/check-history', (makePlace) => {
  const store = storeFor(makePlace, async (empty) => {
    await backfill(freshPipeline(empty, smallCity(['tiongbahru', 'dempsey'])), {
      from: NOON - 6 * HOUR,
      now: NOON,
    });
  });
  const ask = async (now: number) => {
    const { structured, text } = await askOperation(getCheckHistory, store(), now);
    const of = (name: string) =>
      structured.checks.find((check) => check.name === name) ?? assert.fail(`no check ${name}`);
    return { structured, text, of };
  };
  const record = (now: number, last: number | null = null) =>
    recordChecks(
      {
        ...{
          registry: city,
          zone: singapore,
          lookup: buildLookup(city.pockets),
          store: store(),
          substrate: 'simulated',
          now,
          baseUrl,
        },
        status: {
          dueBy: (at) => dueBy(at, singapore),
          mail: async () => 'missing',
          storeDamage: () => undefined,
          fullSince: () => undefined,
          isKeyChanged: async () => false,
          isUpgraded: () => false,
        },
      },
      last,
    );

  test('before anything is recorded, the decisions of the record alone are known', async () => {
    const { structured, text, of } = await ask(NOON + 11 * MINUTE);
    assert.deepEqual([structured.first_date, structured.last_date], ['2026-08-14', '2026-11-11']);
    assert.deepEqual(
      structured.checks.map(({ name }) => name),
      [...checkNames],
    );
    const known = structured.checks.filter(({ days }) => days.length);
    assert.deepEqual(
      known.map(({ name, unit }) => [name, unit]),
      [['gate pass rate', 'days']],
    );
    assert.equal(of('gate pass rate').recorded_since, '2026-11-11');
    assert.match(text, /8 of 9 checks have no record yet/);
  });

  test('a quarter hour is recorded once, whoever tries', async () => {
    // The quarter hour of the history's end is recorded as soon as its jobs should have run.
    const slot = await record(NOON + 11 * MINUTE);
    assert.equal(slot, NOON);
    assert.equal(await record(NOON + 12 * MINUTE, slot), NOON);
    await record(NOON + 12 * MINUTE, null);
    const { of } = await ask(NOON + 13 * MINUTE);
    assert.deepEqual(of('inbound MX').days, [
      { date: '2026-11-11', state: 'amber', green: 0, amber: 0, red: 1 },
    ]);
    assert.deepEqual(of('migrations applied').days, [
      { date: '2026-11-11', state: 'green', green: 1, amber: 0, red: 0 },
    ]);
    assert.equal(of('inbound MX').recorded_since, '2026-11-11');
  });

  test('a pipeline that stopped is recorded, and counted where nobody recorded it', async () => {
    await record(NOON + 2 * HOUR);
    const { of } = await ask(NOON + 3 * HOUR);
    for (const name of ['agent worker', 'stale crons', 'env_snapshots freshness']) {
      const [today] = of(name).days;
      assert.equal(today?.state, 'red', name);
      assert.equal(today?.red, 3 * 4 - 1, name);
    }
    assert.equal(of('takedown SLA').share, 1);
    assert.equal(of('migrations applied').days[0]?.green, 2);
  });

  test('the next day has a row of its own', async () => {
    await record(NOON + DAY);
    const { of } = await ask(NOON + DAY + SLOT);
    assert.deepEqual(
      of('inbound MX').days.map(({ date, red }) => [date, red]),
      [
        ['2026-11-11', 2],
        ['2026-11-12', 1],
      ],
    );
  });
});
