// GET /api/stream/live, read by real clients.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
// A dependency of the official MCP client.
import { EventSource } from 'eventsource';
import fc from 'fast-check';
import { DAY, SLOT } from '../../../src/domain/time/slot.ts';
import { watchDataVersion } from '../../../src/http/cache/data-version.ts';
import { drain } from '../../../src/http/core/drain.ts';
import { buildServer } from '../../../src/http/server/server.ts';
import { runDue } from '../../../src/pipeline/schedule/run.ts';
import { writePackages } from '../../../src/store/decision/decisions.ts';
import { openStore } from '../../../src/store/engine/open.ts';
import type { Store } from '../../../src/store/engine/store.ts';
import { recordStreamRun } from '../../../src/store/report/stream-runs.ts';
import { saidLine } from '../../support/rows/decisions.ts';
import { ask } from '../../support/services/http-client.ts';
import { NOON, noLimits, quietLog, type Settings, startService } from '../../support/services/service.ts';
import { openStream, type StreamClient } from '../../support/services/stream-client.ts';
import { describeStores } from '../../support/stores/store-places.ts';
import { testLedger } from '../../support/stores/test-ledger.ts';

const pockets = ['tiongbahru', 'dempsey', 'joochiat'];
const live = '/api/stream/live';

/** Writes what a run of the decisions would: a line of each pocket, or as many as asked for. */
const say = (store: Store, slot: number, lines: readonly { pocket: string; text?: string }[]) =>
  store.transaction(async (tx) => {
    await recordStreamRun(tx, 'atmosphere', slot, slot);
    const packages = lines.map(({ pocket, text }, n) => {
      const { item, payload } = saidLine({ pocket, slot, gate: null });
      const id = `${item.id}-${n}`;
      return {
        item: { ...item, id, composed_text: text ?? item.composed_text },
        payload: { ...payload, id },
      };
    });
    const ledger = testLedger();
    await writePackages(tx, ledger, packages);
    await ledger.write(tx);
  });

async function start(t: TestContext, given: Partial<Settings> = {}) {
  const started = await startService(t, { days: 0, ...given });
  const { store, service } = started;
  let slot = NOON;
  return {
    ...started,
    /** Writes a run for the next slot, and lets the service see it. */
    say: async (lines: readonly { pocket: string; text?: string }[]) => {
      slot += SLOT;
      await say(store, slot, lines);
      await service.dataVersion.refresh();
    },
  };
}

const eventPockets = ({ events }: StreamClient) => events.map(({ data }) => JSON.parse(data).pocket_id);

test('a run of the pipeline is sent as /api/stream lists it', async (t) => {
  const { url, pipeline, service, clock } = await startService(t, { days: 1 });
  const client = await openStream(url + live, { accept: 'text/event-stream' });
  assert.equal(client.status, 200);
  assert.match(String(client.headers['content-type']), /^text\/event-stream/);
  assert.deepEqual([client.headers['cache-control'], client.headers.connection], ['no-store', 'close']);
  assert.equal(client.headers['access-control-allow-origin'], '*');
  await client.until(() => client.retry === 3000 && client.lastEventId !== '');
  const one = await openStream(`${url}${live}?pocket=dempsey`);
  const source = new EventSource(`${url}${live}`);
  t.after(() => source.close());
  const heard: string[] = [];
  for (const kind of ['narration', 'prediction', 'sustainability'])
    source.addEventListener(kind, ({ data, lastEventId }) => heard.push(`${lastEventId} ${data}`));
  await new Promise<void>((resolve) => {
    source.onopen = () => resolve();
  });

  clock.now = NOON + SLOT;
  await runDue(pipeline, clock.now);
  await service.dataVersion.refresh();
  const listed = async (query: string) => {
    const reply = await ask(`${url}/api/stream?since=1h&limit=200${query}`);
    return reply
      .json<{ events: { timestamp: string }[] }>()
      .events.filter(({ timestamp }) => Date.parse(timestamp) > NOON)
      .map((event) => JSON.stringify(event));
  };
  const expected = await listed('');
  assert.ok(expected.length > 10 && expected.length < 200);
  await client.until(() => client.events.length >= expected.length);
  assert.deepEqual(client.events.map(({ data }) => data).sort(), expected.sort());
  for (const { event, data, id } of client.events) {
    assert.equal(event, JSON.parse(data).type);
    assert.match(id, /^\d+\.\d+\.\d+$/);
  }
  assert.equal(new Set(client.events.map(({ id }) => id)).size, expected.length);
  while (heard.length < expected.length) await delay(5);
  assert.deepEqual(
    heard,
    client.events.map(({ id, data }) => `${id} ${data}`),
  );
  const ofOne = await listed('&pocket=dempsey');
  await one.until(() => one.events.length >= ofOne.length);
  assert.deepEqual(one.events.map(({ data }) => data).sort(), ofOne.sort());
});

