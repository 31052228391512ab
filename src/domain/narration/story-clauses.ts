/**
 * The wordings of a live story's clauses. What was observed chooses the kind of line, the first that applies; the
 * variant chooses one of its wordings. The texts are served: changing one changes an answer.
 */

import { calmTurn } from '../atmosphere/calm-text.ts';
import { isCalmState, type PrimaryState } from '../atmosphere/primary-state.ts';
import { calmComparisons, isUnlikeUsual } from '../candidate/calm-comparison.ts';
import type { SenseWord } from '../signals/signal.ts';
import { percentText } from '../text/figures.ts';
import { rainWords } from '../text/rain-words.ts';
import type { StoryInput, SuitingIntent } from './story-input.ts';

/** The inputs of a clause; `variant` chooses among the wordings of one kind. */
interface ClauseInput extends StoryInput {
  variant: number;
}

const pick = (wordings: readonly string[], variant: number): string =>
  wordings[variant % wordings.length] ?? '';

const moods: Record<PrimaryState, readonly string[]> = {
  'calm-productive': ['quiet and working', 'calm over its work', 'steady and unhurried'],
  'calm-social': ['calm in company', 'easy and sociable', 'quietly sociable'],
  'calm-restful': ['at rest', 'quiet', 'slow and easy'],
  'busy-productive': ['busy with work', 'brisk and working', 'full of errands'],
  'lively-social': ['lively', 'loud with company', 'out in numbers'],
  'tense-crowded': ['crowded', 'strained', 'under pressure'],
  'rain-subdued': ['hushed', 'kept indoors', 'slowed down'],
  'mixed-transitional': ['between moods', 'changing over', 'undecided'],
};

/**
 * No wording names the minutes of the window or a figure of the moment: a story stands beside newer moments, which have their
 * own; the end of the newest (`expires_at`) is served with it.
 */
export function whyNow(input: ClauseInput): string {
  const { name, variant, moment, band, reading, usual_calm, rain_mm } = input;
  const mood = pick(moods[moment.primary_state], variant >> 1);
  const outlook = moment.calm_probability >= 0.5 ? 'likely to stay calm' : 'not likely to be calm soon';
  const [turn] = calmTurn(moment)?.split(':') ?? [];
  const [compared, brief = compared] = calmComparisons({ ...input, now: input.slot, calm: reading.calm });
  const [reason] = moment.silence_reasons;
  if (reason)
    return pick(
      [
        `${reason}: ${name} is ${mood}, left to itself.`,
        `${name} keeps to itself for now: ${reason}.`,
        `${reason}; the street is ${turn ?? outlook}.`,
        `${reason}: the street is ${compared}.`,
      ],
      variant,
    );
  if (turn) return `${name} is ${turn}.`;
  const rain = rainWords(rain_mm);
  if (rain)
    return pick(
      [
        `there is ${rain}, and ${name} is ${mood}.`,
        `${rain} sets the pace: the street is ${compared}.`,
        `under ${rain} the street is ${mood}, ${outlook}.`,
      ],
      variant,
    );
  if (reading.anomaly_flag)
    return pick(
      [
        `this is unlike ${name} at the hour: ${mood}, ${outlook}.`,
        `an hour out of its pattern: ${name} is ${mood}.`,
        `${name} is ${mood}, which the hour seldom brings.`,
      ],
      variant,
    );
  if (band === 'decaying')
    return pick(
      [
        `the best of it is passing: ${mood}, ${compared}.`,
        `what opened here is closing: ${mood}, ${outlook}.`,
        `${name} is ${mood} still, and less so by the quarter hour.`,
      ],
      variant,
    );
  if ((band === 'silent' || band === 'weak') && isUnlikeUsual({ calm: reading.calm, usual_calm }))
    return pick(
      [
        `${name} is ${mood}, ${compared}.`,
        `the street is ${mood}: ${compared}.`,
        `${name} is ${brief}, and ${outlook}.`,
      ],
      variant,
    );
  if (band === 'silent' || band === 'weak')
    return pick(
      [
        `an ordinary hour: ${mood}, ${outlook}.`,
        `${name} is ${mood}, much as the hour has it.`,
        `little stands out: ${mood}, ${outlook}.`,
        `${name} is ${mood}, with nothing out of the ordinary.`,
      ],
      variant,
    );
  return pick(
    [
      `a window is open: ${name} is ${mood}.`,
      `${name} is ${mood}, and ${outlook}.`,
      `a window is open: ${mood}, ${outlook}.`,
      `a window has opened: the hour has turned ${mood}.`,
    ],
    variant,
  );
}

