// The ledgers as CSV and the stream as feeds, over real HTTP.
import assert from 'node:assert/strict';
import { after, describe, type TestContext, test } from 'node:test';
import { operationContext } from '../../src/http/answers/render-answer.ts';
import { checkArguments } from '../../src/operations/core/arguments.ts';
import type { AnswerOf } from '../../src/operations/core/define.ts';
import type { getSustainability } from '../../src/operations/merchant/get-sustainability.ts';
import type { listPredictions } from '../../src/operations/prediction/list-predictions.ts';
import { parseCsv } from '../support/answers/csv.ts';
import { listEndpoints, readOpenApi } from '../support/answers/openapi-document.ts';
import { argumentsFor } from '../support/answers/operation-answers.ts';
import { childElements, childText, parseXml } from '../support/answers/xml.ts';
import { ask } from '../support/services/http-client.ts';
import { startService } from '../support/services/service.ts';

const { url, store, service } = await startService({ after: after as TestContext['after'] }, { days: 1 });
const get = async <T>(path: string) => (await ask(url + path)).json<T>();
const count = async (sql: string) => (await store.get<{ n: number }>(`select count(*) as n from ${sql}`))?.n;

/** The rows of a table, each by the names of its columns. */
async function table(path: string): Promise<Record<string, string>[]> {
  const reply = await ask(url + path);
  assert.equal(reply.status, 200, path);
  assert.match(String(reply.headers['content-type']), /^text\/csv/);
  const [columns = [], ...rows] = parseCsv(reply.text);
  for (const row of rows) assert.equal(row.length, columns.length);
  return rows.map((row) => Object.fromEntries(columns.map((column, n) => [column, row[n] ?? ''])));
}

/** A JSON value as it is written in a cell. */
const cell = (value: unknown) => (value === null || value === undefined ? '' : String(value));
type Entry = Record<string, unknown>;

function assertSame(
  rows: readonly Record<string, string>[],
  entries: readonly Entry[],
  columns: string[],
): void {
  assert.ok(entries.length > 0);
  for (const [n, entry] of entries.entries())
    for (const column of columns) assert.equal(rows[n]?.[column], cell(entry[column]), `${n} ${column}`);
}

