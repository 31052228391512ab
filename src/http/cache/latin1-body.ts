// The forms in which answers are cached and sent.
import { hash } from 'node:crypto';

/**
 * The UTF-8 bytes of a text as a string with one character for each byte ("latin1", "binary"). V8 stores such a string
 * as bytes, and Node sends it together with the headers in one socket write; for a Buffer, or a string with wider
 * characters, it needs two writes or a conversion. Parts of a JSON text can be joined in this form.
 */
export type Latin1Body = string & { readonly latin1: unique symbol };

export const toLatin1Body = (text: string): Latin1Body => Buffer.from(text).toString('latin1') as Latin1Body;

export const fromLatin1Body = (body: Latin1Body): string => bodyBytes(body).toString();

export const bodyBytes = (body: Latin1Body): Buffer => Buffer.from(body, 'latin1');

/** A long answer that another thread has computed: bytes that are sent as they are. */
export interface HashedBody {
  bytes: Buffer;
  etag: string;
}

export type Body = Latin1Body | HashedBody;

export const computeEtag = (bytes: Buffer): string => `"${hash('sha1', bytes, 'base64url')}"`;

export const rawBytes = (body: Body): Buffer => (typeof body === 'string' ? bodyBytes(body) : body.bytes);

export const asLatin1 = (body: Body): Latin1Body =>
  typeof body === 'string' ? body : (body.bytes.toString('latin1') as Latin1Body);
