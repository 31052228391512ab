// What the network tells of each of some pockets now.
import Type, { type Static } from 'typebox';
import type { Pocket } from '../../domain/city/city.ts';
import { findPockets } from '../../domain/city/lists/find-entries.ts';
import type { IndexReading } from '../../domain/decision/legitimacy-index.ts';
import { type SignalStatus, signalStatus, signalStatuses } from '../../domain/decision/signal-status.ts';
import { type Reason, reasonText } from '../../domain/decision/silence-reason.ts';
import { EXPIRED } from '../../domain/decision/silence-text.ts';
import { iso } from '../../domain/time/slot.ts';
import { asksForSilence, type NewestMoment, newestMoments } from '../../store/decision/calm-pockets.ts';
import { legitimacyIndexOn } from '../../store/decision/legitimacy-index.ts';
import { type LivePackageLine, livePackageLines } from '../../store/decision/packages.ts';
import { currentReasons } from '../../store/decision/reasons.ts';
import { nullable, primaryState, timestamp } from '../core/answer-fields.ts';
import type { OperationContext } from '../core/define.ts';
import { disagreementsField, findDisagreements } from '../decision/agreement-fields.ts';
import { legitimacyBand, legitimacyScore } from '../decision/decision-fields.ts';
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
export type NetworkRow = Static<typeof networkRow>;

export const statusColumns = ['calm_probability', 'fragility', 'silence_reasons', 'band'] as const;

export const newestStatus = (
  moment: NewestMoment<(typeof statusColumns)[number]>,
  live: boolean,
): SignalStatus =>
  signalStatus({
    moment: { ...moment, should_stay_silent: asksForSilence(moment) },
    band: moment.band,
    live,
  });

const columns = [
  ...statusColumns,
  ...(['primary_state', 'calm_level', 'calm_change', 'half_life_minutes', 'expires_at'] as const),
] as const;

/** The rows of some pockets, no more than one statement can ask for, with the newest slot and how many have an index. */
export async function loadNetworkRows(context: OperationContext, ids: readonly string[]) {
  const { store, registry, now, zone } = context;
  const pockets = findPockets(registry, ids);
  const [moments, lines, reasons, index] = await Promise.all([
    newestMoments(store, now, registry.pockets, columns, ids),
    livePackageLines(store, now, ids),
    currentReasons(store, now, ids),
    legitimacyIndexOn(store, zone.localDate(now), ids),
  ]);
  const read = new Map(moments.map((moment) => [moment.pocket_id, moment]));
  const indexed = new Map(index.map((reading) => [reading.pocket_id, reading]));
  const lacks = await loadMissing(
    context,
    ids.filter((id) => !read.has(id)),
  );
  const rows = pockets.map((pocket) => {
    const moment = read.get(pocket.id);
    const because = moment
      ? silentBecause(reasons.get(`${pocket.id} ${moment.slot}`))
      : (lacks.get(pocket.id)?.text ?? reasonText.thin_data);
    return composeRow(pocket, moment, lines.get(pocket.id), because, indexed.get(pocket.id));
  });
  return { rows, newest: Math.max(0, ...moments.map(({ slot }) => slot)), indexed: index.length };
}

function composeRow(
  { id, name, region, lat, lng }: Pocket,
  now: NewestMoment<(typeof columns)[number]> | undefined,
  live: LivePackageLine | undefined,
  because: string,
  index: IndexReading | undefined,
): Static<typeof networkRow> {
  return {
    pocket_id: id,
    ...{ name, region, lat, lng },
    primary_state: now?.primary_state ?? null,
    calm_probability: now?.calm_probability ?? null,
    calm_level: now?.calm_level ?? null,
    calm_change: now?.calm_change ?? null,
    half_life_minutes: now?.half_life_minutes ?? null,
    expires_at: now ? iso(now.expires_at) : null,
    signal_status_code: now ? newestStatus(now, live !== undefined) : null,
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
