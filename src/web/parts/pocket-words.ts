/** The five steps of colour from tense to calm; none where nothing is known. */
export const calmKind = (calm: number | null): string =>
  calm === null ? 'unread' : `c${Math.min(4, Math.floor(5 * calm))}`;
