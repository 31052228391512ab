// What `subscriptions/listen` of 2026-07-28 says, whatever carries it: a stream over HTTP, or lines over stdio.
import { isObject } from '../../../operations/core/arguments.ts';
import { type AppContext, SERVER } from '../../answers/app-context.ts';
import type { Id } from '../json-rpc.ts';
import { pocketAt, pocketUri } from '../resources/resources.ts';
import { SERVER_INFO_KEY } from '../versions.ts';

/** Pockets of one subscription. */
export const MAX_LISTENED = 100;
const SUBSCRIPTION_KEY = 'io.modelcontextprotocol/subscriptionId';

/** Its messages, each of JSON-RPC. */
export interface Subscription {
  pockets: ReadonlySet<string>;
  /** The first message. */
  acknowledged: object;
  updateMessage(pocket: string): object;
  /** The result of the request, which ends the subscription. */
  farewell: object;
}

/** The subscription that is asked for, or why it cannot be read. */
export function readSubscription(
  context: Pick<AppContext, 'registry'>,
  id: Id,
  { notifications }: Record<string, unknown>,
): Subscription | { fault: string } {
  const asked = isObject(notifications) ? (notifications.resourceSubscriptions ?? []) : undefined;
  if (!Array.isArray(asked) || !asked.every((uri) => typeof uri === 'string'))
    return { fault: 'notifications must be an object, and its resourceSubscriptions a list of addresses' };
  if (asked.length > MAX_LISTENED) return { fault: `at most ${MAX_LISTENED} resources in one stream` };
  // What is not offered is left out, as the protocol says; the client sees it in the acknowledgement.
  const pockets = new Set(asked.flatMap((uri) => pocketAt(uri, context)?.id ?? []));
  const uris = [...pockets].map(pocketUri);
  const _meta = { [SUBSCRIPTION_KEY]: id };
  return {
    pockets,
    acknowledged: message({
      method: 'notifications/subscriptions/acknowledged',
      params: { _meta, notifications: uris.length ? { resourceSubscriptions: uris } : {} },
    }),
    updateMessage: (pocket) =>
      message({ method: 'notifications/resources/updated', params: { _meta, uri: pocketUri(pocket) } }),
    farewell: message({
      id,
      result: { resultType: 'complete', _meta: { ..._meta, [SERVER_INFO_KEY]: SERVER } },
    }),
  };
}

const message = (own: object): object => ({ jsonrpc: '2.0', ...own });
