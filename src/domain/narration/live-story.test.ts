import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { cityDir } from '../../registry/city-dir.ts';
import { loadRegistry } from '../../registry/load.ts';
import { primaryStates } from '../atmosphere/primary-state.ts';
import type { Intent } from '../city/city.ts';
import type { Moment } from '../decision/moment.ts';
import { senseWords } from '../signals/signal.ts';
import { bareLevelIn, voiceFaults } from '../text/voice.ts';
import { DAY, MINUTE, SLOT } from '../time/slot.ts';
import { singapore } from '../time/zones.fixture.ts';
import { liveStory, storyClauses, wantedWord } from './live-story.ts';
import type { StoryInput } from './story-input.ts';

const city = loadRegistry(cityDir('singapore'));
const at = Date.parse('2026-11-11T15:00:00+08:00');

const calmWork: Intent = {
  slug: 'calm-work',
  title: 'Calm work',
  description: 'somewhere calm to work.',
  public_page: false,
  atmosphere: { calm: 1, stress: 0, social_energy: 0, productive: 0.6 },
  rain: 0,
  hours: [[9, 18]],
  categories: {},
};

const moment = (more: Partial<Moment> = {}): Moment => ({
  pocket_id: 'tiongbahru',
  primary_state: 'calm-productive',
  calm_probability: 0.82,
  calm_level: 0.8,
  calm_change: 0,
  signal_saturation: 0.1,
  movement_friction: 0.2,
  fragility: 0.1,
  half_life_minutes: 47,
  expires_at: at + 47 * MINUTE,
  window_ends_at: at + 60 * MINUTE,
  window_held_share: 0.9,
  window_expected_calm: 0.8,
  should_stay_silent: false,
  silence_reasons: [],
  ...more,
});

const input = (more: Partial<StoryInput> = {}): StoryInput => ({
  name: 'Tiong Bahru',
  slot: at,
  zone: singapore,
  moment: moment(),
  band: 'forming',
  reading: { stress: 0.2, calm: 0.8, social_energy: 0.2, productive: 0.6, anomaly_flag: false },
  usual_calm: 0.6,
  network_calm: 0.7,
  rain_mm: 0,
  rain: 0,
  intents: [calmWork],
  covered: null,
  open_kinds: null,
  senses: [
    { word: 'calm', primary_state: 'calm-productive', people: 9 },
    { word: 'social', primary_state: 'calm-social', people: 6 },
  ],
  outlets: { counted: 6, use: 0.25 },
  ...more,
});

const story = (more: Partial<StoryInput> = {}) => {
  const result = liveStory(input(more));
  assert.ok(result);
  return result;
};

test('the worked example of docs/formulas.md', () => {
  assert.deepEqual(story(), {
    pocket_id: 'tiongbahru',
    slot: at,
    expires_at: at + 47 * MINUTE,
    why_now: 'tiong bahru is quiet and working, and likely to stay calm.',
    why_this_merchant: 'across 6 open outlets most places stand free (25\u00a0% in use).',
    why_users_care: "the hour suits 'calm work': 9 people felt it calm lately.",
    why_pocket_benefits: 'the street takes more people without strain.',
    receipts: { outlets: 6, people: 15, intents: [{ slug: 'calm-work', word: 'calm', people: 9 }] },
  });
});

test('with fewer than five outlets nothing is said of them', () => {
  for (const counted of [0, 1, 2, 3, 4, 5, 6]) {
    const stories = [0, 0.5, 1].map((use) => story({ outlets: { counted, use } }));
    const clauses = new Set(stories.map((story) => story.why_this_merchant));
    assert.equal(stories[0]?.receipts.outlets, counted < 5 ? null : counted);
    assert.equal(clauses.size, counted < 5 ? 1 : 3, `${counted}`);
    for (const clause of clauses) assert.equal(clause === null, counted < 5);
  }
});

