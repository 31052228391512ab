// Ways to falsify a log or what is published from it, each with what finds it. docs/ledger.md has the same table.
import { projectionScore } from '../../src/domain/prediction/projection.ts';
import { iso, SLOT } from '../../src/domain/time/slot.ts';
import { createSigner, privateKeyFromSeed } from '../../src/ledger/key.ts';
import { keyChange } from '../../src/ledger/key-change.ts';
import type { Store } from '../../src/store/engine/store.ts';
import type { FaultCode } from '../../src/verify/fault.ts';
import type { FetchBytes } from '../../src/verify/source.ts';
import { change, type EditedEntry, rewriteLog } from '../support/stores/tamper-ledger.ts';
import { testKey, testSigner } from '../support/stores/test-key.ts';
import { NOW } from './stored-log.ts';
import {
  type Apply,
  editHashes,
  editLines,
  editStored,
  type Fields,
  flip,
  resign,
  rewriteFields,
  rewriteRow,
  rewriteText,
  serveOther,
  sql,
  withFields,
} from './tampering.ts';

/** What finds a tamper: `verify` alone, only with an option of it, or nothing, and then what would. */
export type Finder =
  | { alone: FaultCode }
  | { since: FaultCode }
  | { key: FaultCode }
  | { sinceOrKey: FaultCode }
  | { nothing: string };

export interface Tamper {
  what: string;
  finder: Finder;
  /** Changes the store. */
  apply?: Apply;
  /** Replaces the store by an older backup of it. */
  isOlder?: true;
  /** It was always so for this client, who has no other checkpoint. */
  isFork?: true;
  /** Serves other bytes than the store has. */
  serve?: (fetch: FetchBytes) => FetchBytes;
}

const alone = (code: FaultCode): { finder: Finder } => ({ finder: { alone: code } });
const since = (code: FaultCode): { finder: Finder } => ({ finder: { since: code } });
const key = (code: FaultCode): { finder: Finder } => ({ finder: { key: code } });
const nothing = (rest: string): { finder: Finder } => ({ finder: { nothing: rest } });
const WITNESSES = 'independent witnesses that sign checkpoints too would';
const RECOUNT = 'no figure that is published now is made from it alone';
const OUTSIDE = 'facts outside the log would, such as signals as they were received';

const stranger = createSigner(testSigner.name, privateKeyFromSeed(Buffer.alloc(32, 9)));
const strangersKey = (number: number, leaf: string) =>
  `insert into ledger_keys (number, origin, key_id, verifier_key, leaf)
   values (${number}, '${stranger.name}', '${stranger.keyId}', '${stranger.verifierKey}', ${leaf})`;

const isLive = ({ payload }: EditedEntry): boolean => payload.backfilled === undefined;
const isState = ({ payload }: EditedEntry): boolean => 'primary_state' in Object(payload.actual_observation);
const isRight = (entry: EditedEntry): boolean =>
  isState(entry) && Number(entry.payload.accuracy_score) >= 0.5;
/** It was not calm from the beginning. */
const isFailed = ({ payload }: EditedEntry): boolean => payload.outcome === 'not_calm';
const parseTime = (value: unknown): number => Date.parse(String(value));

/** Another outcome of a projection, with the scores that follow from it. */
function rescored(reveal: Fields, entries: readonly EditedEntry[], changed: Fields): Fields {
  const { forecast, baseline } = (entries[Number(reveal.sealed_leaf)] as EditedEntry).payload;
  type Projection = Parameters<typeof projectionScore>[0];
  const observed = { ...(reveal.actual_observation as Parameters<typeof projectionScore>[1]), ...changed };
  return {
    actual_observation: observed,
    accuracy_score: projectionScore(forecast as Projection, observed),
    baseline_score: projectionScore(baseline as Projection, observed),
  };
}

/** Edits a silence, and its row so that it fits. */
const editedSilence =
  (candidate_confidence: number): Apply =>
  async (store) => {
    let edited = -1;
    await rewriteFields('silence', (_payload, at) => {
      edited = at;
      return { candidate_confidence };
    })(store);
    await sql(
      `update silence_figures set candidate_confidence_milli = ${1_000 * candidate_confidence} where leaf = ${edited}`,
    )(store);
  };

/** The columns of tables that hold the place of an entry. */
const places = [
  ...['forecast_sets', 'silence_figures', 'packages', 'verdict_figures', 'submissions'].map(
    (table) => `${table} leaf`,
  ),
  'reveal_figures prediction_leaf',
  'submission_scores submission_leaf',
].map((place) => place.split(' ') as [table: string, column: string]);

