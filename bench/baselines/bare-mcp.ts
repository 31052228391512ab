// The least code that answers a tools/call: parses each body and stringifies each reply.
import { createServer } from 'node:http';
import { servePayload } from './serve-payload.ts';

servePayload<{ result: object }>(({ result }) =>
  createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      const { id } = JSON.parse(body);
      const text = JSON.stringify({ jsonrpc: '2.0', id, result });
      response.writeHead(200, {
        'content-type': 'application/json; charset=utf-8',
        'content-length': Buffer.byteLength(text),
      });
      response.end(text);
    });
  }),
);
