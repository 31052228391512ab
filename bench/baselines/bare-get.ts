// The least code that answers a GET with JSON: stringifies each reply.
import { createServer } from 'node:http';
import { servePayload } from './serve-payload.ts';

servePayload((reading) =>
  createServer((_request, response) => {
    const text = JSON.stringify(reading);
    response.writeHead(200, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(text),
    });
    response.end(text);
  }),
);
