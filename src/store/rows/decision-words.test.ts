import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decidedMoment } from '../../../test/support/rows/decisions.ts';
import { momentRow } from '../../../test/support/rows/stored-rows.ts';
import { openMigratedStore, openStores } from '../../../test/support/stores/open-stores.ts';
import { describeStores } from '../../../test/support/stores/store-places.ts';
import { decisionId } from '../../domain/decision/silence.ts';
import { pauseKinds } from '../../domain/decision/silence-reason.ts';
import type { SenseWord } from '../../domain/signals/signal.ts';
import { DAY, MINUTE, SLOT } from '../../domain/time/slot.ts';
import { writeMoments } from '../decision/moments.ts';
import { schemaFiles } from '../engine/schema-files.ts';
import type { Row, Store, Value } from '../engine/store.ts';
import { migrate } from '../schema/migrate.ts';
import {
  gateNumbers,
  legitimacyBandNumbers,
  outcomeNumbers,
  pauseKindNumbers,
  silenceReasonNumbers,
} from './decision-words.ts';
import { senseWordNumbers, toSenseSource } from './sense-words.ts';

/** Over a new year, so that ids have every width of month and day. */
const START = Date.parse('2026-12-31T22:00:00Z');
const slotAt = (n: number) => START + n * SLOT;

const silence = (leaf: number) => ({
  ...{ leaf, slot: slotAt(leaf), window_ms: 75 * MINUTE, legitimacy_score_milli: 49_800 },
  ...{ candidate_confidence_milli: 725, usual_calm_milli: 333, gate: 1, reason: 1, band: 1, near_miss: 0 },
  pocket_id: 'one-pocket',
});
const verdict = (leaf: number) => ({
  ...{ leaf, slot: slotAt(leaf), window_ms: 75 * MINUTE, attention_hundredths: 357, spoke: 0, served: null },
  ...{ reason: null as number | null, outcome: 1, pocket_id: 'one-pocket' },
});

