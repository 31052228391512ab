import { keepThirds } from '../../store/report/third-sums.ts';
import type { ApartTick } from '../core/context.ts';

/** Keeps what the past thirds of a day add up to; those that an outage left behind are caught up with. */
export const sumUp = ({ tx }: ApartTick): Promise<void> => keepThirds(tx);
