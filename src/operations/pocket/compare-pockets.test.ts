import assert from 'node:assert/strict';
import { test } from 'node:test';
import { askOperation } from '../../../test/support/answers/ask-operation.ts';
import { type DecisionFixture, writeDecisions } from '../../../test/support/rows/decisions.ts';
import { describeStores } from '../../../test/support/stores/store-places.ts';
import { storeFor } from '../../../test/support/stores/suite-store.ts';
import type { Moment } from '../../domain/decision/moment.ts';
import { iso, SLOT } from '../../domain/time/slot.ts';
import { comparePockets } from './compare-pockets.ts';

const noon = Date.parse('2026-11-11T04:00:00Z');
const made = (pocket: string, moment: Partial<Moment>): DecisionFixture => ({
  pocket,
  slot: noon,
  gate: 'why_now',
  moment,
});
const quiet = { should_stay_silent: true, silence_reasons: ['the moment is fragile'] };

describeStores('compare_pockets', (makePlace) => {
  const store = storeFor(makePlace, (store) =>
    writeDecisions(store, [
      made('tiongbahru', {}),
      made('dempsey', { calm_probability: 0.5, half_life_minutes: 60 }),
      made('siglap', { calm_probability: 0.4, half_life_minutes: 30, ...quiet }),
      made('cluny', { calm_probability: 0.86 }),
      made('holland', { calm_probability: 0.3, half_life_minutes: 30, ...quiet }),
    ]),
  );
  const compare = (pocket_id_a: string, pocket_id_b: string, now = noon) =>
    askOperation(comparePockets, store(), now, { pocket_id_a, pocket_id_b });

  test('the fields of both pockets, and a verdict in one sentence', async () => {
    const { structured, text } = await compare('tiongbahru', 'dempsey');
    const shared = {
      primary_state: 'calm-productive',
      calm_level: 0.75,
      calm_change: 0,
      signal_saturation: 0,
      movement_friction: 0.125,
      fragility: 0.25,
    };
    assert.deepEqual(structured, {
      pocket_a: {
        pocket_id: 'tiongbahru',
        ...shared,
        calm_probability: 0.875,
        half_life_minutes: 45,
        should_stay_silent: false,
      },
      pocket_b: {
        pocket_id: 'dempsey',
        ...shared,
        calm_probability: 0.5,
        half_life_minutes: 60,
        should_stay_silent: false,
      },
      verdict:
        'tiongbahru is more likely to be calm than dempsey (88\u00a0% against 50\u00a0%) but dempsey may hold longer (60 minutes against 45 minutes).',
    });
    assert.match(
      text,
      /^tiongbahru is calm-productive: calm level 0\.75, calm probability 0\.875, .+ dempsey is calm-productive: /,
    );
    assert.ok(text.endsWith(String(structured.verdict)));
  });

  test('the verdict compares calm, half-life and silence', async () => {
    const table: [a: string, b: string, verdict: string][] = [
      [
        'dempsey',
        'tiongbahru',
        'tiongbahru is more likely to be calm than dempsey (88\u00a0% against 50\u00a0%) but dempsey may hold longer (60 minutes against 45 minutes).',
      ],
      [
        'siglap',
        'dempsey',
        'dempsey is more likely to be calm than siglap (50\u00a0% against 40\u00a0%) and may hold longer (60 minutes against 30 minutes), though siglap asks for silence.',
      ],
      [
        'cluny',
        'tiongbahru',
        'tiongbahru and cluny are about equally likely to be calm (88\u00a0% against 86\u00a0%) and both may hold for 45 minutes.',
      ],
      [
        'holland',
        'siglap',
        'siglap is more likely to be calm than holland (40\u00a0% against 30\u00a0%) and both may hold for 30 minutes, though both ask for silence.',
      ],
      ['siglap', 'siglap', 'both are the same pocket.'],
    ];
    for (const [a, b, verdict] of table) assert.equal((await compare(a, b)).structured.verdict, verdict);
  });

  test('without a moment for one pocket there is no verdict, and the pocket is named', async () => {
    const { structured, text } = await compare('tiongbahru', 'Atlantis');
    assert.equal(structured.verdict, null);
    assert.deepEqual(structured.pocket_b, { pocket_id: 'Atlantis', available: false });
    assert.equal(structured.explanation, 'not enough recent data for Atlantis.');
    assert.ok(text.startsWith('tiongbahru is calm-productive') && text.endsWith(structured.explanation));
  });

  test('neither pocket has a moment', async () => {
    const { structured, text } = await compare('tiongbahru', 'dempsey', noon + 2 * SLOT);
    const missing = {
      reason: 'not_observed',
      text: 'nothing has been measured here since 12:15',
      since: iso(noon + SLOT),
      until: null,
    };
    assert.deepEqual(structured, {
      pocket_a: { pocket_id: 'tiongbahru', available: false, missing },
      pocket_b: { pocket_id: 'dempsey', available: false, missing },
      verdict: null,
      explanation: `not enough recent data for tiongbahru (${missing.text}) and dempsey (${missing.text}).`,
    });
    assert.equal(text, structured.explanation);
    const same = await compare('Atlantis', 'Atlantis');
    assert.equal(same.structured.explanation, 'not enough recent data for Atlantis.');
  });

  test('both pockets are required', async () => {
    await assert.rejects(askOperation(comparePockets, store(), noon, { pocket_id_a: 'siglap' }), {
      message: 'pocket_id_b is required',
    });
  });
});
