import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { describe, type TestContext, test } from 'node:test';
import { MessageChannel, type MessagePort, type Worker } from 'node:worker_threads';
import { NotFound, Refused } from '../../operations/core/define.ts';
import { cityDir } from '../../registry/city-dir.ts';
import { loadRegistry } from '../../registry/load.ts';
import { StoreError } from '../../store/engine/store.ts';
import type { HeavyAnswers, HeavyJob } from './jobs.ts';
import { remoteAnswers, serveJobs } from './worker-port.ts';

const registry = loadRegistry(cityDir('singapore'));
const job = (name: string, kind: HeavyJob['kind'] = 'rest'): HeavyJob => ({
  ...{ kind, name, input: { limit: 500 }, now: 1, notice: null },
});

/** The other end of the channel on this thread, with a death that the test calls for. */
function connect(t: TestContext, answers: Partial<HeavyAnswers>) {
  const started: { port: MessagePort; die: () => void }[] = [];
  const deaths: string[] = [];
  const withheld: unknown[] = [];
  const start = () => {
    const { port1, port2 } = new MessageChannel();
    const worker = new EventEmitter();
    port1.on('message', (message) => worker.emit('message', message));
    serveJobs(port2, (onWithheld) => {
      onWithheld('say', ['loud'], 'a line');
      return {
        answer: () => assert.fail(),
        table: () => assert.fail(),
        stop: () => assert.fail(),
        ...answers,
      };
    });
    const close = () => {
      port1.close();
      port2.close();
    };
    t.after(close);
    started.push({
      port: port2,
      die: () => {
        close();
        worker.emit('error', new Error('out of memory'));
        worker.emit('exit', 1);
      },
    });
    return Object.assign(worker, {
      postMessage: (message: unknown) => port1.postMessage(message),
      unref: () => undefined,
      terminate: async () => worker.emit('exit', 1),
    }) as unknown as Worker;
  };
  const remote = remoteAnswers(
    start,
    (...line) => withheld.push(line),
    (error) => deaths.push(error.message),
  );
  return { remote, started, deaths, withheld };
}

describe('heavy answers over a port', () => {
  test('arrive as they were computed, with withheld lines and the registry', async (t) => {
    const seen: unknown[] = [];
    const { remote, withheld, started } = connect(t, {
      answer: async (asked, { pockets }) => {
        seen.push([asked, pockets.length]);
        return { bytes: Buffer.from(`雨 ${'x'.repeat(10_000)}`), etag: '"e"', partial: true };
      },
    });
    assert.equal(started.length, 0);
    for (const name of ['a', 'b']) {
      const { bytes, etag, partial } = await remote.answer(job(name), registry);
      assert.ok(Buffer.isBuffer(bytes));
      assert.deepEqual([bytes.toString(), etag, partial], [`雨 ${'x'.repeat(10_000)}`, '"e"', true]);
    }
    assert.deepEqual(seen, [
      [job('a'), registry.pockets.length],
      [job('b'), registry.pockets.length],
    ]);
    assert.equal(started.length, 1);
    assert.deepEqual(withheld, [['say', ['loud'], 'a line']]);
    await remote.stop();
  });

  test('errors keep their class', async (t) => {
    const errors: Error[] = [
      new StoreError('not_configured'),
      new StoreError('unavailable'),
      new NotFound('unknown pocket: x', { unknown_pocket: true }),
      new Refused('no'),
      new TypeError('a bug'),
    ];
    const { remote } = connect(t, { answer: async ({ name }) => Promise.reject(errors[Number(name)]) });
    for (const [n, error] of errors.entries())
      await assert.rejects(remote.answer(job(String(n)), registry), (received: Error) => {
        assert.equal(received.message, error.message);
        assert.deepEqual((received as NotFound).details, (error as NotFound).details);
        return error instanceof TypeError || received.constructor === error.constructor;
      });
  });

  test('tables are read batch by batch and closed', async (t) => {
    const log: string[] = [];
    const { remote } = connect(t, {
      table: async ({ name }) => {
        let left = 2;
        return {
          name,
          header: 'n\r\n',
          next: async () => {
            log.push(`next ${name}`);
            return left-- ? { bytes: Buffer.from(`${left}\r\n`), rows: 1 } : undefined;
          },
          close: () => log.push(`close ${name}`),
        };
      },
    });
    const [a, b] = [
      await remote.table(job('a', 'table'), registry),
      await remote.table(job('b', 'table'), registry),
    ];
    assert.deepEqual([a.name, a.header, b.name], ['a', 'n\r\n', 'b']);
    assert.equal((await a.next())?.bytes.toString(), '1\r\n');
    assert.equal((await b.next())?.rows, 1);
    assert.equal((await a.next())?.bytes.toString(), '0\r\n');
    assert.equal(await a.next(), undefined);
    a.close();
    await b.next();
    assert.deepEqual(log, ['next a', 'next b', 'next a', 'next a', 'close a', 'next b']);
  });

  test('a dead worker fails what was asked of it, and the next question starts another', async (t) => {
    let hang = true;
    const reply = { bytes: Buffer.from('x'), etag: '', partial: false };
    const table = { name: 't', header: '', next: async () => undefined, close: () => undefined };
    const { remote, started, deaths } = connect(t, {
      answer: () => (hang ? new Promise(() => undefined) : Promise.resolve(reply)),
      table: async () => table,
    });
    const opened = await remote.table(job('t', 'table'), registry);
    const asked = remote.answer(job('a'), registry);
    started[0]?.die();
    await assert.rejects(asked, StoreError);
    await assert.rejects(opened.next(), StoreError);
    assert.deepEqual(deaths, ['out of memory']);
    hang = false;
    assert.equal((await remote.answer(job('a'), registry)).bytes.toString(), 'x');
    assert.equal(started.length, 2);
  });
});
