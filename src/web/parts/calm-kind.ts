/** CSS class for one of five colour steps from tense to calm, or for a pocket without a reading. */
export const calmKind = (calm: number | null): string =>
  calm === null ? 'unread' : `c${Math.min(4, Math.floor(5 * calm))}`;
