// Settings that several adapters share. Each `description` says what the setting is for: editors show it.
import Type, { type TProperties, type TSchema } from 'typebox';
import { type FeedRequest, FeedShapeError } from '../../core/adapter.ts';

export const closedObject = <P extends TProperties>(properties: P) =>
  Type.Object(properties, { additionalProperties: false });

/** The same schema, with what it is for where it is used. */
export const withDescription = <S extends TSchema>(schema: S, description: string): S => ({
  ...schema,
  description,
});

export const httpAddress = (description: string) =>
  Type.String({ pattern: '^https?://[^\\s]+$', maxLength: 500, description });

/** Metres. */
export const distanceM = (description: string) => Type.Integer({ minimum: 50, maximum: 50_000, description });

/** One or more of the names, none twice. */
export const someOf = <Name extends string>(names: readonly Name[], description: string) =>
  Type.Array(Type.Enum([...names]), { minItems: 1, uniqueItems: true, description });

/** Ahead of UTC: the times of car parks and roads that publishers there give carry no offset. */
export const SINGAPORE_SECONDS = 8 * 3600;

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

/** What a request was made for, as `part`: a dataset, and a number such as that of its page. */
export const partFor = (dataset: string, number: number): string => `${dataset} ${number}`;

/** As `partFor` wrote it; without a number it is `first`. */
export function requestedDataset<Name extends string>(
  { part = '' }: FeedRequest,
  names: readonly Name[],
  first = 0,
): [name: Name, number: number] {
  const [dataset, number = first] = part.split(' ');
  const name = names.find((known) => known === dataset);
  if (!name) throw new FeedShapeError('the request names no dataset');
  return [name, Number(number)];
}
