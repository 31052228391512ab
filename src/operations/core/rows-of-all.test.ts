import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cityDir } from '../../registry/city-dir.ts';
import { loadRegistry } from '../../registry/load.ts';
import { operations } from '../all.ts';
import { estimateRows } from './define.ts';

test('a question about every pocket is a heavy one in a large city alone', () => {
  const { pockets, outlets } = loadRegistry(cityDir('singapore'));
  const large = Array.from({ length: 100 }, () => pockets).flat();
  for (const name of ['list_pockets', 'get_network_now']) {
    const operation = operations.find((one) => one.name === name);
    assert.ok(operation);
    assert.equal(estimateRows(operation, {}, { pockets, outlets }), 0);
    assert.equal(estimateRows(operation, {}, { pockets: large, outlets }), large.length);
  }
});

test('a question about outlets of every pocket is a heavy one in a large city alone', () => {
  const { pockets, outlets } = loadRegistry(cityDir('singapore'));
  const large = Array.from({ length: 100 }, () => outlets).flat();
  for (const name of ['list_outlets', 'find_outlet']) {
    const operation = operations.find((one) => one.name === name);
    assert.ok(operation);
    assert.equal(estimateRows(operation, {}, { pockets, outlets }), 0);
    assert.equal(estimateRows(operation, {}, { pockets, outlets: large }), Math.ceil(large.length / 20));
    assert.equal(estimateRows(operation, { pocket_id: 'tiongbahru' }, { pockets, outlets: large }), 0);
  }
});
