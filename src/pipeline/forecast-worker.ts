import { parentPort } from 'node:worker_threads';
import {
  type CoreCall,
  type CoreReply,
  inlineCore,
  type SentExpectations,
  type SentStep,
} from './forecast-core.ts';
import { packForecasts, unpackReadings } from './forecast-wire.ts';

const core = inlineCore();

const calls = {
  ...core,
  step: async ({ readings, ...step }: SentStep): Promise<SentExpectations> => {
    const { forecasts, supposed } = await core.step({ ...step, readings: unpackReadings(readings) });
    return { horizons: step.targets.length, forecasts: packForecasts(forecasts.flat()), supposed };
  },
};

parentPort?.on('message', async ([name, ...args]: [CoreCall, ...unknown[]]) => {
  let reply: CoreReply;
  try {
    reply = { value: await (calls[name] as (...args: unknown[]) => Promise<unknown>)(...args) };
  } catch (error) {
    reply = { error };
  }
  parentPort?.postMessage(reply);
});
