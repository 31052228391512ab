// Asks one operation as REST does: arguments read, defaults filled in, the answer as a client gets it.

import assert from 'node:assert/strict';
import type { Registry } from '../../../src/domain/city/city.ts';
import { buildLookup } from '../../../src/domain/city/lookup.ts';
import { voiceFaults } from '../../../src/domain/text/voice.ts';
import { cityZone } from '../../../src/domain/time/zone.ts';
import { checkArguments } from '../../../src/operations/core/arguments.ts';
import type { Answered, Operation } from '../../../src/operations/core/define.ts';
import { restInputSchema } from '../../../src/operations/core/rest-input.ts';
import { cityDir } from '../../../src/registry/city-dir.ts';
import { loadRegistry } from '../../../src/registry/load.ts';
import type { Reader } from '../../../src/store/engine/store.ts';

export const city = loadRegistry(cityDir('singapore'));
const lookup = buildLookup(city.pockets);
/** One thing told as several: "1 forecasts". */
const ONE_AS_MANY =
  /(?<![\d.,:/-])1 (?:quarter )?(?:\w+ings|decisions|entries|events|feeds|forecasts|hours|lines|minutes|outlets|people|pockets|reports|signals|silences|times)\b/;
export const baseUrl = 'https://pocketwatch.test';

/**
 * Fails where the service would withhold the answer: its text breaks the voice, or tells one thing as several. Arguments that the text repeats are
 * left out of that check, as they are the caller's words.
 */
export async function askOperation<Input, Answer>(
  operation: Operation<Input, Answer>,
  store: Reader,
  now: number,
  given: Record<string, unknown> = {},
  registry: Registry = city,
): Promise<Answered<Answer>> {
  const read = checkArguments(restInputSchema(operation), given);
  if (!read.ok) throw new Error(read.message);
  // Typed by the schema that it was just validated against.
  const answer = await operation.answer(read.input as Input, {
    registry,
    zone: cityZone(registry.city),
    lookup,
    store,
    substrate: registry.city.substrate,
    now,
    baseUrl,
  });
  const echoes = Object.values(given).filter((value) => typeof value === 'string');
  const own = echoes.reduce((line, echo) => line.replaceAll(echo, ''), answer.text);
  assert.ok(
    !voiceFaults(answer.text).length || !voiceFaults(own).length,
    `${voiceFaults(own)}: ${answer.text}`,
  );
  assert.doesNotMatch(answer.text, ONE_AS_MANY);
  return { ...answer, structured: JSON.parse(JSON.stringify(answer.structured)) };
}
