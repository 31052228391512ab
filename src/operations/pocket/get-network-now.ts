import Type from 'typebox';
import { nextIndexAt } from '../../domain/decision/legitimacy-index.ts';
import { countText } from '../../domain/text/count-text.ts';
import { iso } from '../../domain/time/slot.ts';
import type { Zone } from '../../domain/time/zone.ts';
import { chunksOf } from '../../store/engine/in-clause-chunks.ts';
import { count, countField, date, nullable, timestamp } from '../core/answer-fields.ts';
import { defineOperation, type OperationContext } from '../core/define.ts';
import { rowsOfAll } from '../core/rows-of-all.ts';
import { learning, readLearning } from './learning.ts';
import { loadNetworkRows, networkRow } from './network-rows.ts';

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

/** Of the rows of a large city no more is kept at once than of some pockets what they are made from. */
async function loadNetwork(context: OperationContext) {
  const { registry, now } = context;
  const parts: Awaited<ReturnType<typeof loadNetworkRows>>[] = [];
  for (const ids of chunksOf(registry.pockets.map(({ id }) => id)))
    parts.push(await loadNetworkRows(context, ids));
  return {
    rows: parts.flatMap(({ rows }) => rows),
    newest: Math.max(0, ...parts.map(({ newest }) => newest)),
    indexed: parts.reduce((sum, { indexed }) => sum + indexed, 0),
    learning: await readLearning(context),
    now,
  };
}

function networkAnswer(
  { rows, newest, indexed, learning: learns, now }: Awaited<ReturnType<typeof loadNetwork>>,
  zone: Zone,
) {
  const speaking_count = rows.filter(({ speaking }) => speaking).length;
  const unread_count = rows.filter((row) => !row.speaking && row.primary_state === null).length;
  return {
    captured_at: newest ? iso(newest) : null,
    pockets: rows.toSorted((a, b) => byName.compare(a.name, b.name)),
    speaking_count,
    silent_count: rows.length - speaking_count - unread_count,
    unread_count,
    learning: learns,
    index: {
      reading_date: zone.localDate(now),
      count: indexed,
      next_reading_at: iso(nextIndexAt(now, zone)),
    },
  };
}

/** In the order of lists by name. */
export const byName = new Intl.Collator('en');
