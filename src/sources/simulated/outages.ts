// Faults of the simulated sensors: missing readings, feeds that hang, pockets that are cut off.
import { QUARTERS } from './calendar.ts';
import { type Episode, type EpisodeSchedule, episodeAt } from './random/episodes.ts';
import { mix, uniform } from './random/random.ts';

/** How a sensor's reading arrives: its age in quarter hours (0 is on time), or absent. */
export type Delivery = number | 'absent';

/** One sensor is down, from a quarter hour to eight hours: a little over 1 % of the time. */
const sensorDown: EpisodeSchedule = { every: 64, chance: 0.08, shortest: 1, longest: 32 };
/** A feed hangs and repeats its last reading until it is an hour old. */
const feedHangs: EpisodeSchedule = { every: 80, chance: 0.18, shortest: 2, longest: 4 };
/** A whole pocket is cut off, about three times in two months. */
const cutOff: EpisodeSchedule = { every: 10 * QUARTERS, chance: 0.5, shortest: 8, longest: 24 };
/** Share of the sensors that are lost while a pocket is cut off. */
const LOST_IN_A_CUT = 0.85;

/** The delivery of each sensor of a pocket at one quarter hour; `sensor` is any number that identifies it. */
export type Deliveries = (pocketSeed: number, quarter: number) => (sensor: number) => Delivery;

/** Of sensors without faults. */
export const alwaysOnTime: Deliveries = () => () => 0;

export const deliveries: Deliveries = (pocketSeed, quarter) => {
  const cut = cutAt(pocketSeed, quarter);
  return (sensor) => {
    if (isDown(pocketSeed, sensor, quarter, cut)) return 'absent';
    const hang = episodeAt(mix(mix(pocketSeed, 32), sensor), quarter, feedHangs);
    if (!hang) return 0;
    const last = hang.start - 1;
    return isDown(pocketSeed, sensor, last, cutAt(pocketSeed, last)) ? 'absent' : quarter - last;
  };
};

const cutAt = (pocketSeed: number, quarter: number): Episode | undefined =>
  episodeAt(mix(pocketSeed, 33), quarter, cutOff);

const isDown = (pocketSeed: number, sensor: number, quarter: number, cut: Episode | undefined): boolean =>
  (cut !== undefined && uniform(mix(cut.key, 100 + sensor)) < LOST_IN_A_CUT) ||
  episodeAt(mix(mix(pocketSeed, 31), sensor), quarter, sensorDown) !== undefined;
