import assert from 'node:assert/strict';
import { test } from 'node:test';
import { askOperation } from '../../../test/support/answers/ask-operation.ts';
import { writeDecisions } from '../../../test/support/rows/decisions.ts';
import { describeStores } from '../../../test/support/stores/store-places.ts';
import { storeFor } from '../../../test/support/stores/suite-store.ts';
import { MINUTE, SLOT } from '../../domain/time/slot.ts';
import { noStore } from '../../store/engine/open.ts';
import { getPocketMoment } from './get-pocket-moment.ts';

const noon = Date.parse('2026-11-11T04:00:00Z');
const elevenAtNight = Date.parse('2026-11-11T15:00:00Z');
const reasons = ['the pocket is tense', 'the window is closing'];

describeStores('get_pocket_moment', (makePlace) => {
  const store = storeFor(makePlace, (store) =>
    writeDecisions(store, [
      { slot: noon - SLOT, gate: 'why_now', moment: { calm_probability: 0.5 } },
      { slot: noon, gate: 'why_now' },
      {
        pocket: 'dempsey',
        slot: noon,
        gate: 'why_now',
        moment: { calm_probability: 0.4, calm_change: -0.2 },
      },
      {
        pocket: 'siglap',
        slot: noon,
        gate: 'moment_silence',
        moment: { should_stay_silent: true, silence_reasons: reasons },
      },
      { pocket: 'holland', slot: elevenAtNight - SLOT, gate: null },
      ...['holland', 'serene'].map((pocket) => ({
        ...{ pocket, slot: elevenAtNight, gate: null, pause: 'quiet_hours' as const },
        moment: { should_stay_silent: true, silence_reasons: ['it is night'] },
      })),
    ]),
  );
  const at = (now: number, pocket_id = 'tiongbahru') =>
    askOperation(getPocketMoment, store(), now, { pocket_id });

  test('exactly the fields of a moment', async () => {
    const { structured, text } = await at(noon + MINUTE);
    assert.deepEqual(Object.entries(structured), [
      ['pocket_id', 'tiongbahru'],
      ['primary_state', 'calm-productive'],
      ['calm_probability', 0.875],
      ['calm_level', 0.75],
      ['calm_change', 0],
      ['signal_saturation', 0],
      ['movement_friction', 0.125],
      ['fragility', 0.25],
      ['half_life_minutes', 45],
      ['expires_at', '2026-11-11T04:45:00.000Z'],
      ['should_stay_silent', false],
      ['silence_reasons', []],
      ['window_ends_at', '2026-11-11T05:00:00.000Z'],
      ['disagreements', []],
    ]);
    assert.equal(
      text,
      [
        'tiongbahru at 12:00 SGT: calm-productive, calm level 0.75, calm probability 0.875 (of a calm state through the next half hour).',
        'signal saturation 0, movement friction 0.125, fragility 0.25.',
        'half-life 45 minutes; calm window until 13:00 SGT.',
        'nothing in the moment asks for silence.',
      ].join(' '),
    );
  });

  test('a line that lasts into the quiet hours stands beside a moment that asks for silence', async () => {
    const { structured, text } = await at(elevenAtNight + MINUTE, 'holland');
    assert.ok('disagreements' in structured);
    assert.deepEqual(structured.disagreements, [
      'the moment asks for silence, and a line is live: it was said earlier, and lasts to the end that it named',
    ]);
    assert.match(text, /lasts to the end that it named\.$/);
    const without = await at(elevenAtNight + MINUTE, 'serene');
    assert.deepEqual('disagreements' in without.structured && without.structured.disagreements, []);
  });

  test('a moment that asks for silence says why', async () => {
    const { structured, text } = await at(noon, 'siglap');
    assert.ok('silence_reasons' in structured);
    assert.equal(structured.should_stay_silent, true);
    assert.deepEqual(structured.silence_reasons, reasons);
    assert.match(text, /silence is asked for: the pocket is tense; the window is closing\.$/);
  });

  test('a calm state that is unlikely to last says what has turned', async () => {
    const { text } = await at(noon, 'dempsey');
    assert.match(text, /calm probability 0\.4 .*\. calm now, but turning: less calm than half an hour ago\./);
  });

  test('the newest moment is served for half an hour, and none from the future', async () => {
    const calm = async (now: number) => {
      const { structured } = await at(now);
      return 'calm_probability' in structured ? structured.calm_probability : undefined;
    };
    assert.equal(await calm(noon - SLOT - 1), undefined);
    assert.equal(await calm(noon - SLOT), 0.5);
    assert.equal(await calm(noon - 1), 0.5);
    assert.equal(await calm(noon), 0.875);
    assert.equal(await calm(noon + 2 * SLOT - 1), 0.875);
    assert.equal(await calm(noon + 2 * SLOT), undefined);
  });

  test('without a moment, in the words of the interface', async () => {
    for (const [pocket, now] of [
      ['tiongbahru', noon + 2 * SLOT],
      ['holland', noon],
      ['Atlantis', noon],
      ["' or 1=1 --", noon],
    ] as const) {
      const { structured, text } = await at(now, pocket);
      assert.ok('available' in structured);
      const { missing, ...rest } = structured;
      assert.deepEqual(rest, { pocket_id: pocket, available: false });
      const isWatched = ['tiongbahru', 'holland'].includes(pocket);
      assert.equal(missing?.reason, isWatched ? 'not_observed' : undefined);
      const why = missing ? ` ${missing.text}.` : '';
      assert.equal(text, `no moment composable for ${pocket} — substrate may be thin.${why}`);
    }
  });
});

test('get_pocket_moment without a store', async () => {
  await assert.rejects(askOperation(getPocketMoment, noStore(), noon, { pocket_id: 'siglap' }), {
    name: 'StoreError',
    code: 'not_configured',
  });
});
