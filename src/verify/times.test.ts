import assert from 'node:assert/strict';
import { test } from 'node:test';
import { verifyLedger } from '../../test/support/services/verify-ledger.ts';
import { signCheckpoint } from '../ledger/checkpoint.ts';
import { computeSeal } from '../ledger/seal.ts';
import { readCheckpoint, readKey } from './checkpoint.ts';
import {
  instead,
  prediction,
  type Row,
  reveal,
  servedLog,
  signer,
  verdictFault,
} from './testing/served-log.ts';

test('finds a forecast sealed late, and reveals that are early, duplicate or of another row', async () => {
  const row = prediction(0);
  const payload = JSON.parse(row.seal.canonical);
  const late: Row = { ...row, seal: computeSeal({ ...payload, sealed_at: payload.reveal_at }) };
  const ordered = async (...rows: Row[]) => {
    const log = servedLog();
    log.append(rows);
    return verdictFault(await verifyLedger({ fetch: log.fetch }));
  };
  const wrong = (leaf: number, id: string) => ['out_of_order', { leaf, id }];
  const afterwards = { written_at: '2026-10-01T01:00:00.000Z' };
  assert.equal(await ordered(row, reveal(0, 0, row), prediction(1, afterwards)), 'ok');
  assert.equal(await ordered(row, reveal(0, 0, row, 60_000)), 'ok');
  assert.deepEqual(await ordered(late), wrong(0, 'prd_0'));
  assert.deepEqual(await ordered(row, reveal(0, 0, row, -1000)), wrong(1, 'rvl_0'));
  assert.deepEqual(await ordered(row, reveal(0, 0, row), { ...reveal(0, 0, row), id: 'r2' }), wrong(2, 'r2'));
  assert.deepEqual(await ordered(row, reveal(1, 0, prediction(1))), wrong(1, 'rvl_1'));
  assert.deepEqual(await ordered(row, reveal(0, 1, row)), wrong(1, 'rvl_0'));
  assert.deepEqual(await ordered(row, reveal(0, -1, row)), wrong(1, 'rvl_0'));
  for (const reveal_at of [
    '2026-10-01 01:00',
    '2026-10-01T01:00:00+08:00',
    'Thu Oct 01 2026 01:00 Z',
    1790816400000,
    null,
  ]) {
    const timeless: Row = { ...row, seal: computeSeal({ ...payload, reveal_at }) };
    assert.deepEqual(await ordered(timeless), wrong(0, 'prd_0'));
  }
});

test('counts what was sealed before its outcome, and what was written afterwards', async () => {
  const log = servedLog();
  const history = { written_at: '2026-10-01T00:30:00.000Z', backfilled: true };
  const first = prediction(0, history);
  log.append([first, prediction(1, history)]);
  const [live, late] = [
    { written_at: '2026-10-01T00:59:59.999Z' },
    { written_at: '2026-10-01T01:00:00.000Z' },
  ];
  log.append([prediction(2, live), prediction(3, live), prediction(4, live), prediction(5, late)]);
  log.append([reveal(0, 0, first)]);
  const verdict = await verifyLedger({ fetch: log.fetch });
  assert.ok(verdict.ok, JSON.stringify(verdict));
  assert.deepEqual([verdict.sealed_before_outcome, verdict.written_afterwards], [3, 3]);
  assert.equal(verdict.written_at, late.written_at);
});

