import assert from 'node:assert/strict';
import { test } from 'node:test';
import { missingMonths, type PartitionedTable, partitionsBefore, startOfPartition } from './partitions.ts';

const at = (date: string) => Date.parse(`${date}T00:00:00Z`);
const part = (name: string, from: string, until: string) => ({
  ...{ name, from: from ? at(from) : -Infinity, until: at(until) },
});
const table: PartitionedTable = {
  name: 't',
  partitions: [
    part('t_older', '', '2026-10-01'),
    part('t_2026_10', '2026-10-01', '2026-11-01'),
    part('t_2026_11', '2026-11-01', '2027-01-01'),
  ],
  rest: 't_default',
};

test('months are made from the last partition on, three ahead, across years', () => {
  const made = (now: string) => missingMonths(table, at(now));
  assert.deepEqual(made('2026-12-31'), [
    part('t_2027_01', '2027-01-01', '2027-02-01'),
    part('t_2027_02', '2027-02-01', '2027-03-01'),
    part('t_2027_03', '2027-03-01', '2027-04-01'),
  ]);
  assert.deepEqual(made('2026-09-30'), []);
  assert.deepEqual(
    made('2026-10-01').map(({ name }) => name),
    ['t_2027_01'],
  );
  // A table that has none, and no rows either: at night nobody sends a word.
  assert.deepEqual(
    missingMonths({ ...table, partitions: [] }, at('2026-11-18')).map(({ name }) => name),
    ['t_2026_11', 't_2026_12', 't_2027_01', 't_2027_02'],
  );
});

test('a month is let go as a whole; in a longer partition a day ends what is kept', () => {
  const kept = (time: string) => new Date(startOfPartition([table], at(time))).toISOString().slice(0, 10);
  assert.deepEqual(
    ['2026-09-15', '2026-10-01', '2026-10-31', '2026-11-01', '2026-12-15', '2027-05-05'].map(kept),
    ['2026-09-15', '2026-10-01', '2026-10-01', '2026-11-01', '2026-12-15', '2027-05-05'],
  );
  const gone = (time: string) => partitionsBefore(table, at(time)).map(({ name }) => name);
  assert.deepEqual(gone('2026-10-01'), ['t_older']);
  assert.deepEqual(gone('2026-12-31'), ['t_older', 't_2026_10']);
});
