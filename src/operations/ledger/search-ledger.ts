import Type from 'typebox';
import { countText } from '../../domain/text/count-text.ts';
import { atLocalText, endOfLocalText } from '../../domain/time/local-text.ts';
import { iso } from '../../domain/time/slot.ts';
import type { Zone } from '../../domain/time/zone.ts';
import { readArchive, tellArchive } from '../../store/ledger/archived.ts';
import { latestCheckpoint } from '../../store/ledger/ledger-reads.ts';
import { type LedgerPosition, searchEntries, searchedTypes } from '../../store/ledger/ledger-search.ts';
import { nullable, olderRows, timestamp } from '../core/answer-fields.ts';
import { archivedSentence } from '../core/archived-rows.ts';
import { defineOperation, Refused } from '../core/define.ts';
import { pocketId, wholeNumber } from '../core/fields.ts';
import { ledgerEntry, ledgerEntryFields, treeSize } from '../prediction/ledger-fields.ts';

export const searchedType = Type.Enum([...searchedTypes], {
  default: 'prediction',
  description: 'which kind of entry',
});

const localTime = (description: string) =>
  Type.String({
    minLength: 10,
    maxLength: 16,
    description: `${description}, as 2026-11-11 or 2026-11-11T09:30 by the clocks of the city`,
  });

/** The filters of a search, without the type: a page has them, too. */
export const searchFilters = {
  pocket_id: Type.Optional(pocketId),
  from: Type.Optional(localTime('sealed from this time on')),
  to: Type.Optional(localTime('sealed up to this time; a date means the end of that day')),
  before: Type.Optional(
    Type.String({
      pattern: '^\\d{1,14}\\.\\d{1,9}$',
      maxLength: 24,
      description: 'the next of the page before: a time in milliseconds, a dot and a leaf',
    }),
  ),
};

export const searchLedger = defineOperation({
  name: 'search_ledger',
  title: 'Search the ledger by pocket and time',
  description:
    'Lists entries of one type, newest first, by the time of sealing (of a reveal or a verdict: that of what it is the outcome of). Use it to read the record of a pocket or a day; for an id or a hash use check_ledger. Returns tree_size, from and to as UTC times (null without one), entries, and next: the before of the page that follows, null on the last. Pages neither skip nor repeat an entry, since entries are only added. A submission has no pocket.',
  input: {
    type: searchedType,
    ...searchFilters,
    limit: wholeNumber(1, 200, 25, 'entries of a page'),
  },
  output: Type.Object({
    tree_size: treeSize,
    from: nullable(timestamp),
    to: nullable(timestamp),
    entries: Type.Array(Type.Object(ledgerEntry)),
    next: nullable(Type.String({ description: 'before of the next page' })),
    ...olderRows,
  }),
  readsLog: true,
  load: async ({ type, pocket_id, from, to, before, limit }, { store, baseUrl, zone }) => {
    const span = searchSpan(from, to, zone);
    const filter = {
      type,
      pocket_id,
      ...span,
      after: before === undefined ? undefined : parsePosition(before),
    };
    // One more than the page shows whether another follows.
    const [rows, checkpoint] = await Promise.all([
      searchEntries(store, filter, limit + 1),
      latestCheckpoint(store),
    ]);
    return { rows, span, checkpoint, baseUrl, archive: await readArchive(store) };
  },
  shape: ({ rows, span, checkpoint, baseUrl, archive }, { limit }) => {
    const shown = rows.slice(0, limit);
    const last = rows.length > limit ? shown.at(-1) : undefined;
    return {
      tree_size: checkpoint?.size ?? null,
      from: span.from === undefined ? null : iso(span.from),
      to: span.to === undefined ? null : iso(span.to),
      entries: shown.map((entry) => ledgerEntryFields(entry, baseUrl)),
      next: last ? `${last.time}.${last.leaf}` : null,
      // The list ends where the archive begins.
      ...(archive && !last && (span.from ?? 0) < archive.rows_from && { archived: tellArchive(archive) }),
    };
  },
  speak: ({ entries, next, archived }, { type }) =>
    [
      `${countText(entries.length, 'entry', 'entries')} of type ${type}${next === null ? '' : ', and there are more'}.`,
      ...archivedSentence(archived),
    ].join(' '),
  rest: { path: '/api/ledger/search', names: { pocket_id: 'pocket' } },
});

function parsePosition(before: string): LedgerPosition {
  const [time = 0, leaf = 0] = before.split('.').map(Number);
  return { time, leaf };
}

/** Both ends in the city's time; a `to` without a clock time includes its day. */
function searchSpan(from: string | undefined, to: string | undefined, zone: Zone) {
  const span = {
    from: from === undefined ? undefined : atLocalText(from, zone),
    to: to === undefined ? undefined : endOfLocalText(to, zone),
  };
  for (const [name, time] of Object.entries(span))
    if (time === null) throw new Refused(`${name} must be a date or a local time, such as 2026-11-11T09:30`);
  return span as { from: number | undefined; to: number | undefined };
}
