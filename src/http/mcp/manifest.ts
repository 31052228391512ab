// What the service says about itself to MCP clients: the manifest and the result of `initialize`.
import { publishedTool, toolsOf } from '../../operations/core/define.ts';
import { type AppContext, SERVER } from '../core/app-context.ts';

const PROTOCOL_VERSION = '2024-11-05';
const ABOUT =
  'Reads how small neighbourhoods feel, forecasts them, and decides whether speaking up is justified. Aggregate-only: no person is stored or returned.';

export const manifestOf = ({ baseUrl, operations }: AppContext) => ({
  ...SERVER,
  description: ABOUT,
  protocolVersion: PROTOCOL_VERSION,
  transport: 'http',
  endpoint: '/api/mcp',
  capabilities: { tools: {} },
  tools: toolsOf(operations).map(publishedTool),
  documentation: `${baseUrl}/docs`,
  contact: `${baseUrl}/docs#contact`,
});

/** The same whatever protocol version the client asks for. */
export const initializeResult = ({ substrate }: AppContext) => ({
  protocolVersion: PROTOCOL_VERSION,
  capabilities: { tools: {} },
  serverInfo: SERVER,
  instructions: [
    ABOUT,
    'Start with list_pockets, or with lookup_pocket_by_name when a person names a place; most tools then take a pocket_id.',
    'An empty answer is normal and says why; an id that does not exist is marked (unknown_pocket: true) with did_you_mean. Silence is the usual decision, not a fault.',
    `The readings are ${substrate}. Quote with attribution (CC BY-NC-ND 4.0).`,
  ].join(' '),
});
