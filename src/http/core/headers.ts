// Headers that every reply has, and the form in which headers are cached and written.

/** Alternating names and values: Node writes this form without converting it. */
export type Headers = readonly string[];

/** On every reply, also on errors. */
export const commonHeaders = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'etag, x-request-id',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
};

export const flattenHeaders = (headers: Record<string, string>): Headers => Object.entries(headers).flat();
