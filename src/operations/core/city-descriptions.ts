// Published descriptions in the words of the city: `{city}` stands for its name, `{zone}` for the name of its time.
import type { City } from '../../domain/city/city.ts';
import { cityZone } from '../../domain/time/zone.ts';
import type { Operation } from './define.ts';

export function describeFor(operations: readonly Operation[], city: City): Operation[] {
  const zone = cityZone(city).generalName;
  const fill = (text: string) => text.replaceAll('{city}', city.name).replaceAll('{zone}', zone);
  return operations.map((operation) => ({
    ...operation,
    description: fill(operation.description),
    input: fillDescriptions(operation.input, fill),
    output: () => fillDescriptions(operation.output(), fill),
  }));
}

/**
 * The schema itself where nothing in it has to be filled in, else a copy; properties that are not enumerable stay, since
 * TypeBox keeps its own in them.
 */
function fillDescriptions<T>(schema: T, fill: (text: string) => string): T {
  if (typeof schema !== 'object' || schema === null) return schema;
  const changes = Object.entries(schema).flatMap(([name, value]) => {
    const filled =
      name === 'description' && typeof value === 'string' ? fill(value) : fillDescriptions(value, fill);
    return filled === value ? [] : [[name, filled] as const];
  });
  if (changes.length === 0) return schema;
  if (Array.isArray(schema)) return Object.assign([...schema], Object.fromEntries(changes)) as T;
  const copy = Object.create(Object.getPrototypeOf(schema), Object.getOwnPropertyDescriptors(schema)) as T &
    object;
  for (const [name, value] of changes)
    Object.defineProperty(copy, name, { value, enumerable: true, configurable: true, writable: true });
  return copy;
}
