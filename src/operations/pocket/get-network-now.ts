import Type, { type Static } from 'typebox';
import { CURRENT_FOR } from '../../domain/atmosphere/reading.ts';
import type { Pocket } from '../../domain/city/city.ts';
import { findPockets } from '../../domain/city/lists/find-entries.ts';
import { type IndexReading, nextIndexAt } from '../../domain/decision/legitimacy-index.ts';
import { signalStatus, signalStatuses } from '../../domain/decision/signal-status.ts';
import { type Reason, reasonText } from '../../domain/decision/silence-reason.ts';
import { EXPIRED } from '../../domain/decision/silence-text.ts';
import { countText } from '../../domain/text/count-text.ts';
import { iso } from '../../domain/time/slot.ts';
import type { Zone } from '../../domain/time/zone.ts';
import { legitimacyIndexOn } from '../../store/decision/legitimacy-index.ts';
import { currentMoments, type MomentRecord } from '../../store/decision/moments.ts';
import { type LivePackageLine, livePackageLines } from '../../store/decision/packages.ts';
import { reasonsBetween } from '../../store/decision/reasons.ts';
import { count, countField, date, nullable, primaryState, timestamp } from '../core/answer-fields.ts';
import { defineOperation, type OperationContext } from '../core/define.ts';
import { rowsOfAll } from '../core/rows-of-all.ts';
import { disagreementsField, findDisagreements } from '../decision/agreement-fields.ts';
import { legitimacyBand, legitimacyScore } from '../decision/decision-fields.ts';
import { learning, readLearning } from './learning.ts';
import { loadMissing } from './missing-crowd.ts';
import { coordinates, minutes, moment } from './pocket-fields.ts';

export const networkRow = Type.Object({
  pocket_id: Type.String(),
  name: Type.String(),
  region: Type.String(),
  ...coordinates,
  primary_state: nullable(primaryState),
  calm_probability: nullable(moment.properties.calm_probability),
  calm_level: nullable(moment.properties.calm_level),
  calm_change: nullable(moment.properties.calm_change),
  half_life_minutes: nullable(minutes),
  expires_at: nullable(timestamp),
  signal_status_code: nullable(Type.Enum([...signalStatuses])),
  speaking: Type.Boolean({ description: 'a line is live' }),
  line: nullable(Type.String()),
  line_at: Type.Union([timestamp, Type.Null()], {
    description: 'when the line was said; its figures are those of that reading',
  }),
  silent_because: nullable(
    Type.String({ description: 'the reason of the last decision, in words; null while a line is live' }),
  ),
  index_score: nullable(legitimacyScore),
  index_band: nullable(legitimacyBand),
  disagreements: disagreementsField,
});

export const getNetworkNow = defineOperation({
  name: 'get_network_now',
  title: 'Every pocket as it is now',
  description:
    'Shows the whole network at once. Use it to draw a map or a list of all pockets. Returns {captured_at, pockets [{pocket_id, name, region, lat, lng, primary_state, calm_probability, calm_level, calm_change, half_life_minutes, expires_at, signal_status_code, speaking, line, line_at, silent_because, index_score, index_band, disagreements}], speaking_count, silent_count, unread_count, learning, index {reading_date, count, next_reading_at}}, pockets by name. speaking: a line is live; silent_because: the reason of the last decision, in words. Null where nothing is known now.',
  input: {},
  output: Type.Object({
    captured_at: Type.Union([timestamp, Type.Null()], { description: 'the newest reading' }),
    pockets: Type.Array(networkRow),
    speaking_count: count,
    silent_count: count,
    unread_count: countField('pockets without a current moment'),
    learning: nullable(learning),
    index: Type.Object({ reading_date: date, count, next_reading_at: timestamp }),
  }),
  rows: rowsOfAll,
  list: 'pockets',
  load: (_input, context) => loadNetwork(context),
  shape: (data, _input, zone) => networkAnswer(data, zone),
  speak: ({ captured_at, pockets, speaking_count, silent_count, unread_count }, _input, zone) => {
    if (captured_at === null) {
      const [reason, ...others] = new Set(pockets.map(({ silent_because }) => silent_because));
      const why = reason && !others.length ? `: ${reason}` : '';
      return `none of ${pockets.length} pockets can be read just now${why}.`;
    }
    const unread = unread_count ? ` not enough recent data: ${unread_count}.` : '';
    return `at ${zone.clockWithZone(Date.parse(captured_at))}: ${countText(pockets.length, 'pocket')}, ${speaking_count} worth knowing about now, ${silent_count} left in silence.${unread}`;
  },
  rest: { path: '/api/network' },
});

