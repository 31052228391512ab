// Bytes → text. A wrong character set is an error, never replaced characters in the id of a place.
import { FeedShapeError } from '../../core/adapter.ts';

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