describeStores('the live stream', (makePlace) => {
  test('whatever is cut, and whichever process is asked next: each event once, in order', async (t) => {
    const place = await makePlace('schema');
    t.after(() => place.remove());
    const { url, service, clock } = await start(t, { place: { ...place, remove: async () => undefined } });
    // Another answering process: its own connection to the store, its own view of the revision.
    const store = openStore(place);
    const dataVersion = await watchDataVersion(store);
    const other = buildServer({ ...service, store, dataVersion }, noLimits, quietLog);
    const urls = [url, await other.listen({ host: '127.0.0.1', port: 0 })];
    t.after(async () => {
      await other.close();
      dataVersion.stop();
      await store.close();
    });
    const first = await openStream(url + live);
    await first.until(() => first.lastEventId !== '');
    first.cut();
    let last = first.lastEventId;
    let slot = NOON;
    const step = fc.record({
      written: fc.array(fc.subarray(pockets), { maxLength: 3 }),
      read: fc.nat(4),
      process: fc.nat(1),
      inQuery: fc.boolean(),
      pocket: fc.constantFrom(undefined, 'dempsey'),
    });
    const pending: string[] = [];
    await fc.assert(
      fc.asyncProperty(step, async ({ written, read, process, inQuery, pocket }) => {
        for (const lines of written) {
          slot += SLOT;
          clock.now = slot;
          await say(
            service.store,
            slot,
            lines.map((own) => ({ pocket: own })),
          );
          pending.push(...lines.toSorted().map((own) => `${slot} ${own}`));
        }
        // Only one of the two has seen the revision.
        await (process ? dataVersion : service.dataVersion).refresh();
        const wanted = pending.filter((line) => !pocket || line.endsWith(pocket));
        const query = new URLSearchParams({
          ...(inQuery && { last_event_id: last }),
          ...(pocket && { pocket }),
        });
        const client = await openStream(
          `${urls[process]}${live}?${query}`,
          inQuery ? {} : { 'last-event-id': last },
        );
        const count = Math.min(read, wanted.length);
        await client.until(() => client.events.length >= count);
        client.cut();
        const taken = client.events.slice(0, count);
        for (const [n, { data }] of taken.entries()) {
          const { timestamp, pocket_id } = JSON.parse(data);
          assert.equal(`${Date.parse(timestamp)} ${pocket_id}`, wanted[n]);
        }
        const end = wanted[count - 1];
        if (end === undefined) return;
        last = taken.at(-1)?.id ?? assert.fail();
        pending.splice(0, pending.indexOf(end) + 1);
      }),
      { numRuns: 40 },
    );
  });
});

test('a client that resumes is given what is kept, and told from when on', async (t) => {
  const { url, clock, say } = await start(t);
  const client = await openStream(url + live);
  await say([{ pocket: 'dempsey' }]);
  await client.until(() => client.events.length === 1);
  const { id } = client.events[0] ?? assert.fail();
  await say([{ pocket: 'joochiat' }]);
  const from = async (lastEventId: string) => {
    const resumed = await openStream(url + live, { 'last-event-id': lastEventId });
    await resumed.until(() => resumed.events.length > 0);
    resumed.cut();
    return resumed.events;
  };
  assert.deepEqual(
    (await from(id)).map(({ event }) => event),
    ['narration'],
  );
  for (const unknown of [
    'x',
    '-1',
    '1.2',
    '999.5.1',
    id.replace(/\.\d+\./, '.17.'),
    `${id}${'0'.repeat(5000)}`,
  ]) {
    const [gap] = await from(unknown);
    assert.equal(gap?.event, 'gap', unknown);
    assert.deepEqual(Object.keys(JSON.parse(gap?.data ?? '')), ['type', 'from', 'note']);
    assert.equal(Date.parse(JSON.parse(gap?.data ?? '').from), clock.now);
  }
  clock.now = NOON + 3 * DAY;
  await say(Array.from({ length: 2 }, () => ({ pocket: 'dempsey' })));
  // That run carries the time of its slot, and is older than a day too, but the newest run is always kept.
  const [gap, ...rest] = await from(id);
  assert.equal(JSON.parse(gap?.data ?? '').from, new Date(NOON + 3 * SLOT).toISOString());
  assert.equal(rest.length, 2);
});

