// Every entry of the ledger says when it was really written. History that a virtual clock wrote says so too; what a live
// clock wrote after it was in the log before its outcome (docs/decisions/025).

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, type TestContext, test } from 'node:test';
import type { Written } from '../../src/domain/prediction/written.ts';
import { DAY, HOUR, iso, SLOT, slotStart } from '../../src/domain/time/slot.ts';
import { runDue } from '../../src/pipeline/schedule/run.ts';
import type { LedgerEntry } from '../../src/store/ledger/entries.ts';
import { lastBackfilledSlot } from '../../src/store/runtime/history.ts';
import { httpFetch } from '../../src/verify/http-fetch.ts';
import { smallCity } from '../support/pipeline/small-city.ts';
import { submission } from '../support/rows/benchmark-submission.ts';
import { ask, post } from '../support/services/http-client.ts';
import { NOON, startService } from '../support/services/service.ts';
import { verifyLedger } from '../support/services/verify-ledger.ts';
import { storedEntries } from '../support/stores/stored-entries.ts';

/** Six hours of live slots, so that forecasts of the history and live ones are both revealed. */
const LIVE_SLOTS = 24;
const registry = smallCity(['holland', 'tiongbahru']);
const { clock, pipeline, store, url } = await startService(
  { after: after as TestContext['after'] },
  { days: 2, registry },
);

interface Row extends Omit<LedgerEntry, 'payload'> {
  text: string;
  payload: Written & {
    sealed_at?: string;
    revealed_at?: string;
    reveal_at?: string;
    window_end?: string;
    prediction_window_end?: string;
    sealed_leaf?: number;
  };
}
const outcomeTime = ({ payload }: Row) =>
  payload.reveal_at ?? payload.window_end ?? payload.prediction_window_end;
const liveRows = () => rows.filter(({ payload }) => payload.backfilled === undefined);

for (let slot = NOON + SLOT; slot <= NOON + LIVE_SLOTS * SLOT; slot += SLOT) {
  clock.now = slot + 2125;
  for (const { outcome, error } of await runDue(pipeline, clock.now))
    assert.equal(outcome, 'ran', String(error));
  if (slot !== NOON + 2 * SLOT) continue;
  const sent = submission({ prediction_window_end: iso(slot + 2 * HOUR) });
  assert.equal((await post(`${url}/api/benchmark/submit`, sent)).status, 200);
}
const entries = await storedEntries(store);
const rows: Row[] = entries.map(({ payload, ...entry }) => ({
  ...entry,
  text: payload,
  payload: JSON.parse(payload),
}));

test('every entry has a real time of writing, which never decreases and is part of what is hashed', () => {
  let newest = '';
  for (const { leaf, text, payload, payload_hash } of rows) {
    assert.equal(iso(Date.parse(payload.written_at)), payload.written_at, `leaf ${leaf}`);
    assert.ok(payload.written_at >= newest, `leaf ${leaf}`);
    newest = payload.written_at;
    assert.equal(`sha256:${createHash('sha256').update(text).digest('hex')}`, payload_hash);
    assert.ok(text.includes(`"written_at":"${payload.written_at}"`));
  }
  assert.equal(newest, iso(NOON + LIVE_SLOTS * SLOT + 2125));
});

test('exactly the history is marked: the first leaves, for the slots up to the last one backfilled', async () => {
  const last = await lastBackfilledSlot(store);
  assert.equal(last, NOON);
  const end = rows.findIndex(({ payload }) => payload.backfilled === undefined);
  for (const { leaf, payload } of rows) {
    assert.equal(payload.backfilled, leaf < end ? true : undefined, `leaf ${leaf}`);
    const sealedFor = Date.parse(payload.sealed_at ?? payload.revealed_at ?? '');
    assert.equal(sealedFor <= NOON, leaf < end, `leaf ${leaf}`);
    if (leaf < end) assert.equal(payload.written_at, iso(NOON), 'the clock of this test stood at noon');
  }
  for (const type of ['prediction', 'reveal', 'silence', 'verdict'])
    for (const live of [true, false])
      assert.ok(
        rows.some((row) => row.type === type && (row.payload.backfilled === undefined) === live),
        `${type}, ${live ? 'live' : 'backfilled'}`,
      );
});

