import type { FastifyInstance, FastifyRequest } from 'fastify';
import { publishedTool, toolsOf } from '../operations/define.ts';
import type { Answers } from './answers.ts';
import { charge, HttpError } from './errors.ts';
import { initializeResult, manifestOf } from './manifest.ts';
import { dispatch, type McpReply, type Methods, parseMessages } from './mcp.ts';
import type { Limiter } from './rate-limit.ts';
import type { Service } from './service.ts';
import { after, type Soon } from './soon.ts';

export function serveMcp(app: FastifyInstance, service: Service, answers: Answers, limiter: Limiter): void {
  const manifest = JSON.stringify(manifestOf(service));
  const methods: Methods = {
    initialize: initializeResult(service),
    tools: JSON.stringify({ tools: toolsOf(service.operations).map(publishedTool) }),
    answers,
  };

  const answer = ({ body = '', ip, log }: FastifyRequest): Soon<McpReply> => {
    const parsed = parseMessages(body as string);
    const cost = 'reply' in parsed ? 1 : parsed.messages.length;
    charge(limiter, ip, service.now(), cost);
    if ('reply' in parsed) return parsed.reply;
    return dispatch(parsed, methods, (error) => log.error({ err: error }, 'failed'));
  };

  app.register(async (scope) => {
    // Whatever a client calls its body, it is JSON or it is refused as a parse error.
    scope.removeAllContentTypeParsers();
    for (const type of ['application/json', '*']) {
      scope.addContentTypeParser(type, { parseAs: 'string' }, (_request, body, done) => done(null, body));
    }
    scope.post('/api/mcp', (request, reply) => {
      const sent = after(answer(request), ({ status, body }) => {
        reply.code(status);
        if (body === '') reply.send();
        else reply.type('application/json; charset=utf-8').send(body);
      });
      return sent instanceof Promise ? sent.then(() => reply) : undefined;
    });
  });

  const manifestReply = {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'public, max-age=300',
  };
  app.get('/.well-known/mcp.json', (_request, reply) => reply.headers(manifestReply).send(manifest));
  app.get('/api/mcp', (request, reply) => {
    const accept = request.headers.accept ?? '';
    // A client that wants a stream would take any success for one and reconnect for ever.
    if (accept.includes('text/event-stream') && !accept.includes('application/json')) {
      reply.header('allow', 'POST, GET');
      throw new HttpError(405, 'no event stream here: POST requests to this address');
    }
    return reply.headers({ ...manifestReply, vary: 'accept' }).send(manifest);
  });
}
