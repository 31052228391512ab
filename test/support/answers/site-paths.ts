// Paths of everything that is not the API, and so not in the OpenAPI document: pages, feeds, files and assets, each with
// its media type, in the form of that document. For tests over every route.
import Type from 'typebox';
import { serverJson } from '../../../src/http/mcp/server-json.ts';
import { describeParameters, pathTemplate } from '../../../src/http/openapi/operation-paths.ts';
import {
  badRequest,
  get,
  internalError,
  json,
  media,
  notFound,
  notModified,
  type Reply,
  tooManyRequests,
  unavailable,
} from '../../../src/http/openapi/replies.ts';
import { ref } from '../../../src/http/openapi/schemas.ts';
import { REGISTRY_PATH, SECURITY_PATH } from '../../../src/http/routes/well-known.ts';
import { timestamp } from '../../../src/operations/core/answer-fields.ts';
import { getStream } from '../../../src/operations/report/get-stream.ts';
import { dynamicPages, staticPages } from '../../../src/web/pages/all.ts';
import { MAX_QUERY_LENGTH } from '../../../src/web/pages/docs/index-page.ts';
import { assets } from '../../../src/web/site/assets.ts';
import { llmsText } from '../../../src/web/site/robots.ts';
import { sitemap } from '../../../src/web/site/sitemap.ts';
import { jsonOrPage } from './json-or-page.ts';

const serverError = jsonOrPage(internalError);
const failures = jsonOrPage({
  ...badRequest,
  ...notFound,
  ...tooManyRequests,
  ...internalError,
  ...unavailable,
});

const pages = Object.fromEntries(
  dynamicPages.map(({ path, question: { name, input } }) => [
    pathTemplate(path),
    get(
      name,
      `Page ${path}`,
      {
        200: media('the page', 'text/html'),
        ...notModified,
        ...(path.includes(':') && {
          308: { description: 'an id in capitals: the address with its true id' },
        }),
        ...failures,
      },
      describeParameters(input, path),
    ),
  ]),
);

/** A text that is built once, at the start. */
const staticText = (operationId: string, summary: string, type: string) =>
  get(operationId, summary, { 200: media(summary, type), ...notModified, ...serverError });

/** Of the operator, where one is set. */
const statement = (operationId: string, summary: string) =>
  get(operationId, summary, { 200: media(summary, 'text/plain'), ...jsonOrPage(notFound), ...serverError });

const document = (operationId: string, summary: string) =>
  get(operationId, summary, { 200: media(summary, 'text/markdown'), ...notModified, ...serverError });

const jsonFeed = Type.Object({
  version: Type.Literal('https://jsonfeed.org/version/1.1'),
  title: Type.String(),
  home_page_url: Type.String(),
  feed_url: Type.String(),
  description: Type.String(),
  language: Type.String(),
  items: Type.Array(
    Type.Object({
      id: Type.String(),
      url: Type.String(),
      title: Type.String(),
      content_text: Type.String(),
      date_published: timestamp,
      tags: Type.Array(Type.String()),
    }),
  ),
  _meta: ref('Meta'),
});

const feedPath = (
  operationId: string,
  summary: string,
  content: Reply['content'],
  parameters = describeParameters(getStream.input, '', getStream.rest?.names),
) =>
  get(
    operationId,
    summary,
    { 200: { description: 'the feed', ...(content && { content }) }, ...notModified, ...failures },
    parameters,
  );

const rss = media('', 'application/rss+xml').content;
const ofOneType = describeParameters(getStream.input, '', getStream.rest?.names).filter(
  ({ name }) => name !== 'type',
);

const suggestedNames = Type.Array(Type.Array(Type.String(), { minItems: 1, maxItems: 2 }));

