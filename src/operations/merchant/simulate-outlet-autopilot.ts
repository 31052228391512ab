// The one long operation: it replays up to 90 days of decisions, and yields to other requests between batches of days.

import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import Type from 'typebox';
import { findPocket } from '../../domain/city/lists/find-entries.ts';
import {
  type Backtest,
  economicRange,
  emptyBacktest,
  RESPONSE_RATES,
  replay,
  withheldCount,
  withholdingReasons,
} from '../../domain/merchant/autopilot.ts';
import { amountText, inSgd } from '../../domain/merchant/money.ts';
import { PLACES_WITHOUT_SEATS } from '../../domain/merchant/sustainability.ts';
import { clamp } from '../../domain/stats/unit-scale.ts';
import { countText } from '../../domain/text/count-text.ts';
import { DAY, iso, SLOT } from '../../domain/time/slot.ts';
import { outletMoments } from '../../store/merchant/past-moments.ts';
import { firstStoredReading } from '../../store/observation/readings.ts';
import {
  amount,
  count,
  currency,
  nullable,
  timeField,
  timestamp,
  unavailable,
  unit,
} from '../core/answer-fields.ts';
import { defineOperation, type OperationContext } from '../core/define.ts';
import { closedGate, legitimacyScore, pauseCounts, reasonFields } from '../decision/decision-fields.ts';
import { activeOutlet, outletId } from './outlet.ts';

const MAX_REASONS = 5;
const MAX_SAMPLES = 5;
/** Days replayed before other requests are served: about ten milliseconds of work. */
const DAYS_PER_BATCH = 5;

const methodology = {
  simulation: true,
  customers_notified: 0,
  statement: 'this is a simulation over stored history: nobody was notified, no customer and no merchant.',
  gate: 'each quarter hour in which the outlet was open and counted is decided again by the code of the service itself (seven gates, then the voice), with the room of this outlet in place of that of its pocket, at the experience tier. nothing is decided from 23:00 to 07:00, nor while its own line or one of the service is live; these are counted apart.',
  saturation:
    'what it would have said counts as said from then on, in addition to what the service did say in the pocket.',
  economics:
    'for each line: places × share of them that stood free × response × typical spend × margin. response is assumed, not observed, and no visit was measured.',
  assumptions: { response_share: RESPONSE_RATES, places_without_seats: PLACES_WITHOUT_SEATS },
} as const;

const range = Type.Object({ low: amount, midpoint: amount, high: amount });

const backtest = Type.Object({
  pocket_id: Type.String(),
  days_back: Type.Number({ minimum: 1, maximum: 90 }),
  window: Type.Object({ from: timestamp, to: timestamp }),
  history_from: nullable(timeField('the first reading of the store, of any pocket')),
  replayed_from: nullable(timeField('the first slot that was replayed')),
  decisions_replayed: count,
  surfaced_count: count,
  withheld_count: count,
  ...pauseCounts,
  economic_range_sgd: nullable(range),
  economic_range: range,
  currency,
  top_silence_reasons: Type.Array(Type.Object({ gate: closedGate, ...reasonFields, count })),
  sample_emissions: Type.Array(
    Type.Object({ at: timestamp, text: Type.String(), legitimacy_score: legitimacyScore }),
  ),
  methodology: Type.Object({
    simulation: Type.Literal(true),
    customers_notified: Type.Literal(0),
    statement: Type.String(),
    gate: Type.String(),
    saturation: Type.String(),
    economics: Type.String(),
    assumptions: Type.Object({
      response_share: Type.Object(
        { low: unit, midpoint: unit, high: unit },
        { description: 'share of the free places that a line fills' },
      ),
      places_without_seats: count,
    }),
  }),
});

