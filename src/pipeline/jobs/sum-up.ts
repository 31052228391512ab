import { keepThirds } from '../../store/report/third-sums.ts';
import type { JobContext } from '../core/context.ts';

/** Keeps what the past thirds of a day add up to; those that an outage left behind are caught up with. */
export const sumUp = ({ tx }: JobContext): Promise<void> => keepThirds(tx);
