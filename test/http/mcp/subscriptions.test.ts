// `subscriptions/listen`: a stream that says when a pocket was read anew, read by the SDK and by hand.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { SLOT } from '../../../src/domain/time/slot.ts';
import { drain } from '../../../src/http/core/drain.ts';
import { MAX_LISTENED } from '../../../src/http/mcp/subscriptions/subscription.ts';
import { runDue } from '../../../src/pipeline/schedule/run.ts';
import { readingsBetween, writeReadings } from '../../../src/store/observation/readings.ts';
import { type Settings, startService } from '../../support/services/service.ts';

const SUBSCRIPTION = 'io.modelcontextprotocol/subscriptionId';
const SERVER_INFO = 'io.modelcontextprotocol/serverInfo';

interface Message {
  id?: unknown;
  method?: string;
  params?: { uri?: string; notifications?: object; _meta?: Record<string, unknown> };
  result?: object;
  error?: { code: number; message: string; data?: Record<string, unknown> };
}

async function start(t: TestContext, given: Partial<Settings> = {}) {
  const started = await startService(t, given);
  const { url, clock, pipeline, service, store } = started;
  return {
    ...started,
    /** Plays the next slot, as the pipeline would. */
    nextSlot: async () => {
      clock.now += SLOT;
      await runDue(pipeline, clock.now);
      await service.dataVersion.refresh();
    },
    /** Writes the reading of some pockets alone. */
    readOnly: async (pockets: readonly string[]) => {
      clock.now += SLOT;
      const [row] = await readingsBetween(store, 'holland', 0, clock.now);
      assert.ok(row);
      await store.transaction((tx) =>
        writeReadings(
          tx,
          pockets.map((pocket_id) => ({ ...row, pocket_id, slot: clock.now, anomaly_flag: false })),
        ),
      );
      await service.dataVersion.refresh();
    },
    listen: (notifications: unknown, id: unknown = 's1') => listen(url, notifications, id),
  };
}

/** What the reply holds so far, message by message. */
async function listen(url: string, notifications: unknown, id: unknown) {
  const cut = new AbortController();
  const method = 'subscriptions/listen';
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const response = await fetch(`${url}/api/mcp`, {
    method: 'POST',
    signal: cut.signal,
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id, method, params: { _meta, notifications } }),
  });
  const messages: Message[] = [];
  const comments: string[] = [];
  let ended = false;
  const read = async () => {
    let rest = '';
    for await (const chunk of response.body ?? []) {
      const blocks = (rest + Buffer.from(chunk).toString()).split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks) {
        const data = /^event: message\ndata: (.*)$/.exec(block)?.[1];
        if (data === undefined) comments.push(block);
        else messages.push(JSON.parse(data));
      }
    }
  };
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream');
  const reading = isStream
    ? read()
        .catch(() => undefined)
        .finally(() => {
          ended = true;
        })
    : undefined;
  const until = async (enough: () => boolean) => {
    for (let tries = 0; !enough(); tries++) {
      assert.ok(tries < 500, JSON.stringify(messages));
      await delay(10);
    }
  };
  return {
    response,
    messages,
    comments,
    until,
    ended: () => ended,
    end: reading,
    cut: () => cut.abort(),
  };
}
const resources = (...uris: string[]) => ({ resourceSubscriptions: uris });
const updatesIn = (messages: readonly Message[]) =>
  messages
    .filter(({ method }) => method === 'notifications/resources/updated')
    .map(({ params }) => params?.uri);

test('the acknowledgement comes first, then an update for each pocket of the stream that was read anew', async (t) => {
  const { nextSlot, readOnly, listen } = await start(t);
  const uris = ['pocket://dempsey', 'pocket://siglap'];
  const { response, messages, until, cut } = await listen(resources(...uris, 'pocket://dempsey'));
  assert.equal(response.status, 200);
  assert.equal(response.headers.get('content-type'), 'text/event-stream; charset=utf-8');
  assert.equal(response.headers.get('cache-control'), 'no-store');
  assert.ok(response.headers.get('x-request-id'));
  await until(() => messages.length === 1);
  assert.deepEqual(messages, [
    {
      jsonrpc: '2.0',
      method: 'notifications/subscriptions/acknowledged',
      params: { _meta: { [SUBSCRIPTION]: 's1' }, notifications: resources(...uris) },
    },
  ]);
  await nextSlot();
  await until(() => messages.length === 3);
  assert.deepEqual(updatesIn(messages).toSorted(), uris);
  for (const { params } of messages) assert.deepEqual(params?._meta, { [SUBSCRIPTION]: 's1' });
  await readOnly(['siglap', 'holland']);
  await until(() => messages.length === 4);
  assert.equal(updatesIn(messages).at(-1), 'pocket://siglap');
  cut();
});

test('several streams get their own updates with their own ids', async (t) => {
  const { readOnly, listen } = await start(t);
  const one = await listen(resources('pocket://dempsey'), 7);
  const two = await listen(resources('pocket://siglap', 'pocket://dempsey'), 'two');
  await readOnly(['dempsey']);
  await readOnly(['siglap']);
  await two.until(() => two.messages.length === 3);
  await one.until(() => one.messages.length === 2);
  assert.deepEqual(updatesIn(one.messages), ['pocket://dempsey']);
  assert.deepEqual(updatesIn(two.messages), ['pocket://dempsey', 'pocket://siglap']);
  assert.deepEqual(one.messages.at(-1)?.params?._meta, { [SUBSCRIPTION]: 7 });
  one.cut();
  two.cut();
});