test('finds a time of writing that is missing, goes back, or is later than the checkpoint', async () => {
  const logged = async (...times: ({ written_at?: string; backfilled?: unknown } | undefined)[]) => {
    const log = servedLog();
    log.append(times.map((time, n) => prediction(n, time)));
    return verdictFault(await verifyLedger({ fetch: log.fetch }));
  };
  const at = (clock: string) => ({ written_at: `2026-10-01T${clock}Z` });
  assert.equal(await logged(at('00:00:01'), at('00:00:01'), at('00:00:01.5')), 'ok');
  const second = { leaf: 1, id: 'prd_1' };
  assert.deepEqual(await logged(at('00:00:01'), at('00:00:00.999'), at('00:00:02')), [
    'out_of_order',
    second,
  ]);
  const across = [...Array.from({ length: 256 }, () => at('00:00:01')), at('00:00:00'), at('00:00:01')];
  assert.deepEqual(await logged(...across), ['out_of_order', { leaf: 256, id: 'prd_256' }]);
  for (const written_at of ['', '2026-10-01 00:00', '2026-10-01T00:00:00+08:00'])
    assert.deepEqual(await logged(at('00:00:00'), { written_at }, at('00:00:01')), ['bad_entry', second]);
  for (const backfilled of [false, 'yes', null])
    assert.deepEqual(await logged(undefined, { backfilled }), ['bad_entry', second]);

  // The clock that seals may be a minute ahead of the one that writes, and a virtual clock is behind it.
  for (const marked of [{}, { backfilled: true }]) {
    assert.equal(await logged({ written_at: '2026-09-30T23:59:00Z', ...marked }), 'ok');
    assert.deepEqual(await logged({ written_at: '2026-09-30T23:58:59.999Z', ...marked }), [
      'out_of_order',
      { leaf: 0, id: 'prd_0' },
    ]);
  }
  const backfilled = { backfilled: true };
  assert.equal(await logged(backfilled, backfilled, undefined), 'ok');
  assert.deepEqual(await logged(backfilled, undefined, backfilled), [
    'out_of_order',
    { leaf: 2, id: 'prd_2' },
  ]);

  const { seal, ...row } = prediction(1);
  const { written_at, ...timeless } = JSON.parse(seal.canonical);
  const log = servedLog();
  log.append([prediction(0), { ...row, seal: computeSeal(timeless) }]);
  assert.deepEqual(verdictFault(await verifyLedger({ fetch: log.fetch })), ['bad_entry', second]);

  const honest = servedLog();
  honest.append([prediction(0, at('00:00:05'))]);
  const resigned = (time?: number) => {
    const root = readCheckpoint(honest.checkpoint(), readKey(honest.key)).root;
    return signCheckpoint(1, Buffer.from(root, 'base64').toString('hex'), signer, time);
  };
  const verifyNote = async (note: string) =>
    verdictFault(await verifyLedger({ fetch: instead(honest, 'checkpoint', () => Buffer.from(note)) }));
  assert.deepEqual(await verifyNote(resigned(Date.parse('2026-10-01T00:00:05Z'))), 'ok');
  assert.deepEqual(await verifyNote(resigned(Date.parse('2026-10-01T00:00:04Z'))), [
    'out_of_order',
    { leaf: 0 },
  ]);
  assert.deepEqual(await verifyNote(resigned()), ['bad_checkpoint', {}]);
});

test('finds a submission that was not written within a minute of its sealing, unless it says so; forecasts may be written later', async () => {
  const midnight = Date.parse('2026-10-01T00:00:00Z');
  const utc = (time: number) => new Date(time).toISOString();
  const logged = async (type: Row['type'], ...payloads: object[]) => {
    const log = servedLog();
    log.append(payloads.map((payload, n) => ({ type, id: `row_${n}`, seal: computeSeal(payload) })));
    return verdictFault(await verifyLedger({ fetch: log.fetch }));
  };
  const sealed_at = utc(midnight);
  const wrong = ['out_of_order', { leaf: 0, id: 'row_0' }];
  for (const delay of [-60_000, 60_000]) {
    // Every millisecond of a second: times are numbers with fractions, which do not subtract exactly.
    const times = Array.from({ length: 1000 }, (_, ms) => midnight + ms);
    const onTime = times.map((time) => ({ sealed_at: utc(time), written_at: utc(time + delay) }));
    assert.equal(await logged('submission', ...onTime), 'ok');
    const written_at = utc(midnight + delay + Math.sign(delay));
    // No virtual clock writes submissions.
    for (const marked of [{}, { backfilled: true }, { written_late: false }, { written_late: 1 }])
      assert.deepEqual(await logged('submission', { sealed_at, written_at, ...marked }), wrong, written_at);
  }
  for (const [after, expected] of [
    [60_001, 'ok'],
    [86_400_000, 'ok'],
    [60_000, wrong],
    [0, wrong],
    [-60_001, wrong],
  ] as const) {
    const written_at = utc(midnight + after);
    assert.deepEqual(await logged('submission', { sealed_at, written_at, written_late: true }), expected);
  }
  for (const timeless of [{}, { sealed_at: '2026-10-01 00:00' }, { sealed_at: midnight }])
    assert.deepEqual(await logged('submission', { ...timeless, written_at: utc(midnight) }), wrong);
  const hour = utc(midnight + 3_600_000);
  const forecast = { generator: 'pocket_projection_60m', prediction_type: 'other', horizon_minutes: 60 };
  const late = {
    ...forecast,
    sealed_at,
    reveal_at: hour,
    window_end: hour,
    written_at: utc(midnight + 300_000),
  };
  for (const type of ['prediction', 'line', 'silence'] as const)
    assert.equal(await logged(type, late), 'ok', type);
});
