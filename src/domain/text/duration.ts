/** A duration in words that a person says: minutes below two hours, then hours, then days. Units that are 0 are left out. */
export function durationText(minutes: number): string {
  const whole = Math.max(0, Math.round(minutes));
  if (whole < 120) return whole === 1 ? '1 minute' : `${whole} minutes`;
  const hours = Math.floor(whole / 60);
  if (hours < 48) return parts([hours, 'h'], [whole % 60, 'min']);
  return parts([Math.floor(hours / 24), 'days'], [hours % 24, 'h']);
}

const parts = (...units: [number, string][]): string =>
  units
    .filter(([n]) => n > 0)
    .map(([n, unit]) => `${n} ${unit}`)
    .join(' ');
