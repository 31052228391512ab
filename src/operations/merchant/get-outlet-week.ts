import Type from 'typebox';
import { findPocket } from '../../domain/city/lists/find-entries.ts';
import { dealExample, exampleBases } from '../../domain/merchant/deal-example.ts';
import { usesWhileOpen } from '../../domain/merchant/patterns/opening-day.ts';
import { PATTERN_DAYS } from '../../domain/merchant/patterns/pattern.ts';
import { weekOfUse } from '../../domain/merchant/week-of-use.ts';
import { printable } from '../../domain/text/printable.ts';
import { openClockHours, openingState } from '../../domain/time/opening-hours.ts';
import { iso } from '../../domain/time/slot.ts';
import { outletActivityWithin } from '../../store/merchant/outlet-history.ts';
import { countField, nullable, timeField, unitField } from '../core/answer-fields.ts';
import { defineOperation, NotFound } from '../core/define.ts';
import { proposal } from './get-deal-proposal.ts';
import { openingWeekday } from './merchant-fields.ts';
import { activeOutlet, outletId } from './outlet.ts';
import { PROFILE_ROWS, wholeDays } from './outlet-profile.ts';

const example = Type.Object({
  at: timeField('the coming hour that it is about'),
  basis: Type.Enum([...exampleBases], {
    description: 'quiet_window: its next quiet window; quietest_hour: the quietest open hour of the next 24',
  }),
  use: unitField('usual share of its capacity in use then'),
  n: Type.Integer({ minimum: 1, description: 'quarter hours that the usual use is the mean of' }),
  proposal: Type.Omit(proposal, ['consumer_reason']),
});

export const getOutletWeek = defineOperation({
  name: 'get_outlet_week',
  title: 'Opening state and week of one outlet',
  description:
    'Tells whether one outlet is open now by its opening hours, and how full it usually is in each open hour of the week. Use it to see when it is busy or quiet. Returns pocket_id, as_of, open_now, changes_at (when it closes or opens next), days, observed_from, observed_to hours [{weekday (0 is Monday, the day on which it opened), hour (25 is 01:00 of the day after), use (mean share of capacity; null with fewer than five counts), n}] and example {at, basis, use, n, proposal}: what a proposal would look like in its next quiet window, by its usual use; null where there would be none. What was counted while it was closed is not part of it. The outlet is not named.',
  input: { outlet_id: outletId },
  output: Type.Object({
    pocket_id: Type.String(),
    as_of: timeField('the time that open_now is about'),
    open_now: Type.Boolean({ description: 'whether it is open, by its opening hours' }),
    changes_at: nullable(timeField('when it closes or opens next; null if it never closes')),
    days: Type.Integer({ minimum: 1, description: 'days that the week is computed from' }),
    observed_from: nullable(timeField('the first quarter hour counted')),
    observed_to: nullable(timeField('the last quarter hour counted')),
    hours: Type.Array(
      Type.Object({
        weekday: openingWeekday,
        hour: Type.Integer({
          minimum: 0,
          maximum: 47,
          description: 'of the local clock; 25 is 01:00 of the day after',
        }),
        use: nullable(unitField('mean share of its capacity in use; null with fewer than five counts')),
        n: countField('quarter hours counted while it was open'),
      }),
      { description: 'every open hour of the week, Monday first' },
    ),
    example: Type.Union([example, Type.Null()], {
      description:
        'not a proposal: what one would look like at its usual use, by the same rules; null where there would be none',
    }),
  }),
  rows: () => PROFILE_ROWS,
  load: async ({ outlet_id }, { registry, store, now, zone }) => {
    const outlet = activeOutlet(registry, outlet_id);
    if (!outlet) throw new NotFound(`unknown outlet: ${printable(outlet_id)}`);
    const hours = openClockHours(outlet);
    const window = { ...wholeDays(PATTERN_DAYS, now, zone), hours, zone };
    const { pocket_id } = outlet;
    const name = findPocket(registry, pocket_id)?.name ?? pocket_id;
    const counted = await outletActivityWithin(store, outlet_id, window);
    return { outlet, name, currency: registry.city.currency, now, counted };
  },
  shape: ({ outlet, name, currency, now, counted }, _input, zone) => {
    const { open, changes_at } = openingState(outlet, now, zone);
    const uses = usesWhileOpen(outlet, counted, zone);
    const { first, last, hours } = weekOfUse(outlet, uses);
    const found = dealExample({ outlet, name, currency, now, zone }, uses, hours);
    return {
      pocket_id: outlet.pocket_id,
      as_of: iso(now),
      open_now: open,
      changes_at: changes_at === null ? null : iso(changes_at),
      days: PATTERN_DAYS,
      observed_from: first === null ? null : iso(first),
      observed_to: last === null ? null : iso(last),
      hours,
      example: found && { ...found, at: iso(found.at) },
    };
  },
  speak: ({ open_now, changes_at, observed_from, hours }, _input, zone) => {
    const change = changes_at === null ? null : zone.clockWithZone(Date.parse(changes_at));
    const state = open_now
      ? `the outlet is open now${change ? `, until ${change}` : ''}.`
      : `the outlet is closed now${change ? `, and opens at ${change}` : ''}.`;
    const shown = hours.filter(({ use }) => use !== null).length;
    return observed_from === null
      ? `${state} nothing was counted in it while it was open.`
      : `${state} its usual use is known for ${shown} of the ${hours.length} hours in which it is open in a week.`;
  },
  rest: { path: '/api/outlet-week', names: { outlet_id: 'outlet' } },
});
