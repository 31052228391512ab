import Type from 'typebox';
import { chanceText } from '../../domain/atmosphere/calm-band.ts';
import { primaryStates, withUnderscores } from '../../domain/atmosphere/primary-state.ts';
import { nowLine, outlookLine, scenarioLine } from '../../domain/prediction/outlook-text.ts';
import type { ProjectionPayload } from '../../domain/prediction/prediction.ts';
import {
  modifiers,
  type ScenarioOutlook,
  scenarios,
  stateChanges,
  topModifier,
} from '../../domain/prediction/scenario.ts';
import { round } from '../../domain/stats/unit-scale.ts';
import { printable } from '../../domain/text/printable.ts';
import type { Zone } from '../../domain/time/zone.ts';
import { currentProjections, readScenarioOutlooks } from '../../store/prediction/projections.ts';
import { clockTime, count, nullable, unit, unitField } from '../core/answer-fields.ts';
import { defineOperation } from '../core/define.ts';
import { pocketId } from '../core/fields.ts';
import { loadMissingFields, missing } from '../pocket/missing-crowd.ts';

const state = Type.Enum(primaryStates.map(withUnderscores));

const horizon = Type.Object({
  minutes_ahead: count,
  expected_state: state,
  confidence: unit,
  calm_probability: unitField('probability of a calm state then, as it was sealed'),
  approx_clock: clockTime,
  summary_line: Type.String(),
  expected_pulse: unitField('0 still to 1 lively: 1 less the expected calm'),
  delta_vs_now: Type.Number({ minimum: -1, maximum: 1, description: 'expected_pulse less the pulse now' }),
  top_environmental_modifier: nullable(
    Type.Enum([...modifiers], { description: 'the signal whose change would move calm most' }),
  ),
});

const sensitivityFactor = Type.Object({
  factor: Type.Enum([...scenarios]),
  shifts_outlook_to: state,
  minutes_ahead: count,
  summary_line: Type.String(),
});

export const getPocketFutures = defineOperation({
  name: 'get_pocket_futures',
  title: 'Outlook of a pocket over three hours',
  description:
    'Tells how a pocket is likely to feel in 60, 120 and 180 minutes. Use it to plan ahead; it is a forecast, never a promise. Not for now (get_pocket_moment) or for past forecasts (get_pocket_predictions). Returns now, horizons [{minutes_ahead, expected_state, confidence, calm_probability, approx_clock, summary_line, expected_pulse, delta_vs_now, top_environmental_modifier}] and sensitivity_factors, empty without a current forecast.',
  toolsets: ['reader', 'benchmark'],
  input: { pocket_id: pocketId },
  output: Type.Object({
    pocket_id: Type.String(),
    now: nullable(Type.Object({ primary_state: state, summary_line: Type.String() })),
    horizons: Type.Array(horizon),
    sensitivity_factors: Type.Array(sensitivityFactor),
    missing: Type.Optional(missing),
  }),
  load: async ({ pocket_id }, context) => {
    const { store, now } = context;
    const sealed = await currentProjections(store, pocket_id, now);
    const [first] = sealed;
    const shifts = first ? await readScenarioOutlooks(store, pocket_id, Date.parse(first.sealed_at)) : [];
    return { sealed, shifts, lacks: first ? {} : await loadMissingFields(context, pocket_id) };
  },
  shape: ({ sealed, shifts, lacks }, { pocket_id }, zone) => {
    const [first] = sealed;
    if (!first) return { pocket_id, now: null, horizons: [], sensitivity_factors: [], ...lacks };
    return { pocket_id, ...futuresOutlook(first, sealed, shifts, zone) };
  },
  speak: ({ now, horizons, sensitivity_factors, missing: lacks }, { pocket_id }) => {
    if (!now)
      return `no outlook for ${printable(pocket_id)}: ${lacks ? lacks.text : 'not enough recent data'}.`;
    const modifiers = horizons.flatMap(({ minutes_ahead, top_environmental_modifier: modifier }) =>
      modifier ? [`${modifier} at ${minutes_ahead} minutes`] : [],
    );
    return [
      `${pocket_id} ${now.summary_line}`,
      ...horizons.map(
        ({ minutes_ahead, summary_line, calm_probability }) =>
          `${summary_line} in ${minutes_ahead} minutes ${chanceText(calm_probability)}.`,
      ),
      modifiers.length
        ? `what may move it most: ${modifiers.join(', ')}.`
        : 'no signal seems to move it much.',
      ...sensitivity_factors.map(({ summary_line }) => summary_line),
    ].join(' ');
  },
  rest: { path: '/api/pocket-futures', names: { pocket_id: 'pocket' } },
});

function futuresOutlook(
  first: ProjectionPayload,
  sealed: readonly ProjectionPayload[],
  shifts: readonly ScenarioOutlook[],
  zone: Zone,
) {
  const { primary_state, calm } = first.known;
  const slot = Date.parse(first.sealed_at);
  const outlook = sealed.map(({ horizon_minutes, forecast }) => ({
    minutes_ahead: horizon_minutes,
    projection: forecast,
  }));
  const at = (minutes: number) => slot + minutes * 60_000;
  return {
    now: {
      primary_state: withUnderscores(primary_state),
      summary_line: nowLine(slot, primary_state, calm, zone),
    },
    horizons: sealed.map(({ confidence, forecast, horizon_minutes: minutes_ahead }) => {
      const { expected_state, expected_calm } = forecast;
      const delta_vs_now = round(calm - expected_calm);
      return {
        minutes_ahead,
        expected_state: withUnderscores(expected_state),
        confidence,
        calm_probability: forecast.calm_probability,
        approx_clock: zone.localClock(at(minutes_ahead)),
        summary_line: outlookLine(at(minutes_ahead), expected_state, confidence, delta_vs_now, zone),
        expected_pulse: round(1 - expected_calm),
        delta_vs_now,
        top_environmental_modifier: topModifier({ minutes_ahead, projection: forecast }, shifts),
      };
    }),
    sensitivity_factors: stateChanges(outlook, shifts).map(({ scenario, minutes_ahead, expected_state }) => ({
      factor: scenario,
      shifts_outlook_to: withUnderscores(expected_state),
      minutes_ahead,
      summary_line: scenarioLine(scenario, expected_state, at(minutes_ahead), zone),
    })),
  };
}
