// How pages say in plain words how a pocket feels, against its usual and ahead.
import { calmBand } from '../../domain/atmosphere/calm-band.ts';
import type { PrimaryState } from '../../domain/atmosphere/primary-state.ts';
import type { AgainstUsual } from '../../domain/atmosphere/usual-calm.ts';
import { sentenceCase } from '../../domain/text/sentence-case.ts';
import type { VisitRow } from '../../operations/visit/visit-fields.ts';
import { againstUsualWords, openWords } from '../../operations/visit/visit-words.ts';
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

export const usualWords = (against: AgainstUsual): string => sentenceCase(againstUsualWords[against]);

/** A pocket that is not read now can still have a usual: only one without any says so. */
const usualText = (usual_calm: number | null, against: AgainstUsual | null): string => {
  if (usual_calm === null) return 'Usual not known yet';
  return against === null ? `Usually ${calmBand(usual_calm)}` : usualWords(against);
};

/** How it feels now, against what is usual for this hour. */
export const nowLine = ({ primary_state, calm_level, usual_calm, against_usual }: VisitRow): Html => {
  const kind = stateKind(primary_state);
  return html`<p class="now">${stateMark(kind)}${primary_state && stateWords[primary_state]} <span class="level">${meter(calm_level, kind)}</span> <small>${usualText(
    usual_calm,
    against_usual,
  )}</small></p>`;
};

/** Which kinds of outlets are open at the time; null where too few are listed to tell. */
export function openLine(place: Pick<VisitRow, 'open_kinds' | 'open_count'>): Html | null {
  const words = openWords(place);
  return words === null ? null : html`<p class="open">${words}</p>`;
}
