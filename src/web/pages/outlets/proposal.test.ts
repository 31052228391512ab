import assert from 'node:assert/strict';
import { test } from 'node:test';
import { end, hours, outletUses } from '../../../../test/support/rows/four-weeks.ts';
import { dealExample } from '../../../domain/merchant/deal-example.ts';
import { usesWhileOpen } from '../../../domain/merchant/patterns/opening-day.ts';
import { weekOfUse } from '../../../domain/merchant/week-of-use.ts';
import { iso } from '../../../domain/time/slot.ts';
import { singapore } from '../../../domain/time/zones.fixture.ts';
import { proposalPart } from './proposal.ts';

const outlet = { ...hours, typical_spend: 13.5, margin: 0.66 };
const input = { zone: singapore, name: 'Tiong Bahru', now: end, currency: 'SGD', outlet };
const uses = usesWhileOpen(outlet, outletUses, singapore);
const found = dealExample(input, uses, weekOfUse(outlet, uses).hours) ?? assert.fail();
const example = { ...found, at: iso(found.at) };
const closed = {
  ...{ pocket_id: 'tiongbahru', tier: 'atmosphere' as const, proposal: null },
  reason: 'it is closed, outside its opening hours',
};
const proposalText = (
  deal: Parameters<typeof proposalPart>[1],
  shown: typeof example | null,
  week: Parameters<typeof proposalPart>[2]['hours'] = [],
) =>
  proposalPart({ zone: singapore }, deal, { example: shown, hours: week })
    .markup.replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ');

test('while it is closed, an example for its next quiet window, marked as one', () => {
  const text = proposalText(closed, example);
  assert.match(text, /Nothing is proposed now: it is closed, outside its opening hours\./);
  assert.match(text, /Example, not a proposal In its next quiet window, from 10 Nov 2026, 14:00 SGT/);
  assert.match(text, /when 20 % of its room is usually in use \(n = 16 quarter hours\)/);
  assert.match(text, /a visit in tiong bahru at 11\.80 SGD in place of 13\.50, until about 15:00\./);
  assert.match(text, /Saving 1\.70 SGD/);
});

test('without an example it says why; beside a proposal there is none', () => {
  assert.match(proposalText(closed, null), /No example can be given: its usual use is not known yet\./);
  const full = [{ weekday: 0, hour: 12, use: 0.9, n: 16 }];
  assert.match(proposalText(closed, null, full), /No example can be given: its usual use leaves no room/);
  const proposal = { ...example.proposal, consumer_reason: '1.70 SGD less than usual.' };
  const text = proposalText({ ...closed, tier: 'experience', proposal }, example);
  assert.match(text, /Proposed now: .* 1\.70 SGD less than usual\./);
  assert.doesNotMatch(text, /Example|Nothing is proposed/);
});
