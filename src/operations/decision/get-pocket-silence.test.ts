import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { askOperation } from '../../../test/support/answers/ask-operation.ts';
import { type DecisionFixture, writeDecisions } from '../../../test/support/rows/decisions.ts';
import { writeForecasts } from '../../../test/support/rows/forecasts.ts';
import { describeStores } from '../../../test/support/stores/store-places.ts';
import { storeFor } from '../../../test/support/stores/suite-store.ts';
import { type Reason, reasonText } from '../../domain/decision/silence-reason.ts';
import { DAY, MINUTE, SLOT } from '../../domain/time/slot.ts';
import { noStore } from '../../store/engine/open.ts';
import { getPocketSilence } from './get-pocket-silence.ts';

const noon = Date.parse('2026-11-11T04:00:00Z');
const tooNew = 'the pocket has been observed for fewer than 10 days';

const tense = { should_stay_silent: true, silence_reasons: ['the pocket is tense'], calm_probability: 0.2 };
const made: DecisionFixture[] = [
  { slot: noon - 3 * SLOT, gate: null },
  { slot: noon - SLOT, gate: null, pause: 'already_speaking' },
  { slot: noon, gate: null, pause: 'already_speaking', band: 'forming' },
  { pocket: 'dempsey', slot: noon, gate: 'why_now' },
  { pocket: 'holland', slot: noon, gate: 'moment_silence', moment: tense },
  { pocket: 'siglap', slot: noon, gate: 'resonance', band: 'decaying' },
  { pocket: 'cluny', slot: noon, gate: 'why_this_place', band: 'peak' },
  { pocket: 'serene', slot: noon - SLOT, gate: 'resonance', layers: { physical: 0.3 } },
  { pocket: 'sunset', slot: noon - 2 * SLOT, gate: 'why_now' },
];

