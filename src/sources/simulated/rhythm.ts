// The ordinary day of a pocket, before weather and random variation.
import type { Character } from '../../domain/city/city.ts';
import { type Outing, schoolIsOut } from './calendar.ts';

export const bump = (hour: number, centre: number, width: number): number =>
  Math.exp(-(((hour - centre) / width) ** 2));

/** 1 between the two hours, easing to 0 over about an hour outside them. */
export const plateau = (hour: number, from: number, to: number): number =>
  1 / (1 + Math.exp(-4 * (hour - from))) / (1 + Math.exp(4 * (hour - to)));

/** Footfall at this hour of an ordinary day of this kind, as a share of the peak. */
export function usualCrowd(character: Character, outing: Outing): number {
  const { rhythm, office, transit, weekend } = character;
  const hour = equivalentHour(outing);
  const dead = 0.02 + 0.05 * rhythm.night;
  const anchors: [number, number][] = [
    [4, dead],
    [6.5, rhythm.early],
    [9, rhythm.morning],
    [12.75, rhythm.lunch],
    [15.75, rhythm.afternoon],
    [19, rhythm.evening],
    [22, rhythm.night],
    [25.5, dead + 0.12 * rhythm.night],
    [28, dead],
  ];
  const level = between(anchors, hour);
  const pupils = schoolIsOut(outing.day) ? 1 + 0.07 * (1 - office) * plateau(hour, 10, 17) : 1;
  if (outing.kind === 'weekday') {
    const commuters = 0.1 * transit * (bump(hour, 8.4, 0.7) + bump(hour, 18.3, 0.9));
    return (level + commuters) * pupils * (outing.late ? 1 + 0.1 * plateau(hour, 18, 27) : 1);
  }
  const workless = 1 - 0.4 * office * plateau(hour, 8, 18.5);
  return level * workless * weekend * (outing.kind === 'saturday' ? 1.04 : 0.96);
}

/** The hour of an ordinary weekday that this hour resembles: mornings are later at the weekend, nights before it longer. */
function equivalentHour({ hour, kind, late }: Outing): number {
  if (hour > 20) return late ? 20 + 8 * ((hour - 20) / 8) ** 1.35 : hour;
  if (kind === 'weekday' || hour > 13) return hour;
  return hour - (kind === 'sunday' ? 1.1 : 0.7) * Math.sin((Math.PI * (hour - 4)) / 9);
}

function between(anchors: [number, number][], hour: number): number {
  for (let i = 1; i < anchors.length; i++) {
    const [to, high] = anchors[i] as [number, number];
    if (hour > to) continue;
    const [from, low] = anchors[i - 1] as [number, number];
    const t = (hour - from) / (to - from);
    return low + (high - low) * t * t * (3 - 2 * t);
  }
  return anchors.at(-1)?.[1] ?? 0;
}
