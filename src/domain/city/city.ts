/** The types of a city: pockets, outlets, intents, holidays. The data is in `cities/`, its loader in `src/registry`. */
import type { Priors } from '../signals/own-range.ts';
import type { ExpectedSignal } from '../signals/signal.ts';
import type { Hours } from '../time/opening-hours.ts';
import type { CityFeed } from './city-feed.ts';
import type { Outline } from './outline.ts';
import type { Place, PlacesCredit } from './place.ts';

export interface Pocket {
  id: string;
  name: string;
  region: string;
  lat: number;
  lng: number;
  /** Local names, in any language. */
  aliases: string[];
  character: Character;
  /** Share of the pocket under cover, 0..1, where the city's files state it. */
  covered?: number;
  /** The signals that should arrive for this pocket: completeness is how much of them is fresh. */
  expects: ExpectedSignal[];
  /** Sensors of its crowd that the city's files list; others become known when they report. */
  sensors?: readonly { id: string; proxy: boolean }[];
  /** The part of a large city that it is computed with, where the city's files state it (districts.ts). */
  district?: string;
}

/**
 * What makes one pocket's ordinary day differ from another's. Shares and strengths are 0..1. In a city that is not
 * simulated most of it is not known, and the loader fills in neutral values (`src/registry/defaults.ts`).
 */
export interface Character {
  /** A short lowercase description, e.g. "shophouse cafes on a quiet slope". */
  summary: string;
  /** People an hour passing at an ordinary peak. */
  footfall_peak: number;
  /** Footfall in each part of an ordinary weekday, as a share of the peak. */
  rhythm: Record<DayPart, number>;
  /** Weekend footfall as a multiple of a weekday's (0.3..2). */
  weekend: number;
  /** How much of the weekday crowd works here. */
  office: number;
  /** How strongly station crowding follows the commuter peaks. */
  transit: number;
  /** How congested the roads run at their peak. */
  traffic: number;
  /** Share of the pocket under cover: how little rain empties it. */
  shelter: number;
  /** Trees and open ground: cooler, cleaner air. */
  green: number;
  carpark_lots: number;
}

export const dayParts = ['early', 'morning', 'lunch', 'afternoon', 'evening', 'night'] as const;
export type DayPart = (typeof dayParts)[number];

export const categories = [
  'cafe',
  'bakery',
  'restaurant',
  'hawker',
  'bar',
  'dessert',
  'bookshop',
  'grocer',
  'florist',
  'gallery',
  'wellness',
  'boutique',
] as const;
export type Category = (typeof categories)[number];

export interface Outlet extends Hours {
  /** UUID. */
  id: string;
  name: string;
  pocket_id: string;
  unit: string;
  category: Category;
  active: boolean;
  seats: number;
  /** What one person typically spends, in the city's currency. */
  typical_spend: number;
  /** Gross margin, 0..1. */
  margin: number;
}

/** What an intent may not be able to do without. */
export const needs = ['calm', 'rain', 'shelter', 'outlets'] as const;
export type Need = (typeof needs)[number];

export interface Intent {
  slug: string;
  title: string;
  /** One lowercase, observational sentence. */
  description: string;
  /** True for the intents that have a public page for each pocket. */
  public_page: boolean;
  /** Weights, -1..1: how far the intent wants (above 0) or avoids (below 0) each quality of the atmosphere. */
  atmosphere: { calm: number; stress: number; social_energy: number; productive: number };
  /** -1 wants it dry, 1 wants (shelter from) rain, 0 does not mind. */
  rain: number;
  /** What it cannot do without: each bounds the fit, whatever else is as it wants it. */
  needs?: Need[];
  /** Hours of the city's day in which the intent makes sense, [from, to) with 0 <= from < to <= 24. */
  hours: [number, number][];
  /** Outlet categories that serve it, each 0..1. */
  categories: Partial<Record<Category, number>>;
}

export interface City {
  name: string;
  /** Of the IANA database, e.g. 'Asia/Singapore'. */
  time_zone: string;
  /** ISO 4217, e.g. 'SGD'. */
  currency: string;
  /** BCP 47: how pages write dates. */
  locale: string;
  /** Days of rest in every week, 0 being Monday. */
  weekend: number[];
  /** Licence of the data that the answers rest on, where the city's file states one. */
  licence?: { name: string; url: string };
  /** Where questions about the city's data go: a mail address or a page. */
  contact?: string;
  /** Where signals come from: a model, or the feeds of `sources.json`. */
  substrate: 'simulated' | 'live';
  /** What values are judged against: constants made for the tropics, or percentiles that the city learns. */
  scales: 'fixed' | 'learned';
  /** The usual range of each signal, until enough was observed: of all that the feeds measure, where scales are learned. */
  priors: Priors;
  /** Seeds the simulated city; empty where the city is not simulated. */
  seed: string;
}

export interface Registry {
  city: City;
  pockets: readonly Pocket[];
  outlets: readonly Outlet[];
  intents: Intent[];
  /** Public holidays as 'YYYY-MM-DD' in the city's zone. */
  holidays: string[];
  /** What each of them is called, by its date. */
  holidayNames: Readonly<Record<string, string>>;
  /** The feeds of a live city; absent where signals are simulated. */
  feeds?: readonly CityFeed[];
  /** The land around the pockets, for maps; absent where the city has no such file. */
  outline?: Outline;
  /** Stations, streets and landmarks that visitors name; empty where the city has no such file. */
  places: Place[];
  /** Whose positions of places these are; absent where there are none. */
  placesCredit?: PlacesCredit;
}
