/** CSS class for one of five colour steps of the calm level, or for a pocket without a reading. */
export const calmKind = (calm_level: number | null): string =>
  calm_level === null ? 'unread' : `c${Math.min(4, Math.floor(5 * calm_level))}`;