export const simulateOutletAutopilot = defineOperation({
  name: 'simulate_outlet_autopilot',
  title: 'Backtest of an autopilot for one outlet',
  description:
    'Replays the legitimacy gate over the history of one outlet. Use it to judge what restraint would cost or earn a merchant; it is a simulation, nobody was notified. Not for what was really saved (get_pocket_sustainability). Returns surfaced_count, withheld_count, economic_range {low, midpoint, high} in currency, economic_range_sgd (null unless SGD), top_silence_reasons, sample_emissions and methodology, or available false.',
  toolsets: ['merchant'],
  input: {
    outlet_id: outletId,
    days_back: Type.Number({ default: 30, description: 'days to look back, brought into 1..90' }),
  },
  output: Type.Union([backtest, Type.Object({ outlet_id: Type.String(), available: unavailable })]),
  rows: ({ days_back }) => (DAY / SLOT) * clamp(days_back, 1, 90),
  notFoundText: 'extended',
  load: async ({ outlet_id, days_back }, context) => {
    const { store, registry, now, zone } = context;
    const days = clamp(days_back, 1, 90);
    const outlet = activeOutlet(registry, outlet_id);
    // Up to today: two backtests of today would tell by their difference how full the outlet is now.
    const to = zone.startOfDay(now);
    const window = { from: to - Math.round(days * DAY), to };
    const backtest = outlet ? await runBacktest(outlet, window, context) : null;
    const stored = await firstStoredReading(store);
    return { days, window, outlet, backtest, stored, currency: registry.city.currency };
  },
  shape: ({ days, window, outlet, backtest, stored, currency }, { outlet_id }) => {
    if (!outlet || !backtest) return { outlet_id, available: false as const };
    const surfaced_count = backtest.surfaced.length;
    const withheld_count = withheldCount(backtest);
    const economic_range = economicRange(backtest, outlet);
    return {
      pocket_id: outlet.pocket_id,
      days_back: days,
      window: { from: iso(window.from), to: iso(window.to) },
      history_from: stored === null ? null : iso(stored),
      replayed_from: backtest.first === null ? null : iso(backtest.first),
      decisions_replayed: surfaced_count + withheld_count,
      surfaced_count,
      withheld_count,
      already_speaking_count: backtest.paused.already_speaking,
      quiet_hours_count: backtest.paused.quiet_hours,
      economic_range_sgd: inSgd(currency, economic_range),
      economic_range,
      currency,
      top_silence_reasons: withholdingReasons(backtest).slice(0, MAX_REASONS),
      sample_emissions: backtest.surfaced
        .slice(-MAX_SAMPLES)
        .reverse()
        .map(({ slot, line, legitimacy_score }) => ({ at: iso(slot), text: line, legitimacy_score })),
      methodology,
    };
  },
  speak: (answer) => {
    if ('available' in answer) return 'outlet not found or inactive.';
    const days = answer.days_back === 1 ? 'day' : `${answer.days_back} days`;
    const { currency, economic_range } = answer;
    const rangeAmount = (end: keyof typeof economic_range) => amountText(economic_range[end], currency);
    const reasons = answer.top_silence_reasons.map(({ reason_text, count }) => `${reason_text} (${count})`);
    const samples = answer.sample_emissions.map(({ at, text }) => `${at}: ${text}`);
    const { history_from, replayed_from, window } = answer;
    if (replayed_from === null)
      return `nothing about the outlet is stored for the last ${days}, so there is nothing to replay. ${methodology.statement}`;
    const stored =
      history_from !== null && history_from > window.from
        ? `, of which history is stored from ${history_from} on`
        : '';
    return [
      `over the last ${days}${stored}, an autopilot would have surfaced ${answer.surfaced_count} and withheld ${answer.withheld_count} of ${countText(answer.decisions_replayed, 'decision')}.`,
      `economic range ${rangeAmount('low')} to ${rangeAmount('high')} ${currency}, midpoint ${rangeAmount('midpoint')}.`,
      ...(reasons.length ? [`top reasons for silence: ${reasons.join('; ')}.`] : []),
      ...(samples.length ? [`lines it would have said last: ${samples.join(' ')}`] : []),
      methodology.statement,
      `method: ${methodology.gate} ${methodology.saturation} ${methodology.economics}`,
    ].join(' ');
  },
  // One backtest costs about as much as a hundred other answers, so it shares the tools' limit.
  rest: { path: '/api/outlet-autopilot', limit: 'mcp', names: { outlet_id: 'outlet' } },
});

async function runBacktest(
  outlet: NonNullable<ReturnType<typeof activeOutlet>>,
  { from, to }: { from: number; to: number },
  { store, registry, zone }: OperationContext,
): Promise<Backtest> {
  const name = findPocket(registry, outlet.pocket_id)?.name ?? outlet.pocket_id;
  let backtest = emptyBacktest;
  for (let after = from; after < to; after += DAYS_PER_BATCH * DAY) {
    if (after > from) await yieldToEventLoop();
    const moments = await outletMoments(store, outlet, after, Math.min(after + DAYS_PER_BATCH * DAY, to - 1));
    backtest = replay(backtest, name, outlet, moments, zone);
  }
  return backtest;
}
