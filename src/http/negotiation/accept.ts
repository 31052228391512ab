// Which media type a client wants, by its Accept header (RFC 9110, 12.5.1). The header is the client's: a part of it that
// cannot be read counts as not accepted.

/** Values of the `format` parameter. An operation with a `format` argument of its own lists csv among its choices. */
export const tableFormats = ['json', 'csv'] as const;

interface MediaRange {
  type: string;
  quality: number;
}

/** Ranges beyond these are not read: no client needs more. */
const MAX_RANGES = 32;

function parseRanges(accept: string): MediaRange[] {
  return accept
    .split(',', MAX_RANGES)
    .map((range) => {
      const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
      const given = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
      return { type, quality: given === undefined ? 1 : qualityValue(given) };
    })
    .filter(({ type }) => type !== '');
}

/** A quality value: 0 to 1 with at most three digits. */
export const qualityValue = (text: string): number =>
  /^(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(text) ? Number(text) : 0;

/** The quality that the header gives the type by its name; -1 if it does not name it. */
export const namedQuality = (accept: string | undefined, type: string): number =>
  parseRanges(accept ?? '').find((range) => range.type === type)?.quality ?? -1;

/** The quality of the type, 0 to 1: that of the most specific range which matches it. Without a header all are accepted. */
export function acceptedQuality(accept: string | undefined, type: string): number {
  if (accept === undefined || accept.trim() === '') return 1;
  const ranges = parseRanges(accept);
  const [main = ''] = type.split('/');
  for (const wanted of [type, `${main}/*`, '*/*']) {
    const range = ranges.find((range) => range.type === wanted);
    if (range) return range.quality;
  }
  return 0;
}

/** Whether a table is to be sent as CSV. The wildcard of a browser, or of curl, accepts both alike and gets JSON. */
export const prefersCsv = (accept: string | undefined): boolean =>
  // Most requests name neither: their header is not read.
  accept !== undefined &&
  /text\/(csv|\*)/i.test(accept) &&
  acceptedQuality(accept, 'text/csv') > acceptedQuality(accept, 'application/json');
