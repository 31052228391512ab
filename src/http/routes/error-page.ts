import type { FastifyReply, FastifyRequest } from 'fastify';
import { errorPage } from '../../web/pages/error.ts';
import { pageHeaders } from '../../web/parts/page.ts';
import type { HttpError } from '../core/errors.ts';
import type { Service } from '../core/service.ts';
import { siteOf } from './pages.ts';

/** People get a page. Whoever asks the API, or does not ask for HTML before JSON, gets JSON. */
export function wantsPage({ url, method, headers }: FastifyRequest): boolean {
  if (url.startsWith('/api/') || (method !== 'GET' && method !== 'HEAD')) return false;
  const accept = headers.accept ?? '';
  return qualityOf(accept, 'text/html') > Math.max(0, qualityOf(accept, 'application/json'));
}

/** How much a type is wanted by name, 0 to 1; -1 where it is not named. */
function qualityOf(accept: string, type: string): number {
  for (const range of accept.split(',')) {
    const [name = '', ...parameters] = range.split(';').map((part) => part.trim());
    if (name.toLowerCase() !== type) continue;
    const quality = Number(parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? 1);
    return Number.isFinite(quality) ? quality : 0;
  }
  return -1;
}

export const sendErrorPage = (reply: FastifyReply, service: Service, fault: HttpError) =>
  reply
    .code(fault.status)
    .headers({ ...pageHeaders, vary: 'accept' })
    .type('text/html; charset=utf-8')
    .send(errorPage(siteOf(service), fault));
