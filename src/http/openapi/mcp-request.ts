// A request of JSON-RPC 2.0, as the MCP endpoint takes it alone or in a batch.
import Type from 'typebox';

export const openObject = (description: string) =>
  Type.Record(Type.String(), Type.Unknown(), { description });

export const jsonrpc = Type.Literal('2.0');
export const id = Type.Union([Type.String(), Type.Number(), Type.Null()]);

export const mcpRequest = Type.Object({
  jsonrpc,
  id: Type.Optional(Type.Union(id.anyOf, { description: 'left out: a notification, which is not answered' })),
  method: Type.String({
    description:
      'tools/list, tools/call, resources/list, resources/templates/list, resources/read, prompts/list, prompts/get, completion/complete, or a notification; initialize and ping up to 2025-11-25, server/discover and subscriptions/listen in 2026-07-28',
  }),
  params: Type.Optional(
    openObject(
      'what the method takes: for tools/call and prompts/get a name and arguments, for resources/read a uri, for resources/list the nextCursor of the page before, for subscriptions/listen notifications.resourceSubscriptions, a list of uris',
    ),
  ),
});