/** What every pocket's row is made from; of the whole city unless some pockets are named, a hundred at most. */
export async function loadNetwork(context: OperationContext, only?: readonly string[]) {
  const { store, registry, now, zone } = context;
  const pockets = only ? findPockets(registry, only) : registry.pockets;
  const [moments, lines, reasons, index] = await Promise.all([
    currentMoments(store, now, only),
    livePackageLines(store, now, only),
    reasonsBetween(store, now - CURRENT_FOR, now, only),
    legitimacyIndexOn(store, zone.localDate(now), only),
  ]);
  const read = new Set(moments.map(({ moment }) => moment.pocket_id));
  const lacks = await loadMissing(
    context,
    pockets.flatMap(({ id }) => (read.has(id) ? [] : [id])),
  );
  return { pockets, moments, lines, reasons, index, lacks, learning: await readLearning(context), now };
}

/** Pure; also what the list of calm windows is made from, so that a pocket's figures are the same in both. */
export function networkAnswer(
  {
    pockets,
    moments,
    lines,
    reasons,
    index,
    lacks,
    learning: learns,
    now,
  }: Awaited<ReturnType<typeof loadNetwork>>,
  zone: Zone,
) {
  const read = new Map(moments.map((record) => [record.moment.pocket_id, record]));
  const indexed = new Map(index.map((reading) => [reading.pocket_id, reading]));
  const rows = pockets
    .map((pocket) => {
      const record = read.get(pocket.id);
      const because = record
        ? silentBecause(reasons.get(`${pocket.id} ${record.slot}`))
        : (lacks.get(pocket.id)?.text ?? reasonText.thin_data);
      return composeRow(pocket, record, lines.get(pocket.id), because, indexed.get(pocket.id));
    })
    .sort((a, b) => byName.compare(a.name, b.name));
  const speaking_count = rows.filter(({ speaking }) => speaking).length;
  const unread_count = rows.filter((row) => !row.speaking && row.primary_state === null).length;
  const newest = moments.reduce((last, { slot }) => Math.max(last, slot), 0);
  return {
    captured_at: moments.length ? iso(newest) : null,
    pockets: rows,
    speaking_count,
    silent_count: rows.length - speaking_count - unread_count,
    unread_count,
    learning: learns,
    index: {
      reading_date: zone.localDate(now),
      count: index.length,
      next_reading_at: iso(nextIndexAt(now, zone)),
    },
  };
}

/** In the order of lists by name. */
export const byName = new Intl.Collator('en');

function composeRow(
  { id, name, region, lat, lng }: Pocket,
  record: MomentRecord | undefined,
  live: LivePackageLine | undefined,
  because: string,
  index: IndexReading | undefined,
): Static<typeof networkRow> {
  const now = record?.moment;
  return {
    pocket_id: id,
    ...{ name, region, lat, lng },
    primary_state: now?.primary_state ?? null,
    calm_probability: now?.calm_probability ?? null,
    calm_level: now?.calm_level ?? null,
    calm_change: now?.calm_change ?? null,
    half_life_minutes: now?.half_life_minutes ?? null,
    expires_at: now ? iso(now.expires_at) : null,
    signal_status_code: record
      ? signalStatus({ moment: record.moment, band: record.quality.band, live: live !== undefined })
      : null,
    speaking: live !== undefined,
    line: live?.composed_text ?? null,
    line_at: live ? iso(live.slot) : null,
    silent_because: live ? null : because,
    index_score: index?.score ?? null,
    index_band: index?.band ?? null,
    // While nothing is said, silent_because stands beside the index.
    disagreements: live
      ? findDisagreements(null, {
          reason: 'already_speaking',
          legitimacy_band: null,
          index_band: index?.band ?? null,
        })
      : [],
  };
}

/** A line that was live at the moment may have expired since. */
function silentBecause(reason: Reason | undefined): string {
  return reason === undefined || reason === 'already_speaking' ? EXPIRED : reasonText[reason];
}
