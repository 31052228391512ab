// Settings that several adapters share. Each `description` says what the setting is for: editors show it.
import Type from 'typebox';

export const httpAddress = (description: string) =>
  Type.String({ pattern: '^https?://[^\\s]+$', maxLength: 500, description });

/** Metres. */
export const distanceM = (description: string) => Type.Integer({ minimum: 50, maximum: 50_000, description });

/** One or more of the names, none twice. */
export const someOf = <Name extends string>(names: readonly Name[], description: string) =>
  Type.Array(Type.Enum([...names]), { minItems: 1, uniqueItems: true, description });

/** Which places of car parks are meant. */
export const lotType = Type.String({
  pattern: '^[A-Z]$',
  description:
    'places for C cars (default), Y motorcycles or H heavy vehicles; LTA has an undocumented L too',
});

/** An address without the slash at its end, so that paths can be appended. */
export function withoutSlash(address: string): string {
  return address.endsWith('/') ? address.slice(0, -1) : address;
}
