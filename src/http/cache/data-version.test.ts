import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { HOUR, MINUTE, SLOT } from '../../domain/time/slot.ts';
import { noRevision, type Revision } from '../../store/engine/revision.ts';
import { type Reader, StoreError } from '../../store/engine/store.ts';
import { watchDataVersion } from './data-version.ts';

const noon = Date.parse('2026-11-11T04:00:00Z');

/** A store that only has a revision, and can become unreachable. */
async function watchFakeStore(t: TestContext, revision: Pick<Revision, 'revision' | 'slot'>) {
  const state = { ...noRevision, log_revision: 3, ...revision, down: false, polls: 0, now: noon };
  const get = async (sql: string) => {
    if (sql.includes('history_progress')) return { finished: 1 };
    state.polls += 1;
    if (state.down) throw new StoreError('unavailable');
    const { revision, log_revision, slot, schema_number, readable_from } = state;
    return { revision, log_revision, slot, schema_number, readable_from };
  };
  t.mock.timers.enable({ apis: ['setInterval'] });
  const store = { get, all: () => assert.fail() } as unknown as Reader;
  const dataVersion = await watchDataVersion(store, undefined, () => state.now);
  t.after(() => dataVersion.stop());
  return { state, dataVersion };
}

test('the version is the same until a write or the next quarter hour', async (t) => {
  const { state, dataVersion } = await watchFakeStore(t, { revision: 7, slot: noon });
  const first = dataVersion.version(noon);
  await dataVersion.refresh();
  assert.equal(dataVersion.version(noon + SLOT - 1), first);
  assert.notEqual(dataVersion.version(noon + SLOT), first);
  state.revision = 8;
  assert.equal(dataVersion.version(noon), first);
  await dataVersion.refresh();
  assert.notEqual(dataVersion.version(noon), first);
});

test('while readings are late the version changes every minute, since pages state their age', async (t) => {
  const { dataVersion } = await watchFakeStore(t, { revision: 7, slot: noon });
  const onTime = dataVersion.version(noon + SLOT);
  assert.equal(dataVersion.version(noon + 1.5 * SLOT), onTime);
  const late = dataVersion.version(noon + 1.5 * SLOT + 1);
  assert.notEqual(late, onTime);
  assert.notEqual(dataVersion.version(noon + 1.5 * SLOT + MINUTE), late);
});

test('the time at which the polls began to fail is known until one succeeds', async (t) => {
  const { state, dataVersion } = await watchFakeStore(t, { revision: 7, slot: noon });
  assert.equal(dataVersion.unreachableSince(), null);
  state.down = true;
  await dataVersion.refresh();
  state.now += MINUTE;
  await dataVersion.refresh();
  assert.equal(dataVersion.unreachableSince(), noon);
  assert.equal(dataVersion.newestReading(), noon, 'as of the last poll that succeeded');
  state.down = false;
  await dataVersion.refresh();
  assert.equal(dataVersion.unreachableSince(), null);
});

test('a submission changes the version of what reads the log, any other write changes both', async (t) => {
  const { state, dataVersion } = await watchFakeStore(t, { revision: 7, slot: noon });
  const versions = () => [dataVersion.version(noon), dataVersion.logVersion(noon)];
  const [data, log] = versions();
  state.log_revision += 1;
  await dataVersion.refresh();
  const [sameData, newLog] = versions();
  assert.equal(sameData, data);
  assert.notEqual(newLog, log);
  for (const change of [() => (state.revision += 1), () => (state.down = true)]) {
    const before = versions();
    change();
    await dataVersion.refresh();
    for (const [n, version] of versions().entries()) assert.notEqual(version, before[n]);
  }
  assert.notEqual(dataVersion.logVersion(noon + SLOT), dataVersion.logVersion(noon));
});

test('a subscriber is told of each write, not of submissions, until it unsubscribes', async (t) => {
  const { state, dataVersion } = await watchFakeStore(t, { revision: 7, slot: noon });
  let calls = 0;
  const unsubscribe = dataVersion.subscribe(() => calls++);
  const callsAfter = async (change: () => unknown) => {
    change();
    await dataVersion.refresh();
    return calls;
  };
  assert.equal(await callsAfter(() => undefined), 0);
  assert.equal(await callsAfter(() => (state.log_revision += 1)), 0);
  assert.equal(await callsAfter(() => (state.revision += 1)), 1);
  assert.equal(await callsAfter(() => Object.assign(state, { down: true, revision: 9 })), 1);
  assert.equal(await callsAfter(() => (state.down = false)), 2);
  assert.equal(await callsAfter(unsubscribe), 2);
  assert.equal(await callsAfter(() => (state.revision += 1)), 2);
});

