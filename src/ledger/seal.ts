import { hash } from 'node:crypto';
import { canonicalJson } from './canonical-json.ts';

export interface Seal {
  /** Stored and served unchanged: serialising the payload again could change what was sealed. */
  canonical: string;
  payload_hash: `sha256:${string}`;
}

export function computeSeal(payload: unknown): Seal {
  const canonical = canonicalJson(payload);
  return { canonical, payload_hash: hashCanonical(canonical) };
}

/** The hash of a payload whose canonical text is known. */
export const hashCanonical = (canonical: string): Seal['payload_hash'] =>
  `sha256:${hash('sha256', canonical, 'hex')}`;
