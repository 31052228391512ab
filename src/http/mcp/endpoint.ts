// The HTTP side of MCP: the POST handler that fast-path.ts calls, and the manifest. What JSON-RPC messages mean is in
// dispatcher.ts.
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { isObject } from '../../operations/core/arguments.ts';
import { callableTools } from '../../operations/core/define.ts';
import type { AppContext } from '../answers/app-context.ts';
import type { OperationRunner } from '../answers/operation-runner.ts';
import { limitKey } from '../core/client-address.ts';
import { exceededLimit, HttpError } from '../core/errors.ts';
import type { MaybePromise } from '../core/maybe-promise.ts';
import type { Limiters } from '../core/rate-limit.ts';
import { toolCallCounter } from '../core/request-metrics.ts';
import type { AdmitWrite } from '../core/write-admission.ts';
import { uncounted } from '../heavy/cost.ts';
import type { OpenStreams } from '../stream/open-streams.ts';
import { commonMethods } from './common-methods.ts';
import { dispatch, parseMessages } from './dispatcher.ts';
import { type McpReply, refusalReply, singleRequestId } from './json-rpc.ts';
import { fixedMethods, toolManifest } from './manifest.ts';
import type { CallTool, Methods } from './methods.ts';
import type { ReadOperation } from './resources/reports.ts';
import { listener } from './subscriptions/listen.ts';
import type { PocketUpdates } from './subscriptions/pocket-updates.ts';
import { refuseToolsets, toolListSelector } from './toolsets.ts';
import { LIST_TTL_SECONDS } from './versions.ts';

export const MCP_PATH = '/api/mcp';

/** Answers a POST to that address; what it throws becomes an HTTP error. */
export type AnswerMcp = (body: string, request: IncomingMessage, requestId: string) => MaybePromise<McpReply>;

/** Reading ignores the content type of the body: what is not JSON is answered with a parse error. */
export function mcpEndpoint(
  context: AppContext,
  runner: OperationRunner,
  limiters: Pick<Limiters, 'mcp' | 'submit'>,
  clientAddress: (request: IncomingMessage) => string,
  admit: AdmitWrite,
  onError: (error: unknown, requestId: string) => void,
  streams: OpenStreams,
  updates: PocketUpdates,
): AnswerMcp {
  const fixed = fixedMethods(context, { website: context.baseUrl, subscriptions: true });
  const common = commonMethods(context);
  const listen = listener(context, streams, updates);
  const callable = callableTools(context.operations);
  const selectTools = toolListSelector(callable);
  const countCall =
    context.metrics &&
    toolCallCounter(
      context.metrics,
      callable.map(({ name }) => name),
    );
  const writingTools = callable.filter(({ effect }) => effect === 'append').map(({ name }) => name);
  const isWrite = (message: unknown): boolean =>
    isObject(message) &&
    message.method === 'tools/call' &&
    isObject(message.params) &&
    writingTools.includes(String(message.params.name));

  return (body, request, requestId) => {
    const parsed = parseMessages(body);
    const messages = 'reply' in parsed ? [] : parsed.messages;
    const id = 'reply' in parsed || parsed.batch ? null : singleRequestId(messages);
    const address = clientAddress(request);
    // What is not a request costs as much as one.
    const exceeded = exceededLimit(limiters.mcp, address, context.now(), messages.length || 1);
    if (exceeded) return refusalReply(id, exceeded);
    if ('reply' in parsed) return parsed.reply;
    const tools = selectTools(request.url ?? '', request.headers);
    if ('fault' in tools) return refuseToolsets(tools.fault, messages);
    const writes = messages.filter(isWrite).length;
    const tooManyWrites = writes && exceededLimit(limiters.submit, address, context.now(), writes);
    if (tooManyWrites) return refusalReply(id, tooManyWrites);
    const callTool: CallTool = (name, given) => {
      countCall?.(name);
      return runner.tool(name, given, uncounted(address), () => admit(request, address));
    };
    const readOperation: ReadOperation = (operation, given) =>
      runner.report(operation, given, uncounted(address));
    const methods: Methods = {
      ...fixed,
      ...common({ callTool, readOperation, tools }),
      listen: (messageId, params) => listen(messageId, params, limitKey(address)),
    };
    return dispatch(parsed, methods, (error) => onError(error, requestId), request.headers);
  };
}

export function serveManifest(app: FastifyInstance, context: AppContext): void {
  const manifest = JSON.stringify(toolManifest(context));
  const manifestReply = {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': `public, max-age=${LIST_TTL_SECONDS}`,
  };
  app.get('/.well-known/mcp.json', (_request, reply) => reply.headers(manifestReply).send(manifest));
  app.get('/api/mcp', (request, reply) => {
    const accept = request.headers.accept ?? '';
    // A client that asks for an event stream would take any success for one, see it end at once, and reconnect for ever.
    if (accept.includes('text/event-stream') && !accept.includes('application/json')) {
      reply.header('allow', 'POST, GET');
      throw new HttpError(405, 'no event stream here: POST requests to this address');
    }
    return reply.headers({ ...manifestReply, vary: 'accept' }).send(manifest);
  });
}
