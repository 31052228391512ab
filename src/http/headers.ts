/** What every reply says. */
export const everyReply = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'etag, x-request-id',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
};
