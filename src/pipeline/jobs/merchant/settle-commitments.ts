import type { Outlet } from '../../../domain/city/city.ts';
import {
  attentionEvent,
  commitmentEvents,
  outcomeOf,
  type QuarterUse,
} from '../../../domain/merchant/sustainability.ts';
import { closeCountdown, timeUntilClose } from '../../../domain/time/opening-hours.ts';
import { dateOf, startOfDay } from '../../../domain/time/sgt.ts';
import { DAY, SLOT } from '../../../domain/time/slot.ts';
import { type EndedCommitment, endedCommitments } from '../../../store/merchant/commitments.ts';
import {
  vindicationSumsByPocket,
  weeklyActivity,
  writeCommitmentOutcomes,
  writeSustainabilityEvents,
} from '../../../store/merchant/sustainability.ts';
import type { JobContext } from '../../core/context.ts';

/** Settles the commitments whose window has just ended: compares the outlet's activity with its usual one. */
export async function settleCommitments({ tx, registry, slot }: JobContext): Promise<void> {
  const ended = await endedCommitments(tx, slot - SLOT, slot);
  if (!ended.length) return;
  const outlets = new Map(registry.outlets.map((outlet) => [outlet.id, outlet]));
  const settled = [];
  for (const commitment of ended) {
    const outlet = outlets.get(commitment.outlet_id);
    const outcome = outlet && outcomeOf(outlet, commitment, await quartersOf(tx, outlet, commitment));
    if (outcome) settled.push({ commitment, outlet, outcome });
  }
  await writeCommitmentOutcomes(tx, slot, settled);
  await writeSustainabilityEvents(
    tx,
    settled.flatMap(({ commitment: { brief_id, window_end }, outlet, outcome }) =>
      commitmentEvents({ slot, brief_id, outlet, outcome, closes_in: timeUntilClose(outlet, window_end) }),
    ),
  );
}

async function quartersOf(
  tx: JobContext['tx'],
  outlet: Outlet,
  commitment: EndedCommitment,
): Promise<QuarterUse[]> {
  const [now = new Map<number, number>(), ...weeks] = await weeklyActivity(
    tx,
    commitment.outlet_id,
    commitment,
  );
  const open = closeCountdown(outlet);
  // The window may end when the outlet closes: what is counted at that moment is of a closed outlet.
  const quarters = [...now].filter(([slot]) => open(slot) > 0);
  return quarters.map(([slot, activity]) => ({
    activity,
    // A week with nobody in it at that time may be one in which it did not open: no saving is claimed against it.
    before: weeks.flatMap((week) => week.get(slot) || []),
  }));
}

/** Records the attention that yesterday's silences saved; due once all of them are judged. */
export async function recordAttentionSaved({ tx, slot }: JobContext): Promise<void> {
  const midnight = startOfDay(slot);
  const day = { after: midnight - DAY - 1, until: midnight - 1 };
  const date = dateOf(midnight - DAY);
  const verdicts = await vindicationSumsByPocket(tx, day);
  await writeSustainabilityEvents(
    tx,
    verdicts.flatMap((pocket) => attentionEvent(slot, { ...pocket, date }) ?? []),
  );
}