describeStores('get_pocket_silence', (makePlace) => {
  const store = storeFor(makePlace, async (store) => {
    await writeDecisions(store, made);
    await writeForecasts(store, [
      { slot: noon - 4 * SLOT, score: 1 },
      { slot: noon - 2 * SLOT },
      { slot: noon },
      { slot: noon + SLOT },
    ]);
  });
  const ask = (pocket_id?: string, now = noon) =>
    askOperation(getPocketSilence, store(), now, pocket_id === undefined ? {} : { pocket_id });
  const askSilence = async (pocket_id: string, now = noon) => {
    const { structured } = await ask(pocket_id, now);
    assert.ok('signal_status_code' in structured);
    return structured;
  };
  const vitals = { pockets_watched: 18, readings_per_hour: 9, open_predictions: 2 };

  test('a line that is live', async () => {
    const { structured, text } = await ask('tiongbahru');
    assert.deepEqual(structured, {
      pocket_id: 'tiongbahru',
      signal_status_code: 'ACTIVE_INTERVENTION',
      reason: 'already_speaking',
      reason_text: 'a line of the service is still live',
      justification: 'a line is live until about 12:15 SGT, and nothing is added to it.',
      outlook: [
        'calm is likely until about 13:00 SGT.',
        'recent messages use 21\u00a0% of the attention budget, less with each hour.',
        `no next window can be estimated: ${tooNew}.`,
      ],
      next_possible_window: null,
      next_possible_window_share: null,
      next_possible_window_reason: tooNew,
      substrate_vitals: vitals,
    });
    assert.match(text, /^tiongbahru: ACTIVE_INTERVENTION\. a line is live until about 12:15 SGT/);
    assert.match(text, /no next window can be estimated: .* 18 pockets are watched/);
  });

  test('a line is live until it expires', async () => {
    assert.equal(
      (await askSilence('tiongbahru', noon + 15 * MINUTE - 1)).signal_status_code,
      'ACTIVE_INTERVENTION',
    );
    const { signal_status_code, reason, justification } = await askSilence('tiongbahru', noon + 15 * MINUTE);
    assert.deepEqual([signal_status_code, reason], ['FORMING_WINDOW', null]);
    assert.match(justification, /what was said has expired/);
  });

  const table: [pocket: string, status: string, reason: Reason][] = [
    ['dempsey', 'STABLE_CALM', 'why_now'],
    ['holland', 'WITHHOLD_INTENTIONAL', 'tense'],
    ['siglap', 'DECAY_WINDOW', 'resonance_physical'],
    ['cluny', 'FORMING_WINDOW', 'why_this_place'],
    ['serene', 'STABLE_CALM', 'resonance_physical'],
  ];
  for (const [pocket, status, reason] of table) {
    test(`${pocket} is ${status}`, async () => {
      const { signal_status_code, outlook, ...answer } = await askSilence(pocket);
      assert.equal(signal_status_code, status);
      assert.deepEqual([answer.reason, answer.reason_text], [reason, reasonText[reason]]);
      assert.ok(answer.justification.includes(reasonText[reason]), answer.justification);
      assert.equal(outlook.length, 3);
    });
  }

  test('a pocket without a current moment, or not in the registry', async () => {
    for (const pocket of ['sunset', 'rochester']) {
      const { structured, text } = await ask(pocket);
      assert.ok('missing' in structured && structured.missing);
      const { missing, ...rest } = structured;
      assert.deepEqual(rest, { pocket_id: pocket, available: false });
      assert.equal(missing.reason, 'not_observed');
      assert.equal(text, `no silence data for ${pocket}. ${missing.text}.`);
    }
    const { structured, text } = await ask('atlantis');
    assert.deepEqual(structured, { pocket_id: 'atlantis', available: false });
    assert.equal(text, 'no silence data for atlantis');
  });

  test('the network: how many pockets are watched, and how many have each status', async () => {
    const { structured, text } = await ask();
    assert.deepEqual(structured, {
      pocket_id: null,
      total_pockets_watched: 18,
      status_counts: [
        { status: 'STABLE_CALM', count: 2 },
        { status: 'WITHHOLD_INTENTIONAL', count: 1 },
        { status: 'FORMING_WINDOW', count: 1 },
        { status: 'ACTIVE_INTERVENTION', count: 1 },
        { status: 'DECAY_WINDOW', count: 1 },
      ],
      substrate_vitals: vitals,
    });
    assert.match(text, /^18 pockets are watched, with 9 readings in the last hour and 2 forecasts open/);
    assert.match(text, /by status: 2 STABLE_CALM, 1 WITHHOLD_INTENTIONAL/);
  });

  test('a pocket has the same status in the network as on its own', async () => {
    const { structured } = await ask();
    assert.ok('status_counts' in structured);
    const alone = new Map<string, number>();
    for (const pocket of ['tiongbahru', 'dempsey', 'holland', 'siglap', 'cluny', 'serene']) {
      const { signal_status_code } = await askSilence(pocket);
      alone.set(signal_status_code, (alone.get(signal_status_code) ?? 0) + 1);
    }
    for (const { status, count } of structured.status_counts)
      assert.equal(count, alone.get(status) ?? 0, status);
  });

  test('a network without current moments', async () => {
    const { structured, text } = await ask(undefined, noon + 24 * 60 * MINUTE);
    assert.ok('status_counts' in structured);
    assert.ok(structured.status_counts.every(({ count }) => count === 0));
    assert.match(
      text,
      /with 0 readings in the last hour and 3 forecasts open.*no pocket has a current moment/,
    );
  });

  test('the next window follows from when lines began here', async () => {
    // Monday to Wednesday of the week before, and the Monday of the week before that, at 14:00.
    const lines = [7, 8, 9, 16].map((days) => ({
      pocket: 'frankel',
      slot: noon + 120 * MINUTE - days * DAY,
      gate: null,
    }));
    await writeDecisions(store(), [...lines, { pocket: 'frankel', slot: noon, gate: 'why_now' }]);
    const { structured, text } = await ask('frankel');
    assert.ok('next_possible_window' in structured);
    assert.equal(structured.next_possible_window, '2026-11-11T06:00:00.000Z');
    const reason = 'a line began between 14:00 and 14:30 SGT on 4 of 11 working days';
    assert.equal(structured.next_possible_window_reason, reason);
    assert.equal(structured.next_possible_window_share, 0.129);
    assert.ok(
      text.includes(`the next window could open about 14:00 SGT: ${reason}. next possible window 2026-`),
    );
  });
});

describe('get_pocket_silence without a store', () => {
  test('is a store error', async () => {
    await assert.rejects(askOperation(getPocketSilence, noStore(), noon), { code: 'not_configured' });
  });
});
