/** What a live story and its clauses are written from. */

import type { Reading } from '../atmosphere/reading.ts';
import type { Category, Intent } from '../city/city.ts';
import type { Moment } from '../decision/moment.ts';
import type { MqsBand } from '../decision/moment-quality.ts';
import type { Sensed } from '../perception/perception.ts';
import type { SenseWord } from '../signals/signal.ts';
import type { Zone } from '../time/zone.ts';

export interface StoryInput {
  /** The pocket's display name. */
  name: string;
  slot: number;
  zone: Zone;
  moment: Moment;
  band: MqsBand;
  reading: Pick<Reading, 'stress' | 'calm' | 'social_energy' | 'productive' | 'anomaly_flag'>;
  /** As the moment was compared (`Surroundings`). */
  usual_calm: number | null;
  network_calm: number | null;
  /** Rain of the slot in millimetres, and as a pressure of 0..1. */
  rain_mm: number | null;
  rain: number | null;
  intents: readonly Intent[];
  /** As an intent's needs are held against them (`IntentPresent`). */
  covered: number | null;
  open_kinds: readonly Category[] | null;
  senses: readonly Sensed[];
  /** Active outlets that were open and counted, and the mean share of their capacity in use. */
  outlets: { counted: number; use: number };
}

export interface SuitingIntent {
  slug: string;
  title: string;
  /** The citizen-sense word for what the intent wants most; null where none of the five fits. */
  word: SenseWord | null;
}
