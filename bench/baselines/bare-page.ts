// The least code that serves a page: the same bytes each time.
import { createServer } from 'node:http';
import { servePayload } from './serve-payload.ts';

servePayload<{ text: string }>(({ text }) => {
  const bytes = Buffer.from(text);
  return createServer((_request, response) => {
    response.writeHead(200, {
      'content-type': 'text/html; charset=utf-8',
      'content-length': bytes.length,
    });
    response.end(bytes);
  });
});