test('counts of fewer than five people are withheld', () => {
  for (const people of [0, 1, 2, 3, 4, 5, 6]) {
    const senses: StoryInput['senses'] = [{ word: 'calm', primary_state: 'calm-social', people }];
    const { receipts, why_users_care } = story({ senses });
    assert.equal(receipts.people, people < 5 ? null : people);
    assert.deepEqual(receipts.intents, people < 5 ? [] : [{ slug: 'calm-work', word: 'calm', people }]);
    assert.equal(/\d/.test(why_users_care), people >= 5, why_users_care);
    const withoutIntent = story({ senses, intents: [] }).why_users_care;
    assert.equal(/\d/.test(withoutIntent), people >= 5, withoutIntent);
  }
});

test('people in words that are withheld are not part of the total: nothing follows by subtraction', () => {
  const senses: StoryInput['senses'] = [
    { word: 'calm', primary_state: null, people: 9 },
    { word: 'busy', primary_state: null, people: 2 },
  ];
  const { receipts, why_users_care } = story({ senses });
  const intents = [{ slug: 'calm-work', word: 'calm', people: 9 }];
  assert.deepEqual(receipts, { outlets: 6, people: 9, intents });
  assert.match(why_users_care, /\b9 people/);
});

test('the observations choose the kind of clause', () => {
  const sleepy = { should_stay_silent: true, silence_reasons: ['it is an hour for sleep'] };
  const reading = input().reading;
  const table: [clause: 'why_now' | 'why_pocket_benefits', more: Partial<StoryInput>, line: RegExp][] = [
    ['why_now', { moment: moment(sleepy) }, /it is an hour for sleep/],
    ['why_now', { rain_mm: 0.19 }, /window|calm/],
    ['why_now', { rain_mm: 2.34 }, /rain/],
    ['why_now', { reading: { ...reading, anomaly_flag: true } }, /unlike|pattern|seldom/],
    ['why_now', { band: 'decaying' }, /passing|closing|less so/],
    ['why_now', { band: 'weak', usual_calm: 0.76 }, /ordinary|much as|little stands|nothing out/],
    [
      'why_now',
      { band: 'weak', usual_calm: 0.6 },
      /much calmer than (usual|a usual wednesday (afternoon|evening))/,
    ],
    ['why_now', { band: 'weak', usual_calm: null }, /ordinary|much as|little stands|nothing out/],
    [
      'why_now',
      { moment: moment({ calm_probability: 0.4, calm_change: -0.2 }) },
      /is calm now, but turning\.$/,
    ],
    ['why_pocket_benefits', { moment: moment(sleepy) }, /left alone|nothing said|quiet from this side/],
    [
      'why_pocket_benefits',
      { moment: moment({ signal_saturation: 0.4 }) },
      /attention here|heard much|much was said/,
    ],
    ['why_pocket_benefits', { moment: moment({ movement_friction: 0.51 }) }, /getting about|the ways/],
    ['why_pocket_benefits', { reading: { ...reading, stress: 0.46 } }, /strained|carries enough/],
    ['why_pocket_benefits', { moment: moment({ primary_state: 'lively-social' }) }, /pace|in use/],
  ];
  for (const [clause, more, line] of table) {
    for (let variant = 0; variant < 12; variant++)
      assert.match(story({ ...more, slot: at + variant * 2 * SLOT })[clause], line, JSON.stringify(more));
  }
});

test('company is told of where there is some', () => {
  const lively = moment({ primary_state: 'lively-social' });
  const told = (social_energy: number) =>
    [0, 1, 2].some((n) =>
      /company/.test(
        story({ moment: lively, reading: { ...input().reading, social_energy }, slot: at + n * 2 * SLOT })
          .why_pocket_benefits,
      ),
    );
  assert.deepEqual([told(0.29), told(0.3)], [false, true]);
});

test('wordings vary between days and through a day', () => {
  for (const clause of storyClauses) {
    const days = new Set([0, 1, 2, 3].map((n) => story({ slot: at + n * DAY })[clause]));
    const hours = new Set([0, 1, 2, 3].map((n) => story({ slot: at + n * 2 * SLOT, intents: [] })[clause]));
    assert.ok(days.size >= 3 && hours.size >= 3, clause);
  }
});

