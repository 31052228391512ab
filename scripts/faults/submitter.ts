// Sends submissions to a service that is killed again and again, and keeps the receipts. What was not acknowledged is
// sent again to the next life of the service, under the same idempotency key.
import { setTimeout as delay } from 'node:timers/promises';
import { HOUR, iso } from '../../src/domain/time/slot.ts';
import { prediction, submission } from '../../test/support/rows/benchmark-submission.ts';
import { post, type Reply } from '../../test/support/services/http-client.ts';

const SENDERS = 2;
const PAUSE_MS = 25;
/** Of the last submissions, to a service that is not killed any more. */
const MAX_ATTEMPTS = 500;
/** Most windows stay open for the whole trial: a slot scores a bounded number of submissions. */
const SHORT_WINDOW_EVERY = 6;

interface Sending {
  /** The submitter's name, its own for each submission: the log can be searched for it. */
  name: string;
  body: object;
  tool: boolean;
}

export interface Receipt {
  name: string;
  id: string;
  /** The tool's receipt has it, or null while the log has the submission not; the one over REST does not. */
  payload_hash?: string | null;
}

export class Submitter {
  readonly receipts: Receipt[] = [];
  /** Receipts that differed when the same submission was sent again. */
  readonly doubled: string[] = [];
  readonly #unanswered: Sending[] = [];
  #count = 0;
  #last: { sending: Sending; receipt: Receipt } | undefined;

  readonly #pockets: readonly string[];
  constructor(pockets: readonly string[]) {
    this.#pockets = pockets;
  }

  /** Sends to this life of the service until `signal` aborts; `now` is its clock. */
  async sendAllTheWhile(url: string, now: () => number, signal: AbortSignal): Promise<void> {
    const again = this.#last;
    const senders = Array.from({ length: SENDERS }, async (_, n) => {
      if (n === 0 && again) await this.#sendAgain(url, again, signal);
      while (!signal.aborted) {
        await this.#deliver(url, this.#unanswered.shift() ?? this.#next(now()), signal);
        await delay(PAUSE_MS);
      }
    });
    await Promise.all(senders);
  }

  /** Sends what no life of the service has answered yet, each until it is acknowledged. */
  async sendUnanswered(url: string): Promise<void> {
    const { signal } = new AbortController();
    for (let attempts = 0; ; attempts++) {
      const next = this.#unanswered.shift();
      if (!next) return;
      if (attempts === MAX_ATTEMPTS) throw new Error(`${next.name} is not answered`);
      await this.#deliver(url, next, signal);
      await delay(PAUSE_MS);
    }
  }

  async #deliver(url: string, sending: Sending, signal: AbortSignal): Promise<void> {
    const receipt = await send(url, sending).catch((error) => {
      if (!signal.aborted && !isCut(error)) throw error;
      return undefined;
    });
    if (!receipt) return void this.#unanswered.push(sending);
    this.receipts.push(receipt);
    this.#last = { sending, receipt };
  }

  /** One that was acknowledged before the kill: the same receipt must come back. */
  async #sendAgain(
    url: string,
    { sending, receipt }: { sending: Sending; receipt: Receipt },
    signal: AbortSignal,
  ) {
    const second = await send(url, sending).catch((error) => {
      if (!signal.aborted && !isCut(error)) throw error;
      return undefined;
    });
    if (second && second.id !== receipt.id) this.doubled.push(`${receipt.name}: ${receipt.id}, ${second.id}`);
  }

  #next(now: number): Sending {
    const n = this.#count++;
    const name = `system ${n}`;
    const hours = n % SHORT_WINDOW_EVERY === 0 ? 2 : 6 * 24;
    const pocket_id = this.#pockets[n % this.#pockets.length];
    const body = submission({
      submitter_name: name,
      prediction_window_start: iso(now),
      prediction_window_end: iso(now + hours * HOUR),
      predictions: [{ ...prediction, pocket_id }],
    });
    return { name, body, tool: n % 2 === 1 };
  }
}

/** Undefined: refused because the datastore does not answer, to be sent again. */
async function send(url: string, { name, body, tool }: Sending): Promise<Receipt | undefined> {
  if (tool) {
    const params = { name: 'submit_benchmark_predictions', arguments: body };
    const reply = await post(`${url}/api/mcp`, { jsonrpc: '2.0', id: 1, method: 'tools/call', params });
    const { result } = reply.json<{ result?: ToolResult }>();
    if (result?.content[0]?.text.includes('datastore unavailable')) return undefined;
    if (reply.status !== 200 || !result?.structuredContent) throw refusal(name, reply);
    const { submission_id: id, payload_hash } = result.structuredContent;
    return { name, id, payload_hash };
  }
  const reply = await post(`${url}/api/benchmark/submit`, body, { 'idempotency-key': name });
  if (reply.status === 503) return undefined;
  if (reply.status !== 200) throw refusal(name, reply);
  return { name, id: reply.json<{ submission_id: string }>().submission_id };
}

interface ToolResult {
  content: { text: string }[];
  structuredContent?: { submission_id: string; payload_hash: string | null };
}

const refusal = (name: string, { status, text }: Reply) =>
  new Error(`${name} was refused: ${status} ${text}`);

/** The service was killed before its answer was complete. */
const isCut = (error: NodeJS.ErrnoException) =>
  ['ECONNRESET', 'ECONNREFUSED', 'EPIPE'].includes(error.code ?? '');
