import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { operations } from '../../operations/all.ts';
import { callableTools } from '../../operations/core/define.ts';
import { inToolsets, type Toolset, toolsetNames } from '../../operations/core/toolsets.ts';
import { fromLatin1Body } from '../cache/latin1-body.ts';
import {
  refuseToolsets,
  TOOLSET_HEADER,
  toolListSelector,
  toolsetsIn,
  unknownToolsetIn,
} from './toolsets.ts';

const tools = callableTools(operations);
const select = toolListSelector(tools);
const toolNames = (...sets: Toolset[]) => inToolsets(tools, sets).map(({ name }) => name);

function listed(url: string, headers: Record<string, string> = {}): string[] {
  const selected = select(url, headers);
  assert.ok('list' in selected);
  const { tools } = JSON.parse(fromLatin1Body(selected.list)) as { tools: { name: string }[] };
  return tools.map(({ name }) => name);
}

describe('tools/list', () => {
  test('lists all tools where no set is chosen', () => {
    for (const url of ['/api/mcp', '/api/mcp?', '/api/mcp?toolset=', '/api/mcp?other=reader'])
      assert.deepEqual(listed(url), toolNames(), url);
    assert.deepEqual(listed('/api/mcp', { 'x-pocketwatch-toolsets': ' , ' }), toolNames());
  });

  for (const name of toolsetNames) {
    test(`lists the tools of ${name}, chosen in the address or in the header`, () => {
      assert.deepEqual(listed(`/api/mcp?toolset=${name}`), toolNames(name));
      assert.deepEqual(listed('/api/mcp', { 'x-pocketwatch-toolsets': name.toUpperCase() }), toolNames(name));
    });
  }

  test('lists each tool of several sets once, however they are written', () => {
    const both = toolNames('reader', 'benchmark');
    for (const url of [
      '/api/mcp?toolset=reader,benchmark',
      '/api/mcp?toolset=benchmark%2C%20reader',
      '/api/mcp?toolset=reader&toolset=benchmark&toolset=reader',
    ])
      assert.deepEqual(listed(url), both, url);
    assert.deepEqual(listed('/api/mcp?toolset=reader', { 'x-pocketwatch-toolsets': 'benchmark' }), both);
  });
});

test('an unknown set is refused with the names that exist', () => {
  for (const [url, headers] of [
    ['/api/mcp?toolset=readers', {}],
    ['/api/mcp?toolset=reader,readers', {}],
    ['/api/mcp', { 'x-pocketwatch-toolsets': 'readers' }],
    ['/api/mcp?toolset=readers,__proto__', {}],
  ] as const) {
    assert.deepEqual(select(url, headers), {
      fault: 'unknown toolset: readers; there are reader, merchant, record, benchmark, visitor',
    });
  }
});

test('the refusal has the id of a single request', () => {
  const ping = { jsonrpc: '2.0', id: 7, method: 'ping' };
  for (const [messages, id] of [
    [[ping], 7],
    [[{ ...ping, id: 'a' }], 'a'],
    [[ping, ping], null],
    [[{ ...ping, id: {} }], null],
    [[null], null],
    [[], null],
  ] as const) {
    const { status, body } = refuseToolsets('unknown toolset: x', messages);
    assert.equal(status, 400);
    const error = { code: -32602, message: 'unknown toolset: x' };
    assert.deepEqual(JSON.parse(fromLatin1Body(body)), { jsonrpc: '2.0', id, error });
  }
});

test('the same choice gives the same list, whatever the order', () => {
  const [one, other] = [
    select('/api/mcp?toolset=reader,record', {}),
    select('/api/mcp?toolset=record,reader', {}),
  ];
  assert.deepEqual(one, other);
});

test('a list that a header chose is not for every client of the address', () => {
  const selectedScope = (url: string, headers = {}) => (select(url, headers) as { scope: string }).scope;
  assert.equal(selectedScope('/api/mcp?toolset=reader'), 'public');
  assert.equal(selectedScope('/api/mcp', { [TOOLSET_HEADER]: 'reader' }), 'private');
});

test('the option of a command is read alike', () => {
  assert.deepEqual(toolsetsIn('reader, Record'), ['reader', 'record']);
  assert.equal(unknownToolsetIn('reader,record'), undefined);
  assert.match(unknownToolsetIn('x') ?? '', /^unknown toolset: x; there are reader, /);
});
