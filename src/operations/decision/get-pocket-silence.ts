import Type, { type Static } from 'typebox';
import { cityCalendar } from '../../domain/city/rest-day.ts';
import { type CommitmentWindow, signalSaturation } from '../../domain/decision/moment.ts';
import {
  type NextWindowInput,
  nextPossibleWindow,
  signalStatus,
  signalStatuses,
  WINDOW_RECORD,
} from '../../domain/decision/signal-status.ts';
import { type Reason, reasonText } from '../../domain/decision/silence-reason.ts';
import { EXPIRED, justification, outlook } from '../../domain/decision/silence-text.ts';
import { countText } from '../../domain/text/count-text.ts';
import { printable } from '../../domain/text/printable.ts';
import { iso } from '../../domain/time/slot.ts';
import type { Zone } from '../../domain/time/zone.ts';
import { type NewestMoment, newestMoments } from '../../store/decision/calm-pockets.ts';
import { currentMoment, type MomentRecord } from '../../store/decision/moments.ts';
import {
  lineStarts,
  type PackageTimes,
  packagesOfLastDay,
  pocketsWithLivePackage,
} from '../../store/decision/packages.ts';
import { reasonAt } from '../../store/decision/reasons.ts';
import { recentCommitmentWindows } from '../../store/merchant/commitments.ts';
import { countReadingsInLastHour } from '../../store/observation/readings.ts';
import { countOpenPredictions } from '../../store/prediction/prediction-ledger.ts';
import { count, countField, nullable, timestamp, unitField } from '../core/answer-fields.ts';
import { defineOperation, type OperationContext } from '../core/define.ts';
import { pocketId } from '../core/fields.ts';
import { rowsAndColumnsOfAll } from '../core/rows-of-all.ts';
import { loadMissingFields, missingSentence } from '../pocket/missing-crowd.ts';
import { newestStatus, statusColumns } from '../pocket/network-rows.ts';
import { noMoment } from '../pocket/pocket-fields.ts';
import { anyReason } from './decision-fields.ts';

const signalStatusCode = Type.Enum([...signalStatuses]);

const vitalsSchema = Type.Object({
  pockets_watched: count,
  readings_per_hour: countField('readings of all pockets in the last hour'),
  open_predictions: countField('forecasts sealed and not yet revealed'),
});
type Vitals = Static<typeof vitalsSchema>;

interface PocketNow {
  record: MomentRecord;
  /** Why nothing was said at the moment; null when something was. */
  reason: Reason | null;
  spoken: PackageTimes[];
  /** When lines began here. */
  starts: Pick<NextWindowInput, 'began' | 'since' | 'calendar'>;
  commitments: readonly CommitmentWindow[];
  now: number;
}

interface Network {
  moments: NewestMoment<(typeof statusColumns)[number]>[];
  live: Set<string>;
}

