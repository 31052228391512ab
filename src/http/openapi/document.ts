// OpenAPI 3.1 of every route that is served; test/http/openapi.test.ts compares it with the routes and with real answers.
import { type AppContext, SERVER } from '../core/app-context.ts';
import { feedPaths } from './feed-paths.ts';
import { ledgerPaths } from './ledger-paths.ts';
import { mcpPaths } from './mcp-paths.ts';
import { operationPaths } from './operation-paths.ts';
import { probePaths } from './probe-paths.ts';
import { components } from './schemas.ts';
import { sharePaths } from './share-paths.ts';
import { sitePaths } from './site-paths.ts';

/** Built once, at the start. Answers are not validated against it at run time. */
export const openApiOf = ({ baseUrl, operations }: AppContext) => ({
  openapi: '3.1.0',
  info: {
    title: SERVER.name,
    version: SERVER.version,
    description: 'Aggregate-only readings of small neighbourhoods. All reads are public.',
    license: { name: 'CC BY-NC-ND 4.0', url: `${baseUrl}/LICENSE-CONTENT.md` },
  },
  servers: [{ url: baseUrl }],
  paths: {
    ...mcpPaths,
    ...operationPaths(operations),
    ...ledgerPaths,
    ...feedPaths,
    ...probePaths,
    ...sitePaths,
    ...sharePaths,
  },
  components: { schemas: components },
});
