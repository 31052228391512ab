import assert from 'node:assert/strict';
import { test } from 'node:test';
import { askOperation } from '../../../test/support/answers/ask-operation.ts';
import { type DecisionFixture, writeDecisions } from '../../../test/support/rows/decisions.ts';
import { describeStores } from '../../../test/support/stores/store-places.ts';
import { storeFor } from '../../../test/support/stores/suite-store.ts';
import { DAY, SLOT } from '../../domain/time/slot.ts';
import { listSilenceVindications } from './list-silence-vindications.ts';

const noon = Date.parse('2026-11-11T04:00:00Z');

const made: DecisionFixture[] = [
  { slot: noon, gate: 'resonance' },
  { pocket: 'dempsey', slot: noon, gate: 'why_now' },
  { slot: noon - 4 * SLOT, gate: 'resonance', vindicated: true, minutes: 12.5 },
  { slot: noon - 5 * SLOT, gate: 'why_this_place', vindicated: true, minutes: 3 },
  { slot: noon - 6 * SLOT, gate: 'resonance', vindicated: false },
  { slot: noon - 7 * SLOT, gate: null },
  { pocket: 'dempsey', slot: noon - 7 * SLOT, gate: 'why_now', vindicated: null },
  { slot: noon - 8 * DAY, gate: 'resonance', vindicated: false },
];

describeStores('list_silence_vindications', (makePlace) => {
  const store = storeFor(makePlace, (store) => writeDecisions(store, made));
  const ask = (given = {}) => askOperation(listSilenceVindications, store(), noon, given);

  test('rows with and without a verdict; inconclusive ones do not count in the rate', async () => {
    const { structured, text } = await ask();
    const { entries, ...head } = structured;
    assert.deepEqual(head, {
      pocket_id: null,
      since: '7d',
      count: 6,
      summary: {
        vindication_rate: 0.667,
        total_revealed: 3,
        total_vindicated: 2,
        inconclusive_count: 1,
        pending_count: 2,
      },
    });
    assert.deepEqual(entries[2], {
      id: 'tiongbahru-20261111T0300Z',
      pocket_id: 'tiongbahru',
      gate_name: 'resonance',
      reason: 'resonance_physical',
      reason_text: 'not enough reasons to speak, mainly because of rain, heat or heavy air',
      sealed_at: '2026-11-11T03:00:00.000Z',
      window_end: '2026-11-11T04:00:00.000Z',
      revealed: true,
      revealed_at: '2026-11-11T04:00:00.000Z',
      vindicated: true,
      attention_minutes_preserved: 12.5,
      verdict_reason: 'the calm did not hold',
    });
    assert.deepEqual(entries[0], {
      id: 'dempsey-20261111T0400Z',
      pocket_id: 'dempsey',
      gate_name: 'why_now',
      reason: 'why_now',
      reason_text: 'no reason to say it at this hour',
      sealed_at: '2026-11-11T04:00:00.000Z',
      window_end: '2026-11-11T05:00:00.000Z',
      revealed: false,
      revealed_at: null,
      vindicated: null,
      attention_minutes_preserved: null,
      verdict_reason: null,
    });
    assert.deepEqual(
      entries.map(({ revealed, vindicated }) => [revealed, vindicated]),
      [
        [false, null],
        [false, null],
        [true, true],
        [true, true],
        [true, false],
        [true, null],
      ],
    );
    assert.equal(
      text,
      '6 silences: of 3 judged, 2 were right (67\u00a0%, in waking hours). 1 inconclusive, 2 pending; 6 listed.',
    );
  });

  const filters: [given: object, count: number, judged: number, rate: number | null, listed: number][] = [
    [{ since: 'all' }, 7, 4, 0.5, 7],
    [{ since: '1h' }, 2, 0, null, 2],
    [{ since: '1d', limit: 1 }, 6, 3, 0.667, 1],
    [{ revealed_only: true }, 4, 3, 0.667, 4],
    [{ pocket_id: 'tiongbahru' }, 4, 3, 0.667, 4],
    [{ pocket_id: 'dempsey' }, 2, 0, null, 2],
    [{ pocket_id: 'dempsey', revealed_only: true, limit: 1 }, 1, 0, null, 1],
    [{ pocket_id: 'siglap', since: 'all' }, 0, 0, null, 0],
  ];
  for (const [given, count, judged, rate, listed] of filters) {
    test(`${JSON.stringify(given)}`, async () => {
      const { structured } = await ask(given);
      assert.equal(structured.count, count);
      assert.equal(structured.summary.total_revealed, judged);
      assert.equal(structured.summary.vindication_rate, rate);
      assert.equal(structured.entries.length, listed);
    });
  }
});
