// Starts the thread that computes heavy answers.
import { Worker } from 'node:worker_threads';
import type { HeavyContext } from '../../http/answers/heavy-answers.ts';
import type { OnWithheld } from '../../http/heavy/jobs.ts';
import { remoteAnswers } from '../../http/heavy/worker-port.ts';
import type { StoreSettings } from '../../store/engine/open.ts';

export interface HeavyWorkerData extends Pick<HeavyContext, 'baseUrl' | 'substrate' | 'builtAt'> {
  settings: StoreSettings;
}

const file = new URL('./heavy-worker.ts', import.meta.url);
/**
 * In megabytes: more than the largest answer needs. With more room for young objects it keeps garbage longer and is no
 * faster. A thread that runs out of memory dies alone and is started again.
 */
const resourceLimits = { maxOldGenerationSizeMb: 320, maxYoungGenerationSizeMb: 12 };

export const hostHeavyAnswers = (
  workerData: HeavyWorkerData,
  onWithheld: OnWithheld,
  onDeath: (error: Error) => void,
) => remoteAnswers(() => new Worker(file, { workerData, resourceLimits }), onWithheld, onDeath);
