// The last days of each check of the heartbeat. Two checks follow from the record of the service itself; the others are
// known from the time on at which their results were recorded, and nothing is claimed about the days before.
import { type CheckName, type CheckStatus, checkNames, passRate } from './heartbeat.ts';
import { shareRoundedDown, type UptimeDay } from './uptime.ts';

/** `no_record`: nothing is known of the day. Else the worst that counts: see `dayState`. */
export const checkDayStates = ['no_record', 'green', 'amber', 'red'] as const;
export type CheckDayState = (typeof checkDayStates)[number];

/** How often a check was found green, amber and red. */
export type CheckResults = Record<CheckStatus, number>;

export interface CheckDay extends CheckResults {
  date: string;
  state: CheckDayState;
}

export interface CheckHistory {
  name: CheckName;
  /** What results are counted in. */
  unit: 'quarter_hours' | 'days';
  /** Of the results that are known, those that were not red; null where none is. */
  share: number | null;
  /** The first day with a result; null without one. */
  recorded_since: string | null;
  /** Every day, oldest first. */
  days: CheckDay[];
}

/** Lines that were published and decisions to stay silent. */
export interface Decisions {
  spoken: number;
  withheld: number;
}

export interface CheckHistoryInput {
  /** Oldest first, the last of them today. */
  days: readonly UptimeDay[];
  /** What was recorded, by check and date. */
  recorded: ReadonlyMap<CheckName, ReadonlyMap<string, CheckResults>>;
  /** By date; a day without decisions may be left out. */
  decisions: ReadonlyMap<string, Decisions>;
}

/** As many quarter hours of failure make a day red: an hour. */
const RED_DAY = 4;
const none: CheckResults = { green: 0, amber: 0, red: 0 };

export const buildCheckHistories = (input: CheckHistoryInput): CheckHistory[] =>
  checkNames.map((name) => {
    switch (name) {
      case 'env_snapshots freshness':
        return buildHistory(name, 'quarter_hours', input.days.map(observedDay));
      case 'gate pass rate':
        return buildHistory(name, 'days', decidedDays(input));
      case 'agent worker':
      case 'stale crons':
        return buildHistory(name, 'quarter_hours', recordedDays(input, name).map(withMissed(input.days)));
      default:
        return buildHistory(name, 'quarter_hours', recordedDays(input, name));
    }
  });

function buildHistory(name: CheckName, unit: CheckHistory['unit'], days: CheckDay[]): CheckHistory {
  const sum = (status: CheckStatus) => days.reduce((total, day) => total + day[status], 0);
  const [green, amber, red] = [sum('green'), sum('amber'), sum('red')];
  return {
    name,
    unit,
    share: shareRoundedDown(green + amber, green + amber + red),
    recorded_since: days.find(({ state }) => state !== 'no_record')?.date ?? null,
    days,
  };
}

/** A quarter hour was observed or it was not: there is no warning. A gap of less than an hour is amber, as in `computeUptime`. */
function observedDay({ date, state, slots_due, slots_run }: UptimeDay): CheckDay {
  const judged = state === 'green' || state === 'amber' || state === 'red' ? state : 'no_record';
  return { date, state: judged, green: slots_run, amber: 0, red: slots_due - slots_run };
}

const recordedDays = ({ days, recorded }: CheckHistoryInput, name: CheckName): CheckDay[] =>
  days.map(({ date }) => summariseDay(date, recorded.get(name)?.get(date) ?? none));

/**
 * Quarter hours for which no job observed anything were failures of the pipeline, also where nothing was running that
 * could have recorded them.
 */
const withMissed =
  (uptime: readonly UptimeDay[]) =>
  (day: CheckDay, at: number): CheckDay => {
    const { slots_due, slots_run } = uptime[at] ?? { slots_due: 0, slots_run: 0 };
    const unseen = Math.max(0, slots_due - slots_run - day.amber - day.red);
    return summariseDay(day.date, { green: day.green, amber: day.amber, red: day.red + unseen });
  };

function summariseDay(date: string, { green, amber, red }: CheckResults): CheckDay {
  return { date, state: dayState({ green, amber, red }), green, amber, red };
}

/** Red from an hour of failure on, amber with a warning or a shorter failure. */
function dayState({ green, amber, red }: CheckResults): CheckDayState {
  if (green + amber + red === 0) return 'no_record';
  if (red >= RED_DAY) return 'red';
  return red || amber ? 'amber' : 'green';
}

/** Each day by its own decisions, from the first day with one on; today may not have come to any yet. */
function decidedDays({ days, decisions }: CheckHistoryInput): CheckDay[] {
  const first = days.findIndex(({ date }) => decisionCount(decisions.get(date)) > 0);
  return days.map(({ date }, at) => {
    const made = decisions.get(date) ?? { spoken: 0, withheld: 0 };
    const isOpen = at === days.length - 1 && decisionCount(made) === 0;
    if (first < 0 || at < first || isOpen) return { date, state: 'no_record', ...none };
    const { status } = passRate(made);
    return { date, state: status, ...none, [status]: 1 };
  });
}

const decisionCount = (made: Decisions | undefined): number => (made ? made.spoken + made.withheld : 0);
