import Type, { type Static } from 'typebox';
import { calmFigures, calmTurn } from '../../domain/atmosphere/calm-text.ts';
import type { Moment } from '../../domain/decision/moment.ts';
import { durationText } from '../../domain/text/duration.ts';
import { percentText } from '../../domain/text/figures.ts';
import { printable } from '../../domain/text/printable.ts';
import { currentMoment } from '../../store/decision/moments.ts';
import { nullable } from '../core/answer-fields.ts';
import { defineOperation } from '../core/define.ts';
import { pocketId } from '../core/fields.ts';
import { loadMissing, type Missing } from './missing-crowd.ts';
import { moment, momentFields, noMoment } from './pocket-fields.ts';

const compared = Type.Omit(moment, ['expires_at', 'silence_reasons', 'window_ends_at']);

export const comparePockets = defineOperation({
  name: 'compare_pockets',
  title: 'Compare two pockets',
  description:
    'Compares the present moments of two given pockets. Use it for "is it calmer here or there?". Not for searching all (find_calm_pocket_now) or an intent in one (get_intent_substrate). Returns pocket_a and pocket_b {pocket_id, primary_state, calm_probability, signal_saturation, movement_friction, fragility, half_life_minutes, should_stay_silent} and a one-sentence verdict, null with an explanation where one cannot be observed.',
  toolsets: ['reader'],
  input: { pocket_id_a: pocketId, pocket_id_b: pocketId },
  output: Type.Object({
    pocket_a: Type.Union([compared, noMoment]),
    pocket_b: Type.Union([compared, noMoment]),
    verdict: nullable(Type.String({ description: 'one sentence' })),
    explanation: Type.Optional(Type.String({ description: 'which pocket has no moment' })),
  }),
  notFoundText: 'extended',
  load: async ({ pocket_id_a, pocket_id_b }, context) => {
    const ids = [pocket_id_a, pocket_id_b];
    const [a, b] = await Promise.all(ids.map((id) => currentMoment(context.store, id, context.now)));
    const without = [...new Set([...(a ? [] : [pocket_id_a]), ...(b ? [] : [pocket_id_b])])];
    return { a: a?.moment, b: b?.moment, without, lacks: await loadMissing(context, without) };
  },
  shape: ({ a, b, without, lacks }, { pocket_id_a, pocket_id_b }) => {
    const comparedSide = (moment: Moment | undefined, pocket_id: string) => {
      const missing = lacks.get(pocket_id);
      return moment
        ? comparedPart(moment)
        : { pocket_id, available: false as const, ...(missing && { missing }) };
    };
    return {
      pocket_a: comparedSide(a, pocket_id_a),
      pocket_b: comparedSide(b, pocket_id_b),
      verdict: a && b ? comparisonVerdict(a, b) : null,
      ...(without.length && {
        explanation: `not enough recent data for ${without.map((id) => explainMissing(id, lacks)).join(' and ')}.`,
      }),
    };
  },
  speak: ({ pocket_a, pocket_b, verdict, explanation }) =>
    [
      ...[pocket_a, pocket_b].flatMap((side) => ('available' in side ? [] : [describe(side)])),
      verdict ?? explanation,
    ].join(' '),
  rest: { path: '/api/compare', names: { pocket_id_a: 'a', pocket_id_b: 'b' } },
});

const explainMissing = (id: string, lacks: ReadonlyMap<string, Missing>): string => {
  const text = lacks.get(id)?.text;
  return `${printable(id)}${text ? ` (${text})` : ''}`;
};

const comparedPart = (moment: Moment) => {
  const {
    expires_at: _end,
    silence_reasons: _reasons,
    window_ends_at: _window,
    ...fields
  } = momentFields(moment);
  return fields;
};

const describe = (side: Static<typeof compared>): string => {
  const turn = calmTurn(side);
  return [
    `${side.pocket_id} is ${side.primary_state}${turn ? ` (${turn})` : ''}: ${calmFigures(side)}`,
    `saturation ${side.signal_saturation}`,
    ...(side.movement_friction === null ? [] : [`friction ${side.movement_friction}`]),
    `fragility ${side.fragility}`,
    `half-life ${durationText(side.half_life_minutes)}${side.should_stay_silent ? ', silence asked for' : ''}.`,
  ].join(', ');
};

/** A smaller difference of calm probability is reported as equal. */
const NOTICEABLE = 0.05;

function comparisonVerdict(a: Moment, b: Moment): string {
  if (a.pocket_id === b.pocket_id) return 'both are the same pocket.';
  const [calmer, other] = b.calm_probability > a.calm_probability ? [b, a] : [a, b];
  const figures = `${percentText(calmer.calm_probability)} against ${percentText(other.calm_probability)}`;
  const alike = calmer.calm_probability - other.calm_probability < NOTICEABLE;
  const calm = alike
    ? `${calmer.pocket_id} and ${other.pocket_id} are about equally likely to be calm (${figures})`
    : `${calmer.pocket_id} is more likely to be calm than ${other.pocket_id} (${figures})`;
  return `${calm} ${windows(calmer, other, alike)}${silences(calmer, other)}.`;
}

function windows(calmer: Moment, other: Moment, alike: boolean): string {
  const [here, there] = [calmer.half_life_minutes, other.half_life_minutes];
  if (here === there) return `and both may hold for ${durationText(here)}`;
  const figures = `(${durationText(Math.max(here, there))} against ${durationText(Math.min(here, there))})`;
  if (alike) return `and ${(here > there ? calmer : other).pocket_id} may hold longer ${figures}`;
  return here > there
    ? `and may hold longer ${figures}`
    : `but ${other.pocket_id} may hold longer ${figures}`;
}

function silences(calmer: Moment, other: Moment): string {
  const silent = [calmer, other].filter((moment) => moment.should_stay_silent);
  if (silent.length === 2) return ', though both ask for silence';
  return silent[0] ? `, though ${silent[0].pocket_id} asks for silence` : '';
}
