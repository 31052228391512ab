import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readBounds } from '../../../test/support/growth/read-bounds.ts';
import { operations } from '../../operations/all.ts';
import { checkArguments } from '../../operations/core/arguments.ts';
import { estimateRows } from '../../operations/core/define.ts';
import { cityDir } from '../../registry/city-dir.ts';
import { loadRegistry } from '../../registry/load.ts';
import { HEAVY_ROWS } from './cost.ts';

/** Over a hundred thousand pockets these took a tenth of a second or less: an index has what they count. */
const quick = [
  ...['get_sustainability', 'get_heartbeat', 'get_pocket_predictions', 'get_pocket_live'],
  ...['get_stream', 'search_ledger'],
];

test('a question that reads rows of every pocket is a heavy one in a city of a hundred thousand', () => {
  const registry = loadRegistry(cityDir('singapore'));
  const pockets = Array.from({ length: 5556 }, () => registry.pockets).flat();
  const outlets = Array.from({ length: 100 }, () => registry.outlets).flat();
  const light = Object.keys(readBounds).filter((name) => {
    const operation = operations.find((one) => one.name === name);
    assert.ok(operation, name);
    const read = checkArguments(operation.input, {});
    const input = (read.ok ? read.input : {}) as Record<string, never>;
    return estimateRows(operation, input, { pockets, outlets }) <= HEAVY_ROWS;
  });
  assert.deepEqual(light.sort(), quick.sort());
});