test('an intent whose title breaks the voice rules is left out; a pocket name that does gives no story', () => {
  assert.doesNotMatch(story({ intents: [{ ...calmWork, title: 'Hurry!' }] }).why_users_care, /hurry/);
  const names = [0, 1, 2, 3].map((n) => liveStory(input({ name: 'Tiong Bahru!', slot: at + n * 2 * SLOT })));
  assert.ok(names.some((story) => story === null));
});

test('the citizen-sense word of an intent', () => {
  const wants = (atmosphere: Partial<Intent['atmosphere']>) =>
    wantedWord({ atmosphere: { calm: 0, stress: 0, social_energy: 0, productive: 0, ...atmosphere } });
  assert.equal(wants({}), null);
  assert.equal(wants({ calm: -1, social_energy: -1 }), null);
  assert.equal(wants({ stress: -0.9, social_energy: 0.4 }), 'calm');
  assert.equal(wants({ stress: 0.5 }), 'busy');
  assert.equal(wants({ calm: 0.5, social_energy: 0.8 }), 'social');
  assert.equal(wants({ productive: 0.9, calm: 0.8 }), 'focused');
});

const share = fc.integer({ min: 0, max: 1000 }).map((n) => n / 1000);
const anyStory = fc.record({
  name: fc.constantFrom(...city.pockets.map(({ name }) => name)),
  slot: fc.integer({ min: 0, max: 5856 }).map((n) => at + n * SLOT),
  state: fc.constantFrom(...primaryStates),
  band: fc.constantFrom('silent', 'weak', 'forming', 'high_resonance', 'peak', 'decaying'),
  reasons: fc.subarray(['it is an hour for sleep', 'the moment is fragile', 'enough was said here recently']),
  shares: fc.tuple(share, share, share, share, share, share, share),
  usual: fc.option(share),
  network: fc.option(share),
  anomaly: fc.boolean(),
  rain: fc.option(fc.integer({ min: 0, max: 300 }).map((n) => n / 10)),
  people: fc.array(fc.tuple(fc.constantFrom(...senseWords), fc.integer({ min: 0, max: 9 })), {
    maxLength: 6,
  }),
  counted: fc.integer({ min: 0, max: 12 }),
});

test('for any input: lines that pass the voice rules, at most 18 words each, without a level or a count under five', () => {
  fc.assert(
    fc.property(anyStory, (any) => {
      const [calm, stress, social_energy, productive, saturation, friction, use] = any.shares;
      const result = story({
        name: any.name,
        slot: any.slot,
        band: any.band as StoryInput['band'],
        moment: moment({
          primary_state: any.state,
          calm_probability: calm,
          signal_saturation: saturation,
          movement_friction: friction,
          half_life_minutes: 240,
          should_stay_silent: any.reasons.length > 0,
          silence_reasons: any.reasons,
        }),
        reading: { calm, stress, social_energy, productive, anomaly_flag: any.anomaly },
        usual_calm: any.usual,
        network_calm: any.network,
        rain_mm: any.rain,
        rain: any.rain === null ? 0 : Math.min(1, any.rain),
        intents: city.intents,
        senses: any.people.map(([word, people]) => ({ word, people, primary_state: any.state })),
        outlets: { counted: any.counted, use },
      });
      for (const line of storyClauses.flatMap((clause) => result[clause] ?? [])) {
        assert.deepEqual(voiceFaults(line, 'emit'), [], line);
        assert.equal(bareLevelIn(line), null);
      }
      const counts = `${result.why_this_merchant} ${result.why_users_care}`.matchAll(
        /(?<![\d.])(\d+)(?![\d.%])/g,
      );
      for (const [, count] of counts) assert.ok(Number(count) >= 5, result.why_users_care);
      for (const { people } of result.receipts.intents) assert.ok(people >= 5);
    }),
    { numRuns: 500 },
  );
});
