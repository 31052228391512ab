import { Worker } from 'node:worker_threads';
import {
  type Design,
  type Forecast,
  type Forecaster,
  learn,
  type Moment,
  newForecaster,
  observe,
  parts,
  predict,
  type Reading,
  refill,
  suppose,
  takeIn,
} from '../domain/forecast/index.ts';
import { type Numbers, packReadings, unpackForecasts } from './forecast-wire.ts';

/** One slot for the forecaster to learn, and the slots to forecast from it. */
export interface Step {
  now: Moment;
  targets: Moment[];
  readings: Reading[];
  /** What could have been read instead. Nothing is learned from it. */
  instead: Reading[][];
}

/** What would be forecast of each place at each horizon: a number each, place by place. */
export interface Supposed {
  /** The likeliest class. */
  classes: Uint8Array;
  calm: Float64Array;
}

export interface Expectations {
  /** By place and horizon. */
  forecasts: Forecast[][];
  /** For each of the readings that could have come instead. */
  supposed: Supposed[];
}

/** A forecaster at work, in this thread or in another. What it has learned is saved and restored in parts. */
export interface ForecastCore {
  /** Starts from nothing. */
  begin(design: Design): Promise<void>;
  step(step: Step): Promise<Expectations>;
  /** Null when there are fewer parts. */
  part(n: number): Promise<Uint8Array | null>;
  /** False when the part was saved by a forecaster of another design. */
  refill(n: number, part: Uint8Array): Promise<boolean>;
  close(): Promise<void>;
}

export function inlineCore(): ForecastCore {
  let forecaster: Forecaster | undefined;
  const current = (): Forecaster => {
    if (!forecaster) throw new Error('the forecaster has not begun');
    return forecaster;
  };
  return {
    begin: async (design) => {
      forecaster = newForecaster(design, forecaster);
    },
    step: async (step) => stepOn(current(), step),
    part: async (n) => parts(current())[n] ?? null,
    refill: async (n, part) => refill(current(), n, part),
    close: async () => undefined,
  };
}

function stepOn(forecaster: Forecaster, { now, targets, readings, instead }: Step): Expectations {
  if (!instead.length) observe(forecaster, now, readings);
  else learn(forecaster, now, readings);
  const supposed = instead.map((other) => supposedOf(forecaster, now, targets, other));
  if (instead.length) takeIn(forecaster, now, readings);
  return { forecasts: predict(forecaster, now, targets), supposed };
}

function supposedOf(
  forecaster: Forecaster,
  now: Moment,
  targets: readonly Moment[],
  readings: readonly Reading[],
): Supposed {
  const size = readings.length * targets.length;
  const supposed = { classes: new Uint8Array(size), calm: new Float64Array(size) };
  suppose(forecaster, now, targets, readings, (p, forecasts) => {
    for (const [h, { classes, calm, confidence }] of forecasts.entries()) {
      supposed.classes[p * targets.length + h] = classes.indexOf(confidence);
      supposed.calm[p * targets.length + h] = calm;
    }
  });
  return supposed;
}

export type CoreCall = Exclude<keyof ForecastCore, 'close'>;
/** A step and what it brings, as they cross from thread to thread. */
export type SentStep = Omit<Step, 'readings'> & { readings: Numbers };
export type SentExpectations = Omit<Expectations, 'forecasts'> & { horizons: number; forecasts: Numbers };
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
    begin: (design) => call('begin', design),
    step: async ({ readings, ...step }) => {
      const sent: SentStep = { ...step, readings: packReadings(readings) };
      const { horizons, forecasts, supposed } = await call<SentExpectations>('step', sent);
      const all = unpackForecasts(forecasts);
      const places = Array.from({ length: all.length / horizons }, (_, p) =>
        all.slice(p * horizons, (p + 1) * horizons),
      );
      return { forecasts: places, supposed };
    },
    part: (n) => call('part', n),
    refill: (n, part) => call('refill', n, part),
    close: async () => void (await worker.terminate()),
  };
}
