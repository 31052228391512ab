import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mailExchange } from './mail-exchange.ts';

const failing = (code: string) => async () => {
  throw Object.assign(new Error(code), { code });
};

test('whether the domain has a mail exchanger', async () => {
  const ask = (resolve: (domain: string) => Promise<unknown[]>) =>
    mailExchange('city.example', () => 0, resolve)();
  assert.equal(await mailExchange(undefined)(), 'not configured');
  assert.equal(await ask(async () => [{ exchange: 'mx', priority: 1 }]), 'found');
  assert.equal(await ask(async () => []), 'missing');
  assert.equal(await ask(failing('ENODATA')), 'missing');
  assert.equal(await ask(failing('ENOTFOUND')), 'missing');
  assert.equal(await ask(failing('ECONNREFUSED')), 'unknown');
});

test('a lookup without an answer times out', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const asked = mailExchange(
    'city.example',
    () => 0,
    () => new Promise(() => undefined),
  )();
  t.mock.timers.tick(2_000);
  assert.equal(await asked, 'unknown');
});

test('looked up again after ten minutes, or at once when the result is unknown', async () => {
  let [now, asked, known] = [0, 0, true];
  const mail = mailExchange(
    'city.example',
    () => now,
    async () => {
      asked += 1;
      if (known) return [1];
      throw new Error('down');
    },
  );
  for (let n = 0; n < 3; n++) assert.equal(await mail(), 'found');
  assert.equal(asked, 1);
  now += 600_001;
  known = false;
  assert.equal(await mail(), 'unknown');
  assert.equal(await mail(), 'unknown');
  assert.equal(asked, 3);
});
