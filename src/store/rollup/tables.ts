// The tables of running totals, and the SQL that counts the rows behind each of them.
import type { SilenceReason } from '../../domain/decision/silence-reason.ts';
import type { Tier } from '../../domain/decision/tier.ts';
import type { CalmKey, CalmSum } from '../../domain/prediction/calm-reliability.ts';
import { errorTypes } from '../../domain/prediction/error-taxonomy.ts';
import {
  BAR,
  type ForecastKey,
  type ForecastSum,
  HIT,
  simpleRules,
  tenths,
} from '../../domain/prediction/forecast-sums.ts';
import { LONGEST_HORIZON } from '../../domain/prediction/generators/all.ts';
import {
  type OutcomeSum,
  type PocketSum,
  type ReasonSum,
  type TierSum,
  UNIT,
} from '../../domain/stats/rollup.ts';
import type { Span } from '../../domain/time/window.ts';
import type { LineOutcome } from '../../domain/verdict/line-serves.ts';
import { sameSlotAndPocket } from '../engine/slot-join.ts';
import type { Row } from '../engine/store.ts';
import { inPocket } from '../prediction/forecast-numbers.ts';
import { utcDay } from '../rows/day-index.ts';

/** Rows that are counted: each adds the value of an expression to each of these sums. */
export interface Source<S extends string> {
  /** The SQL after `from`; the table that has the keys has the alias x. */
  rows: string;
  /** Which of them belong to a span; by default those whose slot does. */
  within?: { where: string; params: (span: Span) => number[] };
  sums: Partial<Record<S, string>>;
  /** The condition for those of a pocket, where an index has its number and not its id. */
  ofPocket?: string;
  /** Always 0 in a period that is rolled up, so it has no column. */
  unsettled?: true;
}

/** In a table that has totals for each pocket: the totals of all pockets together, so that they are one row to read. */
export const ALL_POCKETS = '';

/** `Key` is the type of its key columns, `S` the names of its sums. */
export interface RollupTable<Key extends object, S extends string> {
  name: string;
  keys: readonly (keyof Key & string)[];
  sources: readonly Source<S>[];
  /** Of what is older than a few days it has the ends of days alone: no answer is about hours of that time. */
  daily?: true;
}

export const bySlot = {
  where: 'x.slot >= ? and x.slot < ?',
  params: ({ from, to }: Span): number[] => [from, to],
};

/** In units of 1/UNIT. */
const whole = (value: string): string => `cast(round(${value} * ${UNIT}) as bigint)`;
const oneIf = (condition: string): string => `case when ${condition} then 1 else 0 end`;

/** Of silences: right where no line would have served. */
const verdicts = {
  vindicated: oneIf('x.spoke = 0 and x.served = 0'),
  missed: oneIf('x.spoke = 0 and x.served = 1'),
  unjudged: oneIf('x.spoke = 0 and x.served is null'),
};

const lineVerdicts = {
  lines_served: oneIf('x.spoke = 1 and x.served = 1'),
  lines_failed: oneIf('x.spoke = 1 and x.served = 0'),
  lines_unjudged: oneIf('x.spoke = 1 and x.served is null'),
};

