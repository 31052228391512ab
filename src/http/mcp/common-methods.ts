// The methods that every era has and answers alike, by name.

import type { AppContext } from '../answers/app-context.ts';
import type { Latin1Body } from '../cache/latin1-body.ts';
import type { MaybePromise } from '../core/maybe-promise.ts';
import { completer } from './complete.ts';
import type { CallTool, Kept, Methods, Outcome } from './methods.ts';
import { getPrompt, listPrompts } from './prompts/answer.ts';
import type { ReadOperation } from './resources/reports.ts';
import { listResources, listTemplates, readResource } from './resources/resources.ts';
import { LIST_TTL_SECONDS } from './versions.ts';

/** What differs from request to request. */
interface Asked {
  callTool: CallTool;
  readOperation: ReadOperation;
  /** The result of `tools/list`. */
  tools: { list: Latin1Body; scope: Kept['scope'] };
}
type Answer = (params: Record<string, unknown>, asked: Asked) => MaybePromise<Outcome>;

export function commonMethods(context: AppContext): (asked: Asked) => Pick<Methods, 'callTool' | 'answer'> {
  const answers = new Map<string, Answer>([
    [
      'tools/list',
      (_params, { tools: { list, scope } }) => ({
        result: list,
        kept: { seconds: LIST_TTL_SECONDS, scope },
      }),
    ],
    ['resources/list', (params) => listResources(context, params)],
    ['resources/templates/list', listTemplates],
    ['resources/read', (params, asked) => readResource(context, params, asked)],
    ['prompts/list', listPrompts],
    ['prompts/get', (params) => getPrompt(context, params)],
    ['completion/complete', completer(context)],
  ]);
  return (asked) => ({
    callTool: asked.callTool,
    answer: (method, params) => answers.get(method)?.(params, asked),
  });
}
