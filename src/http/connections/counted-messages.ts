// Requests and responses of a server that counts what they keep in memory.
import { IncomingMessage, type ServerOptions, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { cut, findConnection } from './connection.ts';
import { hasPlace, setChunked } from './in-order.ts';

/**
 * A client may send each byte of a body as a chunk of its own, which becomes an object of hundreds of bytes. After so
 * many pieces they must have this size on average.
 */
const MANY_PIECES = 1000;
const LEAST_PIECE_BYTES = 64;

/**
 * Node parses all requests that it has read before anything else happens, except after one that changes to another
 * protocol: there it stops, and it closes the connection if nobody speaks that protocol. A request that may neither be
 * begun nor wait is treated as one of these, whatever its headers say.
 */
export class CountedRequest extends IncomingMessage {
  /** Undefined until Node asks, which it does first. */
  declare isRefused: boolean | undefined;
  #pieces = 0;
  #bytes = 0;

  get upgrade(): boolean {
    this.isRefused ??= this.method === 'CONNECT' || !hasPlace(this);
    return this.isRefused;
  }

  set upgrade(_given: unknown) {
    // No other protocol is spoken here.
  }

  override push(piece: Buffer | null): boolean {
    if (this.socket.destroyed) return false;
    if (piece !== null && !this.#isCrumbled(piece.length)) return super.push(piece);
    const connection = findConnection(this.socket);
    if (piece === null) {
      if (connection?.isChunked) setChunked(connection, false);
      return super.push(null);
    }
    if (connection) cut(connection);
    return false;
  }

  #isCrumbled(bytes: number): boolean {
    this.#pieces += 1;
    this.#bytes += bytes;
    return this.#pieces > MANY_PIECES && this.#bytes < this.#pieces * LEAST_PIECE_BYTES;
  }
}

/** A response whose bytes are counted while the client does not read them. */
export class CountedResponse<
  Request extends IncomingMessage = IncomingMessage,
> extends ServerResponse<Request> {
  override write(...given: unknown[]): boolean {
    const { socket } = this.req;
    const afresh = socket.writableLength === 0;
    const flows = super.write(...(given as [unknown]));
    count(socket, afresh);
    return flows;
  }

  override end(...given: unknown[]): this {
    const { socket } = this.req;
    const afresh = socket.writableLength === 0;
    super.end(...(given as [unknown]));
    count(socket, afresh);
    return this;
  }
}

/** A client that reads has taken everything at once, and nothing is left to count. */
function count(socket: Socket, afresh: boolean): void {
  if (socket.writableLength === 0) return;
  const connection = findConnection(socket);
  connection?.buffers.recordWrite(connection, afresh);
}

/** For createServer. `requireHostHeader`: Node would answer requests without one by itself, past those before them. */
export const countedMessages: ServerOptions = {
  IncomingMessage: CountedRequest,
  ServerResponse: CountedResponse,
  shouldUpgradeCallback: (request: IncomingMessage) => request instanceof CountedRequest && request.upgrade,
  requireHostHeader: false,
};
