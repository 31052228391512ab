// Settings that several adapters share. Each `description` completes "<field> must be …" in errors about a city's files.
import Type from 'typebox';

export const httpAddress = Type.String({
  pattern: '^https?://[^\\s]+$',
  maxLength: 500,
  description: 'an address that begins with http:// or https://',
});

export const distanceM = Type.Integer({
  minimum: 50,
  maximum: 50_000,
  description: 'a whole number of metres, 50 to 50000',
});

/** One or more of the names, none twice. */
export const someOf = <Name extends string>(names: readonly Name[]) =>
  Type.Array(Type.Enum([...names]), {
    minItems: 1,
    uniqueItems: true,
    description: `one or more of ${names.join(', ')}`,
  });

/** An address without the slash at its end, so that paths can be appended. */
export function withoutSlash(address: string): string {
  return address.endsWith('/') ? address.slice(0, -1) : address;
}
