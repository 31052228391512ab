// The service's entry for the MCP registry: server.json of schema 2025-12-11. An operator publishes it with the
// registry's own tool, which checks who owns the name; other catalogues read it from here.
import Type, { type Static } from 'typebox';
import { toolsetNames } from '../../operations/core/toolsets.ts';
import { type AppContext, SERVER } from '../answers/app-context.ts';
import { TOOLSET_HEADER } from './toolsets.ts';

const SCHEMA = 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json';

/** The part of the registry's schema that is used here. */
export const serverJson = Type.Object({
  $schema: Type.Literal(SCHEMA),
  name: Type.String({ description: 'the domain of the service in reverse, and its name' }),
  title: Type.String(),
  description: Type.String(),
  version: Type.String(),
  websiteUrl: Type.String({ format: 'uri' }),
  remotes: Type.Array(
    Type.Object({
      type: Type.Literal('streamable-http'),
      url: Type.String({ format: 'uri' }),
      headers: Type.Array(
        Type.Object({
          name: Type.String(),
          description: Type.String(),
          isRequired: Type.Boolean(),
          placeholder: Type.String(),
        }),
        { description: 'headers that a client may send' },
      ),
    }),
  ),
});

export const serverJsonDocument = ({ baseUrl }: Pick<AppContext, 'baseUrl'>): Static<typeof serverJson> => ({
  $schema: SCHEMA,
  name: `${reverseDomain(baseUrl)}/${SERVER.name}`,
  title: SERVER.name,
  description: 'How small neighbourhoods feel now, sealed forecasts of them, and when speaking is justified',
  version: SERVER.version,
  websiteUrl: `${baseUrl}/mcp`,
  remotes: [
    {
      type: 'streamable-http',
      url: `${baseUrl}/api/mcp`,
      headers: [
        {
          name: TOOLSET_HEADER,
          description: `Sets of tools to list, comma-separated: ${toolsetNames.join(', ')}. All tools when left out.`,
          isRequired: false,
          placeholder: 'reader',
        },
      ],
    },
  ],
});

/** `lab.example.org` is `org.example.lab`. An address without a domain cannot be published, and is `localhost`. */
function reverseDomain(baseUrl: string): string {
  const { hostname } = new URL(baseUrl);
  const isDomain = /^(?:[a-z0-9-]+\.)+[a-z][a-z0-9-]*$/.test(hostname);
  return isDomain ? hostname.split('.').reverse().join('.') : 'localhost';
}