/** About the outlets that are open; null where `counted` is suppressed as too small, and nothing can be said of them. */
export function whyThisMerchant(counted: number | null, use: number, variant: number): string | null {
  if (counted === null) return null;
  const used = percentText(use);
  if (use < 0.05)
    return pick(
      [
        `the ${counted} open outlets here are nearly empty.`,
        `next to nothing is in use across ${counted} open outlets.`,
        `${counted} outlets are open, and hardly any place in them is taken.`,
      ],
      variant,
    );
  if (use < 0.3)
    return pick(
      [
        `the ${counted} open outlets here are ${used} in use, with room to spare.`,
        `across ${counted} open outlets most places stand free (${used} in use).`,
        `there is room in the outlets: ${used} in use across ${counted} that are open.`,
      ],
      variant,
    );
  if (use < 0.5)
    return pick(
      [
        `the ${counted} open outlets here are partly filled: ${used} in use.`,
        `across ${counted} open outlets ${used} is in use and some room is left.`,
        `some room is left in the outlets, ${used} in use across ${counted} that are open.`,
      ],
      variant,
    );
  return pick(
    [
      `the ${counted} open outlets here are well filled: ${used} in use.`,
      `little room is left across ${counted} open outlets (${used} in use).`,
      `most of the room is taken: ${used} across ${counted} open outlets.`,
    ],
    variant,
  );
}

export function whyUsersCare(
  suiting: readonly SuitingIntent[],
  words: Readonly<Record<SenseWord, number | null>>,
  variant: number,
): string {
  const intent = suiting[variant % Math.max(1, suiting.length)];
  if (!intent) return withoutIntent(words, variant);
  const { title, word } = intent;
  const people = word && words[word];
  if (word && people)
    return pick(
      [
        `${people} people called it ${word} in four hours, as '${title}' would have it.`,
        `the hour suits '${title}': ${people} people felt it ${word} lately.`,
        `'${title}' fits the hour, and ${people} people said ${word}.`,
      ],
      variant,
    );
  return pick(
    [`the hour suits '${title}'.`, `'${title}' fits the hour.`, `the hour is one for '${title}'.`],
    variant,
  );
}

function withoutIntent(words: Readonly<Record<SenseWord, number | null>>, variant: number): string {
  const [word, people] = Object.entries(words).reduce(
    (most, entry) => ((entry[1] ?? 0) > (most[1] ?? 0) ? entry : most),
    ['', null],
  );
  if (people === null)
    return pick(
      [
        'no intent fits the hour well.',
        'the hour suits no intent in particular.',
        'nothing that people set out for fits the hour well.',
      ],
      variant,
    );
  return pick(
    [
      `no intent fits the hour well; ${people} people called it ${word}.`,
      `${people} people felt it ${word} in four hours, whatever brought them.`,
      `the hour suits no intent in particular, and ${people} said ${word}.`,
    ],
    variant,
  );
}

/** Saturation (one line just said), friction, stress and social energy from which a clause is about them: a judgement. */
const HIGH_SATURATION = 0.3;
const HIGH_FRICTION = 0.4;
const HIGH_STRESS = 0.45;
const IN_COMPANY = 0.3;

export function whyPocketBenefits({ name, variant, moment, reading }: ClauseInput): string {
  if (moment.should_stay_silent)
    return pick(
      [
        `left alone, ${name} keeps what calm it has.`,
        'nothing said leaves attention whole.',
        `quiet from this side costs ${name} nothing.`,
      ],
      variant,
    );
  if (moment.signal_saturation >= HIGH_SATURATION)
    return pick(
      [
        'recent messages use much of the attention here; a pause gives some back.',
        `${name} has heard much lately: a pause restores it.`,
        'much was said here lately: restraint is what the pocket gains by.',
      ],
      variant,
    );
  if (moment.movement_friction !== null && moment.movement_friction >= HIGH_FRICTION)
    return pick(
      [
        'getting about is hard: fewer errands now ease the street.',
        'the ways ease when people stay where they are.',
        'the ways in are slow, and every trip saved frees them.',
      ],
      variant,
    );
  if (reading.stress >= HIGH_STRESS)
    return pick(
      [
        'the street is strained; visits that shift later take weight off.',
        `${name} carries enough already: later hours have room.`,
        'a strained street gains by every visit that waits.',
      ],
      variant,
    );
  if (isCalmState(moment.primary_state))
    return pick(
      [
        'visits in a calm hour spare the crowded ones.',
        'the street takes more people without strain.',
        "visits now spread the day's footfall over quieter hours.",
        `${name} has slack to give.`,
      ],
      variant,
    );
  return pick(
    [
      ...(reading.social_energy >= IN_COMPANY ? ['company is here already, and the street carries it.'] : []),
      'the pocket holds its pace.',
      `${name} is in use as it should be.`,
    ],
    variant,
  );
}
