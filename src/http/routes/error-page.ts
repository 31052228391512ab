// Errors as pages, and which requests get one.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { errorHeading, errorPage } from '../../web/pages/info/error.ts';
import { pageHeaders } from '../../web/parts/page.ts';
import { embedErrorPage, embedHeaders } from '../../web/share/embed.ts';
import type { AppContext } from '../answers/app-context.ts';
import type { HttpError } from '../core/errors.ts';
import { namedQuality } from '../negotiation/accept.ts';
import { wantsProblem } from '../negotiation/error-body.ts';
import { createSite } from './pages.ts';

/** Browsers get an error page. Requests to the API, and clients that do not prefer HTML, get JSON. */
export function wantsPage({ url, method, headers }: FastifyRequest): boolean {
  if (url.startsWith('/api/') || (method !== 'GET' && method !== 'HEAD')) return false;
  const { accept } = headers;
  if (wantsProblem(accept)) return false;
  return namedQuality(accept, 'text/html') > Math.max(0, namedQuality(accept, 'application/json'));
}

/** Of a card for other sites the error is a card too. */
export function sendErrorPage(reply: FastifyReply, context: AppContext, error: HttpError) {
  const framed = reply.request.url.startsWith('/embed/');
  const site = createSite(context);
  return reply
    .code(error.status)
    .headers({ ...(framed ? embedHeaders : pageHeaders), vary: 'accept' })
    .type('text/html; charset=utf-8')
    .send(framed ? embedErrorPage(site, errorHeading(error.status)) : errorPage(site, error));
}
