/** Names and values in turn: Node takes them so without making anything of them. */
export type Headers = readonly string[];

/** What every reply says. */
export const everyReply = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'etag, x-request-id',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
};

export const flat = (headers: Record<string, string>): Headers => Object.entries(headers).flat();
