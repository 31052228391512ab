import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { StoreError } from '../../store/engine/store.ts';
import { HttpError, isFault, toHttpError, tooManyRequests } from './errors.ts';

describe('an error becomes a status and a message', () => {
  const table: [error: unknown, status: number, message: string][] = [
    [new HttpError(404, 'no such address'), 404, 'no such address'],
    [new StoreError('not_configured'), 503, 'datastore not configured'],
    [new StoreError('unavailable', { cause: new Error('secret') }), 503, 'datastore unavailable'],
    [
      new StoreError('full', { cause: new Error('secret') }),
      503,
      'the disk of the datastore is full: nothing is written until there is room',
    ],
    [{ code: 'FST_ERR_CTP_INVALID_MEDIA_TYPE' }, 415, 'content-type must be application/json'],
    [{ code: 'FST_ERR_BAD_URL', message: "'/%zz' is not valid" }, 400, 'address is not well-formed'],
    [{ code: 'ERR_HTTP_REQUEST_TIMEOUT', statusCode: 400 }, 408, 'request took too long to arrive'],
    [{ code: 'HPE_HEADER_OVERFLOW', statusCode: 400 }, 431, 'headers too large (max 16 KiB)'],
    [{ code: 'HPE_INVALID_METHOD', statusCode: 400 }, 400, 'bad request'],
    [{ statusCode: 422, message: 'secret' }, 422, 'bad request'],
    [{ statusCode: 502, message: 'secret' }, 500, 'internal error'],
    [{ statusCode: 200, message: 'secret' }, 500, 'internal error'],
    [{ code: 'ECONNREFUSED', message: 'secret' }, 500, 'internal error'],
    [new TypeError('secret'), 500, 'internal error'],
    ['secret', 500, 'internal error'],
    [undefined, 500, 'internal error'],
    [null, 500, 'internal error'],
  ];
  for (const [error, status, message] of table) {
    test(`${JSON.stringify(error) ?? 'undefined'} → ${status} ${message}`, () => {
      const mapped = toHttpError(error);
      assert.ok(mapped instanceof HttpError);
      assert.deepEqual([mapped.status, mapped.message, mapped.details], [status, message, {}]);
    });
  }

  test('whatever is thrown, no internal detail is published', () => {
    fc.assert(
      fc.property(fc.anything({ withNullPrototype: true }), (error) => {
        const { status, message } = toHttpError(error);
        assert.ok(status >= 400 && status <= 500);
        assert.ok(['bad request', 'internal error'].includes(message));
      }),
    );
  });
});

test('a 429 says when to try again', () => {
  const { status, message, details } = tooManyRequests(30, 12);
  assert.equal(status, 429);
  assert.equal(message, 'rate limit exceeded: at most 30 requests in 60 seconds');
  assert.deepEqual(details, { limit: 30, window_seconds: 60, retry_in_seconds: 12 });
});

test('what a full disk refuses may be tried again, and is no fault of every request', () => {
  const refused = toHttpError(new StoreError('full'));
  assert.equal(refused.retryAfter, 60);
  assert.equal(isFault(refused), false);
});