describeStores('words as numbers: silences, verdicts and pauses', (makePlace, engine) => {
  test('are read with the words that their numbers stand for', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    const { voice: _, ...gates } = gateNumbers;
    const columns = [
      ['silences', 'gate', gateNumbers, silence],
      ['silences', 'near_miss', gates, silence],
      ['silences', 'reason', silenceReasonNumbers, silence],
      ['silences', 'band', legitimacyBandNumbers, silence],
      ['verdicts', 'reason', silenceReasonNumbers, verdict],
      ['verdicts', 'outcome', outcomeNumbers, verdict],
    ] as const;
    let leaf = 0;
    for (const [view, column, numbers, row] of columns)
      for (const [word, number] of Object.entries(numbers)) {
        leaf += 1;
        const table = `${view.slice(0, -1)}_figures`;
        await store.transaction((tx) => tx.insert(table, [{ ...row(leaf), [column]: number }]));
        const read = await store.get<Row>(`select ${column} as word from ${view} where leaf = ?`, leaf);
        assert.equal(read?.word, word, `${view}.${column} ${number}`);
      }
  });

  test('are read with the figures that were written', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    await store.transaction(async (tx) => {
      await tx.insert('silence_figures', [silence(7), { ...silence(9), usual_calm_milli: null }]);
      await tx.insert('verdict_figures', [verdict(8)]);
    });
    const dayOf = (leaf: number) => (engine === 'sqlite' ? 'one-pocket' : Math.floor(slotAt(leaf) / DAY));
    const silences = await store.all<Row>('select * from silences order by leaf');
    const read = (leaf: number, usual_calm: number | null) => ({
      ...{ leaf, id: decisionId('one-pocket', slotAt(leaf)), slot: slotAt(leaf), pocket_id: 'one-pocket' },
      ...{ gate: 'resonance', reason: 'no_norm', candidate_confidence: 0.725, legitimacy_score: 49.8 },
      ...{ band: 'legitimate', usual_calm, near_miss: null, window_end: slotAt(leaf) + 75 * MINUTE },
      ...{ gate_number: 1, near_miss_number: 0, day: dayOf(leaf) },
    });
    assert.deepEqual(
      silences.map((row) => ({ ...row })),
      [read(7, 0.333), read(9, null)],
    );
    assert.deepEqual(
      { ...(await store.get<Row>('select * from verdicts')) },
      {
        ...{ leaf: 8, slot: slotAt(8), revealed_at: slotAt(8) + 75 * MINUTE, pocket_id: 'one-pocket' },
        ...{ attention_minutes_preserved: 3.57, spoke: 0, served: null, reason: null, outcome: 'served' },
        day: dayOf(8),
      },
    );
  });

  test('as words that people chose, and where they came from', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    const sources = ['operator', 'simulated:citizen-sense', 'a feed', 'o', '=s', ''];
    const said = { pocket_id: 'p', people: 2, said_slot: null, countable_from: null };
    const rows = Object.keys(senseWordNumbers).flatMap((word, n) =>
      sources.map((source, m) => ({ ...said, slot: slotAt(10 * n + m), word: word as SenseWord, source })),
    );
    await store.transaction((tx) =>
      tx.insert(
        'citizen_senses',
        rows.map(({ word, source, ...rest }) => ({
          ...rest,
          word: senseWordNumbers[word],
          source: toSenseSource(source),
        })),
      ),
    );
    const read = await store.all<Row>('select * from sensed_words order by slot');
    assert.deepEqual(
      read.map((row) => ({ ...row })),
      rows,
    );
  });

  test('of pauses are the same before they join their moments, after that and from then on', async (t) => {
    const [store] = await openStores(t, makePlace, 1, false);
    assert.ok(store);
    const at = schemaFiles.findIndex(({ sql }) => sql.includes('drop table pauses'));
    await migrate(store, 1, { files: schemaFiles.slice(0, at), batches: [] });
    const scores = [0, 0.1, 20.5, 62.6, 99.9, 100];
    const pauses = scores.flatMap((legitimacy_score, n) =>
      pauseKinds.map((kind, k) => ({ slot: slotAt(n), pocket_id: `p${k}`, kind, legitimacy_score })),
    );
    const moments = Array.from({ length: scores.length + 1 }, (_, n) =>
      pauseKinds.map((_, k) => ({ slot: slotAt(n), pocket_id: `p${k}`, ...momentRow })),
    );
    await store.exclusively(async (tx) => {
      await tx.insert('moment_figures', moments.flat());
      await tx.insert('pauses', pauses);
    });
    await migrate(store, 2);
    const later = pauses.map((pause) => ({ ...pause, slot: pause.slot + 100 * SLOT }));
    await store.transaction((tx) =>
      writeMoments(
        tx,
        later.map(({ pocket_id: pocket, slot, kind: pause, legitimacy_score: score }) =>
          decidedMoment({ pocket, slot, gate: null, pause, score }),
        ),
      ),
    );
    const read = await store.all<Row>(
      'select slot, pocket_id, kind, legitimacy_score from pauses order by slot, pocket_id',
    );
    assert.deepEqual(
      read.map((row) => ({ ...row })),
      [...pauses, ...later],
    );
  });

  test('are found by indexes, also through the views', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    const rows = Array.from({ length: 3_000 }, (_, n) => ({
      ...{ ...silence(n), gate: n % 500 ? 2 : 8, near_miss: n % 400 ? 0 : 3 },
      window_ms: (4 + (n % 3)) * SLOT,
    }));
    await store.transaction((tx) => tx.insert('silence_figures', rows));
    await store.transaction((tx) => tx.run('analyze'));
    const day = [slotAt(100), slotAt(1_000)];
    const one = engine === 'sqlite' ? 'silences_by_pocket' : 'silences_by_slot';
    for (const [index, where, ...params] of [
      ['silences_by_end', 'window_end = ?', slotAt(700)],
      [one, 'pocket_id = ? and slot = ?', 'one-pocket', slotAt(700)],
      ['silences_by_voice', `gate_number = ${gateNumbers.voice} and slot > ? and slot < ?`, ...day],
      ['silences_by_near_miss', 'near_miss_number > 0 and slot > ? and slot < ?', ...day],
    ] as const)
      await checkFoundBy(store, index, `select leaf, id from silences where ${where}`, params);
  });

  test('of pauses of a kind are found by an index, though most moments are none', async (t) => {
    const store = await openMigratedStore(t, makePlace);
    const moments = Array.from({ length: 3_000 }, (_, n) => ({
      ...{ ...momentRow, slot: slotAt(n), pocket_id: 'one-pocket', pause: n % 100 ? null : 2 },
      pause_legitimacy_milli: n % 100 ? null : 20_000,
    }));
    await store.transaction((tx) => tx.insert('moment_figures', moments));
    await store.transaction((tx) => tx.run('analyze'));
    const where = `kind_number = ${pauseKindNumbers.already_speaking} and slot > ? and slot <= ?`;
    const newest = `select slot, pocket_id from pauses where ${where} order by slot desc, pocket_id limit 3`;
    await checkFoundBy(store, 'moments_by_pause', newest, [slotAt(-1), slotAt(2_999)]);
  });

  async function checkFoundBy(store: Store, index: string, sql: string, params: readonly Value[]) {
    const explain = engine === 'sqlite' ? 'explain query plan' : 'explain';
    assert.match(JSON.stringify(await store.all(`${explain} ${sql}`, ...params)), new RegExp(index));
    assert.ok((await store.all(sql, ...params)).length);
  }
});
