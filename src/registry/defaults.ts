// What the loader fills in where a live city's files leave it out.
import type { Character } from '../domain/city/city.ts';

/**
 * Neutral values for a pocket whose character is not known. Nothing that a live city publishes should depend on
 * them: its crowds are judged against their own history, and only a simulation reads rhythm, transit, traffic and lots.
 */
export const neutralCharacter: Omit<Character, 'summary'> = {
  footfall_peak: 1000,
  rhythm: { early: 0.5, morning: 0.5, lunch: 0.5, afternoon: 0.5, evening: 0.5, night: 0.5 },
  weekend: 1,
  office: 0.3,
  transit: 0.5,
  traffic: 0.5,
  shelter: 0.3,
  green: 0.3,
  carpark_lots: 0,
};
