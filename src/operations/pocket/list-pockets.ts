import Type, { type Static } from 'typebox';
import { chanceText } from '../../domain/atmosphere/calm-band.ts';
import type { Pocket } from '../../domain/city/city.ts';
import { pocketsInOrder } from '../../domain/city/lists/find-entries.ts';
import { HORIZONS } from '../../domain/prediction/prediction.ts';
import { percentText } from '../../domain/text/figures.ts';
import { calmReadings } from '../../store/decision/calm-pockets.ts';
import { pocketsWithLivePackage } from '../../store/decision/packages.ts';
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
      return { pockets, live: await readLive(store, now, pockets) };
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      onPartial?.();
      return { pockets, live: undefined };
    }
  },
  shape: ({ pockets, live }) => ({
    pockets: pockets.map(({ id }) => id),
    details: pockets.map((pocket) => pocketDetails(pocket, live)),
  }),
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
function pocketLine({
  pocket_id,
  name,
  primary_state,
  calm_probability,
  ahead,
  speaking,
}: Static<typeof details>): string {
  const label = `${name.toLowerCase()} (${pocket_id})`;
  if (primary_state === null || calm_probability === null) return `${label}: no current reading`;
  const [hour] = ahead;
  const later =
    hour && hour.calm_probability !== null ? `, in an hour ${percentText(hour.calm_probability)}` : '';
  return `${label}: ${primary_state.replace('-', ' and ')}, ${chanceText(calm_probability)}${later}; ${speaking ?? 'silent'}`;
}

type Live = Awaited<ReturnType<typeof readLive>>;

async function readLive(store: Reader, now: number, pockets: readonly Pocket[]) {
  const [readings, speaking, ahead] = await Promise.all([
    calmReadings(store, now, pockets),
    pocketsWithLivePackage(store, now),
    calmAheadByPocket(
      store,
      now,
      pockets.map(({ id }) => id),
    ),
  ]);
  return { readings: new Map(readings.map((reading) => [reading.pocket_id, reading])), speaking, ahead };
}

function pocketDetails(
  { id, name, lat, lng, region }: Pocket,
  live: Live | undefined,
): Static<typeof details> {
  const reading = live?.readings.get(id);
  const ahead: CalmAhead = live?.ahead.get(id) ?? new Map();
  return {
    pocket_id: id,
    ...{ name, lat, lng, region },
    primary_state: reading?.primary_state ?? null,
    calm_probability: reading?.calm_probability ?? null,
    ahead: HORIZONS.map((minutes) => ({ minutes, calm_probability: ahead.get(minutes) ?? null })),
    speaking: live?.speaking.has(id) ? 'speaking' : reading ? 'silent' : null,
  };
}
