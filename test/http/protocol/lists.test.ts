// Lists over REST: pages, columns and CSV.
import assert from 'node:assert/strict';
import { after, type TestContext, test } from 'node:test';
import { rowFields } from '../../../src/operations/core/list-fields.ts';
import { parseCsv } from '../../support/answers/csv.ts';
import { ask } from '../../support/services/http-client.ts';
import { callTool, startService } from '../../support/services/service.ts';

const { url, service } = await startService({ after: after as TestContext['after'] });

test('a list is read page by page over REST, light or heavy, and a tool takes no cursor', async () => {
  interface Page {
    entries: { id: string }[];
    count: number;
    next_cursor: string | null;
  }
  const list = `${url}/api/predictions?pocket=tiongbahru&since=1d`;
  const whole = (await ask(`${list}&limit=500`)).json<Page>();
  assert.equal(whole.next_cursor, null);
  for (const limit of [40, 120]) {
    const ids: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: Page = (await ask(`${list}&limit=${limit}&cursor=${cursor}`)).json<Page>();
      assert.equal(page.count, whole.count);
      ids.push(...page.entries.map(({ id }) => id));
      cursor = page.next_cursor;
    }
    assert.deepEqual(
      ids,
      whole.entries.map(({ id }) => id),
    );
  }
  const refused = await ask(`${list}&limit=120&cursor=x`);
  assert.equal(refused.status, 400);
  assert.deepEqual(refused.json(), { error: 'cursor is not one that this address gave: ask without it' });
  const asTool = { pocket_id: 'tiongbahru', limit: 1 };
  const { structuredContent } = await callTool(url, 'get_pocket_predictions', asTool);
  assert.ok(structuredContent && !('next_cursor' in structuredContent));
  const { content } = await callTool(url, 'get_pocket_predictions', { ...asTool, cursor: 'x' });
  assert.equal(
    content[0]?.text,
    'error: unknown argument: cursor (known: pocket_id, generator, since, revealed_only, limit)',
  );
  // A feed is the newest page, whatever else its address says.
  assert.equal((await ask(`${url}/feed.json?cursor=x&fields=x`)).status, 200);
});

test('fields chooses the columns of the rows, in JSON and in CSV, and names those it knows', async () => {
  const list = '/api/predictions?pocket=tiongbahru&since=1d&limit=3';
  const { entries, count, fields, _meta } = (await ask(`${url}${list}&fields=sealed_at,id,id`)).json<{
    entries: object[];
    count: number;
    fields: string[];
    _meta: object;
  }>();
  assert.ok(count > 3 && _meta);
  assert.deepEqual(fields, ['sealed_at', 'id']);
  assert.deepEqual(entries.map(Object.keys), Array(3).fill(['sealed_at', 'id']));
  const whole = parseCsv((await ask(`${url}${list}&format=csv`)).text);
  const chosen = parseCsv((await ask(`${url}${list}&format=csv&fields=confidence,id`)).text);
  assert.equal(chosen.length, whole.length);
  const [columns = []] = whole;
  for (const [n, row] of chosen.entries())
    assert.deepEqual(row, [whole[n]?.[columns.indexOf('confidence')], whole[n]?.[columns.indexOf('id')]]);

  // Events of several types: a row has those of the fields that its type has.
  const { events } = (await ask(`${url}/api/stream?fields=type,body`)).json<{ events: { type: string }[] }>();
  for (const event of events)
    assert.deepEqual(Object.keys(event), event.type === 'narration' ? ['type', 'body'] : ['type']);

  const refusals: [address: string, known: RegExp][] = [
    [`${list}&fields=id,nonsense`, /^fields must be names of id, pocket_id, .*payload_hash/],
    [`${list}&fields=id,confidence`, /^fields must be names of id, /],
    [`${list}&fields=proof_url&format=csv`, /^fields must be names of id, .*confidence, /],
    [`${list}&fields=id,`, /separated by commas$/],
    [`${list}&fields=__proto__`, /^fields must be names of/],
  ];
  for (const [address, known] of refusals) {
    const { status, json } = await ask(url + address);
    assert.equal(status, 400, address);
    assert.match(String(json().error), known);
  }
});

test('every list takes each of the fields that its schema declares', async () => {
  for (const operation of service.operations) {
    const { list, output, rest } = operation;
    if (!list || !rest) continue;
    const known = rowFields(output(), list);
    assert.ok(known.length > 1, operation.name);
    const query = new URLSearchParams({ pocket: 'tiongbahru', fields: known.join(',') });
    const { status, json } = await ask(`${url}${rest.path}?${query}`);
    assert.equal(status, 200, operation.name);
    for (const row of json<Record<string, object[]>>()[list] ?? [])
      assert.deepEqual(
        Object.keys(row),
        known.filter((name) => Object.hasOwn(row, name)),
      );
  }
});

test('where there is a table and no list, fields is refused without format=csv', async () => {
  const tables = service.operations.filter(({ table, list }) => table && !list);
  assert.ok(tables.length > 0);
  for (const { name, rest } of tables) {
    const address = `${url}${rest?.path}?pocket=tiongbahru&date=2026-11-11&fields=`;
    const json = await ask(`${address}substrate`);
    assert.deepEqual([json.status, json.json().error], [400, 'fields is for csv here: add format=csv'], name);
    const csv = await ask(`${address}substrate&format=csv`);
    assert.equal(csv.status, 200, name);
    assert.deepEqual(parseCsv(csv.text)[0], ['substrate'], name);
  }
});

test('Accept: text/csv is format=csv, also once the JSON is cached', async () => {
  const address = `${url}/api/predictions?pocket=tiongbahru&since=1d`;
  const typeFor = async (accept?: string, query = '') => {
    const { headers, status } = await ask(
      address + query,
      accept === undefined ? {} : { headers: { accept } },
    );
    assert.match(String(headers.vary), /\baccept\b(?!-)/);
    return `${status} ${String(headers['content-type']).split(';')[0]}`;
  };
  for (const turn of ['first', 'cached']) {
    assert.equal(await typeFor(), '200 application/json', turn);
    assert.equal(await typeFor('*/*'), '200 application/json', turn);
    assert.equal(await typeFor('text/csv, */*;q=0.1'), '200 text/csv', turn);
    assert.equal(await typeFor('text/csv;q=0.1, application/json'), '200 application/json', turn);
    assert.equal(await typeFor('text/csv', '&format=json'), '200 application/json', turn);
  }
  const [asked, accepted] = await Promise.all([
    ask(`${address}&format=csv`),
    ask(address, { headers: { accept: 'text/csv' } }),
  ]);
  assert.equal(accepted.text, asked.text);
  const refused = await ask(`${address}&cursor=x`, { headers: { accept: 'text/csv' } });
  assert.deepEqual(
    [refused.status, refused.json().error],
    [400, 'cursor is for json: a csv table has every row'],
  );
});
