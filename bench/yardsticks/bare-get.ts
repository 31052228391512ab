// The least that can answer a GET: stringifies each reply.
import { createServer } from 'node:http';
import { offer } from './offer.ts';

offer((reading) =>
  createServer((_request, response) => {
    const text = JSON.stringify(reading);
    response.writeHead(200, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(text),
    });
    response.end(text);
  }),
);
