// Clients of the live stream: opens so many connections, keeps them open and counts what they are sent.
import { get, type IncomingMessage } from 'node:http';
import { leaveCores } from './leave-cores.ts';

export interface StreamRun {
  url: string;
  clients: number;
}
export interface StreamResult {
  /** Connections that were refused or ended before they were told to. */
  lost: number;
  /** Events received by all clients together. */
  events: number;
}

let open: IncomingMessage[] = [];
let result: StreamResult = { lost: 0, events: 0 };

leaveCores();
process.on('disconnect', () => process.exit());
process.on('message', async (message: StreamRun | 'stop') => {
  if (message === 'stop') process.send?.(await closeAll());
  else {
    result = { lost: 0, events: 0 };
    await Promise.all(Array.from({ length: message.clients }, () => connect(message.url)));
    process.send?.('open');
  }
});

/** Resolves when the service has answered. */
const connect = (url: string): Promise<void> =>
  new Promise((resolve) => {
    const lose = () => {
      result.lost += 1;
      resolve();
    };
    get(url, { agent: false }, (response) => {
      if (response.statusCode !== 200) return lose();
      open.push(response);
      response.setEncoding('latin1').on('data', (text: string) => {
        result.events += text.split('\ndata: ').length - 1;
        resolve();
      });
      response.on('error', () => undefined);
      response.on('close', () => {
        if (open.includes(response)) lose();
      });
    }).on('error', lose);
  });

async function closeAll(): Promise<StreamResult> {
  const closing = open;
  open = [];
  await Promise.all(
    closing.map((response) => {
      const closed = new Promise((resolve) => response.once('close', resolve));
      response.destroy();
      return closed;
    }),
  );
  return result;
}
