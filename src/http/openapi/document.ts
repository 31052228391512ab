// OpenAPI 3.1 of every route that is served; test/http/openapi.test.ts compares it with the routes and with real answers,
// and lints it.
import { type AppContext, SERVER } from '../core/app-context.ts';
import { completeEndpoint, describeBody } from './complete-endpoint.ts';
import { exampleFinder } from './examples.ts';
import { feedPaths } from './feed-paths.ts';
import { ledgerPaths } from './ledger-paths.ts';
import { mcpPaths } from './mcp-paths.ts';
import { operationPaths } from './operation-paths.ts';
import { probePaths } from './probe-paths.ts';
import { components } from './schemas.ts';
import { sharePaths } from './share-paths.ts';
import { sitePaths } from './site-paths.ts';
import { streamPaths } from './stream-paths.ts';
import { tags } from './tags.ts';

type DocumentContext = Pick<AppContext, 'baseUrl' | 'operations' | 'registry' | 'zone' | 'now'>;

const built = new WeakMap<DocumentContext, ReturnType<typeof build>>();

/** Built once for each service. Answers are not validated against it at run time. */
export function openApiOf(context: DocumentContext) {
  const document = built.get(context) ?? build(context);
  built.set(context, document);
  return document;
}

function build({ baseUrl, operations, registry, zone, now }: DocumentContext) {
  const exampleOf = exampleFinder({ registry, zone, now: now() });
  const paths: Record<string, object> = {
    ...mcpPaths,
    ...operationPaths(operations),
    ...streamPaths,
    ...ledgerPaths,
    ...feedPaths,
    ...probePaths,
    ...sitePaths,
    ...sharePaths,
  };
  const complete = (path: string, methods: object) =>
    Object.fromEntries(
      Object.entries(methods).map(([method, endpoint]) => [
        method,
        completeEndpoint(path, endpoint, exampleOf),
      ]),
    );
  return {
    openapi: '3.1.0',
    info: {
      title: SERVER.name,
      version: SERVER.version,
      description: 'Aggregate-only readings of small neighbourhoods. All reads are public.',
      license: { name: 'CC BY-NC-ND 4.0', url: `${baseUrl}/LICENSE-CONTENT.md` },
    },
    servers: [{ url: baseUrl }],
    // No address asks for a key.
    security: [],
    tags,
    paths: Object.fromEntries(
      Object.entries(paths).map(([path, methods]) => [path, complete(path, methods)]),
    ),
    components: {
      schemas: Object.fromEntries(
        Object.entries(components).map(([name, schema]) => [name, describeBody(name, schema)]),
      ),
    },
  };
}
