// What a badge, an embedded card and a link card show of a pocket: the same figures in the same words.

import { chanceText } from '../../domain/atmosphere/calm-band.ts';
import { findPocket } from '../../domain/city/lists/find-entries.ts';
import { sentenceCase } from '../../domain/text/sentence-case.ts';
import { MINUTE } from '../../domain/time/slot.ts';
import type { Zone } from '../../domain/time/zone.ts';
import { LONGEST_WINDOW } from '../../domain/window/calm-window.ts';
import type { AnswerOf } from '../../operations/core/define.ts';
import type { getPocketMoment } from '../../operations/pocket/get-pocket-moment.ts';
import { calmKind } from '../parts/calm-kind.ts';
import { dataLabel, dataWords } from '../parts/data-label.ts';
import type { Site } from '../parts/page.ts';
import { stateWords } from '../parts/place-words.ts';
import { formatDate } from '../parts/times.ts';

type Moment = AnswerOf<typeof getPocketMoment>;

export interface PocketView {
  pocket_id: string;
  name: string;
  /** 'Calm and productive', or that there is not enough data. */
  state: string;
  /** Null without a current moment. */
  calm: { level: number; label: string } | null;
  /** CSS class of the colour of the calm level. */
  kind: string;
  /** When it was read, in the city's time: '12:00 SGT', '11 Nov 2026'; null without a current moment. */
  read: { clock: string; day: string } | null;
  /** 'simulated' or 'replay of 14 Dec 2024'; null for measured data. */
  data: string | null;
  /** The same as a label. */
  dataLabel: string | null;
}

export const NO_DATA = 'Not enough recent data';

export function pocketView(site: Pick<Site, 'registry' | 'zone' | 'substrate'>, moment: Moment): PocketView {
  const { registry, zone } = site;
  const { pocket_id } = moment;
  const name = findPocket(registry, pocket_id)?.name ?? pocket_id;
  const origin = (date: string | null) => ({ data: dataWords(site, date), dataLabel: dataLabel(site, date) });
  if ('available' in moment)
    return {
      ...{ pocket_id, name, calm: null, kind: calmKind(null), read: null },
      state: moment.missing ? sentenceCase(moment.missing.text) : NO_DATA,
      ...origin(null),
    };
  const { calm_level, calm_probability, expires_at, half_life_minutes, window_ends_at } = moment;
  const at = Date.parse(expires_at) - half_life_minutes * MINUTE;
  const date = zone.localDate(at);
  return {
    ...{ pocket_id, name, state: stateWords[moment.primary_state], kind: calmKind(calm_level) },
    calm: {
      level: calm_level,
      label: `${chanceText(calm_probability)}${untilText(window_ends_at, at, zone)}`,
    },
    read: { clock: zone.clockWithZone(at), day: formatDate(date) },
    ...origin(date),
  };
}

/** The end of the calm window that is open, as every page tells it. */
function untilText(window_ends_at: string | null, read: number, zone: Zone): string {
  if (window_ends_at === null) return '';
  const end = Date.parse(window_ends_at);
  return `, ${end - read === LONGEST_WINDOW ? 'at least until' : 'until'} ${zone.localClock(end)}`;
}
