import type { PocketSignal } from '../../domain/signals/signal.ts';
import { MINUTE } from '../../domain/time/slot.ts';

/** A feed of `sources.json`. */
export interface Feed {
  id: string;
  title: string;
  adapter: string;
  /** How often it is polled; not below what the publisher allows. */
  every_seconds: number;
  /** Overrides of what the adapter's description says, for the generic adapters. */
  publisher?: string;
  limit?: { requests: number; seconds: number };
  licence?: string;
  attribution?: string;
  /** The variable with the key, and either the header or the parameter of the query that it goes to. */
  key?: { env: string; header?: string; query?: string };
  /** Addresses inside private networks may be fetched: a gateway of the operator's own. */
  allow_private?: boolean;
  /** A place counts for the pockets whose centre is within this distance. */
  reach_m: number;
  /** What each field of the feed measures; a field that is not listed is not used. */
  fields: Record<string, FieldUse>;
  /** Places that the feed gives no position for, or that belong to a pocket whatever their distance. */
  places?: Record<string, FeedPlace>;
  /** What only its adapter understands. */
  settings: Record<string, unknown>;
}

export interface FeedPlace {
  lat?: number;
  lng?: number;
  pockets?: string[];
  /** How many it holds: the upper end of the range of its fields that measure `crowd`. */
  capacity?: number;
}

/** What the city's file says of a place; undefined where it says nothing. Ids are the feed's: one may be `constructor`. */
export const statedPlace = ({ places }: Pick<Feed, 'places'>, place_id: string): FeedPlace | undefined =>
  places && Object.hasOwn(places, place_id) ? places[place_id] : undefined;

/** What a place says of itself in the place of a number. `full` and `empty` are of what it holds: cars, bikes, people. */
export const placeStates = ['full', 'empty', 'closed', 'no_data'] as const;
export type PlaceState = (typeof placeStates)[number];

/** The values of `field` that stand for each state, compared as text; others say nothing. */
export type StatusField = { field: string } & Partial<
  Record<PlaceState, readonly (string | number | boolean)[]>
>;

export interface FieldUse {
  /** `crowd`: how many people are there, by a counter or by a proxy; the others are signals in their own unit. */
  measures: PocketSignal | 'crowd';
  /** In plain words, e.g. "free car-park places". */
  what: string;
  /** Whether the value rises or falls as the pocket gets busier; only for `crowd`. */
  points?: 'up' | 'down';
  /** Not a count of people itself: judged against its own norm for that hour of the week. */
  proxy?: boolean;
  /** Multiplied with the value to reach the signal's unit. */
  factor?: number;
  /** How several values of one place within a slot combine; default: the newest. */
  within_slot?: 'newest' | 'sum' | 'mean';
  /** Minutes from the time that the feed states to when the value was known: the length of an interval that it counts from. */
  stamp_minutes?: number;
  /** How long a value stays fresh. */
  fresh_minutes: number;
  /** What 0 means. Default: of the crowd, what the values before it say (meaning/zero-meaning.ts), else a value. */
  zero?: 'value' | PlaceState;
  /** Words that the feed writes in the place of the number. */
  words?: Record<string, PlaceState>;
  /** Another field of the same place and time that says how the place is; it decides over the number. */
  status?: StatusField;
  /** The ends of what its values run through, in the feed's own unit, where they are known; only for `crowd`. */
  range?: { low?: number; high?: number };
  /** The field of the feed that gives how many a place holds. */
  capacity?: string;
  /** Values outside are faults. */
  least?: number;
  most?: number;
}

/** Milliseconds; values that were received before are of no use. */
export const longestFresh = (feeds: readonly Pick<Feed, 'fields'>[]): number =>
  MINUTE *
  Math.max(0, ...feeds.flatMap(({ fields }) => Object.values(fields).map((use) => use.fresh_minutes)));
