// The pipeline inside the service process, with a clock that the test can advance.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Outlet } from '../../src/domain/city/city.ts';
import { SLOT, slotStart } from '../../src/domain/time/slot.ts';
import { cityDir } from '../../src/registry/city-dir.ts';
import { loadRegistry } from '../../src/registry/load.ts';
import { simulatedCity } from '../../src/sources/simulated/city.ts';
import { openStore } from '../../src/store/engine/open.ts';
import { lastRun } from '../../src/store/runtime/job-runs.ts';
import { beginShortHistory } from '../support/pipeline/short-history.ts';
import { addOutletArguments, eventually } from '../support/services/operator-commands.ts';
import { runHere, serve, serviceEnvironment, shiftedClocks } from '../support/services/processes.ts';
import { openStream } from '../support/services/stream-client.ts';
import { describeStores, type StorePlace } from '../support/stores/store-places.ts';

/** The scheduler sleeps for up to 20 seconds: longer than a test should wait for it to see the clock. */
const LONGEST_SLEEP_MS = 200;

/** The clocks of every thread and process are shifted by the milliseconds in the file. */
const clockFrom = (file: string) =>
  shiftedClocks(
    `() => Number(process.getBuiltinModule('fs').readFileSync(${JSON.stringify(file)}, 'utf8'))`,
    LONGEST_SLEEP_MS,
  );

/** How many slots the clock of the service starts behind the real one. */
const BEHIND = 2;

/** An outlet id with a signal in each of the next slots: the simulated city drops some signals, by outlet and slot. */
function observedId(): string {
  const registry = loadRegistry(cityDir('singapore'));
  const [known] = registry.outlets as [Outlet];
  for (;;) {
    const id = randomUUID();
    const outlet = {
      ...known,
      id,
      pocket_id: 'holland',
      opens_at: '00:00',
      closes_at: '23:59',
      active: true,
    };
    const { signalsAt } = simulatedCity({ ...registry, outlets: [outlet] });
    const slots = Array.from({ length: 8 }, (_, n) => slotStart(Date.now()) + (n - BEHIND) * SLOT);
    if (slots.every((slot) => signalsAt(slot).some(({ outlet_id }) => outlet_id === id))) return id;
  }
}

/** Serves with the clock that the file says. */
async function serveByFile(t: TestContext, place: StorePlace) {
  t.after(() => place.remove());
  await beginShortHistory(place);
  const file = join(place.dataDir, 'clock-offset');
  writeFileSync(file, `${-BEHIND * SLOT}`);
  const environment = serviceEnvironment(place);
  const service = await serve(t, {
    ...environment,
    METRICS_PORT: '0',
    NODE_OPTIONS: clockFrom(file),
  });
  return { ...service, environment, file };
}

describeStores('a running pipeline', (makePlace, engine) => {
  test('counts an outlet from the quarter hour after an operator has added it, and is followed live', async (t) => {
    const place = await makePlace();
    const { url, child, closed, output, environment, file } = await serveByFile(t, place);
    // What another thread or process writes.
    const stream = await openStream(`${url}/api/stream/live`);
    const store = openStore(place);
    const latest = async () => (await lastRun(store, 'atmosphere')) ?? 0;
    /** Advances the clock and waits for the scheduler to see it. */
    const advance = async (slots: number) => {
      const before = await latest();
      writeFileSync(file, `${(slots - BEHIND) * SLOT}`);
      await eventually(async () => (await latest()) > before, 60_000);
    };
    await advance(1);
    const id = observedId();
    const before = await latest();
    const { status, stderr } = await runHere(
      t,
      addOutletArguments({ opens: '00:00', closes: '23:59', id }),
      environment,
    );
    assert.equal(status, 0, stderr);
    await advance(2);
    const [counted] = await store.all<{ slot: number }>(
      'select min(slot) as slot from counted_outlets where outlet_id = ?',
      id,
    );
    assert.ok(Number(counted?.slot) > before, `${counted?.slot}`);
    await store.close();
    const metrics = await (await fetch(/"address":"(.+?)"/.exec(output.stdout)?.[1] ?? '')).text();
    assert.match(metrics, /^pocketwatch_slots_total\{job_name="atmosphere",outcome="ran"\} [1-9]/m);
    assert.match(metrics, /^pocketwatch_heap_used_bytes\{thread="pipeline"\} [1-9]/m);
    await stream.until(() => stream.events.length > 0);
    for (const { event } of stream.events) assert.match(event, /^(narration|prediction|sustainability)$/);
    child.kill('SIGTERM');
    assert.equal(await stream.ended, true, 'an open stream does not hold the process');
    assert.deepEqual(await closed, [0, null]);
  });

  // A thread cannot be stopped from outside. With PostgreSQL the pipeline is a process.
  if (engine === 'sqlite') return;
  test('that gets no processor time does not hold a service that is told to stop', async (t) => {
    const { child, output } = await serveByFile(t, await makePlace());
    const children = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8');
    const worker = Number(children.split(' ')[0]);
    process.kill(worker, 'SIGSTOP');
    t.after(() => process.kill(worker, 'SIGKILL'));
    // Its output stays open: the stopped process has it too.
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    assert.deepEqual(await ended, [0, null], output.stderr);
    assert.match(output.stderr, /the running job did not finish in time/);
  });
});
