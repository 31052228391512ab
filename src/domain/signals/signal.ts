/** One measurement of one pocket, or of one outlet in it, from any source. */
export interface Signal {
  kind: SignalKind;
  pocket_id: string;
  /** Only for `outlet_activity`. */
  outlet_id?: string;
  /** Only for `crowd`. */
  sensor?: Sensor;
  /** Only for `crowd`: the sensor says that its place is closed, so its value means nothing. */
  closed?: true;
  /** Only for `citizen_sense`, whose value is how many people chose the word. */
  word?: SenseWord;
  value: number;
  /** e.g. `simulated:rain-gauge`. */
  source: string;
  /** Epoch milliseconds. */
  observed_at: number;
  received_at: number;
  /** How long it stays fresh, where its feed changes more or less often than signals of its kind usually do. */
  fresh_minutes?: number;
}

/** Something that counts people in a pocket, or stands in for that (crowd.ts). */
export interface Sensor {
  /** Feed, place and field, e.g. `parking/ph-theater/free_spaces`. */
  id: string;
  /** Feed and field, e.g. `parking/free_spaces`: sensors of one kind see the same people. */
  kind: string;
  points: 'up' | 'down';
  proxy: boolean;
  /** The ends of its range that the city's files or the feed state: a garage of 300 places has 0 to 300 free ones. */
  range?: { low?: number; high?: number };
}

/** The measurements of a pocket, with their unit and how long each stays fresh. */
export const pocketSignals = {
  rain_mm: { unit: 'mm in the last 15 minutes', fresh_minutes: 20 },
  temperature_c: { unit: '°C', fresh_minutes: 20 },
  humidity_pct: { unit: '%', fresh_minutes: 20 },
  pm25: { unit: 'µg/m³', fresh_minutes: 90 },
  footfall: { unit: 'people an hour', fresh_minutes: 20 },
  transit_crowding: { unit: 'share, 0..1', fresh_minutes: 20 },
  traffic_speed_kmh: { unit: 'km/h', fresh_minutes: 20 },
  carpark_occupancy: { unit: 'share, 0..1', fresh_minutes: 30 },
} as const;
export type PocketSignal = keyof typeof pocketSignals;
export const pocketSignalKinds = Object.keys(pocketSignals) as PocketSignal[];

/** What a pocket may expect: a measurement in its unit, or any sensor of its crowd. */
export type ExpectedSignal = PocketSignal | 'crowd';
export const expectedSignalKinds: readonly ExpectedSignal[] = [...pocketSignalKinds, 'crowd'];

/** How long the value of a sensor of the crowd stays fresh where its feed does not say. */
export const CROWD_FRESH_MINUTES = 30;

/**
 * `outlet_activity` is a share of an outlet's usual capacity, 0..1; `citizen_sense` a count of people. Neither counts
 * towards the completeness of a pocket.
 */
export type SignalKind = ExpectedSignal | 'outlet_activity' | 'citizen_sense';

export const senseWords = ['calm', 'busy', 'social', 'focused', 'transitional'] as const;
export type SenseWord = (typeof senseWords)[number];

/** Where the data of an answer comes from. */
export const substrates = ['simulated', 'live', 'replay'] as const;
export type Substrate = (typeof substrates)[number];
