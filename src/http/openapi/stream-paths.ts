// The path of the live stream (src/http/stream/route.ts).
import Type from 'typebox';
import { pocketId } from '../../operations/core/fields.ts';
import { LIVE_STREAM_PATH } from '../stream/route.ts';
import {
  badRequest,
  get,
  internalError,
  notAcceptable,
  notFound,
  type Reply,
  tooManyRequests,
  unavailable,
} from './replies.ts';

const lastEventId = (description: string) => Type.String({ description });
const parameters = [
  { name: 'pocket', in: 'query', required: false, schema: pocketId },
  {
    name: 'last_event_id',
    in: 'query',
    required: false,
    schema: lastEventId('the same as the header, for clients that cannot send one'),
  },
  {
    name: 'Last-Event-ID',
    in: 'header',
    required: false,
    schema: lastEventId(
      'id of the last event that was received: the stream goes on after it, for up to a day. If what was missed is not kept any more, the first event is a gap {type, from, note}',
    ),
  },
];

const stream: Reply = {
  description: 'the stream, until either side ends it',
  content: {
    'text/event-stream': {
      schema: Type.String({
        description:
          'server-sent events: id, event (narration, prediction, sustainability or gap) and data, a JSON object as /api/stream lists it; a comment every 15 seconds',
      }),
    },
  },
};

export const streamPaths = {
  [LIVE_STREAM_PATH]: get(
    'live_stream',
    'What /api/stream would list, as it happens, as server-sent events',
    {
      200: stream,
      ...badRequest,
      ...notFound,
      ...notAcceptable,
      ...tooManyRequests,
      ...internalError,
      ...unavailable,
    },
    parameters,
  ),
};
