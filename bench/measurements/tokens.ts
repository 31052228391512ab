// What a model reads: the list of tools, and both halves of every tool's answer at default arguments, on a day of
// history with reports. The clock stands still, so that the figures change with the code alone.
import type { TestContext } from 'node:test';
import { approximateTokens } from '../../src/domain/text/tokens.ts';
import { callableTools, type Operation, publishedSchema } from '../../src/operations/core/define.ts';
import { toolsetNames } from '../../src/operations/core/toolsets.ts';
import { argumentsFor } from '../../test/support/answers/operation-answers.ts';
import { writeReports } from '../../test/support/rows/reports.ts';
import { callTool, rpcAt, startService } from '../../test/support/services/service.ts';
import type { Bench } from '../harness.ts';

const header = ['what', 'text, bytes', 'text, tokens', 'structured, bytes', 'structured, tokens'];

export async function measureTokens({ defer }: Bench): Promise<string[][]> {
  const { url, service, store } = await startService({ after: defer as TestContext['after'] });
  await writeReports(store);
  const tools = callableTools(service.operations);
  const lists: string[][] = [];
  for (const toolset of ['', ...toolsetNames]) {
    const { result } = await rpcAt(`${url}/api/mcp?toolset=${toolset}`, 'tools/list');
    lists.push([`tools/list, ${toolset || 'all tools'}`, '', '', ...sizeFigures(JSON.stringify(result))]);
  }
  const answers: string[][] = [];
  for (const tool of tools) {
    const { content, structuredContent } = await callTool(url, tool.name, requiredSamples(tool, service));
    const text = content[0]?.text ?? '';
    answers.push([tool.name, ...sizeFigures(text), ...sizeFigures(JSON.stringify(structuredContent))]);
  }
  return [header, ...lists, ...answers];
}

/** Samples for the arguments that have no default. */
function requiredSamples(tool: Operation, service: Parameters<typeof argumentsFor>[1]) {
  const required = new Set<string>(publishedSchema(tool.input).required || []);
  return Object.fromEntries(
    Object.entries(argumentsFor(tool, service)).filter(([name]) => required.has(name)),
  );
}

function sizeFigures(text: string): string[] {
  const bytes = Buffer.byteLength(text);
  return [bytes, approximateTokens(bytes)].map((figure) => figure.toLocaleString('en'));
}
