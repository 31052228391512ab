// How pages say in plain words how a pocket feels, against its usual and ahead.
import type { PrimaryState } from '../../domain/atmosphere/primary-state.ts';
import type { AgainstUsual } from '../../domain/atmosphere/usual-calm.ts';
import { LIKELY_CALM } from '../../domain/prediction/calm-window.ts';
import { aboutMinutes } from '../../domain/text/figures.ts';
import type { Zone } from '../../domain/time/zone.ts';
import type { VisitRow } from '../../operations/visit/visit-fields.ts';
import { type Html, html } from './html.ts';

export const stateWords: Record<PrimaryState, string> = {
  'calm-productive': 'Calm and productive',
  'calm-social': 'Calm and social',
  'calm-restful': 'Calm and restful',
  'busy-productive': 'Busy and productive',
  'lively-social': 'Lively and social',
  'tense-crowded': 'Tense and crowded',
  'rain-subdued': 'Subdued by rain',
  'mixed-transitional': 'Mixed and changing',
};

/** Groups of states that share a colour and a shape, so that neither alone carries the meaning. */
export const stateKinds = ['calm', 'busy', 'tense', 'rain', 'unread'] as const;
export type StateKind = (typeof stateKinds)[number];

export const kindWords: Record<StateKind, string> = {
  calm: 'Calm',
  busy: 'Busy, lively or changing',
  tense: 'Tense',
  rain: 'Subdued by rain',
  unread: 'No recent data',
};

export function stateKind(state: PrimaryState | null): StateKind {
  if (state === null) return 'unread';
  if (state.startsWith('calm-')) return 'calm';
  if (state === 'tense-crowded') return 'tense';
  return state === 'rain-subdued' ? 'rain' : 'busy';
}

/** The shape of a state, as beside words; the map draws the same shapes. */
export const stateMark = (kind: StateKind): Html => html`<i class="state-mark ${kind}"></i>`;

export const usualWords: Record<AgainstUsual, string> = {
  calmer: 'Calmer than usual',
  as_usual: 'About as usual',
  less_calm: 'Less calm than usual',
};

/** A probability in whole percent, with a decimal where rounding would carry it over the threshold of "likely". */
export function chance(probability: number): string {
  const whole = Math.round(100 * probability);
  const crosses = probability < LIKELY_CALM && whole >= 100 * LIKELY_CALM;
  return `${crosses ? (Math.floor(1000 * probability) / 10).toFixed(1) : whole}%`;
}

/** Clock times in the city's zone, with the day where it is not that of the newest reading. */
export const clockFrom =
  (captured_at: string | null, zone: Zone) =>
  (time: string): string => {
    const at = Date.parse(time);
    const isToday = captured_at === null || zone.dateOf(at) === zone.dateOf(Date.parse(captured_at));
    return `${zone.clockOf(at)}${isToday ? '' : ' tomorrow'}`;
  };

/** Should one go now, and if not, when? `clock` shows a time in the city's zone. */
export function adviceWords(
  { advice, half_life_minutes, best_window, silent_because }: VisitRow,
  clock: (time: string) => string,
): string {
  switch (advice) {
    case 'now':
      return half_life_minutes === null
        ? 'Good now'
        : `Good now, likely for about ${aboutMinutes(half_life_minutes)}`;
    case 'later':
      return best_window ? `Better at ${clock(best_window.at)}` : 'Better later';
    case 'not_soon':
      return best_window
        ? 'Not likely calm in the next three hours'
        : 'Not likely calm in the next half hour';
    default:
      return silent_because === null ? 'Not enough recent data' : `No current reading: ${silent_because}`;
  }
}
