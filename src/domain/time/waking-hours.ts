/** The hours of the day that reports judge, and the four parts they are compared in. At night every pocket is calm. */
import type { Zone } from './zone.ts';

/** The contract names no hours: a judgement of when most people are awake. */
export const WAKING = { from: 7, to: 23 } as const;

export const isWakingHour = (hour: number): boolean => hour >= WAKING.from && hour < WAKING.to;

export const isWaking = (time: number, zone: Zone): boolean => isWakingHour(zone.hourOfDay(time));

export const wakingParts = ['morning', 'midday', 'afternoon', 'evening'] as const;
export type WakingPart = (typeof wakingParts)[number];

/** From the first hour up to, but without, the second; together they are the waking hours. */
export const partHours: Record<WakingPart, { from: number; to: number }> = {
  morning: { from: WAKING.from, to: 11 },
  midday: { from: 11, to: 14 },
  afternoon: { from: 14, to: 18 },
  evening: { from: 18, to: WAKING.to },
};

/** 'HH:00-HH:00' */
export const partLabel = (part: WakingPart): string => {
  const clock = (hour: number) => `${String(hour).padStart(2, '0')}:00`;
  return `${clock(partHours[part].from)}-${clock(partHours[part].to)}`;
};
