// The confident forecasts: whether their confidence is honest, and why some missed.

import { sentenceCase } from '../../../domain/text/sentence-case.ts';
import { calibrationChart } from '../../charts/chart.ts';
import { count, MIN_SHARE_COUNT, percent, rangeText, spacedName } from '../../parts/format.ts';
import { type Html, html } from '../../parts/html.ts';
import { bars, figureColumns } from '../../parts/table.ts';
import type { Report } from './question.ts';

export function calibration(buckets: Report['calibration']): Html {
  const known = buckets.flatMap(({ bucket, predictions: n, observed_accuracy: observed, delta }) =>
    observed === null || delta === null || n < MIN_SHARE_COUNT
      ? []
      : [{ bucket, said: observed - delta, observed, n }],
  );
  if (!known.length) return html`<p>Too few forecasts have been scored to say.</p>`;
  return calibrationChart({
    id: 'calibration-chart',
    title: 'How often confident forecasts came true, by stated confidence',
    about:
      'Across: the mean confidence that was stated. Up: how often the forecasts came true. On the diagonal the two agree.',
    points: known,
    columns: ['Confidence', ...figureColumns('Stated', 'Came true', 'n')],
    rows: known.map(({ bucket, said, observed, n }) => ({
      at: said,
      cells: [rangeText(bucket), percent(said), percent(observed), count(n)],
    })),
  });
}

const causes: Record<Report['error_taxonomy'][number]['type'], string> = {
  weather_miss: 'Rain came or went unforeseen',
  footfall_miss: 'Far more or fewer people than usual',
  timing_miss: 'Right, but a quarter hour early or late',
  freshness_miss: 'Too many signals were missing',
  threshold_too_loose: 'Near the edge between two states',
  saturation_misread: 'The service published a line in between',
  wrong_pocket_inheritance: 'The city changed that way; this pocket did not',
};

export function taxonomy(list: Report['error_taxonomy']): Html {
  const total = list.reduce((sum, { count: n }) => sum + n, 0);
  if (!total) return html`<p>None missed.</p>`;
  return html`<p>${count(total)} misses, each counted under the first cause that fits.</p>${bars(
    'Misses by cause',
    list
      .toSorted((a, b) => b.count - a.count)
      .map(({ type, count: n }) => ({
        label: html`${sentenceCase(spacedName(type))} <small>${causes[type]}</small>`,
        share: n / total,
        value: count(n),
        kind: 'c1',
      })),
  )}`;
}