/** Takes the newest silence out of the log, and out of the tables if asked to. It is not rolled up yet. */
const withoutNewestSilence =
  (isRemoved: boolean) =>
  async (store: Store): Promise<void> => {
    const newest = await store.get<{ leaf: number }>('select max(leaf) as leaf from silences');
    await rewriteLog(store, (entries) => entries.filter(({ leaf }) => leaf !== newest?.leaf));
    if (!isRemoved) return;
    await sql(`delete from silence_figures where leaf = ${newest?.leaf}`)(store);
    await sql(
      `update reveal_figures set leaves_later = leaves_later - 1
       where prediction_leaf < ${newest?.leaf} and prediction_leaf + leaves_later > ${newest?.leaf}`,
    )(store);
    // The entries after it have moved. By way of negative numbers, since no two rows may have the same.
    for (const [table, column] of places)
      await sql(
        `update ${table} set ${column} = 1 - ${column} where ${column} > ${newest?.leaf}`,
        `update ${table} set ${column} = -${column} where ${column} < 0`,
      )(store);
  };

const inStore: Tamper[] = [
  {
    what: 'a row deleted',
    ...alone('wrong_tile'),
    apply: editLines((lines) => lines.toSpliced(144, 1)),
  },
  {
    what: 'two rows swapped',
    ...alone('wrong_leaf'),
    apply: editLines((lines) => lines.with(144, lines[145] ?? '').with(145, lines[144] ?? '')),
  },
  {
    what: 'a field of a payload edited',
    ...alone('wrong_leaf'),
    apply: editStored('prediction', (text) => text.replace(/"confidence":[0-9.]+/, '"confidence":0.5')),
  },
  {
    what: 'a field of a payload edited, and its hash computed again',
    ...alone('wrong_leaf'),
    apply: editStored('silence', (text) => text.replace(/"calm":[0-9.]+/, '"calm":0.5')),
  },
  {
    what: 'another hash algorithm named in `payload_hash`',
    ...alone('wrong_leaf'),
    serve: serveOther(/^tile\/entries\/001/, (bytes) =>
      Buffer.from(
        bytes.toString('latin1').replace('"payload_hash":"sha256', '"payload_hash":"sha512'),
        'latin1',
      ),
    ),
  },
  {
    what: 'rows added after the newest checkpoint',
    ...alone('wrong_row'),
    apply: sql("insert into ledger_entries select size, 'silence', 'more', '{}' from ledger_size"),
  },
  {
    what: 'a hash of the newest, incomplete tile edited',
    ...alone('wrong_leaf'),
    apply: editHashes('ledger_edges', 'level = 0', flip),
  },
  {
    what: 'that tile cut short',
    ...alone('wrong_tile'),
    apply: editHashes('ledger_edges', 'level = 0', (hashes) => hashes.subarray(0, -32)),
  },
  {
    what: 'a hash above the leaves edited',
    ...alone('wrong_tile'),
    apply: editHashes('ledger_edges', 'level = 1', flip),
  },
  {
    what: 'a bundle with more rows than the checkpoint covers',
    ...alone('bad_bundle'),
    serve: serveOther(/^tile\/entries\/000$/, (bytes) => Buffer.concat([bytes, bytes.subarray(0, 2)])),
  },
];

const checkpoints: Tamper[] = [
  {
    what: 'the size in a checkpoint edited',
    ...alone('bad_signature'),
    serve: serveOther(/^checkpoint$/, (note) => Buffer.from(note.toString().replace(/\n\d+\n/, '\n300\n'))),
  },
  { what: 'a checkpoint signed with another key', ...alone('bad_signature'), apply: resign(stranger) },
  {
    what: 'a checkpoint signed with another key, which is served as that of the log',
    finder: { sinceOrKey: 'bad_signature' },
    apply: async (store) => {
      await resign(stranger)(store);
      await sql('delete from ledger_keys', strangersKey(1, 'null'))(store);
    },
  },
  {
    what: 'a checkpoint of another origin',
    ...alone('bad_signature'),
    apply: resign(createSigner('another.example', testKey)),
  },
  {
    what: 'the newest checkpoint deleted, so that an older one is served',
    ...alone('wrong_row'),
    apply: sql('delete from ledger_checkpoints where size = (select max(size) from ledger_checkpoints)'),
  },
  { what: 'the whole store replaced by an older backup', ...since('shrunk'), isOlder: true },
  {
    what: 'the key declared lost, and another one put in its place',
    ...key('bad_signature'),
    apply: async (store) => {
      await sql(strangersKey(2, '(select size from ledger_size)'))(store);
      const payload: Fields = { ...keyChange(2, testSigner.verifierKey, stranger) };
      await rewriteLog(
        store,
        (entries) => {
          const { written_at } = (entries.at(-1) as EditedEntry).payload;
          return [...entries, { leaf: -1, type: 'key', id: 'key-2', payload: { ...payload, written_at } }];
        },
        { signer: stranger },
      );
    },
  },
];

