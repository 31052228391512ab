/** A pocket's mean readings in a part of a waking day: the unit in which reports compare pockets and weeks. */
import type { PocketSignal } from '../signals/signal.ts';
import { partHours, type WakingPart } from '../time/waking-hours.ts';

/** Stress is left out: calm is computed from it, so that the two differ together. */
export const comparedQualities = ['calm', 'social', 'productive'] as const;
export type ComparedQuality = (typeof comparedQualities)[number];

/** Null where nothing was measured. Footfall is a share of the pocket's ordinary peak, so that pockets can be compared. */
export type SignalMeans = Record<PocketSignal, number | null>;

export interface PartMean extends Record<ComparedQuality, number> {
  pocket_id: string;
  /** The first instant of its day. */
  day: number;
  /** 0 is Monday. */
  weekday: number;
  /** Whether that is a day of rest in every week. */
  weekend: boolean;
  part: WakingPart;
  readings: number;
  signals: SignalMeans;
}

/** Half of the quarter hours of the part. */
const leastReadings = (part: WakingPart): number => 2 * (partHours[part].to - partHours[part].from);

export const hasEnoughReadings = ({ part, readings }: Pick<PartMean, 'part' | 'readings'>): boolean =>
  readings >= leastReadings(part);
