/**
 * Scenarios: forecasts made again from changed measurements, to show how far the outlook depends on each signal
 * (docs/formulas.md). Nothing is learned from them and nothing is sealed.
 */
import type { Snapshot } from '../signals/snapshot.ts';
import { clamp } from '../stats/unit-scale.ts';
import type { Projection } from './projection.ts';

/** The names are served as sensitivity factors. */
export const scenarios = [
  'rain_sets_in',
  'rain_clears',
  'crowd_grows',
  'crowd_thins',
  'trains_fill',
  'trains_empty',
] as const;
export type Scenario = (typeof scenarios)[number];

export const modifiers = ['rain', 'footfall', 'transit'] as const;
export type Modifier = (typeof modifiers)[number];

/** The signal that each scenario changes, and its wording in a served line. */
export const scenarioDetails: Record<Scenario, { modifier: Modifier; words: string }> = {
  rain_sets_in: { modifier: 'rain', words: 'should rain set in' },
  rain_clears: { modifier: 'rain', words: 'should the rain clear' },
  crowd_grows: { modifier: 'footfall', words: 'should crowds grow' },
  crowd_thins: { modifier: 'footfall', words: 'should crowds thin' },
  trains_fill: { modifier: 'transit', words: 'should trains fill' },
  trains_empty: { modifier: 'transit', words: 'should trains empty' },
};

/** Steady rain, in mm a quarter hour. */
const RAIN_MM = 2;
/** Less than this counts as dry here, as in error-taxonomy.ts: steady rain must be a real change from it. */
const DRIZZLE_MM = 0.4;
/** Changes of the crowd, which is a share of the pocket's peak, and of transit crowding, which is a share itself. */
const CROWD_SHARE = 0.3;
const TRAIN_SHARE = 0.3;

/** The measurements with the scenario applied; null where the signal is unknown or would not change. */
export function applyScenario(scenario: Scenario, { values, crowd }: Measured): Measured | null {
  const { rain_mm, transit_crowding } = values;
  const shiftShare = (share: number | null, change: number) => (share === null ? null : share + change);
  const measuredIfChanged = (
    before: number | null,
    after: number | null,
    measured: Measured,
  ): Measured | null => (after === null || after === before ? null : measured);
  const rain = (mm: number) => measuredIfChanged(rain_mm, mm, { values: { ...values, rain_mm: mm }, crowd });
  const people = (change: number) => {
    const after = shiftShare(crowd, change);
    const least = after === null ? null : Math.max(0, after);
    return measuredIfChanged(crowd, least, { values, crowd: least });
  };
  const trains = (change: number) => {
    const after = shiftShare(transit_crowding, change);
    const share = after === null ? null : clamp(after);
    return measuredIfChanged(transit_crowding, share, {
      values: { ...values, transit_crowding: share },
      crowd,
    });
  };
  switch (scenario) {
    case 'rain_sets_in':
      return rain_mm !== null && rain_mm < DRIZZLE_MM ? rain(RAIN_MM) : null;
    case 'rain_clears':
      return rain_mm !== null && rain_mm >= DRIZZLE_MM ? rain(0) : null;
    case 'crowd_grows':
      return people(CROWD_SHARE);
    case 'crowd_thins':
      return people(-CROWD_SHARE);
    case 'trains_fill':
      return trains(TRAIN_SHARE);
    case 'trains_empty':
      return trains(-TRAIN_SHARE);
  }
}

/** What a scenario changes. */
type Measured = Pick<Snapshot, 'values' | 'crowd'>;

/** What is forecast at each horizon under a scenario. */
export interface ScenarioOutlook {
  scenario: Scenario;
  horizons: {
    minutes_ahead: number;
    expected_state: Projection['expected_state'];
    calm_probability: number;
  }[];
}

/** One horizon of the sealed outlook. */
export interface Outlook {
  minutes_ahead: number;
  projection: Pick<Projection, 'expected_state' | 'calm_probability'>;
}

/** For each scenario that changes the expected state: the first horizon at which it does, and the changed state. */
export const stateChanges = (sealed: readonly Outlook[], underScenarios: readonly ScenarioOutlook[]) =>
  underScenarios.flatMap(({ scenario, horizons }) => {
    for (const { minutes_ahead, projection } of sealed) {
      const changed = horizons.find((horizon) => horizon.minutes_ahead === minutes_ahead);
      if (!changed || changed.expected_state === projection.expected_state) continue;
      return [{ scenario, minutes_ahead, expected_state: changed.expected_state }];
    }
    return [];
  });

/** A smaller change of the calm probability is not reported. */
const MIN_CHANGE = 0.02;

/** The signal whose change moves the calm probability most; null when none moves it by MIN_CHANGE. */
export function topModifier(sealed: Outlook, underScenarios: readonly ScenarioOutlook[]): Modifier | null {
  let top: Modifier | null = null;
  let largest = MIN_CHANGE;
  for (const { scenario, horizons } of underScenarios) {
    const changed = horizons.find(({ minutes_ahead }) => minutes_ahead === sealed.minutes_ahead);
    const change = changed ? Math.abs(changed.calm_probability - sealed.projection.calm_probability) : 0;
    if (change < largest) continue;
    largest = change;
    top = scenarioDetails[scenario].modifier;
  }
  return top;
}
