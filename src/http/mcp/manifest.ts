// What the service says about itself to MCP clients: the manifest, and the results that are the same for every request.
import { callableTools, type Operation, publishedTool } from '../../operations/core/define.ts';
import { inToolsets } from '../../operations/core/toolsets.ts';
import { assets } from '../../web/site/assets.ts';
import { type AppContext, SERVER } from '../answers/app-context.ts';
import { type Latin1Body, toLatin1Body } from '../cache/latin1-body.ts';
import type { Methods } from './methods.ts';
import { DEFAULT_VERSION, legacyVersions, SERVER_INFO_KEY, supportedVersions } from './versions.ts';

const ABOUT =
  'Reads how small neighbourhoods feel, forecasts them, and decides whether speaking up is justified. Aggregate-only: no person is stored or returned.';

export const toolManifest = ({ baseUrl, operations }: AppContext) => ({
  ...SERVER,
  description: ABOUT,
  protocolVersion: DEFAULT_VERSION,
  transport: 'http',
  endpoint: '/api/mcp',
  capabilities: { tools: {} },
  tools: inToolsets(callableTools(operations), []).map(publishedTool),
  documentation: `${baseUrl}/docs`,
  contact: `${baseUrl}/docs#contact`,
});

interface Offered {
  /** The address that people and clients reach the service at; left out where none is known. */
  website?: string | undefined;
  /** Whether `subscriptions/listen` is answered. */
  subscriptions: boolean;
}

/** The results that are the same for every request, as bytes that are made once. */
export function fixedMethods(
  context: AppContext,
  { website, subscriptions }: Offered,
): Pick<Methods, 'initialize' | 'discover'> {
  const capabilities = { tools: {}, resources: {}, prompts: {}, completions: {} };
  const serverInfo = describeServer(context, website);
  const instructions = serverInstructions(context);
  const initialized = new Map(
    legacyVersions.map((protocolVersion) => [
      protocolVersion,
      jsonBody({ protocolVersion, capabilities, serverInfo, instructions }),
    ]),
  );
  const discovered = jsonBody({
    supportedVersions,
    capabilities: subscriptions ? { ...capabilities, resources: { subscribe: true } } : capabilities,
    instructions,
    _meta: { [SERVER_INFO_KEY]: serverInfo },
  });
  return {
    initialize: (version) => initialized.get(version) as Latin1Body,
    discover: () => discovered,
  };
}

const describeServer = ({ registry }: AppContext, website: string | undefined) => ({
  ...SERVER,
  title: `Pocketwatch ${registry.city.name}`,
  ...(website !== undefined && {
    websiteUrl: website,
    icons: [
      { src: `${website}/icons/icon-192.png`, mimeType: 'image/png', sizes: ['192x192'] },
      { src: `${website}${assets.icon.address}`, mimeType: 'image/svg+xml', sizes: ['any'] },
    ],
  }),
});

/** The result of `tools/list`. */
export const toolList = (tools: readonly Operation[]): Latin1Body =>
  jsonBody({ tools: tools.map(publishedTool) });

const jsonBody = (result: object): Latin1Body => toLatin1Body(JSON.stringify(result));

const serverInstructions = ({ substrate }: AppContext): string =>
  [
    ABOUT,
    'Start with list_pockets, or with lookup_pocket_by_name when a person names a place; most tools then take a pocket_id.',
    'An empty answer is normal and says why; an id that does not exist is marked (unknown_pocket: true) with did_you_mean. Silence is a decision, not a fault.',
    `The readings are ${substrate}. Quote with attribution (CC BY-NC-ND 4.0).`,
  ].join(' ');
