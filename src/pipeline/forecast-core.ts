import { Worker } from 'node:worker_threads';
import {
  type Design,
  type Forecast,
  type Forecaster,
  type Moment,
  newForecaster,
  observe,
  predict,
  type Reading,
  restore,
  save,
} from '../domain/forecast/index.ts';

/** One slot for the forecaster to learn, and the slots to forecast from it. */
export interface Step {
  now: Moment;
  targets: Moment[];
  readings: Reading[];
}

/** A forecaster at work, in this thread or in another. */
export interface ForecastCore {
  /** Starts from what was saved; false when that was of another design, and it starts from nothing. */
  begin(design: Design, saved: Uint8Array | null): Promise<boolean>;
  step(step: Step): Promise<Forecast[][]>;
  /** What each of these steps would have brought instead; nothing is learned from them. */
  suppose(steps: Step[]): Promise<Forecast[][][]>;
  save(): Promise<Uint8Array>;
  close(): Promise<void>;
}

export function inlineCore(): ForecastCore {
  let forecaster: Forecaster | undefined;
  const current = (): Forecaster => {
    if (!forecaster) throw new Error('the forecaster has not begun');
    return forecaster;
  };
  return {
    begin: async (design, saved) => {
      const restored = saved && restore(design, saved);
      forecaster = restored ?? newForecaster(design);
      return restored !== null;
    },
    step: async ({ now, targets, readings }) => {
      observe(current(), now, readings);
      return predict(current(), now, targets);
    },
    suppose: async (steps) => {
      const { design } = current();
      const kept = save(current());
      return steps.map(({ now, targets, readings }) => {
        const copy = restore(design, kept);
        if (!copy) throw new Error('a forecaster could not be copied');
        observe(copy, now, readings);
        return predict(copy, now, targets);
      });
    },
    save: async () => save(current()),
    close: async () => undefined,
  };
}

export type CoreCall = Exclude<keyof ForecastCore, 'close'>;
export type CoreReply = { value: unknown } | { error: unknown };

/** The same on a thread of its own: while it learns, this one goes on. Answers come in the order of the calls. */
export function threadCore(): ForecastCore {
  const worker = new Worker(new URL('./forecast-worker.ts', import.meta.url));
  worker.unref();
  const waiting: { resolve(value: never): void; reject(error: unknown): void }[] = [];
  const failAll = (error: unknown) => {
    for (const { reject } of waiting.splice(0)) reject(error);
  };
  worker.on('message', (reply: CoreReply) => {
    const call = waiting.shift();
    if ('error' in reply) call?.reject(reply.error);
    else call?.resolve(reply.value as never);
    if (!waiting.length) worker.unref();
  });
  worker.on('error', failAll);
  const call = <T>(name: CoreCall, ...args: unknown[]): Promise<T> =>
    new Promise<T>((resolve, reject) => {
      waiting.push({ resolve, reject });
      // A thread that is asked keeps the process alive, an idle one does not.
      worker.ref();
      worker.postMessage([name, ...args]);
    });
  return {
    begin: (design, saved) => call('begin', design, saved),
    step: (step) => call('step', step),
    suppose: (steps) => call('suppose', steps),
    save: () => call('save'),
    close: async () => void (await worker.terminate()),
  };
}
