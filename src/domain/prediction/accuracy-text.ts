// Sentences about accuracy that several answers and pages share.
import type { BaselineName } from './baseline-figures.ts';

/** How many forecasts were scored, and the share of them that came true. */
export interface ScoredShare {
  n: number;
  accuracy: number | null;
}

/** A figure of the forecasts for waking hours, and the same of those for nights. */
export interface PartsOfDay<Figure> {
  waking_hours: Figure;
  nights: Figure;
}

export interface OriginSplit<Share> {
  sealed_before_outcome: Share;
  written_afterwards: Share;
}

/** The simple forecasts as a sentence names them. */
export const baselineNames: Record<BaselineName, string> = {
  same_hour_last_week: 'the same hour last week',
  persistence: 'persistence',
  naive: 'the naive baseline',
};

interface BaselineFigures {
  name: BaselineName;
  accuracy: number | null;
  n: number;
  service_accuracy_on_same_rows: number | null;
}

/**
 * How the service does against each simple forecast, in the order given, as one clause; null where nothing is known.
 * `share` and `count` write figures.
 */
export function comparisonText(
  baselines: readonly BaselineFigures[],
  share: (share: number | null) => string = String,
  count: (n: number) => string = String,
): string | null {
  const clauses = baselines.flatMap(({ name, accuracy, n, service_accuracy_on_same_rows: service }) => {
    const lead = leadText(service, accuracy, baselineNames[name]);
    return lead === null ? [] : [`${lead} (${share(accuracy)} of ${count(n)})`];
  });
  const [first, ...others] = clauses;
  return first === undefined ? null : [first, ...others.map((text) => text.replace(SUBJECT, ''))].join(', ');
}

/** How often forecasts for waking hours came true, and how often those for nights; null where none was scored. */
export function partsText(
  { waking_hours, nights }: PartsOfDay<ScoredShare>,
  share: (share: number | null) => string = String,
  count: (n: number) => string = String,
): string | null {
  const parts = [
    ...(waking_hours.n
      ? [`in waking hours ${share(waking_hours.accuracy)} of ${count(waking_hours.n)}`]
      : []),
    ...(nights.n ? [`at night ${share(nights.accuracy)} of ${count(nights.n)}`] : []),
  ];
  return parts.length ? parts.join(', ') : null;
}

const SUBJECT = 'the service is ';

/** Which of the two is ahead, in points of a hundred: null where one of them is not known. */
export function leadText(service: number | null, other: number | null, name: string): string | null {
  if (service === null || other === null) return null;
  const points = Math.abs(100 * (service - other)).toFixed(1);
  if (points === '0.0') return `${SUBJECT}level with ${name}`;
  return `${SUBJECT}${points} points ${service > other ? 'ahead of' : 'behind'} ${name}`;
}

/**
 * How far the service is ahead of another, on pages and in texts: more than 0 where the service is better. The fields
 * named gap_vs_service have the other sign.
 */
export const serviceLead = (gap_vs_service: number | null): number | null =>
  gap_vs_service === null ? null : 0 - gap_vs_service;

const AFTERWARDS = 'written afterwards on a virtual clock';

/** How many forecasts were scored, and how many of them were sealed before their outcome; `share` and `count` write figures. */
export function splitText(
  { sealed_before_outcome: before, written_afterwards: afterwards }: OriginSplit<ScoredShare>,
  share: (share: number | null) => string = String,
  count: (n: number) => string = String,
): string {
  const total = before.n + afterwards.n;
  if (!total) return 'none scored yet';
  const scored = `${count(total)} scored`;
  if (!afterwards.n) return `${scored}, all sealed before their outcome`;
  if (!before.n) return `${scored}, none sealed before its outcome: all were ${AFTERWARDS}`;
  return `${scored}, ${count(before.n)} of them sealed before their outcome (${share(before.accuracy)} came true) and ${count(afterwards.n)} ${AFTERWARDS} (${share(afterwards.accuracy)} came true)`;
}
