// The figures of one stored moment that several surfaces show, as the store holds them, and the words by which a surface
// that shows one is recognised.

import assert from 'node:assert/strict';
import type { Registry } from '../../../src/domain/city/city.ts';
import type { Moment } from '../../../src/domain/decision/moment.ts';
import { decisionId } from '../../../src/domain/decision/silence.ts';
import { type Reason, reasonText } from '../../../src/domain/decision/silence-reason.ts';
import { spokenClock } from '../../../src/domain/text/spoken-clock.ts';
import { isOpen } from '../../../src/domain/time/opening-hours.ts';
import { iso } from '../../../src/domain/time/slot.ts';
import { singapore } from '../../../src/domain/time/zones.fixture.ts';
import { judgedAt } from '../../../src/domain/window/calm-window.ts';
import type { Store } from '../../../src/store/engine/store.ts';

export const figureNames = [
  /** The calm level, with all its decimals. */
  'level',
  'probability',
  /** The half-life in minutes, and the timestamp that it leads to. */
  'minutes',
  'end',
  /** The end of the calm window, as a timestamp, as a clock time and as composed lines say it; null without one. */
  'windowEnd',
  'clock',
  'spokenEnd',
  /** The calm probability in whole percent, as pages tell it. */
  'chance',
  'outlets',
  'open',
  'reason',
] as const;
export type Figure = (typeof figureNames)[number];

/** Fewer than five are never counted out. */
export const FEW = 'fewer than five';

export interface StoredMoment {
  pocket: string;
  slot: number;
  /** Of the decision at this slot, without its type. */
  id: string;
  /** With its type, as explanations name it. */
  explanation: string;
  figures: Record<Figure, string | null>;
}

/** Reads the moment of a pocket at a slot. `now` is when the surfaces are asked. */
export async function storedMoment(
  store: Store,
  { outlets }: Registry,
  { pocket, slot, now }: { pocket: string; slot: number; now: number },
): Promise<StoredMoment> {
  const at = [pocket, slot] as const;
  const moment = await store.get<Moment>('select * from moments where pocket_id = ? and slot = ?', ...at);
  assert.ok(moment, `no moment of ${pocket}`);
  const silence = await store.get<{ reason: Reason }>(
    'select reason from silences where pocket_id = ? and slot = ?',
    ...at,
  );
  const pause = await store.get<{ kind: Reason }>(
    'select kind from pauses where pocket_id = ? and slot = ?',
    ...at,
  );
  const id = decisionId(pocket, slot);
  // After a line was said it is the reason for saying no more.
  const reason = silence?.reason ?? pause?.kind ?? 'already_speaking';
  const own = outlets.filter(({ active, pocket_id }) => active && pocket_id === pocket);
  const open = own.filter((outlet) => isOpen(outlet, now, singapore)).length;
  return {
    ...{ pocket, slot, id },
    explanation: `${silence ? 'silence' : (pause?.kind ?? 'emit')}:${id}`,
    figures: {
      level: String(moment.calm_level),
      probability: String(moment.calm_probability),
      minutes: String(moment.half_life_minutes),
      end: iso(moment.expires_at),
      windowEnd: moment.window_ends_at === null ? null : iso(moment.window_ends_at),
      clock: moment.window_ends_at === null ? null : singapore.localClock(moment.window_ends_at),
      spokenEnd: spokenClock(judgedAt(slot, moment.window_ends_at), singapore),
      chance: String(Math.round(100 * moment.calm_probability)),
      outlets: String(own.length),
      open: open < 5 ? FEW : String(open),
      reason: reasonText[reason],
    },
  };
}

const anyReason = new RegExp(Object.values(reasonText).map(RegExp.escape).join('|'), 'g');

/** Every reason that a text states. */
export const reasonsIn = (text: string): string[] => [...text.matchAll(anyReason)].map(([reason]) => reason);

/** The end of a composed line, as people say it. */
export const SPOKEN_END =
  /until about ((?:(?:quarter|half) (?:past|to) )?(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|noon|midnight))\b/;

/** A surface whose text matches shows the figure, or one of the same name that belongs to another time or place. */
export const signs: Record<Figure, RegExp> = {
  level: /calm[ _]level"?:? ?\d|"calm": ?\d/i,
  probability: /calm[ _]probability"?:? ?\d/i,
  minutes: /half[-_]life(?:_minutes)?"?:? ?\d/i,
  end: /"(?:expires_at|decay_at)": ?"/,
  windowEnd: /"window_ends_at": ?"/,
  clock: /until (?:about )?\d\d:\d\d/,
  spokenEnd: SPOKEN_END,
  chance: /calm \(\d+(?:\.\d+)?\s?%\)/i,
  outlets: /outlet_count"?:? ?\d|\d+ (?:active )?outlets?\b|outlets here \d/i,
  open: /open_now_count|\d open (?:now|outlets)|five open/,
  reason: anyReason,
};
