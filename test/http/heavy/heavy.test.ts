// Heavy requests with a real worker thread: they wait for each other and not light ones for them.
import assert from 'node:assert/strict';
import { after, describe, type TestContext, test } from 'node:test';
import { parseCsv } from '../../support/answers/csv.ts';
import { ask, post } from '../../support/services/http-client.ts';
import { NOON, startService } from '../../support/services/service.ts';

const { url } = await startService({ after: after as TestContext['after'] }, { days: 1, heavyThread: true });
/** Each is a question of its own: no cache and no shared computation answers two of them. */
const heavy = (n: number) => `${url}/api/counterfactuals?pocket=holland&hours=${700 + n / 10}&limit=500`;

describe('many heavy requests at once', () => {
  test('some are answered, the others get a 503 with a hint, and a light one is answered before them', async () => {
    const order: string[] = [];
    const flood = Array.from({ length: 50 }, async (_, n) => {
      const reply = await ask(heavy(n));
      if (reply.status === 200) order.push('heavy');
      return reply;
    });
    const light = ask(`${url}/api/atmosphere?pocket=holland&hours=3`).then(({ status }) => {
      order.push('light');
      return status;
    });
    const replies = await Promise.all(flood);
    assert.equal(await light, 200);
    const answered = replies.filter(({ status }) => status === 200);
    const refused = replies.filter(({ status }) => status === 503);
    assert.equal(answered.length + refused.length, 50);
    // One runs and eight of one address wait; places that become free meanwhile are taken again.
    assert.ok(answered.length >= 9 && refused.length > 0, `${answered.length} were answered`);
    assert.ok(order.indexOf('light') < order.length - 1, 'the light one did not wait for all heavy ones');
    for (const reply of refused) {
      assert.deepEqual(reply.json(), {
        error: 'too many heavy requests at once: try again in a while',
        hint: 'a smaller limit or hours is answered sooner',
        retry_in_seconds: Number(reply.headers['retry-after']),
      });
    }
  });

  test('the same question asked by many is computed once', async () => {
    const replies = await Promise.all(Array.from({ length: 30 }, () => ask(heavy(199))));
    for (const { status, text } of replies) assert.deepEqual([status, text], [200, replies[0]?.text]);
    const headers = { 'if-none-match': String(replies[0]?.headers.etag) };
    assert.equal((await ask(heavy(199), { headers })).status, 304);
  });
});

describe('the worker thread', () => {
  test('gives the answers that the request thread gives, over REST, MCP and as a page', async (t) => {
    const local = await startService(t, { days: 1 });
    const paths = [
      '/api/counterfactuals?pocket=holland&hours=720&limit=500',
      '/api/predictions?since=all&limit=200',
      '/pocket/holland',
      '/accuracy',
      '/api/predictions?since=all&pocket=holland&format=csv',
    ];
    for (const path of paths) {
      const [one, other] = [await ask(url + path), await ask(local.url + path)];
      assert.deepEqual([one.status, one.text, one.headers.etag], [200, other.text, other.headers.etag], path);
    }
    const call = {
      ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
      params: { name: 'get_pocket_equilibrium', arguments: { pocket_id: 'holland', hours: 720 } },
    };
    const [one, other] = [await post(`${url}/api/mcp`, call), await post(`${local.url}/api/mcp`, call)];
    assert.deepEqual(one.json(), other.json());
    assert.ok(one.text.length > 1000);
  });

  test('errors are the same too', async () => {
    const reply = await ask(`${url}/api/counterfactuals?pocket=atlantis&hours=720`);
    assert.deepEqual([reply.status, reply.json().error], [404, 'unknown pocket: atlantis']);
  });
});

test('a table has the rows of the JSON, and gives its place back between two batches', async () => {
  const tables = Array.from({ length: 4 }, () =>
    ask(`${url}/api/predictions?since=all&generator=pocket_projection_60m&format=csv`),
  );
  const json = await ask(`${url}/api/predictions?since=all&generator=pocket_projection_60m&limit=500`);
  const { entries } = json.json<{ entries: { id: string }[] }>();
  for (const { status, text } of await Promise.all(tables)) {
    const [columns = [], ...rows] = parseCsv(text);
    assert.equal(status, 200);
    assert.ok(rows.length > 1000, 'several batches');
    const id = columns.indexOf('id');
    assert.deepEqual(
      rows.slice(0, 500).map((row) => row[id]),
      entries.map((entry) => entry.id),
    );
  }
});

test('reads are counted by rows and bytes; what is cached is free', async (t) => {
  const limited = await startService(t, { days: 1, readLimit: 20 });
  const get = (path: string) => ask(limited.url + path);
  const large = '/api/counterfactuals?pocket=holland&hours=24&limit=500';
  // A request, five hundred rows and the bytes of the answer.
  assert.equal((await get(large)).status, 200);
  for (let n = 0; n < 30; n++) assert.equal((await get('/api/pockets')).status, 200);
  let paid = 0;
  for (; paid < 20; paid++)
    if ((await get(`/api/atmosphere?pocket=holland&hours=${2 + paid / 100}`)).status === 429) break;
  assert.ok(paid > 0 && paid < 13, `${paid} light reads beside the large one`);
  const refused = await get('/api/atmosphere?pocket=holland&hours=9');
  assert.equal(refused.headers['retry-after'], undefined);
  assert.deepEqual(refused.json(), {
    error: 'rate limit exceeded: at most 20 units of reading in 60 seconds',
    limit: 20,
    window_seconds: 60,
    retry_in_seconds: 60,
    hint: 'a request costs one unit, plus one for every 100 rows asked for and one for every 64 KiB answered',
  });
  assert.equal((await get('/api/pockets')).status, 200, 'it is cached');
  limited.clock.now = NOON + 60_000;
  assert.equal((await get('/api/atmosphere?pocket=holland&hours=9')).status, 200);
});