describe('format=csv', () => {
  test('predictions: all rows, and the first equal those of the JSON', async () => {
    const rows = await table('/api/predictions?since=all&format=csv&limit=1');
    assert.equal(rows.length, await count('predictions'));
    const { entries } = await get<AnswerOf<typeof listPredictions>>('/api/predictions?since=all&limit=500');
    const columns = ['id', 'pocket_id', 'generator', 'prediction_key', 'sealed_at', 'reveal_at', 'revealed'];
    assertSame(rows, entries, [...columns, 'accuracy_score', 'payload_hash']);
    const one = await table('/api/predictions?since=1d&pocket=dempsey&revealed=only&format=csv');
    assert.ok(one.length > 100);
    for (const row of one) assert.deepEqual([row.pocket_id, row.revealed], ['dempsey', 'true']);
    const states = one.filter(({ generator }) => generator === 'pocket_projection_60m');
    for (const { expected, actual, accuracy_score } of states)
      if (accuracy_score) assert.equal(Number(accuracy_score) >= 0.5, expected === actual);
  });

  test('counterfactuals of a pocket', async () => {
    const rows = await table('/api/counterfactuals?pocket=holland&hours=720&format=csv');
    const { entries, count } = await get<{ entries: Entry[]; count: number }>(
      '/api/counterfactuals?pocket=holland&hours=720&limit=500',
    );
    assert.equal(rows.length, count);
    const columns = ['id', 'sealed_at', 'gate_closed', 'legitimacy_score', 'band', 'delta_to_emit_threshold'];
    assertSame(rows, entries, [
      ...columns,
      'reason',
      'candidate_emission_text',
      'candidate_confidence',
      'payload_hash',
    ]);
  });

  test('vindications', async () => {
    const rows = await table('/api/silence-vindications?since=all&format=csv');
    assert.equal(rows.length, await count('silences'));
    const { entries } = await get<{ entries: Entry[] }>('/api/silence-vindications?since=all&limit=500');
    assertSame(rows, entries, Object.keys(entries[0] ?? {}));
    const revealed = await table('/api/silence-vindications?since=all&revealed_only=1&format=csv');
    assert.equal(revealed.length, await count('verdicts where spoke = 0'));
  });

  test('the leaderboard, and accuracy by period', async () => {
    const { leaderboard } = await get<{ leaderboard: Entry[] }>('/api/benchmark/scores');
    const rows = await table('/api/benchmark/scores?format=csv');
    assert.equal(rows.length, leaderboard.length);
    assertSame(rows, leaderboard, ['rank', 'submitter_name', 'accuracy', 'calibration_error', 'scored_at']);
    const days = await table('/api/accuracy-periods?period=day&count=3&format=csv');
    const { periods } = await get<{ periods: Entry[] }>('/api/accuracy-periods?period=day&count=3');
    assertSame(days, periods.toReversed(), ['from', 'to']);
  });

  test('sustainability: the events behind the totals', async () => {
    const rows = await table('/api/sustainability?window=all&format=csv');
    assert.equal(rows.length, await count('sustainability_events'));
    const { totals } = await get<AnswerOf<typeof getSustainability>>('/api/sustainability?window=all');
    const cents = rows.reduce((sum, { dollar_value }) => sum + Math.round(Number(dollar_value) * 100), 0);
    assert.equal(cents / 100, totals.dollar_value_recovered);
    assert.deepEqual(Object.keys(rows[0] ?? {}), [
      ...['timestamp', 'pocket_id', 'kind', 'value', 'dollar_value', 'currency', 'basis', 'substrate'],
    ]);
  });

  test('every row of every table says where its signals came from', async () => {
    const tables = service.operations.filter((operation) => operation.table);
    assert.ok(tables.length >= 8);
    for (const substrate of ['simulated', 'replay', 'live'] as const) {
      for (const operation of tables) {
        const read = checkArguments(operation.input, {
          ...argumentsFor(operation, service),
          ...('format' in operation.input.properties && { format: 'csv' }),
        });
        assert.ok(read.ok, operation.name);
        const context = { ...operationContext(service), substrate };
        const { columns, batches } = operation.table?.(read.input, context) ?? assert.fail();
        assert.equal(columns.at(-1), 'substrate', operation.name);
        let rows = 0;
        for await (const batch of batches) {
          for (const row of batch) assert.equal(row.at(-1), substrate, operation.name);
          rows += batch.length;
        }
        assert.ok(rows > 0, operation.name);
      }
    }
    const chosen = await table('/api/predictions?since=1h&format=csv&fields=substrate,id');
    assert.deepEqual(Object.keys(chosen[0] ?? {}), ['substrate', 'id']);
    assert.equal(chosen[0]?.substrate, 'simulated');
  });

  test('errors are the same as for JSON, in JSON', async () => {
    const table: [path: string, status: number, error: string][] = [
      ['/api/predictions?format=xml', 400, 'format must be one of json, csv'],
      ['/api/predictions?format=csv&since=2d', 400, 'since must be one of 1h, 1d, 7d, 30d, all'],
      ['/api/predictions?format=csv&pocket=atlantis', 404, 'unknown pocket: atlantis'],
      ['/api/counterfactuals?format=csv', 400, 'pocket is required'],
      ['/api/sustainability?format=xml', 400, 'format must be one of narrative, csv'],
      ['/api/sustainability?format=csv&pocket=atlantis', 404, 'unknown pocket: atlantis'],
    ];
    for (const [path, status, error] of table) {
      const reply = await ask(url + path);
      assert.deepEqual([reply.status, reply.json().error], [status, error], path);
    }
    assert.equal(
      (await ask(`${url}/api/trust?format=csv`)).status,
      200,
      'where there is no table it is ignored',
    );
    assert.deepEqual(
      (await ask(`${url}/api/predictions?format=json`)).json(),
      (await ask(`${url}/api/predictions`)).json(),
    );
  });

  test('is described in openapi.json', async () => {
    const endpoints = listEndpoints(await readOpenApi(url));
    for (const path of ['predictions', 'counterfactuals', 'silence-vindications', 'sustainability']) {
      const endpoint = endpoints.find((own) => own.path === `/api/${path}`);
      assert.equal(endpoint?.parameters?.filter(({ name }) => name === 'format').length, 1, path);
      assert.deepEqual(Object.keys(endpoint?.responses['200']?.content ?? {}), [
        'application/json',
        'text/csv',
      ]);
    }
  });
});

