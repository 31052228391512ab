import Type, { type Static } from 'typebox';
import { gateClosedBy, reasonText } from '../../domain/decision/silence-reason.ts';
import { vindicationRate } from '../../domain/stats/counts.ts';
import { countText } from '../../domain/text/count-text.ts';
import { percentText } from '../../domain/text/figures.ts';
import { iso } from '../../domain/time/slot.ts';
import { namedWindow, type WindowName } from '../../domain/time/window.ts';
import { verdictText } from '../../domain/verdict/verdict.ts';
import {
  countVindications,
  type VindicationFilter,
  type VindicationRow,
  vindicationLedger,
} from '../../store/decision/vindication-ledger.ts';
import { keptWindow } from '../../store/ledger/archived.ts';
import { exportVindications } from '../../store/report/exports.ts';
import { count, countField, nullable, olderRows, timestamp, unit } from '../core/answer-fields.ts';
import { archivedSentence } from '../core/archived-rows.ts';
import { defineOperation } from '../core/define.ts';
import { pocketId, rowLimit, sinceNames } from '../core/fields.ts';
import { cutPage, slotPosition, textPosition } from '../core/list-options.ts';
import { rowsAndColumnsOfAll } from '../core/rows-of-all.ts';
import { createTable } from '../core/table.ts';
import { attentionMinutes, closedGate, reasonFields } from './decision-fields.ts';

/** A silence with its verdict. The fields of the verdict are null until the window has ended. */
const entry = Type.Object({
  id: Type.String(),
  pocket_id: Type.String(),
  gate_name: closedGate,
  ...reasonFields,
  sealed_at: timestamp,
  window_end: timestamp,
  revealed: Type.Boolean(),
  revealed_at: nullable(timestamp),
  vindicated: Type.Union([Type.Boolean(), Type.Null()], {
    description: 'whether staying silent was right; null also where it could not be judged',
  }),
  attention_minutes_preserved: nullable(attentionMinutes),
  verdict_reason: nullable(Type.String({ description: 'why staying silent was right or wrong' })),
});

export const listSilenceVindications = defineOperation({
  name: 'list_silence_vindications',
  title: 'Whether staying silent was right',
  description:
    'Lists silences with what became of them. All are of waking hours (07:00 to 23:00) with no line of the service live, and so is the rate. Use it to check the service against its own restraint. Returns count, summary {vindication_rate, total_revealed, total_vindicated, inconclusive_count, pending_count} over all that the filter selects, and entries, newest first. A vindicated row means that staying silent was right. total_revealed counts those with a verdict; one that could not be judged has vindicated null and counts as inconclusive, never in the rate. since applies to sealed_at.',
  input: {
    pocket_id: Type.Optional(pocketId),
    since: Type.Enum([...sinceNames], { default: '7d', description: 'how far back' }),
    revealed_only: Type.Boolean({ default: false, description: 'leave out those still pending' }),
    limit: rowLimit,
  },
  output: Type.Object({
    pocket_id: nullable(Type.String()),
    since: Type.Enum([...sinceNames]),
    count: countField('silences that the filter selects, listed or not'),
    summary: Type.Object({
      vindication_rate: Type.Union([unit, Type.Null()], {
        description: 'share of those judged that were right, in waking hours',
      }),
      total_revealed: countField('silences with a verdict'),
      total_vindicated: count,
      inconclusive_count: countField('silences that could not be judged'),
      pending_count: countField('silences whose window has not ended'),
    }),
    entries: Type.Array(entry),
    ...olderRows,
  }),
  list: 'entries',
  position: { slot: slotPosition, pocket: textPosition },
  rows: ({ limit }, registry) => rowsAndColumnsOfAll(limit, registry),
  load: async ({ limit, ...question }, { store, now }, from) => {
    const filter = vindicationFilter(question, now);
    const { window: listed, archived } = await keptWindow(store, filter);
    return {
      tally: await countVindications(store, filter),
      ...cutPage(await vindicationLedger(store, listed, limit + 1, from), limit),
      archived,
    };
  },
  next: ({ last }) => last && { slot: last.slot, pocket: last.pocket_id },
  shape: ({ tally: { count, revealed, vindicated, missed }, rows, archived }, { pocket_id, since }) => {
    const judged = vindicated + missed;
    return {
      pocket_id: pocket_id ?? null,
      since,
      count,
      summary: {
        vindication_rate: vindicationRate({ vindicated, missed }),
        total_revealed: judged,
        total_vindicated: vindicated,
        inconclusive_count: revealed - judged,
        pending_count: count - revealed,
      },
      entries: rows.map(vindicationEntry),
      ...(archived && { archived }),
    };
  },
  speak: ({ count, summary, entries, archived }) => {
    const { vindication_rate, total_revealed, total_vindicated, inconclusive_count, pending_count } = summary;
    const rate =
      vindication_rate === null
        ? 'none has been judged yet.'
        : `of ${total_revealed} judged, ${total_vindicated} were right (${percentText(vindication_rate)}, in waking hours).`;
    const counts = `${countText(count, 'silence')}: ${rate} ${inconclusive_count} inconclusive, ${pending_count} pending; ${entries.length} listed.`;
    return [counts, ...archivedSentence(archived)].join(' ');
  },
  table: (question, { store, now }) =>
    createTable('vindications', exportVindications(store, vindicationFilter(question, now)), {
      id: ({ id }) => id,
      pocket_id: ({ pocket_id }) => pocket_id,
      gate_name: ({ reason }) => gateClosedBy(reason),
      reason: ({ reason }) => reason,
      reason_text: ({ reason }) => reasonText[reason],
      sealed_at: ({ slot }) => iso(slot),
      window_end: ({ window_end }) => iso(window_end),
      revealed: ({ revealed_at }) => revealed_at !== null,
      revealed_at: ({ revealed_at }) => (revealed_at === null ? null : iso(revealed_at)),
      vindicated: ({ vindicated }) => (vindicated === null ? null : vindicated === 1),
      attention_minutes_preserved: ({ attention_minutes_preserved }) => attention_minutes_preserved,
      verdict_reason: ({ outcome }) => outcome && verdictText(false, outcome),
    }),
  rest: { path: '/api/silence-vindications' },
});

const vindicationFilter = (
  {
    pocket_id,
    since,
    revealed_only,
  }: { pocket_id?: string | undefined; since: WindowName; revealed_only: boolean },
  now: number,
): VindicationFilter => ({ ...namedWindow(since, now), pocket: pocket_id, revealedOnly: revealed_only });

const vindicationEntry = (row: VindicationRow): Static<typeof entry> => ({
  id: row.id,
  pocket_id: row.pocket_id,
  gate_name: gateClosedBy(row.reason),
  reason: row.reason,
  reason_text: reasonText[row.reason],
  sealed_at: iso(row.slot),
  window_end: iso(row.window_end),
  revealed: row.revealed_at !== null,
  revealed_at: row.revealed_at === null ? null : iso(row.revealed_at),
  vindicated: row.vindicated === null ? null : row.vindicated === 1,
  attention_minutes_preserved: row.attention_minutes_preserved,
  verdict_reason: row.outcome && verdictText(false, row.outcome),
});
