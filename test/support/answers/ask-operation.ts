// One operation asked as the service asks it: arguments read, defaults filled in, the answer as a client gets it.
import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import type { Registry } from '../../../src/domain/city/city.ts';
import { buildLookup } from '../../../src/domain/city/lookup.ts';
import { faultsOf } from '../../../src/domain/text/voice.ts';
import { readArguments } from '../../../src/operations/core/arguments.ts';
import type { Answered, Operation } from '../../../src/operations/core/define.ts';
import { loadRegistry, singaporeDir } from '../../../src/registry/load.ts';
import { migrate } from '../../../src/store/engine/migrate.ts';
import { openStore } from '../../../src/store/engine/open.ts';
import type { Reader, Store } from '../../../src/store/engine/store.ts';
import type { StorePlace } from '../stores/store-places.ts';

export const city = loadRegistry(singaporeDir);
const lookup = buildLookup(city.pockets);
export const baseUrl = 'https://pocketwatch.test';

/** A line that breaks the voice fails here, as it would be withheld there. What the caller said is not our voice. */
export async function askOperation<Input, Answer>(
  operation: Operation<Input, Answer>,
  store: Reader,
  now: number,
  given?: Record<string, unknown>,
  registry?: Registry,
): Promise<Answered<Answer>>;
export async function askOperation<Shape>(
  operation: Operation,
  store: Reader,
  now: number,
  given?: Record<string, unknown>,
  registry?: Registry,
): Promise<Answered<Shape>>;
export async function askOperation(
  operation: Operation,
  store: Reader,
  now: number,
  given: Record<string, unknown> = {},
  registry: Registry = city,
): Promise<Answered<unknown>> {
  const read = readArguments(operation.input, given);
  if (!read.ok) throw new Error(read.message);
  const answer = await operation.answer(read.input, { registry, lookup, store, now, baseUrl });
  const echoes = Object.values(given).filter((value) => typeof value === 'string');
  const own = echoes.reduce((line, echo) => line.replaceAll(echo, ''), answer.text);
  assert.deepEqual(faultsOf(own), [], answer.text);
  return { structured: JSON.parse(JSON.stringify(answer.structured)), text: answer.text };
}

/** A store for one suite, filled before its tests and removed after them. */
export function storeFor(
  makePlace: () => Promise<StorePlace>,
  fill: (store: Store) => Promise<void>,
): () => Store {
  let place: StorePlace;
  let store: Store;
  before(async () => {
    place = await makePlace();
    const engine = openStore(place);
    await migrate(engine, 0);
    store = engine;
    await fill(store);
  });
  after(async () => {
    await store.close();
    await place.remove();
  });
  return () => store;
}
