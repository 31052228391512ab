// Which compression a client takes, by its Accept-Encoding header (RFC 9110, 12.5.3), and which bodies gain from it.
import { qualityValue } from './accept.ts';

export type Encoding = 'br' | 'gzip';

/** The better one first. */
const encodings: readonly Encoding[] = ['br', 'gzip'];
const MAX_CODINGS = 32;

/** The best of the encodings that the client prefers; undefined: the body as it is. */
export function chooseEncoding(acceptEncoding: string | undefined): Encoding | undefined {
  if (!acceptEncoding) return undefined;
  const codings = new Map<string, number>();
  for (const coding of acceptEncoding.split(',', MAX_CODINGS)) {
    const [name = '', ...parameters] = coding.split(';').map((part) => part.trim().toLowerCase());
    const given = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
    codings.set(name === 'x-gzip' ? 'gzip' : name, given === undefined ? 1 : qualityValue(given));
  }
  const codingQuality = (name: string) => codings.get(name) ?? codings.get('*') ?? 0;
  const least = codings.get('identity') ?? 0;
  let best: Encoding | undefined;
  for (const encoding of encodings) {
    const quality = codingQuality(encoding);
    if (quality > 0 && quality >= least && quality > (best ? codingQuality(best) : 0)) best = encoding;
  }
  return best;
}

/** A shorter body fits into the packet of its headers. */
const MIN_BYTES = 1024;

export const isWorthCompressing = (type: string, bytes: number): boolean =>
  bytes >= MIN_BYTES && /^(text\/|image\/svg\+xml|application\/([\w.-]+\+)?(json|xml)\b)/.test(type);
