// The official SDK, stateless as its documentation says: a server and a transport for each request. It runs on
// node:http rather than Express, which would only make it slower.
import { createServer } from 'node:http';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import * as z from 'zod/v4';
import { getPocketAtmosphere } from '../../src/operations/pocket/get-pocket-atmosphere.ts';
import { servePayload } from './serve-payload.ts';

const { name, title, description } = getPocketAtmosphere;
const inputSchema = {
  pocket_id: z.string().min(1).max(64),
  hours: z.number().min(1).max(24).default(4),
};

servePayload<{ result: CallToolResult }>(({ result }) =>
  createServer(async (request, response) => {
    const server = new McpServer({ name: 'baseline', version: '1.0.0' });
    server.registerTool(name, { title, description, inputSchema }, () => result);
    // An undefined generator means stateless, which the SDK's types exclude under exactOptionalPropertyTypes.
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: undefined,
      enableJsonResponse: true,
    } as object);
    response.on('close', () => {
      transport.close();
      server.close();
    });
    await server.connect(transport as Parameters<McpServer['connect']>[0]);
    await transport.handleRequest(request, response);
  }),
);
