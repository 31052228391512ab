import { HORIZON_HOURS } from './protocol.ts';
import { type Method, methods, type Result, windows } from './replay.ts';
import type { Score } from './score.ts';

const labels: Record<Method, string> = {
  forecaster: 'forecaster',
  persistence: 'persistence (P)',
  last_week: 'last week (S)',
  climatology: 'climatology (C)',
  ratio: 'ratio (R)',
  table: 'state×hour×weekend (T)',
};

const columns: readonly (readonly [string, (score: Score) => number | null])[] = [
  ['4-class accuracy', (score) => score.accuracy],
  ['calm accuracy', (score) => score.calm_accuracy],
  ['calm Brier', (score) => score.calm_brier],
  ['calm ECE', (score) => score.calm_calibration],
  ['class ECE', (score) => score.class_calibration],
];

const figure = (x: number | null): string => (x === null ? '-' : x.toFixed(3).replace(/^0/, ''));

/** The results as text: a line for each method, the three horizons in each column. */
export function resultTable(results: readonly Result[]): string {
  const lines: string[] = [];
  for (const window of windows) {
    const chosen = HORIZON_HOURS.map((hours) =>
      results.find((result) => result.horizon_hours === hours && result.window === window),
    );
    if (chosen.some((result) => result === undefined)) continue;
    const rows = chosen.map((result) => result?.scores.forecaster.rows).join('/');
    lines.push('', `${window}, 1/2/3 hours ahead, n = ${rows}`);
    const head = ['', ...columns.map(([name]) => name)];
    const body = methods.map((method) => [
      labels[method],
      ...columns.map(([, of]) =>
        chosen.map((result) => figure(result ? of(result.scores[method]) : null)).join('/'),
      ),
    ]);
    body.push([
      'against the best of them',
      ...columns.map(([name]) => (name === 'calm Brier' ? gains(chosen) : '')),
    ]);
    const widths = head.map((_, at) => Math.max(...[head, ...body].map((row) => (row[at] ?? '').length)));
    for (const row of [head, ...body])
      lines.push(
        row
          .map((text, at) => text.padEnd(widths[at] ?? 0))
          .join('  ')
          .trimEnd(),
      );
  }
  return `${lines.join('\n')}\n`;
}

/** The calm Brier score against that of the best reference, in percent; negative is better. */
function gains(chosen: readonly (Result | undefined)[]): string {
  return chosen
    .map((result) => {
      if (!result) return '-';
      const best = Math.min(...methods.slice(1).map((method) => result.scores[method].calm_brier));
      const own = result.scores.forecaster.calm_brier;
      return best > 0 ? `${(100 * (own / best - 1)).toFixed(0)}%` : '-';
    })
    .join('/');
}