test('requests that cannot be served', async (t) => {
  const { url } = await start(t);
  const askStatus = async (path: string, headers = {}) => (await ask(url + path, { headers })).status;
  const unknown = await ask(`${url}${live}?pocket=tiongbaru`);
  assert.deepEqual(
    [unknown.status, unknown.json<{ did_you_mean: string[] }>().did_you_mean[0]],
    [404, 'tiongbahru'],
  );
  for (const accept of ['text/html', 'application/json', 'text/event-stream;q=0', 'text/plain, image/*'])
    assert.equal(await askStatus(live, { accept }), 406, accept);
  for (const accept of ['*/*', 'text/event-stream', 'text/*;q=0.1', 'text/html, TEXT/Event-Stream'])
    assert.equal(await askStatus(live, { accept }), 200, accept);
  const head = await ask(url + live, { method: 'HEAD' });
  assert.equal(head.status, 200);
  assert.equal((await ask(url + live, { method: 'POST' })).status, 405);
  const { url: without } = await startService(t, { place: 'none' });
  assert.equal((await ask(without + live)).status, 503);
});

test('streams past the limits are refused until others end', async (t) => {
  const streams = { total: 3, perAddress: 2 };
  const { url } = await start(t, { streams, trustedProxies: ['127.0.0.1'] });
  const open = (address: string) => openStream(url + live, { 'x-forwarded-for': address });
  const own = [await open('192.0.2.1'), await open('192.0.2.1')];
  const refused = await ask(url + live, { headers: { 'x-forwarded-for': '192.0.2.1' } });
  assert.deepEqual([refused.status, refused.headers['retry-after']], [503, '30']);
  assert.equal(refused.json<{ retry_in_seconds: number }>().retry_in_seconds, 30);
  const third = await open('192.0.2.2');
  assert.deepEqual([third.status, (await open('192.0.2.3')).status], [200, 503]);
  for (const client of own) client.cut();
  for (let tries = 0; ; tries++) {
    const again = await open('192.0.2.3');
    if (again.status === 200) break;
    assert.ok(tries < 200);
    await delay(10);
  }
});

test('a comment is sent between events, and with it the newest id to a client that has everything', async (t) => {
  const streams = { ...noLimits.streams, heartbeatMs: 30 };
  const { url, say } = await start(t, { streams });
  const client = await openStream(`${url}${live}?pocket=dempsey`);
  await client.until(() => client.comments.length > 1);
  const before = client.lastEventId;
  await say([{ pocket: 'joochiat' }]);
  await client.until(() => client.lastEventId !== before);
  assert.deepEqual(client.events, []);
  await say([{ pocket: 'dempsey' }]);
  const resumed = await openStream(`${url}${live}`, { 'last-event-id': client.lastEventId });
  await resumed.until(() => resumed.events.length > 0);
  assert.deepEqual(eventPockets(resumed), ['dempsey']);
});

test('a client that does not read is disconnected, and others are sent everything', async (t) => {
  const streams = { ...noLimits.streams, heartbeatMs: 60 };
  const { url, say } = await start(t, { streams });
  const idle = await openStream(url + live);
  const reader = await openStream(url + live);
  idle.response.pause();
  const text = 'x'.repeat(16_000);
  let written = 0;
  // More than the buffers of both systems take.
  while (idle.response.readableFlowing === false && written < 64) {
    written += 1;
    await say(Array.from({ length: 40 }, () => ({ pocket: 'dempsey', text })));
    await reader.until(() => reader.events.length === written * 40);
  }
  await reader.until(() => reader.comments.length > 4);
  idle.response.resume();
  assert.equal(await idle.ended, false);
  assert.ok(idle.events.length < reader.events.length);
  await say([{ pocket: 'dempsey' }]);
  await reader.until(() => reader.events.length === written * 40 + 1);
});

test('a shutdown ends the streams at once, and takes no new ones', async (t) => {
  const { url, app } = await start(t);
  const client = await openStream(url + live);
  const drained = drain(app);
  assert.equal(await client.ended, true);
  const refused = await ask(url + live);
  assert.deepEqual([refused.status, refused.headers.connection], [503, 'close']);
  await drained;
});

test('a shutdown with notice is told to load balancers first, while streams go on and new ones are taken', async (t) => {
  const { url, app } = await start(t);
  const client = await openStream(url + live);
  const drained = drain(app, 1_000);
  const { ready, reason } = (await ask(`${url}/api/ready`)).json<{ ready: boolean; reason?: string }>();
  assert.deepEqual([ready, reason], [false, 'the service is stopping']);
  const late = await openStream(url + live);
  assert.equal(late.status, 200);
  assert.deepEqual(await Promise.all([client.ended, late.ended]), [true, true]);
  await drained;
});
