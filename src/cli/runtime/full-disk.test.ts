import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { MINUTE } from '../../domain/time/slot.ts';
import { type Store, StoreError } from '../../store/engine/store.ts';
import { untilRoom, watchedStore, watchFullDisk } from './full-disk.ts';

const noRoom = new StoreError('full', { cause: new Error('the disk of /data is full: make room there') });
const begin = Date.parse('2026-11-18T04:00:00Z');

function watched() {
  const lines: string[] = [];
  const at = { now: begin };
  const log = {
    error: (fields: object, text: string) => lines.push(`${JSON.stringify(fields)} ${text}`),
    warn: (fields: object, text: string) => lines.push(`${JSON.stringify(fields)} ${text}`),
  };
  return { lines, at, disk: watchFullDisk('the store in /data', log as never, () => at.now) };
}

describe('a full disk', () => {
  test('is told once when writing stops, and once when it resumes', () => {
    const { lines, at, disk } = watched();
    disk.wrote('pipeline');
    for (let tries = 0; tries < 3; tries += 1) {
      disk.met('pipeline', 'the disk of /data is full');
      disk.met('requests', 'the disk of /data is full');
      at.now += MINUTE;
    }
    assert.equal(disk.since(), begin);
    disk.wrote('pipeline');
    disk.wrote('requests');
    assert.equal(disk.since(), undefined);
    assert.deepEqual(lines, [
      '{"since":"2026-11-18T04:00:00.000Z","detail":"the disk of /data is full"} the disk of the store in /data is full: nothing is written, and answers go on; make room there, and writing resumes by itself',
      '{"since":"2026-11-18T04:00:00.000Z"} the disk of the store in /data has room again: writing resumed after 3 minutes',
    ]);
  });

  test('is not over by a small write of a request, while the pipeline finds no room', () => {
    const { lines, at, disk } = watched();
    disk.met('pipeline', 'full');
    at.now += MINUTE;
    disk.wrote('requests');
    assert.equal(disk.since(), begin);
    assert.equal(lines.length, 1);
  });

  test('is not over by a request right after one that found no room', () => {
    const { lines, at, disk } = watched();
    disk.met('requests', 'full');
    at.now += 1000;
    disk.wrote('requests');
    assert.equal(disk.since(), begin);
    at.now += MINUTE;
    disk.wrote('requests');
    assert.equal(disk.since(), undefined);
    assert.equal(lines.length, 2);
  });

  test('is heard of by the transactions of a store, and other faults are not taken for it', async () => {
    const { lines, disk } = watched();
    let fault: Error | undefined = new StoreError('unavailable');
    const transaction = async () => {
      if (fault) throw fault;
    };
    const store = watchedStore({ transaction } as unknown as Store, disk);
    await assert.rejects(
      store.transaction(async () => undefined),
      fault,
    );
    assert.deepEqual(lines, []);
    fault = noRoom;
    await assert.rejects(
      store.transaction(async () => undefined),
      noRoom,
    );
    assert.match(lines[0] ?? '', /"detail":"the disk of \/data is full: make room there"/);
    fault = undefined;
    await store.transaction(async () => undefined);
  });

  test('lets work wait until it is told to stop, and any other fault through', async () => {
    const stop = new AbortController();
    const told: string[] = [];
    const waits = untilRoom(
      () => Promise.reject(noRoom),
      (detail) => {
        told.push(detail);
        stop.abort();
      },
      stop.signal,
    );
    assert.equal(await waits, undefined);
    assert.deepEqual(told, ['the disk of /data is full: make room there']);
    const { signal } = new AbortController();
    assert.equal(await untilRoom(async () => 1, assert.fail, signal), 1);
    await assert.rejects(
      untilRoom(() => Promise.reject(new Error('a fault')), assert.fail, signal),
      /a fault/,
    );
  });
});
