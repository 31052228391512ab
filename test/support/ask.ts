// One operation, asked without HTTP: its arguments are checked and its text heard as a caller's would be.
import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import type { Registry } from '../../src/domain/city.ts';
import { buildLookup } from '../../src/domain/lookup.ts';
import { faultsOf } from '../../src/domain/voice.ts';
import { readArguments } from '../../src/operations/arguments.ts';
import type { Operation } from '../../src/operations/define.ts';
import { loadRegistry, singaporeDir } from '../../src/registry/load.ts';
import { migrate } from '../../src/store/migrate.ts';
import { openStore } from '../../src/store/open.ts';
import type { Engine, Reader } from '../../src/store/store.ts';
import type { StorePlace } from './postgres.ts';

export const city: Registry = loadRegistry(singaporeDir);
const lookup = buildLookup(city.pockets);

/** The structured half is the test's to type. A refused argument is thrown. */
export async function ask<Shape = Record<string, unknown>>(
  operation: Operation,
  given: Record<string, unknown>,
  world: { store: Reader; now: number; registry?: Registry },
): Promise<{ structured: Shape; text: string }> {
  const read = readArguments(operation.input, given);
  if (!read.ok) throw new Error(read.message);
  const baseUrl = 'http://pocketwatch.test';
  const { structured, text } = await operation.answer(read.input, {
    registry: city,
    lookup,
    baseUrl,
    ...world,
  });
  const echoes = Object.values(given).filter((value) => typeof value === 'string');
  const own = echoes.reduce((line, echo) => line.replaceAll(echo, ''), text);
  assert.deepEqual(faultsOf(own), [], text);
  return { structured: structured as Shape, text };
}

/** A migrated store that `fill` has written to, for the suite that calls it. */
export function useStore(
  makePlace: () => Promise<StorePlace>,
  fill: (store: Engine) => Promise<void> = async () => undefined,
): () => Engine {
  let place: StorePlace | undefined;
  let store: Engine | undefined;
  before(async () => {
    place = await makePlace();
    store = openStore(place);
    await migrate(store, 0);
    await fill(store);
  });
  after(async () => {
    await store?.close();
    await place?.remove();
  });
  return () => {
    assert.ok(store);
    return store;
  };
}
