import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OperationContext } from '../../../operations/core/define.ts';
import { listPredictions } from '../../../operations/prediction/list-predictions.ts';
import { listAccuracyPeriods } from '../../../operations/report/list-accuracy-periods.ts';
import { periodColumns, predictionColumns } from './dictionary.ts';

// The columns of a table are known without reading a row.
const context = { store: {}, now: 0 } as unknown as OperationContext;

test('the data dictionary has every column of the downloads, in their order', () => {
  const predictions = listPredictions.table?.({ since: 'all', revealed: 'both', limit: 1 }, context);
  assert.deepEqual(Object.keys(predictionColumns), predictions?.columns);
  const periods = listAccuracyPeriods.table?.({ period: 'day', count: 1 }, context);
  assert.deepEqual(Object.keys(periodColumns), periods?.columns);
});
