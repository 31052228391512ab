// Ids of things that are in a store, without a service that could be asked for them.
import { decisionId } from '../../../src/domain/decision/silence.ts';
import { predictionId } from '../../../src/domain/prediction/prediction.ts';
import type { Reader } from '../../../src/store/engine/store.ts';
import type { SampleIds } from '../answers/operation-answers.ts';

interface Found {
  pocket_id: string;
  slot: number;
  generator: string;
}

/** The newest of each kind, of a pocket that is no copy. */
export async function sampleIdsOf(store: Reader, now: number): Promise<SampleIds> {
  const newest = async (what: string, order = ''): Promise<Found> =>
    (await store.get<Found>(
      `select * from ${what} and slot <= ? and pocket_id not like '%-%' order by slot desc, pocket_id ${order} limit 1`,
      now,
    )) ?? { pocket_id: 'none', slot: now, generator: 'none' };
  const line = await newest('packages where 1 = 1');
  const silence = await newest('silences where 1 = 1');
  const pause = await newest("pauses where kind = 'already_speaking'");
  const forecast = await newest('predictions where 1 = 1', ', leaf');
  return {
    package: decisionId(line.pocket_id, line.slot),
    silence: decisionId(silence.pocket_id, silence.slot),
    pause: `already_speaking:${decisionId(pause.pocket_id, pause.slot)}`,
    prediction: predictionId(forecast.pocket_id, forecast.slot, forecast.generator),
    submission: 'none',
  };
}
