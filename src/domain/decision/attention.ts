/**
 * What speaking costs the attention of a pocket: fatigue from the lines of the last day, and for an action that somebody
 * else plans, the cost of its channel and of repeating what was just said (docs/formulas.md, "Legitimacy").
 */

import { clamp, round } from '../stats/unit-scale.ts';
import { dayNames } from '../time/periods.ts';
import { HOUR } from '../time/slot.ts';

/** Fatigue of a pocket in which nothing was said for a day. It is the minimum: nobody is free of messages. */
export const RESTED = 0.1;
/** Lines tire and do not forbid: it would take 29 at once to reach the contract's limit of 0.85. */
const LINE_TIRES = 0.06;
const FATIGUE_HALF_LIFE = 12 * HOUR;

/** Each line of the last day takes up 0.06 of the rest that is left; its effect halves every 12 hours. */
export const tiring = (spoken: readonly number[], now: number): number =>
  1 - spoken.reduce((left, at) => left * (1 - LINE_TIRES * 2 ** ((at - now) / FATIGUE_HALF_LIFE)), 1);

/** Fatigue of the people of a pocket, from when the service spoke there within the last day. */
export const pocketFatigue = (spoken: readonly number[], now: number): number =>
  round(1 - (1 - RESTED) * (1 - tiring(spoken, now)));

/** A sixteenth is left after a day. */
const DISMISSAL_HALF_LIFE = 6 * HOUR;

/** Fatigue of the person addressed: as given, else decaying since their last dismissal, and never under the pocket's. */
export function personFatigue(
  context: { fatigue_score?: number; last_dismissal_at?: number },
  pocket: number,
  now: number,
): number {
  if (context.fatigue_score !== undefined) return context.fatigue_score;
  if (context.last_dismissal_at === undefined) return pocket;
  const age = Math.max(0, now - context.last_dismissal_at);
  return round(Math.max(pocket, 2 ** (-age / DISMISSAL_HALF_LIFE)));
}

/**
 * Share of the attention left that a message takes by its channel alone. 0, also for a channel that is not known and
 * for none: like the service's own line, it is found by those who look. The others interrupt.
 */
export const channelCosts: Readonly<Record<string, number>> = {
  feed: 0,
  web: 0,
  digest: 0.02,
  email: 0.05,
  in_app: 0.08,
  messaging: 0.12,
  push: 0.18,
  sms: 0.22,
  call: 0.35,
};
/** Other spellings of the same channels. */
const channelAliases: Readonly<Record<string, keyof typeof channelCosts>> = {
  page: 'web',
  rss: 'feed',
  newsletter: 'digest',
  mail: 'email',
  inapp: 'in_app',
  banner: 'in_app',
  chat: 'messaging',
  message: 'messaging',
  notification: 'push',
  push_notification: 'push',
  text: 'sms',
  text_message: 'sms',
  phone: 'call',
  voice_call: 'call',
};

export function channelCost(channel: string | null): number {
  const name = (channel ?? '')
    .trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, '_');
  return channelCosts[channelAliases[name] ?? name] ?? 0;
}

/** A line that was said in the pocket, with what it was about. */
export interface SaidLine {
  slot: number;
  tier: string;
  source_kind: string;
  composed_text: string;
}

/** That of saturation (moment.ts): a line is remembered for as long as it takes up attention. */
const REPETITION_HALF_LIFE = 1.5 * HOUR;
/** Lines older than this are not compared: less than a hundredth of their effect would be left. */
export const REPETITION_WINDOW = 10 * HOUR;
/** Words that say nothing about the content of an action or a line: those of any sentence, of a comparison, of a time. */
const fillers = new Set([
  ...'about and but for from its likely minutes not now some that the this under until with yet'.split(' '),
  ...'city compared elsewhere less little much rather rest than usual'.split(' '),
  ...'one two three four five six seven eight nine ten eleven twelve'.split(' '),
  ...'half past quarter noon midnight morning midday afternoon evening night'.split(' '),
  ...dayNames,
]);

const contentWords = (text: string): Set<string> =>
  new Set(
    text
      .toLowerCase()
      .split(/[^\p{L}]+/u)
      .filter((word) => word.length > 2 && !fillers.has(word)),
  );

/**
 * How far an action repeats what was said lately, 0..1: the share of its words that a line has, halved every 90 minutes
 * of the line's age; the highest of all lines. The pocket's own name does not count.
 */
export function repetitionScore(
  action: string,
  lines: readonly SaidLine[],
  place: string,
  now: number,
): number {
  const name = contentWords(place);
  const words = [...contentWords(action)].filter((word) => !name.has(word));
  if (!words.length) return 0;
  const repeated = lines.map(({ slot, tier, source_kind, composed_text }) => {
    const heard = contentWords(`${tier} ${source_kind} ${composed_text}`);
    const share = words.filter((word) => heard.has(word)).length / words.length;
    return share * 2 ** (-Math.max(0, now - slot) / REPETITION_HALF_LIFE);
  });
  return round(Math.max(0, ...repeated));
}

/** As much as a line takes (moment.ts): to repeat one word for word is to say it again. */
const REPETITION_COST = 0.3;

/** Saturation as an action meets it: what its channel takes and what it repeats comes on top of what was said. */
export const effectiveSaturation = (
  saturation: number,
  action: { channel_cost: number; repetition: number },
): number => {
  const left = (1 - action.channel_cost) * (1 - REPETITION_COST * action.repetition);
  // Unrounded where nothing is added, so that the score equals that of the service's own decision.
  return left === 1 ? saturation : round(clamp(1 - (1 - saturation) * left));
};