export const pocketRollup: RollupTable<{ pocket_id: string }, PocketSum> = {
  name: 'rollup_pockets',
  keys: ['pocket_id'],
  sources: [
    {
      rows: 'atmosphere_readings x',
      sums: { readings: '1', anomalies: 'x.anomaly_flag', calm: whole('x.calm') },
    },
    { rows: 'packages x', sums: { emissions: '1' } },
    { rows: 'silences x', sums: { silences: '1' } },
    {
      rows: 'pauses x',
      sums: {
        quiet_hours: oneIf("x.kind = 'quiet_hours'"),
        already_speaking: oneIf("x.kind = 'already_speaking'"),
      },
    },
    {
      rows: 'verdicts x',
      sums: {
        ...verdicts,
        ...lineVerdicts,
        attention_minutes: whole('coalesce(x.attention_minutes_preserved, 0)'),
      },
    },
    {
      // The index is by slot, so the search is narrowed to the slots that such forecasts can have been sealed at.
      rows: 'revealed_forecasts x',
      ofPocket: inPocket('x'),
      within: {
        where: 'x.slot >= ? and x.slot < ? and x.reveal_at >= ? and x.reveal_at < ? and x.shadow = 0',
        params: ({ from, to }) => [from - LONGEST_HORIZON, to, from, to],
      },
      sums: {
        due: oneIf('x.accuracy_score is not null'),
        due_score: whole('coalesce(x.accuracy_score, 0)'),
      },
    },
    {
      rows: `packages x
        join atmosphere_readings said on ${sameSlotAndPocket('said', 'x')}
        join atmosphere_readings r on r.pocket_id = x.pocket_id and r.slot > x.slot and r.slot <= x.slot + 3600000
          and ${utcDay('r.slot')} >= ${utcDay('x.slot')} and ${utcDay('r.slot')} <= ${utcDay('(x.slot + 3600000)')}`,
      sums: { readings_after: '1', calm_after: oneIf('r.calm >= said.calm - 0.1') },
    },
    {
      rows: 'commitment_outcomes x',
      sums: { idle_hours: whole('x.idle_hours'), reclaimed_hours: whole('x.reclaimed_hours') },
    },
  ],
};

export const reasonRollup: RollupTable<{ reason: SilenceReason }, ReasonSum> = {
  name: 'rollup_reasons',
  keys: ['reason'],
  sources: [
    { rows: 'silences x', sums: { silences: '1' } },
    {
      rows: 'verdicts x',
      within: { where: `${bySlot.where} and x.spoke = 0`, params: bySlot.params },
      sums: verdicts,
    },
  ],
};

export const tierRollup: RollupTable<{ tier: Tier }, TierSum> = {
  name: 'rollup_tiers',
  keys: ['tier'],
  sources: [{ rows: 'packages x', sums: { emissions: '1' } }],
};

export const outcomeRollup: RollupTable<{ outcome: LineOutcome }, OutcomeSum> = {
  name: 'rollup_outcomes',
  keys: ['outcome'],
  sources: [
    {
      rows: 'verdicts x',
      within: { where: `${bySlot.where} and x.spoke = 1`, params: bySlot.params },
      sums: { lines: '1' },
    },
  ],
};

const scored = 'x.accuracy_score is not null';
const hit = `x.accuracy_score >= ${HIT}`;
const waking = 'x.waking = 1';

/** A confidence of 1 is in the last tenth. */
const inTenth = (tenth: number): string =>
  [
    scored,
    `x.confidence >= ${tenth / 10}`,
    ...(tenth < 9 ? [`x.confidence < ${(tenth + 1) / 10}`] : []),
  ].join(' and ');

/** The sums of one kind for each name of a list. */
const each = <N extends string | number, S extends string>(
  names: readonly N[],
  sumOf: (name: N) => Partial<Record<S, string>>,
): Partial<Record<S, string>> => Object.assign({}, ...names.map(sumOf));

