// `subscriptions/listen` over stdio: its messages are lines between the replies, until the client cancels the request.

import type { AppContext } from '../../../http/answers/app-context.ts';
import { toLatin1Body } from '../../../http/cache/latin1-body.ts';
import { ACCEPTED, errorCodes, failure, type Id, type McpReply } from '../../../http/mcp/json-rpc.ts';
import type { PocketUpdates } from '../../../http/mcp/subscriptions/pocket-updates.ts';
import { readSubscription } from '../../../http/mcp/subscriptions/subscription.ts';
import { isObject } from '../../../operations/core/arguments.ts';
import type { SendLine } from './answer-lines.ts';

/** One names up to a hundred pockets; a client that opens more has forgotten to cancel. */
const MAX_OPEN = 100;

/** The id of the request that a notification cancels; undefined for any other message. */
export const cancelledRequestId = (message: unknown): unknown =>
  isObject(message) && message.method === 'notifications/cancelled' && isObject(message.params)
    ? message.params.requestId
    : undefined;

export function lineSubscriptions(context: Pick<AppContext, 'registry'>, updates: PocketUpdates) {
  const open = new Map<unknown, () => void>();
  const cancel = (id: unknown): void => {
    open.get(id)?.();
    open.delete(id);
  };
  return {
    cancel,
    listen: (id: Id, params: Record<string, unknown>, send: SendLine): McpReply => {
      const refuse = (fault: string) => ({
        status: 200,
        body: failure(id, errorCodes.invalidParams, `invalid params: ${fault}`),
      });
      const asked = readSubscription(context, id, params);
      if ('fault' in asked) return refuse(asked.fault);
      if (open.has(id)) return refuse('a subscription with this id is open');
      if (open.size >= MAX_OPEN) return refuse(`${MAX_OPEN} subscriptions are open: cancel one of them`);
      send(JSON.stringify(asked.acknowledged));
      if (!asked.pockets.size) return { status: 200, body: toLatin1Body(JSON.stringify(asked.farewell)) };
      const unsubscribe = updates.subscribe((read) => {
        for (const pocket of asked.pockets)
          if (read.has(pocket)) send(JSON.stringify(asked.updateMessage(pocket)));
      });
      open.set(id, unsubscribe);
      return ACCEPTED;
    },
  };
}
