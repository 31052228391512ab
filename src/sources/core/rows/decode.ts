// Bytes → text or JSON. A wrong character set is an error, never replaced characters in the id of a place.
import { FeedShapeError } from '../adapter.ts';

export const encodings = ['utf-8', 'latin1', 'utf-16le'] as const;
export type Encoding = (typeof encodings)[number];

export function decodeText(body: Uint8Array, encoding: Encoding = 'utf-8'): string {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(body);
  } catch {
    throw new FeedShapeError(`expected text in ${encoding}`);
  }
}

/** Error pages and captive portals answer with HTML and status 200. */
export function refuseHtml(text: string, expected: string): void {
  if (/^\s*<(!doctype|html|head|body|\?xml)/i.test(text.slice(0, 200)))
    throw new FeedShapeError(`expected ${expected}, got a page of HTML or XML`);
}

/** JSON of unknown shape. */
export function parseJson(body: Uint8Array): unknown {
  const text = decodeText(body);
  refuseHtml(text, 'JSON');
  try {
    return JSON.parse(text);
  } catch {
    const got = text.trim() === '' ? 'an empty body' : 'text that is not JSON';
    throw new FeedShapeError(`expected JSON, got ${got}`);
  }
}