test('while the store is unreachable every poll is a version of its own', async (t) => {
  const { state, dataVersion } = await watchFakeStore(t, { revision: 7, slot: noon });
  const before = dataVersion.version(noon);
  state.down = true;
  const seen = new Set([before]);
  for (let n = 1; n <= 3; n++) {
    await dataVersion.refresh();
    seen.add(dataVersion.version(noon));
    assert.equal(seen.size, n + 1);
  }
  state.down = false;
  await dataVersion.refresh();
  assert.equal(dataVersion.version(noon), before);
});

test('an answer that lacks data ends its version', async (t) => {
  const { dataVersion } = await watchFakeStore(t, { revision: 7, slot: noon });
  const before = dataVersion.version(noon);
  await dataVersion.invalidate();
  assert.notEqual(dataVersion.version(noon), before);
});

test('a store that is unreachable at the start is polled until it answers', async (t) => {
  const state = { down: true };
  const get = async () => {
    if (state.down) throw new Error('not there');
    return { revision: 3, slot: noon };
  };
  const dataVersion = await watchDataVersion({ get, all: () => assert.fail() } as unknown as Reader);
  t.after(() => dataVersion.stop());
  const unreachable = dataVersion.version(noon);
  state.down = false;
  await dataVersion.refresh();
  assert.notEqual(dataVersion.version(noon), unreachable);
});

test('the maximum age ends when the next reading is due, and is between five seconds and a slot', async (t) => {
  const { state, dataVersion } = await watchFakeStore(t, { revision: 1, slot: noon });
  assert.equal(dataVersion.maxAge(noon), 900);
  assert.equal(dataVersion.maxAge(noon + 10 * MINUTE), 305);
  assert.equal(dataVersion.maxAge(noon + SLOT), 5);
  assert.equal(dataVersion.maxAge(noon + 10 * SLOT), 5);
  state.down = true;
  await dataVersion.refresh();
  assert.equal(dataVersion.maxAge(noon), 5, 'an unreachable store');
  Object.assign(state, { slot: null, down: false });
  await dataVersion.refresh();
  assert.equal(dataVersion.maxAge(noon), 5, 'an empty store');
});

test('with a reading of the future the maximum age still ends with the quarter hour', async (t) => {
  const { dataVersion } = await watchFakeStore(t, { revision: 1, slot: noon + 26 * HOUR });
  assert.equal(dataVersion.maxAge(noon), 900);
  assert.equal(dataVersion.maxAge(noon + 10 * MINUTE), 305);
  assert.equal(dataVersion.maxAge(noon + SLOT), 900);
});

test('the revision is polled twice a second until it is stopped', async (t) => {
  const { state, dataVersion } = await watchFakeStore(t, { revision: 1, slot: null });
  assert.equal(state.polls, 1);
  t.mock.timers.tick(1000);
  assert.equal(state.polls, 3);
  dataVersion.stop();
  t.mock.timers.tick(10_000);
  assert.equal(state.polls, 3);
});

test('onChange completes before the version changes, and runs again after a failure', async (t) => {
  const state = { revision: 7, log_revision: 1, calls: [] as string[], fails: false };
  const store = { get: async () => ({ ...state, slot: noon }), all: () => assert.fail() };
  const dataVersion = await watchDataVersion(store as unknown as Reader, async () => {
    state.calls.push(`at ${state.revision}`);
    if (state.fails) throw new StoreError('unavailable');
  });
  t.after(() => dataVersion.stop());
  const first = dataVersion.version(noon);
  await dataVersion.refresh();
  assert.deepEqual(state.calls, ['at 7']);

  Object.assign(state, { revision: 8, fails: true });
  await dataVersion.refresh();
  assert.equal(dataVersion.version(noon), `${first}-1`);
  state.fails = false;
  await dataVersion.refresh();
  assert.deepEqual(state.calls, ['at 7', 'at 8', 'at 8']);
  assert.notEqual(dataVersion.version(noon), first);

  state.log_revision = 2;
  await dataVersion.refresh();
  assert.equal(state.calls.length, 4, 'after a submission too: the log has a new checkpoint');
});
