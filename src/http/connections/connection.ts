// What is known of an open connection.
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** What the connections of an address hold together. */
export interface AddressUse {
  connections: number;
  bytes: number;
  /** Bodies in chunks that are not complete. */
  chunked: number;
}

/** A request that is begun when the answers before it have been sent. */
export interface Waiting {
  response: ServerResponse;
  begin: () => void;
}

export interface Connection {
  readonly socket: Socket;
  /** Undefined for a trusted proxy, whose connections count towards the totals alone. */
  readonly address: AddressUse | undefined;
  readonly buffers: Buffers;
  /** Bytes, by what they are for. */
  readonly held: { answer: number; body: number; waiting: number };
  /** Since when its client has had something to read. */
  answeredAt: number;
  /** The newest response that was begun. */
  current: ServerResponse | undefined;
  /** The current response ends only with the connection. */
  isEndless: boolean;
  readonly waiting: Waiting[];
  /** A body in chunks is being received. */
  isChunked: boolean;
  /** A request has waited on this connection before. */
  hasWaited: boolean;
  /** It was closed for taking more than its share. */
  isCut: boolean;
}

/** What all connections of a server hold. */
export interface Buffers {
  /** Replaces what a connection holds for this purpose. */
  hold(connection: Connection, purpose: keyof Connection['held'], bytes: number): void;
  /** To be called when a connection has closed. */
  release(connection: Connection): void;
  /** Whether a new request of a connection is to be refused. */
  refusesRequests(connection: Connection): boolean;
  /** Whether nothing more may be held for a connection, not even for a request that was begun. */
  isFull(connection: Connection): boolean;
  /** Something was written to a connection; `afresh`: its client had read everything before. */
  recordWrite(connection: Connection, afresh: boolean): void;
}

const connections = new WeakMap<Socket, Connection>();

/** Undefined for a connection that was refused. */
export const findConnection = (socket: Socket): Connection | undefined => connections.get(socket);

export function openConnection(
  socket: Socket,
  address: AddressUse | undefined,
  buffers: Buffers,
): Connection {
  const connection: Connection = {
    socket,
    address,
    buffers,
    held: { answer: 0, body: 0, waiting: 0 },
    answeredAt: 0,
    current: undefined,
    isEndless: false,
    waiting: [],
    isChunked: false,
    hasWaited: false,
    isCut: false,
  };
  connections.set(socket, connection);
  return connection;
}

/** Closes a connection that takes more than its share. Its place is free only a while later (limit-connections.ts). */
export function cut(connection: Connection): void {
  connection.isCut = true;
  connection.socket.destroy();
}
