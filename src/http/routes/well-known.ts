// What the operator states about the domain: whom to tell of a security problem, and that the domain is theirs.
import type { FastifyInstance, FastifyReply } from 'fastify';
import { DAY } from '../../domain/time/slot.ts';
import type { AppContext, DomainStatements } from '../answers/app-context.ts';
import { HttpError } from '../core/errors.ts';

export const SECURITY_PATH = '/.well-known/security.txt';
export const REGISTRY_PATH = '/.well-known/mcp-registry-auth';

/** RFC 9116 wants less than a year. A process that is never asked again promises nothing for longer. */
const VALID_DAYS = 180;

export function serveWellKnown(app: FastifyInstance, { domain = {}, now }: AppContext): void {
  const sendText = (reply: FastifyReply, text: string) =>
    reply.type('text/plain; charset=utf-8').header('cache-control', 'public, max-age=3600').send(text);
  app.get(SECURITY_PATH, (_request, reply) => {
    const { securityContacts } = domain;
    if (!securityContacts)
      throw new HttpError(404, 'the operator has named no contact: SECURITY_CONTACT is not set');
    return sendText(reply, securityText(securityContacts, domain, now()));
  });
  app.get(REGISTRY_PATH, (_request, reply) => {
    if (!domain.registryAuth)
      throw new HttpError(404, 'the operator has given no proof: MCP_REGISTRY_AUTH is not set');
    return sendText(reply, `${domain.registryAuth}\n`);
  });
}

/** security.txt of RFC 9116. The end is that of a day, so that the text is the same all day. */
export function securityText(
  contacts: readonly string[],
  { publicUrl }: DomainStatements,
  now: number,
): string {
  const expires = new Date((Math.floor(now / DAY) + VALID_DAYS) * DAY).toISOString();
  return [
    ...contacts.map((contact) => `Contact: ${contact}`),
    `Expires: ${expires}`,
    'Preferred-Languages: en',
    // Only an https address may stand here.
    ...(publicUrl?.startsWith('https:') ? [`Canonical: ${publicUrl}${SECURITY_PATH}`] : []),
    '',
  ].join('\n');
}
