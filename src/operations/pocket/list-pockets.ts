import Type, { type Static } from 'typebox';
import { chanceText } from '../../domain/atmosphere/calm-band.ts';
import type { Pocket } from '../../domain/city/city.ts';
import { pocketsInOrder } from '../../domain/city/lists/find-entries.ts';
import { HORIZONS } from '../../domain/prediction/prediction.ts';
import { percentText } from '../../domain/text/figures.ts';
import { newestMoments } from '../../store/decision/calm-pockets.ts';
import { pocketsWithLivePackage } from '../../store/decision/packages.ts';
import { chunksOf } from '../../store/engine/in-clause-chunks.ts';
import { type Reader, StoreError } from '../../store/engine/store.ts';
import { type CalmAhead, calmAheadByPocket } from '../../store/prediction/projections.ts';
import { nullable, primaryState, unit } from '../core/answer-fields.ts';
import { defineOperation } from '../core/define.ts';
import { rowsOfAll } from '../core/rows-of-all.ts';
import { listWithin } from '../core/text-list.ts';
import { coordinates } from './pocket-fields.ts';

/** Live fields are null where nothing is known now, also while the store cannot be read. */
const details = Type.Object({
  pocket_id: Type.String(),
  name: Type.String(),
  ...coordinates,
  region: Type.String(),
  primary_state: nullable(primaryState),
  calm_probability: nullable(unit),
  ahead: Type.Array(
    Type.Object({
      minutes: Type.Enum([...HORIZONS]),
      calm_probability: Type.Union([unit, Type.Null()], {
        description: 'chance that the pocket is calm then, of the newest sealed projection',
      }),
    }),
  ),
  speaking: nullable(
    Type.Enum(['speaking', 'silent'], { description: 'whether a line of the service is live there' }),
  ),
});

type Row = Static<typeof details>;

export const listPockets = defineOperation({
  name: 'list_pockets',
  title: 'List observed pockets',
  description:
    'Lists every observed pocket (small neighbourhood) with how it is now. Use it first, for the pocket_id that other tools take, or to see all pockets in one call. Not for a place that a person names (lookup_pocket_by_name) or a ranking by calm (find_calm_pocket_now). Returns pockets [pocket_id] and details [{pocket_id, name, lat, lng, region, primary_state, calm_probability, ahead, speaking}].',
  toolsets: ['reader', 'merchant', 'record', 'benchmark'],
  input: {},
  output: Type.Object({
    pockets: Type.Array(Type.String({ description: 'pocket_id' })),
    details: Type.Array(details),
  }),
  rows: rowsOfAll,
  list: 'details',
  load: async (_input, { registry, store, now, onPartial }) => {
    const pockets = pocketsInOrder(registry);
    try {
      const speaking = await pocketsWithLivePackage(store, now);
      const rows: Row[] = [];
      // Of a large city no more is kept at once than of some pockets what their rows are made from.
      for (const some of chunksOf(pockets)) {
        const live = { ...(await readLive(store, now, some)), speaking };
        rows.push(...some.map((pocket) => pocketDetails(pocket, live)));
      }
      return rows;
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      onPartial?.();
      return pockets.map((pocket) => pocketDetails(pocket, undefined));
    }
  },
  shape: (rows) => ({ pockets: rows.map(({ pocket_id }) => pocket_id), details: rows }),
  speak: ({ pockets, details }) =>
    [
      `observed pockets: ${listWithin(pockets, '/api/pockets', MOST_NAMED, 1024).join(', ')}`,
      ...listWithin(details.map(pocketLine), '/api/pockets', MOST_NAMED, 2560),
    ].join('\n'),
  rest: { path: '/api/pockets' },
});

/** A text with more names would be longer than a model should read. */
const MOST_NAMED = 50;

/** 'tiong bahru (tiongbahru): calm and social, likely calm (82 %), in an hour 75 %; silent'. */
function pocketLine({ pocket_id, name, primary_state, calm_probability, ahead, speaking }: Row): string {
  const label = `${name.toLowerCase()} (${pocket_id})`;
  if (primary_state === null || calm_probability === null) return `${label}: no current reading`;
  const [hour] = ahead;
  const later =
    hour && hour.calm_probability !== null ? `, in an hour ${percentText(hour.calm_probability)}` : '';
  return `${label}: ${primary_state.replace('-', ' and ')}, ${chanceText(calm_probability)}${later}; ${speaking ?? 'silent'}`;
}

interface Live extends Awaited<ReturnType<typeof readLive>> {
  speaking: ReadonlySet<string>;
}

async function readLive(store: Reader, now: number, pockets: readonly Pocket[]) {
  const ids = pockets.map(({ id }) => id);
  const [moments, ahead] = await Promise.all([
    newestMoments(store, now, pockets, ['primary_state', 'calm_probability', 'expires_at'], ids),
    calmAheadByPocket(store, now, ids),
  ]);
  const current = moments.filter(({ expires_at }) => expires_at > now);
  return { readings: new Map(current.map((moment) => [moment.pocket_id, moment])), ahead };
}

function pocketDetails({ id, name, lat, lng, region }: Pocket, live: Live | undefined): Row {
  const reading = live?.readings.get(id);
  const ahead: CalmAhead | undefined = live?.ahead.get(id);
  return {
    pocket_id: id,
    ...{ name, lat, lng, region },
    primary_state: reading?.primary_state ?? null,
    calm_probability: reading?.calm_probability ?? null,
    ahead: HORIZONS.map((minutes, n) => ({ minutes, calm_probability: ahead?.[n] ?? null })),
    speaking: live?.speaking.has(id) ? 'speaking' : reading ? 'silent' : null,
  };
}
