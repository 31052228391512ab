// Answers fit into the context of a model: every tool at its default arguments, on a day of history with reports and
// with as many scored forecasts as a month has.
import assert from 'node:assert/strict';
import { after, type TestContext, test } from 'node:test';
import { callableTools } from '../../src/operations/core/define.ts';
import { inToolsets, toolsetNames } from '../../src/operations/core/toolsets.ts';
import { answerBudget, fittingAnswer, KIB } from '../support/answers/answer-budgets.ts';
import { scoreMonthOfForecasts } from '../support/rows/month-of-forecasts.ts';
import { writeReports } from '../support/rows/reports.ts';
import { ask } from '../support/services/http-client.ts';
import { callTool, rpc, rpcAt, startService } from '../support/services/service.ts';

const { url, service, store } = await startService({ after: after as TestContext['after'] });
await writeReports(store);
await scoreMonthOfForecasts(store);

const jsonBytes = (result: unknown): number => Buffer.byteLength(JSON.stringify(result));

for (const operation of callableTools(service.operations)) {
  const { name } = operation;
  test(`${name} is under ${answerBudget(name) / KIB} KiB`, async () => {
    const text = await fittingAnswer(operation, { url, service });
    // What it leaves out is at the addresses that it names.
    for (const [, address = ''] of text.matchAll(
      /http:\/\/pocketwatch\.test(\/api\/[^\s{}]+)(?![^\s]*\{)/g,
    )) {
      const reply = await ask(url + address);
      assert.equal(reply.status, 200, address);
    }
  });
}

test('a part of a list ends with the address of the next part, since tools have no cursor', async () => {
  for (const [name, given] of [
    ['get_pocket_predictions', { pocket_id: 'tiongbahru' }],
    ['get_pocket_counterfactuals', { pocket_id: 'tiongbahru', limit: 5 }],
  ] as const) {
    const { content, structuredContent } = await callTool(url, name, given);
    const [, address = ''] =
      /^the next page: http:\/\/pocketwatch\.test(\/\S+)$/m.exec(content[0]?.text ?? '') ?? [];
    const { entries } = structuredContent as { entries: { id: string; sealed_at: string }[] };
    const next = (await ask(url + address)).json<{ entries: typeof entries }>().entries;
    assert.ok(next.length, address);
    assert.ok((next[0]?.sealed_at ?? '~') <= (entries.at(-1)?.sealed_at ?? ''), name);
    const listed = new Set(entries.map(({ id }) => id));
    assert.ok(!next.some(({ id }) => listed.has(id)), name);
  }
});

test('texts that leave rows out name the address of all rows', async () => {
  for (const [name, address] of [
    ['get_pocket_predictions', '/api/predictions?pocket=tiongbahru&since=7d&format=csv'],
    ['get_pocket_counterfactuals', '/api/counterfactuals?pocket=tiongbahru&hours=24&format=csv'],
    ['get_pocket_equilibrium', '/api/equilibrium?pocket=tiongbahru&hours=24'],
  ] as const) {
    const { content } = await callTool(url, name, { pocket_id: 'tiongbahru' });
    assert.ok(content[0]?.text.includes(address), content[0]?.text);
  }
});

test('tools/list is under 28 KiB', async () => {
  const { result } = await rpc(url, 'tools/list');
  assert.ok(jsonBytes(result) < 28 * KIB, `${jsonBytes(result)} bytes`);
});

for (const toolset of toolsetNames) {
  // The set for assistants holds the reader's and four more.
  const share = toolset === 'visitor' ? 0.7 : 0.55;
  test(`the list of ${toolset} is at most ${share} of all, and other tools can be called there`, async () => {
    const size = async (address: string) => jsonBytes((await rpcAt(address, 'tools/list')).result);
    const address = `${url}/api/mcp?toolset=${toolset}`;
    const part = (await size(address)) / (await size(`${url}/api/mcp`));
    assert.ok(part < share, `${part}`);
    const listed = inToolsets(callableTools(service.operations), [toolset]);
    const missing = callableTools(service.operations).find((tool) => !listed.includes(tool));
    const { result } = await rpcAt(address, 'tools/call', { name: missing?.name });
    assert.doesNotMatch(JSON.stringify(result), /unknown tool:/);
  });
}

test('an unknown toolset is refused with the names that exist', async () => {
  const { error } = await rpcAt(`${url}/api/mcp?toolset=none`, 'tools/list');
  assert.match(error?.message ?? '', /reader, merchant, record, benchmark, visitor/);
});
