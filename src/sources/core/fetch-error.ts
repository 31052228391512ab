/** Why a request of a feed gave nothing that could be read. */
export type FetchFault =
  /** No answer: the name does not resolve, the connection was refused or broke off. */
  | 'network'
  | 'timeout'
  /** The publisher's server failed (5xx). */
  | 'server'
  /** The publisher asks to wait (429, or 503 with Retry-After). */
  | 'busy'
  /** Any other status: the address or the key is wrong. */
  | 'refused'
  | 'too_large'
  /** Half a body, a broken encoding, another character set, a page of HTML. */
  | 'bad_body'
  /** An address that may not be asked: a private network, a redirect to another host, another protocol. */
  | 'forbidden'
  /** The publisher's limit is used up; nothing was sent. */
  | 'budget';

/** The message holds no query, key or text of the body: it may be logged and served. */
export class FetchError extends Error {
  override name = 'FetchError';
  readonly fault: FetchFault;
  /** How long to wait before the publisher is asked again. */
  readonly wait_ms: number | undefined;
  constructor(fault: FetchFault, message: string, wait_ms?: number) {
    super(message);
    this.fault = fault;
    this.wait_ms = wait_ms;
  }
}