const rewritten: Tamper[] = [
  {
    what: 'a silence edited',
    ...alone('wrong_row'),
    apply: rewriteFields('silence', () => ({ candidate_confidence: 0.999 })),
  },
  {
    what: 'a silence edited, and its table with it',
    ...since('rewritten'),
    apply: editedSilence(0.999),
  },
  {
    what: 'a forecast edited after its outcome',
    ...alone('wrong_score'),
    apply: rewriteFields('prediction', ({ forecast }) => ({
      forecast: { ...Object(forecast), expected: 0.123, expected_state: 'calm-other', expected_calm: 0.123 },
    })),
  },
  {
    what: 'the score of a reveal changed',
    ...alone('wrong_score'),
    apply: rewriteFields(
      'reveal',
      ({ accuracy_score }) => ({ accuracy_score: 1 - Number(accuracy_score) }),
      isRight,
    ),
  },
  {
    what: 'a hit made a miss by another outcome, with the scores of that outcome',
    ...alone('wrong_outcome'),
    apply: rewriteFields(
      'reveal',
      (reveal, _at, entries) => rescored(reveal, entries, { primary_state: 'rain-subdued' }),
      isRight,
    ),
  },
  {
    what: 'an outcome changed so little that a hit stays one, with its scores',
    ...alone('wrong_outcome'),
    apply: rewriteFields(
      'reveal',
      (reveal, _at, entries) => rescored(reveal, entries, { calm: 0.501 }),
      (entry) => isState(entry) && entry.payload.backfilled === true,
    ),
  },
  { what: 'a reveal left out', ...alone('missing_reveal'), apply: rewriteRow('reveal', () => []) },
  {
    what: 'a reveal written twice',
    ...alone('out_of_order'),
    apply: rewriteRow('reveal', (entry) => [entry, { ...entry, leaf: -1 }]),
  },
  {
    what: 'the outcome of a verdict changed',
    ...alone('wrong_verdict'),
    apply: rewriteFields('verdict', () => ({ outcome: 'served' }), isFailed),
  },
  {
    what: '`served` of a verdict changed',
    ...alone('wrong_verdict'),
    apply: rewriteFields('verdict', ({ served }) => ({ served: !served })),
  },
  {
    what: 'a reading of a verdict changed, so that another outcome follows',
    ...alone('wrong_verdict'),
    apply: rewriteFields(
      'verdict',
      ({ calm_state }) => ({ calm_state: (calm_state as boolean[]).with(0, true) }),
      isFailed,
    ),
  },
  {
    what: 'a reading of a verdict changed, so that its outcome stays',
    ...alone('wrong_verdict'),
    apply: rewriteFields('verdict', ({ calm }) => ({ calm: (calm as number[]).with(0, 0.5) })),
  },
  {
    what: 'the readings of a verdict changed, with the outcome that follows from them',
    ...alone('wrong_verdict'),
    apply: rewriteFields('verdict', ({ calm_state }) => ({
      calm_state: (calm_state as boolean[]).fill(true),
      outcome: 'unknown_usual',
      served: null,
    })),
  },
  {
    what: 'the usual of a verdict changed',
    ...alone('wrong_verdict'),
    apply: rewriteFields('verdict', () => ({ usual_calm: 0.4 })),
  },
  {
    what: 'a verdict on an end other than the one claimed, with one reading more',
    ...alone('wrong_verdict'),
    apply: rewriteFields('verdict', ({ revealed_at, calm, calm_state }) => ({
      revealed_at: iso(parseTime(revealed_at) + SLOT),
      calm: [...(calm as number[]), 0.5],
      calm_state: [...(calm_state as boolean[]), false],
    })),
  },
  {
    what: 'a second verdict on a silence',
    ...alone('wrong_verdict'),
    apply: rewriteRow('verdict', (entry) => [entry, { ...entry, leaf: -1 }]),
  },
  { what: 'a verdict left out', ...alone('missing_verdict'), apply: rewriteRow('verdict', () => []) },
  {
    what: 'a row written twice',
    ...alone('duplicate_id'),
    apply: rewriteRow('silence', (entry) => [entry, { ...entry, leaf: -1 }]),
  },
  {
    what: 'an id used for two forecasts',
    ...alone('duplicate_id'),
    apply: rewriteRow('prediction', (entry, _at, entries) => {
      const { id } = entries.find(({ type }) => type === 'prediction') as EditedEntry;
      return [{ ...withFields(entry, { id }), id }];
    }),
  },
  { what: 'a silence left out', ...alone('wrong_row'), apply: withoutNewestSilence(false) },
  {
    what: 'a silence left out, and removed from the tables',
    ...since('shrunk'),
    apply: withoutNewestSilence(true),
  },
  {
    what: '`written_at` earlier than that of the row before',
    ...alone('out_of_order'),
    apply: rewriteFields(
      'prediction',
      ({ written_at }) => ({ written_at: iso(parseTime(written_at) - 1) }),
      (entry, at, entries) =>
        isLive(entry) && entries[at - 1]?.payload.written_at === entry.payload.written_at,
    ),
  },
  {
    what: '`written_at` before `sealed_at` by more than a minute',
    ...alone('out_of_order'),
    apply: rewriteFields(
      'prediction',
      ({ written_at }) => ({ sealed_at: iso(parseTime(written_at) + 60_001) }),
      isLive,
    ),
  },
  {
    what: '`written_at` of a submission after its `sealed_at` by more than a minute',
    ...alone('out_of_order'),
    apply: rewriteFields('submission', ({ written_at }) => ({
      sealed_at: iso(parseTime(written_at) - 60_001),
    })),
  },
  {
    what: '`written_late` removed from a submission that was written late',
    ...alone('out_of_order'),
    apply: rewriteFields(
      'submission',
      () => ({ written_late: undefined }),
      ({ payload }) => payload.written_late === true,
    ),
  },
  {
    what: '`backfilled` removed from a row of the history',
    ...alone('out_of_order'),
    apply: rewriteFields('prediction', () => ({ backfilled: undefined })),
  },
  {
    what: 'JSON that is not canonical',
    ...alone('bad_entry'),
    apply: rewriteText((canonical) => canonical.replace('{', '{ ')),
  },
  {
    what: 'a member more in an entry',
    ...alone('bad_entry'),
    apply: rewriteText((canonical) => `${canonical},"note":"more"`),
  },
  {
    what: 'NaN in place of a number',
    ...alone('bad_entry'),
    apply: rewriteText((canonical) => canonical.replace(/"confidence":[0-9.]+/, '"confidence":NaN')),
  },
  {
    what: 'the clock of the service set back, for all that it writes',
    ...nothing(WITNESSES),
    isFork: true,
    apply: async (store) => {
      await rewriteLog(store, (entries) =>
        entries.map((entry) =>
          withFields(entry, { written_at: iso(parseTime(entry.payload.written_at) - 1000) }),
        ),
      );
      await change(store, 'update submissions set scored_from = scored_from - 1000');
    },
  },
  {
    what: 'two logs, each shown to other people from the start',
    ...nothing(WITNESSES),
    isFork: true,
    apply: editedSilence(0.001),
  },
];

