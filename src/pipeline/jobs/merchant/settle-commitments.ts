import type { Outlet } from '../../../domain/city/city.ts';
import { findOutlet } from '../../../domain/city/lists/find-entries.ts';
import {
  attentionEvent,
  commitmentEvents,
  commitmentOutcome,
  type QuarterUse,
} from '../../../domain/merchant/sustainability.ts';
import { closeCountdown, timeUntilClose } from '../../../domain/time/opening-hours.ts';
import { SLOT } from '../../../domain/time/slot.ts';
import { type EndedCommitment, endedCommitments } from '../../../store/merchant/commitments.ts';
import {
  vindicationSumsByPocket,
  weeklyActivity,
  writeCommitmentOutcomes,
  writeSustainabilityEvents,
} from '../../../store/merchant/sustainability.ts';
import type { JobContext } from '../../core/context.ts';

/** Settles the commitments whose window has just ended: compares the outlet's activity with its usual one. */
export async function settleCommitments({ tx, registry, zone, slot }: JobContext): Promise<void> {
  const ended = await endedCommitments(tx, slot - SLOT, slot);
  if (!ended.length) return;
  const settled = [];
  for (const commitment of ended) {
    const outlet = findOutlet(registry, commitment.outlet_id);
    const outcome =
      outlet && commitmentOutcome(outlet, commitment, await loadQuarters({ tx, zone }, outlet, commitment));
    if (outcome) settled.push({ commitment, outlet, outcome });
  }
  await writeCommitmentOutcomes(tx, slot, settled);
  await writeSustainabilityEvents(
    tx,
    settled.flatMap(({ commitment: { brief_id, window_end }, outlet, outcome }) =>
      commitmentEvents({
        slot,
        brief_id,
        outlet,
        outcome,
        closes_in: timeUntilClose(outlet, window_end, zone),
      }),
    ),
  );
}

async function loadQuarters(
  { tx, zone }: Pick<JobContext, 'tx' | 'zone'>,
  outlet: Outlet,
  commitment: EndedCommitment,
): Promise<QuarterUse[]> {
  const [now = new Map<number, number>(), ...weeks] = await weeklyActivity(
    tx,
    commitment.outlet_id,
    commitment,
    zone,
  );
  const open = closeCountdown(outlet, zone);
  // The window may end when the outlet closes: what is counted at that moment is of a closed outlet.
  const quarters = [...now].filter(([slot]) => open(slot) > 0);
  return quarters.map(([slot, activity]) => ({
    activity,
    // A week with nobody in it at that time may be one in which it did not open: no saving is claimed against it.
    before: weeks.flatMap((week) => week.get(slot) || []),
  }));
}

/** Records the attention that yesterday's silences saved; due once all of them are judged. */
export async function recordAttentionSaved({ tx, zone, slot }: JobContext): Promise<void> {
  const midnight = zone.startOfDay(slot);
  const yesterday = zone.startOfDay(slot, -1);
  const day = { after: yesterday - 1, until: midnight - 1 };
  const date = zone.localDate(yesterday);
  const verdicts = await vindicationSumsByPocket(tx, day);
  await writeSustainabilityEvents(
    tx,
    verdicts.flatMap((pocket) => attentionEvent(slot, { ...pocket, date }) ?? []),
  );
}
