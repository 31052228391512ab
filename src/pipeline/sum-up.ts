import { keepThirds } from '../store/third-sums.ts';
import type { ApartTick } from './tick.ts';

/** Keeps what the past thirds of a day add up to; those that an outage left behind are caught up with. */
export const sumUp = ({ tx }: ApartTick): Promise<void> => keepThirds(tx);
