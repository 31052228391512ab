import Type from 'typebox';
import { calmFigures, calmTurn } from '../../domain/atmosphere/calm-text.ts';
import { durationText } from '../../domain/text/duration.ts';
import { printable } from '../../domain/text/printable.ts';
import { MINUTE } from '../../domain/time/slot.ts';
import { currentMoment } from '../../store/decision/moments.ts';
import { defineOperation } from '../core/define.ts';
import { pocketId } from '../core/fields.ts';
import { disagreementsField, findDisagreements, readDecided } from '../decision/agreement-fields.ts';
import { loadMissingFields, missingSentence } from './missing-crowd.ts';
import { moment, momentFields, noMoment } from './pocket-fields.ts';

export const getPocketMoment = defineOperation({
  name: 'get_pocket_moment',
  title: 'Moment of a pocket',
  description:
    'Reads the moment of one pocket: how calm it is, how much was said there lately, how long it may last. Use it for "is now a good moment there?". Not for a trend (get_pocket_atmosphere) or two pockets (compare_pockets). Returns primary_state, calm_probability, signal_saturation, movement_friction, fragility, half_life_minutes, expires_at, should_stay_silent, silence_reasons and disagreements, or available false.',
  toolsets: ['reader'],
  input: { pocket_id: pocketId },
  output: Type.Union([Type.Object({ ...moment.properties, disagreements: disagreementsField }), noMoment]),
  notFoundText: 'extended',
  load: async ({ pocket_id }, context) => {
    const record = await currentMoment(context.store, pocket_id, context.now);
    return {
      record,
      decided: record && (await readDecided(context, pocket_id, record.slot)),
      lacks: record ? {} : await loadMissingFields(context, pocket_id),
    };
  },
  shape: ({ record, decided, lacks }, { pocket_id }) =>
    record
      ? {
          ...momentFields(record.moment),
          // This answer has no score but what the moment asks for.
          disagreements: findDisagreements(
            { ...record, quality: null, resonance: null },
            decided && { ...decided, legitimacy_band: null, index_band: null },
          ),
        }
      : { pocket_id, available: false as const, ...lacks },
  speak: (answer, { pocket_id }, zone) => {
    if ('available' in answer)
      return `no moment composable for ${printable(pocket_id)} — substrate may be thin.${missingSentence(answer)}`;
    const { primary_state, half_life_minutes, silence_reasons } = answer;
    const turn = calmTurn(answer);
    const until = Date.parse(answer.expires_at);
    return [
      `${pocket_id} at ${zone.clockWithZone(until - half_life_minutes * MINUTE)}: ${primary_state}, ${calmFigures(answer)} (of a calm state through the next half hour).`,
      ...(turn ? [`${turn}.`] : []),
      `signal saturation ${answer.signal_saturation},${answer.movement_friction === null ? '' : ` movement friction ${answer.movement_friction},`} fragility ${answer.fragility}.`,
      `half-life ${durationText(half_life_minutes)}${answer.window_ends_at === null ? '' : `; calm window until ${zone.clockWithZone(Date.parse(answer.window_ends_at))}`}.`,
      answer.should_stay_silent
        ? `silence is asked for: ${silence_reasons.join('; ')}.`
        : 'nothing in the moment asks for silence.',
      ...answer.disagreements.map((sentence) => `${sentence}.`),
    ].join(' ');
  },
  rest: { path: '/api/moment', names: { pocket_id: 'pocket' } },
});
