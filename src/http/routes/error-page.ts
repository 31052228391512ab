// Errors as pages, and which requests get one.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { errorPage } from '../../web/pages/info/error.ts';
import { pageHeaders } from '../../web/parts/page.ts';
import type { AppContext } from '../core/app-context.ts';
import type { HttpError } from '../core/errors.ts';
import { siteOf } from './pages.ts';

/** Browsers get an error page. Requests to the API, and clients that do not prefer HTML to JSON, get JSON. */
export function wantsPage({ url, method, headers }: FastifyRequest): boolean {
  if (url.startsWith('/api/') || (method !== 'GET' && method !== 'HEAD')) return false;
  const accept = headers.accept ?? '';
  return qualityOf(accept, 'text/html') > Math.max(0, qualityOf(accept, 'application/json'));
}

/** The quality value (0 to 1) that `accept` gives the type by name; -1 if it does not name it. */
function qualityOf(accept: string, type: string): number {
  for (const range of accept.split(',')) {
    const [name = '', ...parameters] = range.split(';').map((part) => part.trim());
    if (name.toLowerCase() !== type) continue;
    const quality = Number(parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? 1);
    return Number.isFinite(quality) ? quality : 0;
  }
  return -1;
}

export const sendErrorPage = (reply: FastifyReply, context: AppContext, error: HttpError) =>
  reply
    .code(error.status)
    .headers({ ...pageHeaders, vary: 'accept' })
    .type('text/html; charset=utf-8')
    .send(errorPage(siteOf(context), error));
