// Sentences about accuracy that several answers and pages share.

/** How many forecasts were scored, and the share of them that came true. */
export interface ScoredShare {
  n: number;
  accuracy: number | null;
}

export interface OriginSplit<Share> {
  sealed_before_outcome: Share;
  written_afterwards: Share;
}

/** Which of the two is ahead, in points of a hundred: null where one of them is not known. */
export function leadText(service: number | null, other: number | null, name: string): string | null {
  if (service === null || other === null) return null;
  const points = Math.abs(100 * (service - other)).toFixed(1);
  if (points === '0.0') return `the service is level with ${name}`;
  return `the service is ${points} points ${service > other ? 'ahead of' : 'behind'} ${name}`;
}

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
