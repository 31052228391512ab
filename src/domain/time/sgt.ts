/** Singapore time, for callers that do not take a zone yet. */
import { timeZone } from './zone.ts';

export const { hourOfDay, weekday, hourOfWeek, dateOf, monthOf, clockOf, startOfDay, startOfMonth } =
  timeZone('Asia/Singapore', 'en-SG');
