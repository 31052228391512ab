import assert from 'node:assert/strict';
import { test } from 'node:test';
import { askOperation } from '../../../test/support/answers/ask-operation.ts';
import { type DecisionFixture, writeDecisions } from '../../../test/support/rows/decisions.ts';
import { describeStores } from '../../../test/support/stores/store-places.ts';
import { storeFor } from '../../../test/support/stores/suite-store.ts';
import { DAY, SLOT } from '../../domain/time/slot.ts';
import { listExplanations } from './list-explanations.ts';

const noon = Date.parse('2026-11-11T04:00:00Z');

const made: DecisionFixture[] = [
  { slot: noon - 2 * DAY, gate: null },
  { slot: noon - 2 * SLOT, gate: null, score: 81.5 },
  { slot: noon - SLOT, gate: 'why_now' },
  { slot: noon, gate: 'resonance', score: 52.3 },
  { pocket: 'dempsey', slot: noon, gate: null },
  { pocket: 'siglap', slot: noon - SLOT, gate: 'why_low_effort' },
  { pocket: 'siglap', slot: noon - 40 * SLOT, gate: null, pause: 'quiet_hours' },
  { pocket: 'dempsey', slot: noon - SLOT, gate: null, pause: 'already_speaking' },
];

describeStores('list_explanations', (makePlace) => {
  const store = storeFor(makePlace, (store) => writeDecisions(store, made));
  const ask = (given = {}, now = noon) => askOperation(listExplanations, store(), now, given);

  test('decisions of all kinds, newest first, each with a line and an address', async () => {
    const { structured, text } = await ask({ limit: 3 });
    assert.deepEqual(structured, {
      since: '24h',
      decision_type: 'all',
      count: 7,
      items: [
        {
          id: 'emit:dempsey-20261111T0400Z',
          type: 'emit',
          pocket_id: 'dempsey',
          decision: 'emit',
          reason: null,
          summary:
            'a line about dempsey was published at 12:00 SGT on 2026-11-11: every gate was open; legitimacy 80 against a threshold of 70.',
          permalink: 'https://pocketwatch.test/explanations/emit:dempsey-20261111T0400Z',
          decided_at: '2026-11-11T04:00:00.000Z',
        },
        {
          id: 'silence:tiongbahru-20261111T0400Z',
          type: 'silence',
          pocket_id: 'tiongbahru',
          decision: 'remain_silent',
          reason: 'resonance_physical',
          summary:
            'tiongbahru was left in silence at 12:00 SGT on 2026-11-11: not enough reasons to speak, mainly because of rain, heat or heavy air; legitimacy 52.3 against a threshold of 70.',
          permalink: 'https://pocketwatch.test/explanations/silence:tiongbahru-20261111T0400Z',
          decided_at: '2026-11-11T04:00:00.000Z',
        },
        {
          id: 'already_speaking:dempsey-20261111T0345Z',
          type: 'already_speaking',
          pocket_id: 'dempsey',
          decision: 'already_speaking',
          reason: 'already_speaking',
          summary:
            'nothing was decided about dempsey at 11:45 SGT on 2026-11-11: a line of the service is still live.',
          permalink: 'https://pocketwatch.test/explanations/already_speaking:dempsey-20261111T0345Z',
          decided_at: '2026-11-11T03:45:00.000Z',
        },
      ],
    });
    assert.match(
      text,
      /^7 decisions over the last 24h; the newest 3 are listed\.\na line about dempsey was published/,
    );
  });

  const filters: [given: object, count: number, ids: string[]][] = [
    [{ decision_type: 'emit' }, 2, ['emit:dempsey-20261111T0400Z', 'emit:tiongbahru-20261111T0330Z']],
    [{ decision_type: 'emit', limit: 1 }, 2, ['emit:dempsey-20261111T0400Z']],
    [
      { decision_type: 'silence' },
      3,
      [
        'silence:tiongbahru-20261111T0400Z',
        'silence:siglap-20261111T0345Z',
        'silence:tiongbahru-20261111T0345Z',
      ],
    ],
    [{ pocket_id: 'siglap' }, 2, ['silence:siglap-20261111T0345Z', 'quiet_hours:siglap-20261110T1800Z']],
    [{ pocket_id: 'siglap', decision_type: 'silence' }, 1, ['silence:siglap-20261111T0345Z']],
    [{ pocket_id: 'siglap', decision_type: 'emit', since: '30d' }, 0, []],
    [
      { pocket_id: 'tiongbahru', since: '7d', decision_type: 'emit' },
      2,
      ['emit:tiongbahru-20261111T0330Z', 'emit:tiongbahru-20261109T0400Z'],
    ],
  ];
  for (const [given, count, ids] of filters) {
    test(JSON.stringify(given), async () => {
      const { structured } = await ask(given);
      assert.equal(structured.count, count);
      assert.deepEqual(
        structured.items.map(({ id }) => id),
        ids,
      );
    });
  }

  test('decisions after now are not listed', async () => {
    const { structured } = await ask({}, noon - 1);
    assert.ok(structured.items.every(({ decided_at }) => Date.parse(decided_at) < noon));
    assert.equal(structured.count, 5);
  });
});