/** Neither the first nor the newest half hour that is rolled up. */
const aboutHalfWay = `period_end = (select (min(period_end) + max(period_end)) / 3600000 * 1800000 from rollup_calm)`;
const newestForecast = (pocket: string): string =>
  `pocket_id = '${pocket}' and generator = 'pocket_projection_60m' and period_end = (select max(period_end) from rollup_forecasts)`;

const beside: Tamper[] = [
  {
    what: 'a submission deleted after its window has closed',
    ...alone('missing_submission'),
    apply: sql("delete from submissions where id = 'closed'"),
  },
  {
    what: 'the items of a closed submission edited',
    ...alone('bad_detached'),
    apply: sql("update submissions set items = replace(items, '0.6', '0.7') where id = 'closed'"),
  },
  {
    what: 'the items of an open submission edited',
    ...nothing('from the end of its window on `bad_detached`'),
    apply: sql("update submissions set items = replace(items, '0.6', '0.7') where id = 'open'"),
  },
  {
    what: 'a row of the leaderboard changed',
    ...alone('wrong_figure'),
    apply: sql('update submission_scores set accuracy = 1'),
  },
  {
    what: 'a rollup of accuracy changed',
    ...alone('wrong_figure'),
    apply: sql('update rollup_forecasts set hits_9 = hits_9 + 1'),
  },
  {
    what: 'a rollup of the accuracy of waking hours changed',
    ...alone('wrong_figure'),
    apply: sql('update rollup_forecasts set waking_hits = waking_hits - 1'),
  },
  {
    what: 'a rollup of the calm probability changed',
    ...alone('wrong_figure'),
    apply: sql('update rollup_calm set calm = calm - 1'),
  },
  {
    what: 'a rollup of one half hour changed, which figures of a week or a month begin or end with',
    ...alone('wrong_figure'),
    apply: sql(`update rollup_pockets set silences = silences + 1 where ${aboutHalfWay}`),
  },
  {
    what: 'hits moved from one pocket to another in the newest rollup',
    ...alone('wrong_figure'),
    apply: sql(
      `update rollup_forecasts set scored_9 = scored_9 + 1 where ${newestForecast('chipbee')}`,
      `update rollup_forecasts set scored_9 = scored_9 - 1 where ${newestForecast('dempsey')}`,
    ),
  },
  {
    what: 'hits moved from one pocket to another in the rollup of an older half hour',
    ...nothing(RECOUNT),
    apply: sql(
      `update rollup_forecasts set scored_9 = scored_9 + 1 where pocket_id = 'chipbee' and ${aboutHalfWay}`,
      `update rollup_forecasts set scored_9 = scored_9 - 1 where pocket_id = 'dempsey' and ${aboutHalfWay}`,
    ),
  },
  {
    what: 'a count of silences changed',
    ...alone('wrong_figure'),
    apply: sql('update rollup_pockets set silences = silences + 1'),
  },
  {
    what: 'the time in which a line was live changed',
    ...nothing(OUTSIDE),
    apply: sql('update rollup_pockets set already_speaking = already_speaking + 1'),
  },
  {
    what: 'the verdict on a silence changed in its table',
    ...alone('wrong_row'),
    apply: sql('update verdict_figures set served = 1 - served'),
  },
  {
    what: 'the score of a forecast changed in its table',
    ...alone('wrong_row'),
    apply: sql(
      'update reveal_figures set scores = scores - (scores & 1023) + 1000 where (scores & 1023) < 500',
    ),
  },
  {
    what: 'the published text of a line changed',
    ...alone('wrong_row'),
    apply: sql("update packages set composed_text = replace(composed_text, 'calm', 'busy')"),
  },
  {
    what: 'a stored reading of a silence or a forecast changed',
    ...alone('wrong_row'),
    apply: sql('update reading_figures set calm_milli = 500'),
  },
  {
    what: 'a row of a table deleted, or one added that no entry gives',
    ...alone('wrong_row'),
    apply: sql('delete from forecast_sets where leaf = (select max(leaf) from forecast_sets)'),
  },
  {
    what: 'a monthly report with other counts',
    ...alone('wrong_figure'),
    apply: sql(
      `insert into restraint_reports values ('2026-11', ${NOW}, 7, 7, 0, 0, null, null, null, '{}', null, 0, 7, null, null, '{}')`,
    ),
  },
  {
    what: 'the attention that a silence preserved changed, which rests on how many people passed',
    ...nothing(OUTSIDE),
    apply: sql('update verdict_figures set attention_hundredths = 2 * attention_hundredths'),
  },
  {
    what: 'the reference rows of the leaderboard deleted',
    ...alone('wrong_figure'),
    apply: sql('delete from benchmark_references'),
  },
  {
    what: 'a stored signal changed that is not sealed, such as how busy an outlet was',
    ...nothing(OUTSIDE),
    apply: sql('update outlet_activity set activity = 0.5'),
  },
];

export const tampers: readonly Tamper[] = [...inStore, ...checkpoints, ...rewritten, ...beside];

/** The tables that a tamper changes; all but the last are append-only. */
export const tamperedTables = [
  'ledger_entries',
  'ledger_bundles',
  'ledger_tiles',
  'ledger_checkpoints',
  'ledger_keys',
  'silence_figures',
  'submissions',
  'submission_scores',
  'verdict_figures',
  'forecast_sets',
  'reveal_figures',
  'packages',
  'benchmark_references',
  'restraint_reports',
  'reading_figures',
  'outlet_activity',
];

/** What finds a tamper, in the words of docs/ledger.md. */
export function finderText(finder: Finder): string {
  if ('alone' in finder) return `\`${finder.alone}\``;
  if ('since' in finder) return `only with \`--since\`: \`${finder.since}\``;
  if ('sinceOrKey' in finder) return `only with \`--since\` or \`--key\`: \`${finder.sinceOrKey}\``;
  if ('key' in finder) return `only with \`--key\`: \`${finder.key}\`; else the change is printed`;
  return `nothing; ${finder.nothing}`;
}
