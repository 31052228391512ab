import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Turns } from './turns.ts';

const limits = { waiting: 32, waitingPerClient: 8 };
const clients = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];

test('whoever else asks for how much, a newcomer is admitted and served within one turn of each of the others', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 31 }), fc.nat(50), fc.boolean(), (greedy, servedBefore, tables) => {
      const turns = new Turns<string>(limits);
      // Each takes all the places that it gets, and asks again when it is served.
      const ask = (name: string) => {
        while (turns.admit(name, name).admitted);
        if (tables) turns.add(name, name);
      };
      for (let n = 0; n < greedy; n++) ask(`greedy ${n}`);
      const serveOne = () => {
        const served = turns.next() ?? assert.fail();
        if (served !== 'newcomer') ask(served);
        return served;
      };
      for (let n = 0; n < servedBefore; n++) serveOne();
      assert.ok(turns.admit('newcomer', 'newcomer').admitted);
      for (let others = 0; serveOne() !== 'newcomer'; others++)
        assert.ok(others < greedy, `more than one turn of each of ${greedy} others`);
    }),
  );
});

/** What may happen: a client asks, goes on with a table, or a place becomes free. */
const steps = fc.array(
  fc.tuple(fc.constantFrom('admit', 'add', 'next'), fc.constantFrom(...clients)) as fc.Arbitrary<
    ['admit' | 'add' | 'next', string]
  >,
  { maxLength: 300 },
);

test('whatever happens, no client is served twice while another one waits, and each in the order in which it asked', () => {
  fc.assert(
    fc.property(steps, fc.integer({ min: 1, max: 12 }), (happened, waiting) => {
      const turns = new Turns<{ client: string; n: number }>({ waiting, waitingPerClient: 4 });
      const queued: { client: string; n: number }[] = [];
      const remove = (task: { client: string; n: number }) => queued.splice(queued.indexOf(task), 1);
      /** For each client that waits, who was served since it began to wait or was served itself. */
      const servedSince = new Map<string, Set<string>>();
      for (const [n, [what, client]] of happened.entries()) {
        const task = { client, n };
        if (what === 'next') {
          const served = turns.next();
          assert.equal(served === undefined, queued.length === 0);
          if (!served) continue;
          assert.equal(
            served,
            queued.find((other) => other.client === served.client),
            'its oldest',
          );
          remove(served);
          servedSince.delete(served.client);
          for (const [waits, since] of servedSince) {
            assert.ok(!since.has(served.client), `${served.client} was served twice while ${waits} waited`);
            since.add(served.client);
          }
          if (queued.some((other) => other.client === served.client))
            servedSince.set(served.client, new Set());
          continue;
        }
        if (what === 'add') turns.add(client, task);
        else {
          const admission = turns.admit(client, task);
          if (!admission.admitted) continue;
          if (admission.displaced) {
            remove(admission.displaced);
            const { client: other } = admission.displaced;
            assert.notEqual(other, client);
            if (!queued.some((left) => left.client === other)) servedSince.delete(other);
          }
        }
        queued.push(task);
        if (!servedSince.has(client)) servedSince.set(client, new Set());
      }
    }),
  );
});

test('places are shared: each client that asks has its part of them, and nobody loses one to a client that has as many', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 32 }), fc.integer({ min: 1, max: 6 }), (count, rounds) => {
      const turns = new Turns<number>(limits);
      const held = Array.from({ length: count }, () => 0);
      for (let round = 0; round < rounds * 8; round++)
        for (let client = 0; client < count; client++) {
          const before = held[client] ?? 0;
          const admission = turns.admit(String(client), client);
          if (!admission.admitted) continue;
          held[client] = before + 1;
          const { displaced } = admission;
          if (displaced === undefined) continue;
          assert.ok((held[displaced] ?? 0) > before + 1);
          held[displaced] = (held[displaced] ?? 0) - 1;
        }
      const fair = Math.min(limits.waitingPerClient, Math.floor(limits.waiting / count));
      for (const places of held) assert.ok(places >= fair, `${places} of ${fair}`);
      assert.ok(held.reduce((sum, places) => sum + places, 0) <= limits.waiting);
    }),
  );
});

test('a client has at most its own number of places, and batches of tables take none', () => {
  const turns = new Turns<string>({ waiting: 3, waitingPerClient: 2 });
  for (let n = 0; n < 5; n++) turns.add('a', `batch ${n}`);
  assert.deepEqual(turns.admit('a', 'first'), { admitted: true });
  assert.deepEqual(turns.admit('a', 'second'), { admitted: true });
  assert.deepEqual(turns.admit('a', 'third'), { admitted: false });
  assert.deepEqual(turns.admit('b', 'b'), { admitted: true });
  assert.deepEqual(turns.admit('c', 'c'), { admitted: true, displaced: 'second' }, 'not a batch');
  assert.deepEqual(turns.admit('d', 'd'), { admitted: false });
});
