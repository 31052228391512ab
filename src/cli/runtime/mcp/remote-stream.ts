// The stream with which a service answers `subscriptions/listen`, passed on as lines. The service is somebody else's: only
// JSON-RPC goes through, and a message has a greatest length.
import { isObject } from '../../../operations/core/arguments.ts';
import type { SendLine } from './answer-lines.ts';

const MAX_MESSAGE = 1024 * 1024;

export const isStream = ({ ok, headers }: Response): boolean =>
  ok && (headers.get('content-type') ?? '').startsWith('text/event-stream');

/** Resolves when the stream has ended: whether the reply to the request with this id was in it. */
export async function passOn(response: Response, id: unknown, send: SendLine): Promise<boolean> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of response.body ?? []) {
    const blocks = (rest + decoder.decode(chunk, { stream: true })).split(/\r?\n\r?\n/);
    rest = blocks.pop() ?? '';
    if (rest.length > MAX_MESSAGE) throw new Error('a message of the stream is too large');
    for (const message of blocks.flatMap(messageIn)) {
      send(JSON.stringify(message));
      if (message.id === id) return true;
    }
  }
  return false;
}

/** The message of an event; none of a comment, and of anything that is not JSON-RPC. */
function messageIn(block: string): Record<string, unknown>[] {
  const data = block.split(/\r?\n/).flatMap((line) => /^data: ?(.*)$/.exec(line)?.slice(1, 2) ?? []);
  try {
    const message: unknown = JSON.parse(data.join('\n'));
    return isObject(message) && message.jsonrpc === '2.0' ? [message] : [];
  } catch {
    return [];
  }
}
