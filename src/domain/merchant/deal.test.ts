import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { at, moment } from '../../../test/support/rows/example-moment.ts';
import { voiceFaults } from '../text/voice.ts';
import { MINUTE } from '../time/slot.ts';
import { singapore } from '../time/zones.fixture.ts';
import { type DealInput, proposeDeal, proposePrice, savingBound } from './deal.ts';

const outlet = { opens_at: '07:30', closes_at: '18:00', typical_spend: 13.5, margin: 0.66 };
const input: DealInput = {
  zone: singapore,
  name: 'Tiong Bahru',
  now: at,
  moment,
  outlet,
  currency: 'SGD',
  activity: 0.4,
};
const deal = (more: Partial<DealInput> = {}) => proposeDeal({ ...input, ...more });

test('the worked example of docs/formulas.md', () => {
  assert.deepEqual(deal(), {
    tier: 'experience',
    reason: 'it is open, usually with room to spare, and the moment asks for no silence',
    proposal: {
      tier: 'experience',
      headline: 'a visit in tiong bahru at 11.90 SGD in place of 13.50, until about 16:30.',
      math: {
        ...{ regular_price_sgd: 13.5, proposed_price_sgd: 11.9, saving_sgd: 1.6 },
        ...{ currency: 'SGD', regular_price: 13.5, proposed_price: 11.9, saving: 1.6 },
      },
      merchant_reason:
        'about 60\u00a0% of its room is usually free at this hour, and the price keeps at least half of the margin.',
      consumer_reason:
        '1.60 SGD less than usual, at calm probability 0.786, while friction on the way is 0.23.',
      mutual_benefit: 'room that is usually empty earns 11.90 SGD, and the visitor keeps 1.60 SGD.',
    },
  });
});

test('in another currency nothing is said in SGD', () => {
  const { proposal } = deal({ currency: 'EUR' });
  assert.deepEqual(proposal?.math, {
    ...{ regular_price_sgd: null, proposed_price_sgd: null, saving_sgd: null },
    ...{ currency: 'EUR', regular_price: 13.5, proposed_price: 11.9, saving: 1.6 },
  });
  assert.equal(
    proposal?.headline,
    'a visit in tiong bahru at 11.90 EUR in place of 13.50, until about 16:30.',
  );
  assert.doesNotMatch(JSON.stringify(proposal), /\bSGD\b/);
  for (const line of [proposal.headline, proposal.consumer_reason, proposal.mutual_benefit])
    assert.deepEqual(voiceFaults(line), [], line);
});

const minutes = (count: number) => at + count * MINUTE;
const objections: [title: string, more: Partial<DealInput>, reason: RegExp][] = [
  ['closed', { now: minutes(180), moment: { ...moment, expires_at: minutes(240) } }, /outside its opening/],
  ['opening later', { outlet: { ...outlet, opens_at: '15:01' } }, /outside its opening hours/],
  ['closing in 14 minutes', { outlet: { ...outlet, closes_at: '15:14' } }, /about to close/],
  [
    'a moment that asks for silence',
    { moment: { ...moment, silence_reasons: ['the pocket is tense'] } },
    /asks for silence: the pocket is tense/,
  ],
  ['a moment that is over', { now: minutes(36) }, /window of the moment has closed/],
  ['an outlet whose usual use is not known', { activity: null }, /usually is at this hour is not known/],
  ['an outlet with nobody in it', { activity: 0 }, /usually is at this hour is not known/],
  ['too little room', { activity: 0.46 }, /usually has less room than an experience needs/],
  ['no margin', { outlet: { ...outlet, margin: 0 } }, /margin leaves no saving/],
  ['nothing to pay', { outlet: { ...outlet, typical_spend: 0 } }, /margin leaves no saving/],
  ['a saving of nine cents', { outlet: { ...outlet, typical_spend: 0.81 } }, /margin leaves no saving/],
];
for (const [title, more, reason] of objections) {
  test(`${title}: an atmosphere, and no proposal`, () => {
    const refused = deal(more);
    assert.deepEqual([refused.tier, refused.proposal], ['atmosphere', null]);
    assert.match(refused.reason, reason);
    assert.deepEqual(voiceFaults(refused.reason), []);
  });
}

test('at each limit there is a proposal', () => {
  for (const more of [
    { outlet: { ...outlet, opens_at: '15:00' } },
    { outlet: { ...outlet, closes_at: '15:15' } },
    { now: minutes(35) },
    { activity: 0.45 },
    { outlet: { ...outlet, typical_spend: 0.83 } },
  ])
    assert.ok(deal(more).proposal, JSON.stringify(more));
});

test('it ends with the calm window or when the outlet closes, also after midnight', () => {
  const until = (closes_at: string) => deal({ outlet: { ...outlet, closes_at } }).proposal?.headline;
  assert.match(String(until('15:20')), /until about 15:20\.$/);
  assert.match(String(until('02:00')), /until about 16:30\.$/);
});

test('the saving grows with friction, within the bound', () => {
  for (const [friction, saving] of [
    [0, 130],
    [0.23, 160],
    [1, 260],
  ] as const)
    assert.equal(proposePrice(outlet, 0.6, friction)?.saving, saving);
  assert.equal(savingBound(outlet, 0.6), 1350 * 0.66 * 0.3);
});

test('a name that breaks the voice rules is left out', () => {
  for (const name of ['Quiet!', 'a place whose name has many more words than pockets have'])
    assert.match(String(deal({ name }).proposal?.headline), /^a visit in the pocket at 11\.90 SGD/);
});

test('for any outlet, prices add up to the cent and the saving is positive and bounded', () => {
  const share = fc.double({ min: 0, max: 1, noNaN: true });
  const spend = fc.double({ min: 0, max: 10_000, noNaN: true });
  fc.assert(
    fc.property(spend, share, share, share, (typical_spend, margin, activity, movement_friction) => {
      const priced = { ...outlet, typical_spend, margin };
      const { proposal, tier } = deal({
        outlet: priced,
        activity,
        moment: { ...moment, movement_friction },
      });
      assert.equal(tier, proposal ? 'experience' : 'atmosphere');
      if (!proposal) return;
      const [regular, proposed, saving] = [
        proposal.math.regular_price,
        proposal.math.proposed_price,
        proposal.math.saving,
      ].map((amount) => {
        const cents = Math.round(amount * 100);
        assert.equal(cents / 100, amount, 'whole cents');
        return cents;
      }) as [number, number, number];
      assert.equal(saving, regular - proposed);
      assert.ok(saving > 0 && saving <= savingBound(priced, 1 - activity));
      assert.ok(saving <= regular * margin * 0.5);
      assert.ok(proposed > 0);
      assert.ok(Math.abs(regular / 100 - typical_spend) <= 0.0051);
      assert.deepEqual(voiceFaults(proposal.headline, 'emit'), []);
      for (const line of [proposal.merchant_reason, proposal.consumer_reason, proposal.mutual_benefit])
        assert.deepEqual(voiceFaults(line), [], line);
    }),
    { numRuns: 500 },
  );
});
