// Families of metrics as the text that Prometheus reads (exposition format 0.0.4).

export type LabelValue = string | number;

export interface Sample {
  labels?: Readonly<Record<string, LabelValue>>;
  value: number;
  /** What a histogram adds to the name of its family. */
  suffix?: '_bucket' | '_sum' | '_count';
}

export interface Family {
  /** With `labels`, made of letters, digits and underscores alone: they are not escaped. */
  name: string;
  help: string;
  type: 'counter' | 'gauge' | 'histogram';
  samples: readonly Sample[];
}

export const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/** A family without a sample is left out: nothing was measured. */
export const metricsText = (families: readonly Family[]): string => families.map(familyText).join('');

function familyText({ name, help, type, samples }: Family): string {
  if (!samples.length) return '';
  const head = `# HELP ${name} ${escapeHelp(help)}\n# TYPE ${name} ${type}\n`;
  return samples.reduce(
    (text, { labels, value, suffix = '' }) =>
      `${text}${name}${suffix}${labelText(labels)} ${valueText(value)}\n`,
    head,
  );
}

function labelText(labels: Sample['labels'] = {}): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escapeValue(String(value))}"`);
  return pairs.length ? `{${pairs.join(',')}}` : '';
}

/** JavaScript writes all numbers in a form that Prometheus reads, except the infinite ones. */
const valueText = (value: number): string =>
  Math.abs(value) === Number.POSITIVE_INFINITY ? (value > 0 ? '+Inf' : '-Inf') : String(value);

const escapeHelp = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
const escapeValue = (text: string): string => escapeHelp(text).replaceAll('"', '\\"');