export const getPocketSilence = defineOperation({
  name: 'get_pocket_silence',
  title: 'Why a pocket is left in silence',
  description:
    'Explains why the service says nothing about a pocket now, and when that could change. Use it for "why is nothing said here?". Not for past silences (get_pocket_counterfactuals) or an action of yours (score_legitimacy). Returns signal_status_code, reason, justification, outlook, next_possible_window and substrate_vitals; without pocket_id an overview of all pockets.',
  toolsets: ['reader'],
  input: { pocket_id: Type.Optional(pocketId) },
  output: Type.Union([
    Type.Object({
      pocket_id: Type.String(),
      signal_status_code: signalStatusCode,
      reason: nullable(anyReason),
      reason_text: Type.String({ description: 'the reason in words' }),
      justification: Type.String(),
      outlook: Type.Array(Type.String()),
      next_possible_window: nullable(timestamp),
      next_possible_window_share: nullable(
        unitField(
          'how likely a line begins in that half hour, by the share of like days on which one did; null without a window',
        ),
      ),
      next_possible_window_reason: Type.String({
        description: 'the record that the window follows from, or why none is likely within a day',
      }),
      substrate_vitals: vitalsSchema,
    }),
    Type.Object({
      pocket_id: Type.Null(),
      total_pockets_watched: count,
      status_counts: Type.Array(Type.Object({ status: signalStatusCode, count })),
      substrate_vitals: vitalsSchema,
    }),
    noMoment,
  ]),
  notFoundText: 'extended',
  rows: (_asked, registry) => rowsAndColumnsOfAll(0, registry),
  load: async ({ pocket_id }, context) => {
    const vitals: Vitals = {
      pockets_watched: context.registry.pockets.length,
      readings_per_hour: await countReadingsInLastHour(context.store, context.now),
      open_predictions: await countOpenPredictions(context.store, { after: 0, until: context.now }),
    };
    return pocket_id === undefined
      ? { vitals, network: await readNetwork(context) }
      : await pocketSilence(context, pocket_id, vitals);
  },
  shape: ({ vitals, ...data }, { pocket_id = '' }, zone) => {
    if ('network' in data) return overview(data.network, vitals);
    if (!data.pocket) return { pocket_id, available: false as const, ...data.lacks };
    return describeSilence(data.pocket, vitals, zone);
  },
  speak: (answer, { pocket_id = '' }) => {
    if ('available' in answer) {
      const lacks = missingSentence(answer);
      return `no silence data for ${printable(pocket_id)}${lacks ? `.${lacks}` : ''}`;
    }
    const { pockets_watched, readings_per_hour, open_predictions } = answer.substrate_vitals;
    const vitals = `${countText(pockets_watched, 'pocket is', 'pockets are')} watched, with ${countText(readings_per_hour, 'reading')} in the last hour and ${countText(open_predictions, 'forecast')} open.`;
    if ('status_counts' in answer) {
      const counted = answer.status_counts.filter(({ count }) => count > 0);
      const pockets = counted.map(({ status, count }) => `${count} ${status}`).join(', ');
      return `${vitals} ${counted.length ? `by status: ${pockets}.` : 'no pocket has a current moment.'}`;
    }
    const { signal_status_code, justification, outlook, next_possible_window: next } = answer;
    const window = next ? [`next possible window ${next}.`] : [];
    return [`${pocket_id}: ${signal_status_code}. ${justification}`, ...outlook, ...window, vitals].join(' ');
  },
  rest: { path: '/api/pocket-silence', names: { pocket_id: 'pocket' } },
});

async function pocketSilence(context: OperationContext, pocket_id: string, vitals: Vitals) {
  const pocket = await readPocket(context, pocket_id);
  return { vitals, pocket, lacks: pocket ? {} : await loadMissingFields(context, pocket_id) };
}

async function readPocket(
  { store, registry, now }: OperationContext,
  pocket: string,
): Promise<PocketNow | null> {
  const record = await currentMoment(store, pocket, now);
  if (!record) return null;
  const reason = await reasonAt(store, pocket, record.slot);
  const starts = {
    ...(await lineStarts(store, pocket, now - WINDOW_RECORD, now)),
    calendar: cityCalendar(registry),
  };
  const commitments = (await recentCommitmentWindows(store, now)).get(pocket) ?? [];
  return { record, reason, spoken: await packagesOfLastDay(store, pocket, now), commitments, starts, now };
}

const readNetwork = async ({ store, registry, now }: OperationContext): Promise<Network> => ({
  moments: await newestMoments(store, now, registry.pockets, statusColumns),
  live: await pocketsWithLivePackage(store, now),
});

function describeSilence(
  { record, reason: stored, spoken, commitments, starts, now }: PocketNow,
  vitals: Vitals,
  zone: Zone,
) {
  const { moment, quality } = record;
  const last = spoken.at(-1);
  const live_until = last && last.expires_at > now ? last.expires_at : null;
  const status = signalStatus({ moment, band: quality.band, live: live_until !== null });
  // A line that was live at the moment may have expired since.
  const silent: Reason | null = stored === 'already_speaking' ? null : stored;
  const reason: Reason | null = live_until === null ? silent : 'already_speaking';
  const next_window = nextPossibleWindow({ now, live_until, ...starts });
  const saturation = signalSaturation(
    spoken.map(({ slot }) => slot),
    now,
    commitments,
  );
  const story = { status, moment, reason, live_until, saturation, next_window, now, zone };
  return {
    pocket_id: moment.pocket_id,
    signal_status_code: status,
    reason,
    reason_text: reason === null ? EXPIRED : reasonText[reason],
    justification: justification(story),
    outlook: outlook(story),
    next_possible_window: next_window.at === null ? null : iso(next_window.at),
    next_possible_window_share: next_window.share,
    next_possible_window_reason: next_window.reason,
    substrate_vitals: vitals,
  };
}

function overview({ moments, live }: Network, vitals: Vitals) {
  const statuses = moments.map((moment) => newestStatus(moment, live.has(moment.pocket_id)));
  return {
    pocket_id: null,
    total_pockets_watched: vitals.pockets_watched,
    status_counts: signalStatuses.map((status) => ({
      status,
      count: statuses.filter((other) => other === status).length,
    })),
    substrate_vitals: vitals,
  };
}
