// Paths of what other sites and programs show (src/http/routes/share.ts), and of a pocket's own feeds.
import Type from 'typebox';
import { describeParameters, pathTemplate } from '../../../src/http/openapi/operation-paths.ts';
import {
  badRequest,
  get,
  internalError,
  media,
  notFound,
  notModified,
  tooManyRequests,
  unavailable,
} from '../../../src/http/openapi/replies.ts';
import { outletId } from '../../../src/operations/merchant/outlet.ts';
import { getStream } from '../../../src/operations/report/get-stream.ts';
import { cardQuestion, sharedReplies } from '../../../src/web/share/all.ts';
import { icons } from '../../../src/web/share/manifest.ts';
import { jsonOrPage } from './json-or-page.ts';

const failures = jsonOrPage({
  ...badRequest,
  ...notFound,
  ...tooManyRequests,
  ...internalError,
  ...unavailable,
});

/** A path parameter may have an ending, such as `:pocket_id.svg`. */
const withoutEnding = (path: string): string => path.replace(/(:\w+)\.\w+$/, '$1');

const fixedPath = (operationId: string, summary: string, type: string) =>
  get(operationId, summary, {
    200: media(summary, type),
    ...notModified,
    ...jsonOrPage({ ...tooManyRequests, ...internalError }),
  });

const pocketStream = describeParameters(getStream.input, '', getStream.rest?.names).filter(
  ({ name }) => name !== 'pocket',
);

const manifest = Type.Object({
  id: Type.String({ description: 'identity of the app' }),
  name: Type.String({ description: 'name of the app' }),
  short_name: Type.String({ description: 'name under the icon' }),
  description: Type.String({ description: 'what the app is for' }),
  lang: Type.String({ description: 'language of the texts' }),
  start_url: Type.String({ description: 'page that opens first' }),
  scope: Type.String({ description: 'addresses that belong to the app' }),
  display: Type.Literal('standalone', { description: 'in a window of its own' }),
  background_color: Type.String({ description: 'colour while it starts' }),
  theme_color: Type.String({ description: 'colour of its frame' }),
  icons: Type.Array(
    Type.Object({
      src: Type.String({ description: 'address of the icon' }),
      sizes: Type.String({ description: 'width and height in pixels' }),
      type: Type.String({ description: 'media type' }),
      purpose: Type.Optional(
        Type.Literal('maskable', { description: 'may be cut to the shape of the platform' }),
      ),
    }),
    { description: 'from which the platform chooses one' },
  ),
});

export const sharePaths: Record<string, object> = {
  ...Object.fromEntries(
    sharedReplies.map(({ path, summary, type, question: { name, input } }) => [
      pathTemplate(path),
      get(
        name,
        summary,
        { 200: media(summary, type), ...notModified, ...failures },
        describeParameters(input, withoutEnding(path)),
      ),
    ]),
  ),
  '/card/pocket/{pocket_id}.png': get(
    cardQuestion.name,
    'Picture of a pocket for link previews',
    { 200: media('1200 × 630 pixels', 'image/png'), ...notModified, ...failures },
    describeParameters(cardQuestion.input, '/:pocket_id'),
  ),
  '/card/outlet/{outlet_id}.png': get(
    'card_outlet',
    'Picture of an outlet for link previews',
    { 200: media('1200 × 630 pixels', 'image/png'), ...notModified, ...failures },
    describeParameters(Type.Object({ outlet_id: outletId }), '/:outlet_id'),
  ),
  '/pocket/{pocket_id}/stream.rss': get(
    'pocket_rss',
    'What was said in one pocket as RSS, or its events of another type',
    { 200: media('the feed', 'application/rss+xml'), ...notModified, ...failures },
    [...describeParameters(cardQuestion.input, '/:pocket_id'), ...pocketStream],
  ),
  '/pocket/{pocket_id}/forecasts.rss': get(
    'pocket_forecasts_rss',
    'How forecasts of one pocket turned out, as RSS',
    { 200: media('the feed', 'application/rss+xml'), ...notModified, ...failures },
    [
      ...describeParameters(cardQuestion.input, '/:pocket_id'),
      ...pocketStream.filter(({ name }) => name !== 'type'),
    ],
  ),
  '/card.png': fixedPath('card', 'Picture of the site for link previews', 'image/png'),
  ...Object.fromEntries(
    icons.map(({ path, type }) => [
      path,
      fixedPath(path.slice(1).replaceAll(/\W/g, '_'), `Icon of the site: ${path}`, type),
    ]),
  ),
  '/manifest.webmanifest': get('web_manifest', 'Web app manifest: makes the site installable', {
    200: { description: 'the manifest', content: { 'application/manifest+json': { schema: manifest } } },
    ...notModified,
    ...jsonOrPage(internalError),
  }),
  '/sw.js': fixedPath(
    'service_worker',
    'Keeps visited pages for when there is no connection',
    'text/javascript',
  ),
};
