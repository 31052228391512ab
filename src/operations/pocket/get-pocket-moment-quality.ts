import Type from 'typebox';
import { mqsFactors } from '../../domain/decision/moment-quality.ts';
import { printable } from '../../domain/text/printable.ts';
import { iso } from '../../domain/time/slot.ts';
import { currentMoment } from '../../store/decision/moments.ts';
import { nullable, timestamp, unit, unitField } from '../core/answer-fields.ts';
import { defineOperation } from '../core/define.ts';
import { pocketId } from '../core/fields.ts';
import { disagreementsField, findDisagreements, readDecided } from '../decision/agreement-fields.ts';
import { mqsBand } from '../decision/decision-fields.ts';
import { loadMissingFields, missingSentence } from './missing-crowd.ts';
import { noMoment } from './pocket-fields.ts';

const quality = Type.Object({
  pocket_id: Type.String(),
  computed_at: timestamp,
  mqs: unitField('product of the five factors'),
  band: mqsBand,
  factors: Type.Record(Type.Enum([...mqsFactors]), nullable(unit)),
  previous_mqs: nullable(unit),
  reasons: Type.Array(Type.String()),
  disagreements: disagreementsField,
  source: Type.Literal('cache', { description: 'computed once every 15 minutes, not for this request' }),
});

export const getPocketMomentQuality = defineOperation({
  name: 'get_pocket_moment_quality',
  title: 'Moment quality score of a pocket',
  description:
    'Reads the Moment Quality Score (MQS) of a pocket: whether its moment is worth breaking silence for. Use it to learn which factor holds a moment back. Not for how the pocket feels (get_pocket_moment) or an action of yours (score_legitimacy). Returns mqs (0..1), band, factors {usefulness, urgency, calmness, merchant_fit, user_need}, previous_mqs, reasons, disagreements, computed_at and source, or available false.',
  toolsets: ['merchant'],
  input: { pocket_id: pocketId },
  output: Type.Union([quality, noMoment]),
  notFoundText: 'extended',
  load: async ({ pocket_id }, context) => {
    const record = await currentMoment(context.store, pocket_id, context.now);
    return {
      record,
      decided: record && (await readDecided(context, pocket_id, record.slot)),
      lacks: record ? {} : await loadMissingFields(context, pocket_id),
    };
  },
  shape: ({ record, decided, lacks }, { pocket_id }) => {
    if (!record) return { pocket_id, available: false as const, ...lacks };
    const { mqs, band, factors, previous_mqs, reasons } = record.quality;
    const computed_at = iso(record.slot);
    return {
      pocket_id,
      computed_at,
      mqs,
      band,
      factors,
      previous_mqs,
      reasons,
      disagreements: findDisagreements(record, decided),
      source: 'cache' as const,
    };
  },
  speak: (answer, { pocket_id }, zone) => {
    if ('available' in answer)
      return `no MQS data for ${printable(pocket_id)} yet — substrate may be thin.${missingSentence(answer)}`;
    const { computed_at, mqs, band, factors, previous_mqs, reasons, disagreements } = answer;
    const before = previous_mqs === null ? 'none before it' : `${previous_mqs} before it`;
    return [
      `MQS of ${pocket_id} at ${zone.clockWithZone(Date.parse(computed_at))}: ${mqs}, ${band}; ${before}.`,
      `${mqsFactors.flatMap((factor) => (factors[factor] === null ? [] : [`${factor} ${factors[factor]}`])).join(', ')}.`,
      `${[...reasons, ...disagreements].join('. ')}.`,
    ].join(' ');
  },
  rest: { path: '/api/moment-quality', names: { pocket_id: 'pocket' } },
});
