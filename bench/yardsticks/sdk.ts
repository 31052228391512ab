// The official SDK, stateless as its documentation says: a server and a transport for each request. It stands on
// node:http rather than on Express, which would only slow it down.
import { createServer } from 'node:http';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import * as z from 'zod/v4';
import { getPocketAtmosphere } from '../../src/operations/pocket/get-pocket-atmosphere.ts';
import { offer } from './offer.ts';

const { name, title, description } = getPocketAtmosphere;
const inputSchema = {
  pocket_id: z.string().min(1).max(64),
  hours: z.number().min(1).max(24).default(4),
};

offer((result) =>
  createServer(async (request, response) => {
    const server = new McpServer({ name: 'yardstick', version: '1.0.0' });
    server.registerTool(name, { title, description, inputSchema }, () => result as CallToolResult);
    // Stateless is a generator that is undefined; the SDK's types leave that out under exactOptionalPropertyTypes.
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
