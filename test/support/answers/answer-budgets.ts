// How long the answer of a tool may be at its default arguments, as it is sent.
import assert from 'node:assert/strict';
import type { AppContext } from '../../../src/http/answers/app-context.ts';
import type { Operation } from '../../../src/operations/core/define.ts';
import { post } from '../services/http-client.ts';
import { argumentsFor } from './operation-answers.ts';

export const KIB = 1024;

/** Ledgers whose rows carry what was sealed. */
const ledgers: Record<string, number> = {
  get_pocket_predictions: 64 * KIB,
  get_pocket_counterfactuals: 48 * KIB,
};

export const answerBudget = (tool: string): number => ledgers[tool] ?? 16 * KIB;

/** The text of the answer at default arguments, once it and the whole of the reply are known to fit. */
export async function fittingAnswer(
  operation: Operation,
  { url, service }: { url: string; service: AppContext },
): Promise<string> {
  const { name, input } = operation;
  const samples = argumentsFor(operation, service);
  const required = (input.required ?? []).filter(
    (argument) => !('default' in (input.properties[argument] ?? {})),
  );
  const params = {
    name,
    arguments: Object.fromEntries(required.map((argument) => [argument, samples[argument]])),
  };
  const reply = await post(`${url}/api/mcp`, { jsonrpc: '2.0', id: 1, method: 'tools/call', params });
  const { result } = reply.json<{
    result: { content: [{ text: string }]; structuredContent: object; isError?: true };
  }>();
  const [{ text }] = result.content;
  assert.equal(result.isError, undefined, text);
  const parts = `text ${jsonSize(result.content)}, structured ${jsonSize(result.structuredContent)}`;
  const bytes = Buffer.byteLength(reply.text);
  assert.ok(bytes < answerBudget(name), `${name}: ${bytes} bytes: ${parts}`);
  // The text summarises: it does not repeat the rows of the structured half.
  assert.ok(jsonSize(result.content) < 4 * KIB, `${name}: ${parts}`);
  return text;
}

const jsonSize = (part: object): number => Buffer.byteLength(JSON.stringify(part));