test('a live entry was written at its own time and before its outcome', () => {
  for (const row of liveRows()) {
    const { payload, leaf } = row;
    const sealedFor = Date.parse(payload.sealed_at ?? payload.revealed_at ?? '');
    assert.equal(slotStart(Date.parse(payload.written_at)), slotStart(sealedFor), `leaf ${leaf}`);
    const outcome = outcomeTime(row);
    if (outcome !== undefined) assert.ok(payload.written_at < outcome, `leaf ${leaf}`);
  }
  const revealedLive = liveRows().filter(({ type }) => type === 'reveal');
  const revealsHistory = ({ payload }: Row) => rows[payload.sealed_leaf ?? -1]?.payload.backfilled === true;
  assert.ok(revealedLive.some(revealsHistory), 'a forecast of the history, revealed live');
  assert.ok(!revealedLive.every(revealsHistory), 'a live forecast, revealed');
});

test('the store, the verifier and the addresses count the same two kinds', async () => {
  const before = liveRows().filter((row) => outcomeTime(row) !== undefined).length;
  const afterwards = rows.filter((row) => row.payload.backfilled && outcomeTime(row) !== undefined).length;
  const reveals = rows.filter(({ type }) => type === 'reveal' || type === 'verdict').length;
  assert.ok(before > 0 && afterwards > before);

  const history = (await ask(`${url}/api/ledger/history`)).json<Record<string, unknown>>();
  const { _meta, ...told } = history;
  assert.deepEqual(told, {
    tree_size: rows.length,
    sealed_before_outcome: before,
    written_afterwards: afterwards,
    reveals,
    key_changes: 0,
    history: {
      complete: true,
      first_slot: iso(NOON - 2 * DAY + SLOT),
      last_slot: iso(NOON),
      last_leaf: rows.filter(({ payload }) => payload.backfilled).length - 1,
      written_from: iso(NOON),
      written_until: iso(NOON),
    },
    checkpoint: { tree_size: rows.length, written_at: iso(clock.now) },
  });

  const verdict = await verifyLedger({ fetch: httpFetch(url), api: httpFetch(url, 'api') });
  assert.ok(verdict.ok, JSON.stringify(verdict));
  assert.equal(verdict.figures, 'compared');
  const { line = 0, silence = 0, verdict: judged = 0 } = verdict.entries;
  assert.ok(line > 0 && silence > line, JSON.stringify(verdict.entries));
  const open = await store.get<{ n: number }>(
    `select count(*) as n from (select slot, pocket_id from silences union all select slot, pocket_id from packages) d
     where not exists (select 1 from verdicts v where v.slot = d.slot and v.pocket_id = d.pocket_id)`,
  );
  assert.equal(judged, line + silence - (open?.n ?? 0), 'a verdict on each decision whose end has come');
  assert.deepEqual(
    [verdict.sealed_before_outcome, verdict.written_afterwards, verdict.written_at],
    [before, afterwards, iso(clock.now)],
  );

  const n = (count: number) => count.toLocaleString('en');
  const sentence = `${n(before)} entries were sealed before their outcome; ${n(afterwards)} were written afterwards, as history of the simulated city, on 2026-11-11.`;
  for (const path of ['/ledger', '/about', '/llms.txt'])
    assert.ok((await ask(url + path)).text.includes(sentence), path);
});

test('a proof and an entry say which of the two it is', async () => {
  const live = liveRows();
  const samples = [rows[0], rows[rows.length >> 1], live[0], live.at(-1)];
  for (const row of [...samples, live.find(({ type }) => type === 'submission')]) {
    assert.ok(row);
    const { id, payload } = row;
    const outcome = outcomeTime(row);
    const expected = {
      written_at: payload.written_at,
      backfilled: payload.backfilled ?? false,
      sealed_before_outcome:
        outcome === undefined ? null : !payload.backfilled && payload.written_at < outcome,
    };
    for (const kind of ['proof', 'entry']) {
      const told = (await ask(`${url}/api/ledger/${kind}/${id}`)).json<Record<string, unknown>>();
      const { written_at, backfilled, sealed_before_outcome } = told;
      assert.deepEqual({ written_at, backfilled, sealed_before_outcome }, expected, `${kind} ${id}`);
    }
    const page = (await ask(`${url}/ledger/${id}`)).text;
    const words = payload.backfilled ? 'as history of the simulated city' : 'before its outcome';
    assert.ok(page.includes(`${outcome === undefined && !payload.backfilled ? 'an outcome' : words}`), id);
  }
});
