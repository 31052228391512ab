/** Deal proposals for one outlet (docs/formulas.md, "Deal proposal"). */

import type { Outlet } from '../city/city.ts';
import { merchantPressure } from '../decision/legitimacy.ts';
import type { Moment } from '../decision/moment.ts';
import { lineTier, type Tier } from '../decision/tier.ts';
import { lineInVoice } from '../text/voice.ts';
import { timeUntilClose } from '../time/opening-hours.ts';
import { HOUR, SLOT } from '../time/slot.ts';
import type { Zone } from '../time/zone.ts';
import { amountText, inSgd } from './money.ts';
import { spareCapacity } from './spare-capacity.ts';

export interface DealInput {
  /** The pocket's display name. */
  name: string;
  now: number;
  zone: Zone;
  moment: Pick<
    Moment,
    'calm_probability' | 'movement_friction' | 'expires_at' | 'window_ends_at' | 'silence_reasons'
  >;
  outlet: Pick<Outlet, 'opens_at' | 'closes_at' | 'typical_spend' | 'margin'>;
  /** Of the city: ISO 4217. */
  currency: string;
  /** The share of its capacity that is usually in use at this hour; null where that is not known. */
  activity: number | null;
}

export interface Proposal {
  tier: 'experience';
  headline: string;
  math: DealMath;
  merchant_reason: string;
  consumer_reason: string;
  mutual_benefit: string;
}

/** Amounts in the city's currency; those named `_sgd` are null where it is another. */
export interface DealMath {
  regular_price_sgd: number | null;
  proposed_price_sgd: number | null;
  saving_sgd: number | null;
  currency: string;
  regular_price: number;
  proposed_price: number;
  saving: number;
}

/** Without a proposal the moment is at the atmosphere tier, and the reason says why. */
export interface Deal {
  tier: Tier;
  reason: string;
  proposal: Proposal | null;
}

export function proposeDeal(input: DealInput): Deal {
  const { outlet, activity, moment } = input;
  const spare_capacity = spareCapacity(outlet, activity, input.now, input.zone);
  const math =
    spare_capacity === null ? null : proposePrice(outlet, spare_capacity, moment.movement_friction);
  const objection = objectionTo(input, spare_capacity, math);
  if (objection !== null || math === null || spare_capacity === null)
    return { tier: 'atmosphere', reason: objection ?? NOT_OBSERVED, proposal: null };
  return {
    tier: 'experience',
    reason: 'it is open, usually with room to spare, and the moment asks for no silence',
    proposal: composeProposal(input, math, spare_capacity),
  };
}

const NOT_OBSERVED = 'how full it usually is at this hour is not known';

/** The first reason against a proposal. Nothing is proposed for an outlet that is closed or about to close. */
function objectionTo(
  { outlet, now, zone, moment }: DealInput,
  spare_capacity: number | null,
  math: Price | null,
): string | null {
  const open = timeUntilClose(outlet, now, zone);
  if (open === 0) return 'it is closed, outside its opening hours';
  if (open < SLOT) return 'it is about to close';
  const [silence] = moment.silence_reasons;
  if (silence) return `the moment asks for silence: ${silence}`;
  if (moment.expires_at <= now) return 'the window of the moment has closed';
  if (spare_capacity === null) return NOT_OBSERVED;
  if (lineTier(spare_capacity) === 'atmosphere')
    return 'at this hour it usually has less room than an experience needs';
  return math ? null : 'its margin leaves no saving worth telling';
}

/** Prices in cents. */
export interface Price {
  regular: number;
  proposed: number;
  saving: number;
}

/** Savings are rounded down to ten cents. */
const STEP = 10;

/** The largest saving, in cents: the margin times merchant pressure. */
export const savingBound = ({ typical_spend, margin }: DealInput['outlet'], spare_capacity: number): number =>
  Math.round(typical_spend * 100) * margin * merchantPressure(spare_capacity);

/**
 * Half of the bound, and more the higher the friction; where that was not measured, half. Null when it is less than one
 * step.
 */
export function proposePrice(
  outlet: DealInput['outlet'],
  spare_capacity: number,
  friction: number | null,
): Price | null {
  const regular = Math.round(outlet.typical_spend * 100);
  const saving =
    Math.floor(
      (savingBound(outlet, spare_capacity) * (friction === null ? 0.5 : 0.5 + 0.5 * friction)) / STEP,
    ) * STEP;
  return saving >= STEP ? { regular, proposed: regular - saving, saving } : null;
}

function composeProposal(
  { name, now, zone, moment, outlet, currency }: DealInput,
  { regular, proposed, saving }: Price,
  spare_capacity: number,
): Proposal {
  // Without a calm window the offer is for the next hour.
  const ends_at = moment.window_ends_at ?? now + HOUR;
  const until = zone.localClock(Math.min(ends_at, now + timeUntilClose(outlet, now, zone)));
  const text = (cents: number) => amountText(cents / 100, currency);
  const headline = (place: string) =>
    `a visit in ${place} at ${text(proposed)} ${currency} in place of ${text(regular)}, until about ${until}.`;
  return {
    tier: 'experience',
    headline: lineInVoice(headline(name.toLowerCase()), 'emit') ?? headline('the pocket'),
    math: {
      regular_price_sgd: inSgd(currency, regular / 100),
      proposed_price_sgd: inSgd(currency, proposed / 100),
      saving_sgd: inSgd(currency, saving / 100),
      currency,
      regular_price: regular / 100,
      proposed_price: proposed / 100,
      saving: saving / 100,
    },
    merchant_reason: `about ${Math.round(10 * spare_capacity) * 10}\u00a0% of its room is usually free at this hour, and the price keeps at least half of the margin.`,
    consumer_reason: `${text(saving)} ${currency} less than usual, at calm probability ${moment.calm_probability}${moment.movement_friction === null ? '' : `, while friction on the way is ${moment.movement_friction.toFixed(2)}`}.`,
    mutual_benefit: `room that is usually empty earns ${text(proposed)} ${currency}, and the visitor keeps ${text(saving)} ${currency}.`,
  };
}
