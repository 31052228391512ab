import assert from 'node:assert/strict';
import { test } from 'node:test';
import { askOperation } from '../../../test/support/answers/ask-operation.ts';
import { writeDecisions } from '../../../test/support/rows/decisions.ts';
import { NOON } from '../../../test/support/services/service.ts';
import { describeStores } from '../../../test/support/stores/store-places.ts';
import { storeFor } from '../../../test/support/stores/suite-store.ts';
import { HOUR, MINUTE, SLOT } from '../../domain/time/slot.ts';
import { Refused } from '../core/define.ts';
import { explainTime } from './explain-time.ts';

/** 03:00 and 02:45 of that Wednesday. */
const NIGHT = NOON - 9 * HOUR;

describeStores('explain_time', (makePlace) => {
  const store = storeFor(makePlace, async (store) => {
    await writeDecisions(store, [
      { slot: NIGHT - SLOT, gate: null, pause: 'quiet_hours' },
      { slot: NIGHT, gate: null, pause: 'quiet_hours' },
      { slot: NOON - 2 * SLOT, gate: 'moment_silence' },
      { slot: NOON - SLOT, gate: null },
      { slot: NOON, gate: null, pause: 'already_speaking' },
    ]);
  });
  const ask = (at: string, given: Record<string, unknown> = {}) =>
    askOperation(explainTime, store(), NOON + MINUTE, { pocket_id: 'tiongbahru', at, ...given });

  test('a silence: its reason, and the line that was drafted', async () => {
    const { structured, text } = await ask('11:35');
    assert.deepEqual(
      [structured.at, structured.kind, structured.reason, structured.line?.status],
      ['2026-11-11T03:30:00.000Z', 'silence', 'tense', 'drafted'],
    );
    assert.match(
      text,
      /^tiongbahru at 11:30 SGT on 2026-11-11: nothing was said, because the pocket is tense\./,
    );
    assert.match(text, /the line that was drafted and withheld: '/);
    assert.match(text, /explanations\/silence:tiongbahru-20261111T0330Z$/);
  });

  test('a line that was said', async () => {
    const { structured, text } = await ask('today 11:45');
    assert.deepEqual([structured.kind, structured.reason, structured.line?.status], ['emit', null, 'said']);
    assert.match(text, /: a line was said\./);
    assert.ok(text.includes(`the line: '${structured.line?.text}'`));
  });

  test('a night: nothing is drafted then, and what the line would have been is composed', async () => {
    const { structured, text } = await ask('03:00');
    assert.deepEqual(
      [structured.at, structured.kind, structured.line?.status],
      ['2026-11-10T19:00:00.000Z', 'quiet_hours', 'would_have_been_drafted'],
    );
    assert.match(structured.line?.text ?? '', /^tiong bahru is .*; until about /);
    assert.match(text, /nothing was drafted; the line of that moment would have been: 'tiong bahru is /);
    assert.match(text, /would have been (?:open|withheld all the same)/);
    assert.equal(structured.was_it_right, null);
  });

  test('the hours around it, quarter hours without data told as such', async () => {
    const { around } = (await ask('11:45')).structured;
    assert.deepEqual(
      around.map(({ kind }) => kind),
      ['no_moment', 'silence', 'emit', 'already_speaking'],
    );
    assert.equal(around[0]?.from, '2026-11-11T00:45:00.000Z');
  });

  test('while the current quarter hour is still computed, the one before it is told', async () => {
    const later = await askOperation(explainTime, store(), NOON + SLOT + MINUTE, { pocket_id: 'tiongbahru' });
    assert.deepEqual(
      [later.structured.at, later.structured.kind],
      ['2026-11-11T04:00:00.000Z', 'already_speaking'],
    );
  });

  test('times that are none or have not come are refused; of an unknown pocket nothing is made up', async () => {
    await assert.rejects(ask('soonish'), Refused);
    await assert.rejects(ask('tomorrow 10:00'), /at must not be in the future/);
    const { structured } = await ask('11:45', { pocket_id: 'atlantis' });
    assert.deepEqual([structured.kind, structured.line, structured.moment], ['no_moment', null, null]);
  });
});
