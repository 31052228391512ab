import assert from 'node:assert/strict';
import { test } from 'node:test';
import { city } from '../../../../test/support/answers/ask-operation.ts';
import { fromLatin1Body } from '../../../http/cache/latin1-body.ts';
import { cancelledRequestId, lineSubscriptions } from './subscriptions.ts';

function subscribed() {
  const listeners = new Set<(pockets: ReadonlySet<string>) => void>();
  const subscriptions = lineSubscriptions(
    { registry: city },
    {
      subscribe: (listener) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
      stop: () => undefined,
    },
  );
  const lines: { method?: string; params?: { uri?: string } }[] = [];
  const listen = (id: string, resourceSubscriptions: unknown) =>
    subscriptions.listen(id, { notifications: { resourceSubscriptions } }, (line) =>
      lines.push(JSON.parse(line)),
    );
  const read = (...pockets: string[]) => {
    for (const listener of listeners) listener(new Set(pockets));
  };
  return { ...subscriptions, listen, lines, read, listeners };
}
const parseError = ({ body }: { body: Parameters<typeof fromLatin1Body>[0] }) =>
  JSON.parse(fromLatin1Body(body)).error;

test('the acknowledgement is a line, then each pocket that was read, until the request is cancelled', () => {
  const { listen, lines, read, cancel, listeners } = subscribed();
  assert.equal(listen('a', ['pocket://dempsey', 'pocket://atlantis']).body, '');
  read('dempsey', 'siglap');
  read('siglap');
  assert.deepEqual(
    lines.map(({ method, params }) => [method, params?.uri]),
    [
      ['notifications/subscriptions/acknowledged', undefined],
      ['notifications/resources/updated', 'pocket://dempsey'],
    ],
  );
  cancel('b');
  assert.equal(listeners.size, 1);
  cancel('a');
  assert.equal(listeners.size, 0);
});

test('a subscription to nothing that is offered ends at once', () => {
  const { listen, lines, listeners } = subscribed();
  const { body } = listen('a', []);
  assert.equal(JSON.parse(fromLatin1Body(body)).result.resultType, 'complete');
  assert.deepEqual([lines.length, listeners.size], [1, 0]);
});

test('what cannot be read, an id that is in use, and too many of them are refused', () => {
  const { listen } = subscribed();
  assert.equal(parseError(listen('a', 'pocket://dempsey')).code, -32602);
  for (let n = 0; n < 100; n++) assert.equal(listen(`id-${n}`, ['pocket://dempsey']).body, '');
  assert.match(
    parseError(listen('id-7', ['pocket://dempsey'])).message,
    /a subscription with this id is open$/,
  );
  assert.match(parseError(listen('more', ['pocket://dempsey'])).message, /cancel one of them$/);
});

test('a notification names the request that it cancels', () => {
  const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 7 } };
  assert.equal(cancelledRequestId(cancel), 7);
  for (const other of [null, 7, { ...cancel, params: undefined }, { ...cancel, method: 'ping' }])
    assert.equal(cancelledRequestId(other), undefined);
});