describe('feeds', () => {
  interface Event {
    type: string;
    timestamp: string;
  }
  const query = 'since=all&pocket=holland&limit=30';

  test('RSS and JSON Feed have what was said, and of the stream nothing else', async () => {
    const { events } = await get<{ events: Event[] }>('/api/stream?since=all&limit=30&type=narration');
    assert.ok(events.length > 0);
    const rss = await ask(`${url}/stream.rss?since=all&limit=30`);
    assert.equal(rss.headers['content-type'], 'application/rss+xml; charset=utf-8');
    const [channel] = parseXml(rss.text).children;
    const items = channel ? childElements(channel, 'item') : [];
    assert.deepEqual(
      items.map((item) => [childText(item, 'category'), Date.parse(childText(item, 'pubDate'))]),
      events.map(({ type, timestamp }) => [type, Date.parse(timestamp)]),
    );
    const guids = items.map((item) => childText(item, 'guid'));
    assert.equal(new Set(guids).size, guids.length);
    const feed = await ask(`${url}/feed.json?since=all&limit=30`);
    assert.equal(feed.headers['content-type'], 'application/feed+json; charset=utf-8');
    const { items: posts, _meta } = feed.json<{ items: { id: string }[]; _meta: { substrate: string } }>();
    assert.deepEqual(
      posts.map(({ id }) => id),
      guids,
    );
    assert.equal(_meta.substrate, 'simulated');
  });

  test('how forecasts turned out is a feed of its own, whatever type is asked for', async () => {
    const { events } = await get<{ events: Event[] }>(`/api/stream?${query}&type=prediction`);
    assert.equal(events.length, 30);
    for (const path of ['/forecasts.rss?pocket=holland&', '/pocket/holland/forecasts.rss?']) {
      const rss = await ask(`${url}${path}since=all&limit=30&type=narration`);
      assert.equal(rss.headers['content-type'], 'application/rss+xml; charset=utf-8');
      const [channel] = parseXml(rss.text).children;
      const items = channel ? childElements(channel, 'item') : [];
      assert.deepEqual(
        items.map((item) => [childText(item, 'category'), Date.parse(childText(item, 'pubDate'))]),
        events.map(({ type, timestamp }) => [type, Date.parse(timestamp)]),
      );
    }
    const [channel] = parseXml((await ask(`${url}/forecasts.rss`)).text).children;
    assert.ok(channel && childElements(channel, 'item').length > 0);
    assert.equal((await ask(`${url}/pocket/atlantis/forecasts.rss`)).status, 404);
  });

  test('every kind of item links to a page', async () => {
    for (const type of ['narration', 'prediction', 'sustainability']) {
      const { items } = await get<{ items: { url: string }[] }>(`/feed.json?since=all&type=${type}&limit=2`);
      assert.ok(items.length > 0, type);
      for (const item of items) {
        const { pathname } = new URL(item.url);
        const { status } = await ask(url + pathname, { headers: { accept: 'text/html' } });
        assert.equal(status, 200, item.url);
      }
    }
  });

  test('may be cached until the next reading, and are revalidated by their ETag', async () => {
    for (const path of ['/stream.rss', '/feed.json', '/forecasts.rss']) {
      const first = await ask(url + path);
      assert.equal(first.headers['cache-control'], 'public, max-age=900');
      const again = await ask(url + path, { headers: { 'if-none-match': String(first.headers.etag) } });
      assert.deepEqual([again.status, again.text], [304, '']);
    }
  });

  test('markup in the address is escaped, and a bad parameter is a 400', async () => {
    const rss = await ask(`${url}/stream.rss?x=%3Cscript%3E&y=1&since=24h`);
    const [channel] = parseXml(rss.text).children;
    const [self] = channel ? childElements(channel, 'atom:link') : [];
    assert.equal(self?.attributes.href, 'http://pocketwatch.test/stream.rss?x=%3Cscript%3E&y=1&since=24h');
    const refused = await ask(`${url}/stream.rss?since=2d`);
    assert.deepEqual(
      [refused.status, refused.json()],
      [400, { error: 'since must be one of 1h, 6h, 24h, 7d, all' }],
    );
    assert.equal((await ask(`${url}/feed.json?pocket=atlantis`)).status, 404);
  });
});