const openApi = Type.Object({
  openapi: Type.String(),
  info: Type.Object({
    title: Type.String(),
    version: Type.String(),
    description: Type.String(),
    license: Type.Object({ name: Type.String(), url: Type.String() }),
  }),
  servers: Type.Array(Type.Object({ url: Type.String() })),
  security: Type.Array(Type.Record(Type.String(), Type.Unknown(), { description: 'a way to sign in' }), {
    description: 'empty: no address asks for a key',
  }),
  tags: Type.Array(Type.Object({ name: Type.String(), description: Type.String() })),
  paths: Type.Record(Type.String(), Type.Unknown(), { description: 'path items of OpenAPI 3.1' }),
  components: Type.Object({
    schemas: Type.Record(Type.String(), Type.Unknown(), { description: 'JSON Schemas by name' }),
    responses: Type.Record(Type.String(), Type.Unknown(), { description: 'replies by name' }),
    parameters: Type.Record(Type.String(), Type.Unknown(), { description: 'parameters by name' }),
  }),
});

const docsQuery = {
  name: 'q',
  in: 'query',
  required: false,
  schema: Type.String({
    maxLength: MAX_QUERY_LENGTH,
    description: 'words that an address, a parameter or a field has',
  }),
};

const docsPath = {
  name: 'path',
  in: 'path',
  required: true,
  schema: Type.String({ description: 'the address, without the first slash; it may hold slashes' }),
};

export const sitePaths: Record<string, object> = {
  '/stream.rss': feedPath('stream_rss', 'What was said as RSS, or events of another type', rss),
  '/feed.json': feedPath('json_feed', 'What was said as JSON Feed, or events of another type', {
    'application/feed+json': { schema: jsonFeed },
  }),
  '/forecasts.rss': feedPath('forecasts_rss', 'How forecasts turned out, as RSS', rss, ofOneType),
  ...pages,
  ...Object.fromEntries(
    staticPages.map(({ path }) => [path, staticText(`page_${path.slice(1)}`, `Page ${path}`, 'text/html')]),
  ),
  '/docs': get(
    'docs',
    'Page /docs: every address and tool, with a search',
    { 200: media('the page', 'text/html'), ...notModified, ...failures },
    [docsQuery],
  ),
  '/docs/{path}': get(
    'docs_address',
    'Page of one address: its parameters, fields and a real answer',
    {
      200: media('the page', 'text/html'),
      ...notModified,
      308: { description: 'a slash at the end: the address without it' },
      ...failures,
    },
    [docsPath],
  ),
  [sitemap.path]: get(sitemap.question.name, 'Addresses of all pages', {
    200: media('the sitemap', 'application/xml'),
    ...notModified,
    ...failures,
  }),
  '/robots.txt': staticText('robots', 'Which addresses crawlers may read', 'text/plain'),
  [llmsText.path]: get(llmsText.question.name, 'The site in a page of text, for language models', {
    200: media('the text', 'text/plain'),
    ...notModified,
    ...failures,
  }),
  '/llms-full.txt': staticText('llms_full_txt', 'The whole documentation as one text', 'text/plain'),
  [SECURITY_PATH]: statement('security_txt', 'Whom to tell of a security problem (RFC 9116)'),
  [REGISTRY_PATH]: statement('mcp_registry_auth', 'Proof of the domain for the MCP registry'),
  '/LICENSE-CONTENT.md': document('licence', 'Licence of the content'),
  '/glossary.md': document('glossary', 'Terms of the domain'),
  '/mcp/CHANGELOG.md': document('mcp_changelog', 'Changes of the MCP surface'),
  '/mcp/STATUS.md': document('mcp_status', 'Status of the MCP surface'),
  '/names.json': get('name_suggestions', 'Names that the search suggests', {
    200: json('each name; another name with the one that pages use', suggestedNames),
    ...notModified,
    ...serverError,
  }),
  '/server.json': get('server_json', 'Entry of the service for the MCP registry', {
    200: json('server.json of schema 2025-12-11', serverJson),
    ...serverError,
  }),
  '/openapi.json': get('openapi', 'This document', {
    200: json('OpenAPI 3.1', openApi),
    ...notModified,
    ...serverError,
  }),
  ...Object.fromEntries(
    Object.entries(assets).map(([name, { address, type }]) => [
      address,
      staticText(`asset_${name}`, `Asset of the pages: ${name}`, type.replace(/;.*/, '')),
    ]),
  ),
};
