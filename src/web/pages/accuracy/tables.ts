// Tables of accuracy: against simple forecasts, and by horizon, kind and pocket.
import { LEAST_SKILL } from '../../../domain/prediction/accuracy-report.ts';
import { serviceLead } from '../../../domain/prediction/accuracy-text.ts';
import { sentenceCase } from '../../../domain/text/sentence-case.ts';
import { count, MIN_SHARE_COUNT, percentagePoints, shareOfN, spacedName } from '../../parts/format.ts';
import { type Html, html, type Piece } from '../../parts/html.ts';
import { figureColumns, meter, table } from '../../parts/table.ts';
import type { Report } from './question.ts';

export const baselineLabels: Record<Report['baselines'][number]['name'], string> = {
  same_hour_last_week: 'Same hour last week',
  persistence: 'Persistence',
  naive: 'Naive baseline',
};

type Baseline = Report['baselines'][number];

/** Each simple forecast over all hours, then in waking hours and at night. */
export const baselinesTable = (baselines: readonly Baseline[]): Html =>
  table(
    'State forecasts compared with simple forecasts of the same outcomes, the strongest first',
    ['Simple forecast', ...figureColumns('Came true', 'Service, same rows', 'Service ahead, points', 'n')],
    baselines.flatMap((baseline) => [
      baselineRow(baselineLabels[baseline.name], baseline),
      baselineRow(`${baselineLabels[baseline.name]}, waking hours`, baseline.waking_hours),
      baselineRow(`${baselineLabels[baseline.name]}, nights`, baseline.nights),
    ]),
  );

const baselineRow = (
  name: string,
  { accuracy, n, gap_vs_service, service_accuracy_on_same_rows }: Baseline['nights'],
) => ({
  cells: [
    name,
    shareOfN(accuracy, n),
    shareOfN(service_accuracy_on_same_rows, n),
    n < MIN_SHARE_COUNT ? 'too few to say' : percentagePoints(serviceLead(gap_vs_service)),
    count(n),
  ],
});

type Figures = Omit<Report['by_horizon'][number], 'horizon_minutes'>;

/** A group of forecasts in a row: all of them, then the confident ones. */
export const groupTable = (
  caption: string,
  what: string,
  rows: readonly (readonly [Piece, Figures])[],
): Html =>
  table(
    caption,
    [
      what,
      { name: 'Bar', unseen: true },
      ...figureColumns(
        'Came true',
        'Waking hours',
        'Nights',
        'Same hour last week',
        'Persistence',
        'Naive baseline',
        'n',
        'Confident ones',
        'Their n',
      ),
    ],
    rows.map(([name, { accuracy, count: confident, all }]) => ({
      cells: [
        name,
        meter(
          all.n < MIN_SHARE_COUNT ? null : all.accuracy,
          'plain',
          all.n < MIN_SHARE_COUNT ? null : (all.same_hour_last_week ?? all.persistence ?? all.baseline),
        ),
        shareOfN(all.accuracy, all.n),
        shareOfN(all.waking_hours.accuracy, all.waking_hours.n),
        shareOfN(all.nights.accuracy, all.nights.n),
        all.same_hour_last_week === null ? 'none' : shareOfN(all.same_hour_last_week, all.n),
        all.persistence === null ? 'none' : shareOfN(all.persistence, all.n),
        shareOfN(all.baseline, all.n),
        count(all.n),
        shareOfN(accuracy, confident),
        count(confident),
      ],
    })),
  );

const typeName = (type: Report['by_type'][number]['prediction_type']): string =>
  type === 'other' ? 'State of a pocket' : sentenceCase(spacedName(type));

export const typeRow = ({ prediction_type, skill, ...figures }: Report['by_type'][number]) =>
  [
    html`${typeName(prediction_type)}${skill === 'none' ? html` <small>no skill</small>` : null}`,
    figures,
  ] as const;

export function unskilledText(types: Report['by_type']): string {
  const known = types.filter(({ skill }) => skill !== null);
  if (!known.length) return 'Too few forecasts have been scored to say which kinds have skill.';
  const unskilled = known.filter(({ skill }) => skill === 'none');
  const rule = `A kind of forecast has skill where it came true at least ${100 * LEAST_SKILL} percentage point more often than the naive baseline and persistence (the mark on a bar is the first simple forecast that it has)`;
  if (!unskilled.length) return `${rule}: all do.`;
  return `${rule}. No skill: ${unskilled.map(({ prediction_type }) => typeName(prediction_type)).join(', ')}.`;
}
