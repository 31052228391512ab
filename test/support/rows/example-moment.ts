// The moment that docs/formulas.md follows through the chain: Wednesday 15:00, two of eight signals missing.

import type { Reading } from '../../../src/domain/atmosphere/reading.ts';
import type { Intent, Pocket } from '../../../src/domain/city/city.ts';
import { pocketFatigue } from '../../../src/domain/decision/attention.ts';
import type { Situation } from '../../../src/domain/decision/decide.ts';
import { computeMoment, type Moment, type MomentInput } from '../../../src/domain/decision/moment.ts';
import { computePressures, type KnownPressures } from '../../../src/domain/signals/pressures.ts';
import { fixedScales } from '../../../src/domain/signals/scales.ts';
import type { Snapshot } from '../../../src/domain/signals/snapshot.ts';
import { MINUTE } from '../../../src/domain/time/slot.ts';
import { singapore } from '../../../src/domain/time/zones.fixture.ts';
import { noWindows } from '../../../src/domain/window/window-record.ts';

export const at = Date.parse('2026-11-11T15:00:00+08:00');
const ago = (minutes: number) => at - minutes * MINUTE;

export const pocket = {
  id: 'tiongbahru',
  name: 'Tiong Bahru',
  lat: 1.285,
  lng: 103.83,
  character: {},
} as Pocket;

export const reading: Reading = {
  pocket_id: 'tiongbahru',
  slot: at,
  stress: 0.3,
  calm: 0.8,
  social_energy: 0.2,
  productive: 0.6,
  primary_state: 'calm-productive',
  anomaly_flag: false,
  completeness: 0.75,
};

export const values: Snapshot['values'] = {
  rain_mm: 0,
  temperature_c: 32,
  humidity_pct: 75,
  pm25: null,
  footfall: 400,
  transit_crowding: 0.25,
  traffic_speed_kmh: 28.5,
  carpark_occupancy: null,
};

export const measured: Pick<Snapshot, 'values' | 'crowd'> = { values, crowd: 0.4 };
export const pressures = computePressures(measured, fixedScales) as KnownPressures;

export const momentInput: MomentInput = {
  zone: singapore,
  reading,
  pressures,
  recent: [
    { slot: ago(30), calm: 0.6 },
    { slot: ago(15), calm: 0.7 },
    { slot: at, calm: 0.8 },
  ],
  calm_outcomes: {
    sums: {
      'rising 0.75': { n: 36, calm: 26.4 },
      'rising 0.95': { n: 36, calm: 30.6 },
      'level 0.55': { n: 128, calm: 63 },
    },
    open: [],
  },
  spoken: [ago(90)],
  commitments: [],
  half_life_minutes: 36,
  ahead: [
    { minutes: 60, calm_probability: 0.9, expected_calm: 0.75 },
    { minutes: 120, calm_probability: 0.8, expected_calm: 0.7 },
    { minutes: 180, calm_probability: 0.6, expected_calm: 0.6 },
  ],
  windows: noWindows,
  usual_until: () => 0.5,
  lines: [],
};

export const moment = computeMoment(momentInput) as Moment;

/** The example three degrees cooler, at which every gate is open. */
export const coolerPressures = computePressures(
  { ...measured, values: { ...values, temperature_c: 29 } },
  fixedScales,
) as KnownPressures;

export const intent: Intent = {
  slug: 'calm-work',
  title: 'Calm work',
  description: 'somewhere calm to work.',
  public_page: false,
  atmosphere: { calm: 1, stress: 0, social_energy: 0, productive: 1 },
  rain: 0,
  hours: [[9, 18]],
  categories: {},
};

export const situation: Situation = {
  zone: singapore,
  pocket,
  intents: [intent],
  open_kinds: null,
  moment,
  reading,
  pressures,
  usual_stress: 0.4,
  usual_calm: 0.5,
  network_calm: 0.6,
  spare_capacity: 0.6,
  merchants_known: true,
  fatigue: pocketFatigue([ago(90)], at),
  since: ago(75),
  previous: { mqs: 0.3, recent_high: 0.35 },
};