test('what is not offered is left out, and a stream without anything ends at once', async (t) => {
  const { listen } = await start(t, { days: 0 });
  const some = await listen({
    toolsListChanged: true,
    resourceSubscriptions: ['pocket://atlantis', 'pocket://dempsey', 'pocketwatch://glossary', ''],
  });
  await some.until(() => some.messages.length === 1);
  assert.deepEqual(some.messages[0]?.params?.notifications, resources('pocket://dempsey'));
  some.cut();
  for (const notifications of [{}, { toolsListChanged: true }, resources('pocket://atlantis')]) {
    const none = await listen(notifications);
    await none.end;
    assert.deepEqual(
      none.messages.map(({ params, result }) => params?.notifications ?? result),
      [
        {},
        {
          resultType: 'complete',
          _meta: { [SUBSCRIPTION]: 's1', [SERVER_INFO]: { name: 'pocketwatch', version: '0.1.0' } },
        },
      ],
    );
  }
});

test('a filter that cannot be read is a wrong parameter', async (t) => {
  const { listen } = await start(t, { days: 0 });
  const many = Array.from({ length: MAX_LISTENED + 1 }, () => 'pocket://dempsey');
  for (const notifications of [
    undefined,
    null,
    [],
    'x',
    { resourceSubscriptions: 'pocket://dempsey' },
    { resourceSubscriptions: [7] },
    resources(...many),
  ]) {
    const { response } = await listen(notifications);
    const { id, error } = (await response.json()) as Message;
    assert.deepEqual([response.status, id, error?.code], [200, 's1', -32602]);
  }
});

test('streams of both kinds share the limit of an address; a place is free again when one ends', async (t) => {
  const { url, listen } = await start(t, { days: 0, streams: { total: 10, perAddress: 2 } });
  const live = new AbortController();
  assert.equal((await fetch(`${url}/api/stream/live`, { signal: live.signal })).status, 200);
  const first = await listen(resources('pocket://dempsey'));
  const { response } = await listen(resources('pocket://dempsey'), 'third');
  const body = (await response.json()) as Message & { retry_in_seconds: number; hint: string };
  assert.deepEqual([response.status, body.id, body.error?.code], [503, 'third', -32000]);
  assert.equal(body.error?.data?.retry_in_seconds, body.retry_in_seconds);
  assert.match(body.hint, /^one stream takes up to 100 pockets: /);
  const refusal = (await (await fetch(`${url}/api/stream/live`)).json()) as { hint: string };
  assert.equal(refusal.hint, 'one stream without pocket carries the events of all');
  first.cut();
  live.abort();
  for (let tries = 0; ; tries++) {
    const again = await listen(resources('pocket://dempsey'));
    again.cut();
    if (again.response.status === 200) break;
    assert.ok(tries < 100);
    await delay(20);
  }
});

test('heartbeats keep a quiet stream open', async (t) => {
  const { listen } = await start(t, { days: 0, streams: { total: 10, perAddress: 10, heartbeatMs: 100 } });
  const { comments, until, cut } = await listen(resources('pocket://dempsey'));
  await until(() => comments.length >= 2);
  assert.match(comments[0] ?? '', /^: /);
  cut();
});

test('when the service stops, the stream ends with its result', async (t) => {
  const { app, listen } = await start(t, { days: 0 });
  const { messages, end, until } = await listen(resources('pocket://dempsey'));
  await until(() => messages.length === 1);
  await Promise.all([drain(app), end]);
  assert.deepEqual(messages.at(-1), {
    jsonrpc: '2.0',
    id: 's1',
    result: {
      resultType: 'complete',
      _meta: { [SUBSCRIPTION]: 's1', [SERVER_INFO]: { name: 'pocketwatch', version: '0.1.0' } },
    },
  });
});

test('the SDK is told of a new reading, and reads it', async (t) => {
  const { url, nextSlot } = await start(t);
  const client = new Client(
    { name: 'test', version: '1' },
    { versionNegotiation: { mode: { pin: '2026-07-28' } } },
  );
  const errors: Error[] = [];
  client.onerror = (error) => errors.push(error);
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/api/mcp`)));
  t.after(() => client.close());
  const updated: string[] = [];
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
    updated.push(params.uri);
  });
  const uri = 'pocket://dempsey';
  const textNow = async () => {
    const [first] = (await client.readResource({ uri })).contents as { text: string }[];
    return first?.text;
  };
  const before = await textNow();
  const subscription = await client.listen(resources(uri));
  assert.deepEqual(subscription.honoredFilter, resources(uri));
  await nextSlot();
  for (let tries = 0; !updated.length && tries < 500; tries++) await delay(10);
  assert.deepEqual(updated, [uri]);
  assert.notEqual(await textNow(), before);
  await subscription.close();
  assert.deepEqual(errors, []);
});
