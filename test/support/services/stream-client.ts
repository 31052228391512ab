// A client of server-sent events on node:http, for tests: it reads what it is sent and does not reconnect by itself.
import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http';

export interface ReceivedEvent {
  id: string;
  event: string;
  data: string;
}

export interface StreamClient {
  status: number;
  headers: IncomingMessage['headers'];
  events: ReceivedEvent[];
  comments: string[];
  retry: number | undefined;
  /** As the standard says: that of the last event, or of a block that has an id and no data. */
  lastEventId: string;
  /** Resolves when `enough` holds; rejects when the connection ends before. */
  until(enough: () => boolean): Promise<void>;
  /** Resolves when the connection has ended: true if the reply was complete. */
  ended: Promise<boolean>;
  response: IncomingMessage;
  cut(): void;
}

export async function openStream(url: string, headers: OutgoingHttpHeaders = {}): Promise<StreamClient> {
  const outgoing: ClientRequest = request(url, { headers, agent: false }).end();
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
  outgoing.on('error', () => undefined);
  let wake: () => void = () => undefined;
  let open = true;
  const client: StreamClient = {
    status: response.statusCode ?? 0,
    headers: response.headers,
    events: [],
    comments: [],
    retry: undefined,
    lastEventId: '',
    until: async (enough) => {
      while (!enough()) {
        if (!open) throw new Error('the stream ended');
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
    ended: new Promise((resolve) => {
      response.on('error', () => undefined);
      response.once('close', () => {
        open = false;
        wake();
        resolve(response.complete);
      });
    }),
    response,
    cut: () => response.destroy(),
  };
  let rest = '';
  response.setEncoding('utf8').on('data', (text: string) => {
    const blocks = (rest + text).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) readBlock(client, block);
    wake();
  });
  return client;
}

function readBlock(client: StreamClient, block: string): void {
  const fields = new Map<string, string>();
  for (const line of block.split('\n')) {
    const [, name = '', value = ''] = /^([^:]*):? ?(.*)$/.exec(line) ?? [];
    if (name === '') client.comments.push(value);
    else fields.set(name, value);
  }
  const { id, event = 'message', data, retry } = Object.fromEntries(fields);
  if (id !== undefined) client.lastEventId = id;
  if (retry !== undefined) client.retry = Number(retry);
  if (data !== undefined) client.events.push({ id: id ?? '', event, data });
}
