// How pages say in plain words how a pocket feels, against its usual and ahead.
import type { PrimaryState } from '../../domain/atmosphere/primary-state.ts';
import type { AgainstUsual } from '../../domain/atmosphere/usual-calm.ts';
import { LIKELY_CALM } from '../../domain/prediction/calm-window.ts';
import { aboutDuration } from '../../domain/text/duration.ts';
import { percentAgainst } from '../../domain/text/figures.ts';
import type { Zone } from '../../domain/time/zone.ts';
import type { VisitRow } from '../../operations/visit/visit-fields.ts';
import { stored } from './format.ts';
import { type Html, html } from './html.ts';
import { meter } from './table.ts';

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

/** The probability of calm in percent, on its side of the threshold of "likely". */
export const chance = (probability: number): string => percentAgainst(probability, LIKELY_CALM);

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
  {
    advice,
    half_life_minutes,
    expires_at,
    best_window,
    silent_because,
  }: Pick<VisitRow, 'advice' | 'half_life_minutes' | 'expires_at' | 'silent_because'> & {
    best_window: { at: string } | null;
  },
  clock: (time: string) => string,
): string {
  switch (advice) {
    case 'now':
      return half_life_minutes === null || expires_at === null
        ? 'Good now'
        : `Good now, likely for about ${aboutDuration(half_life_minutes)}, until ${clock(expires_at)}`;
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

/** A pocket that is not read now can still have a usual: only one without any says so. */
const usualText = (usual_calm: number | null, against: AgainstUsual | null): string => {
  if (usual_calm === null) return 'usual not known yet';
  return against === null
    ? `usually ${stored(usual_calm)}`
    : `${usualWords[against]} (${stored(usual_calm)})`;
};

/** How it feels now, against what is usual for this hour. */
export const nowLine = ({ primary_state, calm_level, usual_calm, against_usual }: VisitRow): Html => {
  const kind = stateKind(primary_state);
  return html`<p class="now">${stateMark(kind)}${primary_state && stateWords[primary_state]} <span class="level">${meter(calm_level, kind)}<b>${stored(calm_level)}</b></span> <small>${usualText(
    usual_calm,
    against_usual,
  )}</small></p>`;
};

/** The best of the sealed forecasts, and the first usually calm hour after them. */
export function aheadLine(
  { best_window: best, usually_calm_at: usually }: VisitRow,
  clock: (time: string) => string,
): Html {
  const likely = best
    ? html`Best in the next three hours: <b>${clock(best.at)}</b>, ${chance(best.calm_probability)} likely calm`
    : 'No forecast now';
  return html`<p class="ahead">${likely}${usually ? html` <small>Usually calm from ${clock(usually.at)}</small>` : null}</p>`;
}
