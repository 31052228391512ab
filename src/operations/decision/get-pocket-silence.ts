import Type, { type Static } from 'typebox';
import type { ClosedGate } from '../../domain/decision/decision-text.ts';
import { saturationOf } from '../../domain/decision/moment.ts';
import { nextPossibleWindow, signalStatus, signalStatuses } from '../../domain/decision/signal-status.ts';
import { justification, outlook } from '../../domain/decision/silence-text.ts';
import { printable } from '../../domain/text/printable.ts';
import { clockOf, iso } from '../../domain/time/sgt.ts';
import { closedGateAt } from '../../store/decision/closed-gates.ts';
import { currentMoment, currentMoments, type MomentRecord } from '../../store/decision/moments.ts';
import {
  type PackageTimes,
  packagesOfLastDay,
  pocketsWithLivePackage,
} from '../../store/decision/packages.ts';
import { countReadingsInLastHour } from '../../store/observation/readings.ts';
import { countOpenPredictions } from '../../store/prediction/prediction-ledger.ts';
import { count, timestamp } from '../core/answer-fields.ts';
import { defineOperation, type OperationContext } from '../core/define.ts';
import { pocketId } from '../core/fields.ts';
import { noMoment } from '../pocket/pocket-fields.ts';

const signalStatusCode = Type.Enum([...signalStatuses]);

const vitalsSchema = Type.Object({
  pockets_watched: count,
  readings_per_hour: Type.Integer({ minimum: 0, description: 'readings of all pockets in the last hour' }),
  open_predictions: Type.Integer({ minimum: 0, description: 'forecasts sealed and not yet revealed' }),
});
type Vitals = Static<typeof vitalsSchema>;

interface PocketNow {
  record: MomentRecord;
  gate: ClosedGate | null;
  spoken: PackageTimes[];
  now: number;
}

interface Network {
  moments: MomentRecord[];
  live: Set<string>;
}

export const getPocketSilence = defineOperation({
  name: 'get_pocket_silence',
  title: 'Why a pocket is left in silence',
  description:
    'Explains why the service says nothing about a pocket now, and when that could change. Use it for "why is nothing said here?"; for past silences use get_pocket_counterfactuals. Returns signal_status_code, justification, outlook, next_possible_window and substrate_vitals; without pocket_id an overview of the network.',
  input: { pocket_id: Type.Optional(pocketId) },
  output: Type.Union([
    Type.Object({
      pocket_id: Type.String(),
      signal_status_code: signalStatusCode,
      justification: Type.String(),
      outlook: Type.Array(Type.String()),
      next_possible_window: timestamp,
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
  effect: 'read',
  notFoundText: 'fixed',
  load: async ({ pocket_id }, context) => {
    const vitals: Vitals = {
      pockets_watched: context.registry.pockets.length,
      readings_per_hour: await countReadingsInLastHour(context.store, context.now),
      open_predictions: await countOpenPredictions(context.store, context.now),
    };
    return pocket_id === undefined
      ? { vitals, network: await readNetwork(context) }
      : { vitals, pocket_id, pocket: await readPocket(context, pocket_id) };
  },
  shape: ({ vitals, ...data }) => {
    if ('network' in data) return overview(data.network, vitals);
    if (!data.pocket) return { pocket_id: data.pocket_id, available: false as const };
    return silenceOf(data.pocket, vitals);
  },
  speak: (answer, { pocket_id = '' }) => {
    if ('available' in answer) return `no silence data for ${printable(pocket_id)}`;
    const { pockets_watched, readings_per_hour, open_predictions } = answer.substrate_vitals;
    const vitals = `${pockets_watched} pockets are watched, with ${readings_per_hour} readings in the last hour and ${open_predictions} forecasts open.`;
    if ('status_counts' in answer) {
      const counted = answer.status_counts.filter(({ count }) => count > 0);
      const pockets = counted.map(({ status, count }) => `${count} ${status}`).join(', ');
      return `${vitals} ${counted.length ? `by status: ${pockets}.` : 'no pocket has a current moment.'}`;
    }
    const { signal_status_code, next_possible_window } = answer;
    const window = `next possible window ${next_possible_window} (${clockOf(Date.parse(next_possible_window))} SGT).`;
    return [
      `${pocket_id}: ${signal_status_code}. ${answer.justification}`,
      ...answer.outlook.slice(0, -1),
      window,
      vitals,
    ].join(' ');
  },
  rest: { path: '/api/pocket-silence', names: { pocket_id: 'pocket' } },
});

async function readPocket({ store, now }: OperationContext, pocket: string): Promise<PocketNow | null> {
  const record = await currentMoment(store, pocket, now);
  if (!record) return null;
  const gate = await closedGateAt(store, pocket, record.slot);
  return { record, gate, spoken: await packagesOfLastDay(store, pocket, now), now };
}

async function readNetwork({ store, now }: OperationContext): Promise<Network> {
  return { moments: await currentMoments(store, now), live: await pocketsWithLivePackage(store, now) };
}

function silenceOf({ record, gate, spoken, now }: PocketNow, vitals: Vitals) {
  const { moment, quality, layers } = record;
  const last = spoken.at(-1);
  const live_until = last && last.expires_at > now ? last.expires_at : null;
  const status = signalStatus({ moment, band: quality.band, live: live_until !== null });
  const spokenAt = spoken.map(({ slot }) => slot);
  const next_window = nextPossibleWindow({ now, moment, layers, gate, spoken: spokenAt });
  const saturation = saturationOf(spokenAt, now);
  const story = { status, moment, gate, live_until, saturation, next_window, now };
  return {
    pocket_id: moment.pocket_id,
    signal_status_code: status,
    justification: justification(story),
    outlook: outlook(story),
    next_possible_window: iso(next_window),
    substrate_vitals: vitals,
  };
}

function overview({ moments, live }: Network, vitals: Vitals) {
  const statuses = moments.map(({ moment, quality }) =>
    signalStatus({ moment, band: quality.band, live: live.has(moment.pocket_id) }),
  );
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
