// The path of the archived bodies of feeds (src/http/routes/feed-bodies.ts).
import Type from 'typebox';
import { get, internalError, media, notFound, tooManyRequests, unavailable } from './replies.ts';

const hash = {
  name: 'hash',
  in: 'path',
  required: true,
  schema: Type.String({ description: 'SHA-256 of the bytes, in hexadecimal, as /api/provenance names it' }),
};

export const feedPaths = {
  '/api/feeds/bodies/{hash}': get(
    'feed_body',
    'The exact bytes that a feed gave, for as long as they are kept',
    {
      200: media('the bytes, as they were received', 'application/octet-stream'),
      ...notFound,
      ...tooManyRequests,
      ...internalError,
      ...unavailable,
    },
    [hash],
  ),
};
