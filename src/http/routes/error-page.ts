// Errors as pages, and which requests get one.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { errorPage } from '../../web/pages/info/error.ts';
import { pageHeaders } from '../../web/parts/page.ts';
import type { AppContext } from '../core/app-context.ts';
import type { HttpError } from '../core/errors.ts';
import { namedQuality } from '../negotiation/accept.ts';
import { wantsProblem } from '../negotiation/error-body.ts';
import { siteOf } from './pages.ts';

/** Browsers get an error page. Requests to the API, and clients that do not prefer HTML, get JSON. */
export function wantsPage({ url, method, headers }: FastifyRequest): boolean {
  if (url.startsWith('/api/') || (method !== 'GET' && method !== 'HEAD')) return false;
  const { accept } = headers;
  if (wantsProblem(accept)) return false;
  return namedQuality(accept, 'text/html') > Math.max(0, namedQuality(accept, 'application/json'));
}

export const sendErrorPage = (reply: FastifyReply, context: AppContext, error: HttpError) =>
  reply
    .code(error.status)
    .headers({ ...pageHeaders, vary: 'accept' })
    .type('text/html; charset=utf-8')
    .send(errorPage(siteOf(context), error));