export const forecastRollup: RollupTable<ForecastKey, ForecastSum> = {
  name: 'rollup_forecasts',
  keys: ['pocket_id', 'generator', 'prediction_type', 'shadow'],
  daily: true,
  sources: [
    {
      rows: 'revealed_forecasts x',
      ofPocket: inPocket('x'),
      sums: {
        revealed: '1',
        scored: oneIf(scored),
        hits: oneIf(hit),
        score: whole('coalesce(x.accuracy_score, 0)'),
        baseline_hits: oneIf(`${scored} and x.baseline_score >= ${HIT}`),
        // The square of a difference with four decimals is never halfway between two units: both engines round it alike.
        squared_error: `case when ${scored} then ${whole(`(x.confidence - ${oneIf(hit)}) * (x.confidence - ${oneIf(hit)})`)} else 0 end`,
        waking_scored: oneIf(`${scored} and ${waking}`),
        waking_hits: oneIf(`${hit} and ${waking}`),
        waking_baseline_hits: oneIf(`${scored} and x.baseline_score >= ${HIT} and ${waking}`),
        ...each(simpleRules, (rule) => ({
          [`${rule}_scored`]: oneIf(`x.${rule}_score is not null`),
          [`${rule}_hits`]: oneIf(`x.${rule}_score >= ${HIT}`),
          [`${rule}_service_hits`]: oneIf(`x.${rule}_score is not null and ${hit}`),
          [`waking_${rule}_scored`]: oneIf(`x.${rule}_score is not null and ${waking}`),
          [`waking_${rule}_hits`]: oneIf(`x.${rule}_score >= ${HIT} and ${waking}`),
          [`waking_${rule}_service_hits`]: oneIf(`x.${rule}_score is not null and ${hit} and ${waking}`),
        })),
        ...each(errorTypes, (type) => ({ [type]: oneIf(`x.error_type = '${type}'`) })),
      },
    },
    {
      // Apart, since most forecasts are not eligible: their values need not be computed.
      rows: `(select f.*, (select m.mqs from moments m where m.slot = f.slot and m.pocket_id = f.pocket_id) as mqs
        from revealed_forecasts f) x`,
      ofPocket: inPocket('x'),
      within: {
        where: `${bySlot.where} and x.confidence >= ${BAR.confidence} and x.completeness >= ${BAR.completeness}`,
        params: bySlot.params,
      },
      sums: {
        eligible: '1',
        eligible_baseline_hits: oneIf(`${scored} and x.baseline_score >= ${HIT}`),
        waking_eligible_scored: oneIf(`${scored} and ${waking}`),
        waking_eligible_hits: oneIf(`${hit} and ${waking}`),
        waking_eligible_baseline_hits: oneIf(`${scored} and x.baseline_score >= ${HIT} and ${waking}`),
        mqs: `case when ${scored} then ${whole('coalesce(x.mqs, 0)')} else 0 end`,
        mqs_hits: `case when ${hit} then ${whole('coalesce(x.mqs, 0)')} else 0 end`,
        ...each(tenths, (tenth) => ({
          [`scored_${tenth}`]: oneIf(inTenth(tenth)),
          [`hits_${tenth}`]: oneIf(`${inTenth(tenth)} and ${hit}`),
          [`confidence_${tenth}`]: `case when ${inTenth(tenth)} then ${whole('x.confidence')} else 0 end`,
        })),
        ...each(errorTypes, (type) => ({ [`eligible_${type}`]: oneIf(`x.error_type = '${type}'`) })),
      },
    },
    {
      rows: 'predictions x',
      ofPocket: inPocket('x'),
      within: {
        where: `${bySlot.where} and not exists (select 1 from reveals r where r.prediction_leaf = x.leaf)`,
        params: bySlot.params,
      },
      sums: { open: '1' },
      unsettled: true,
    },
  ],
};

const tenthSql = (column: string): string =>
  `case ${Array.from({ length: 9 }, (_, n) => `when ${column} < ${(n + 1) / 10} then ${n}`).join(' ')} else 9 end`;

export const calmRollup: RollupTable<CalmKey, CalmSum> = {
  name: 'rollup_calm',
  keys: ['generator', 'shadow', 'waking', 'tenth'],
  daily: true,
  sources: [
    {
      rows: `(select slot, generator, shadow, waking, was_calm, calm_probability, ${tenthSql('calm_probability')} as tenth
        from revealed_forecasts where was_calm is not null) x`,
      sums: { forecasts: '1', calm: 'x.was_calm', probability: whole('x.calm_probability') },
    },
  ],
};

export type AnyRollup = RollupTable<Row, string>;

export const isByPocket = ({ keys }: AnyRollup): boolean => keys.includes('pocket_id');

export const rollups = [
  pocketRollup,
  reasonRollup,
  tierRollup,
  outcomeRollup,
  forecastRollup,
  calmRollup,
] as readonly AnyRollup[];

/** The sums that have a column, in the order of the sources. */
export const storedSums = <S extends string>({ sources }: { sources: readonly Source<S>[] }): S[] =>
  sources.flatMap(({ sums, unsettled }) => (unsettled ? [] : (Object.keys(sums) as S[])));
