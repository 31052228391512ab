/** Names and values by turns, a form that Node writes without further work. */
export type Headers = readonly string[];

/** On every reply, whatever its status. */
export const commonHeaders = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'etag, x-request-id',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
};

export const flattenHeaders = (headers: Record<string, string>): Headers => Object.entries(headers).flat();
