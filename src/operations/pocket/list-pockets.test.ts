import assert from 'node:assert/strict';
import { test } from 'node:test';
import { askOperation, city } from '../../../test/support/answers/ask-operation.ts';
import { writeDecisions } from '../../../test/support/rows/decisions.ts';
import { writeForecasts } from '../../../test/support/rows/forecasts.ts';
import { describeStores } from '../../../test/support/stores/store-places.ts';
import { storeFor } from '../../../test/support/stores/suite-store.ts';
import { MINUTE, SLOT } from '../../domain/time/slot.ts';
import { singapore } from '../../domain/time/zones.fixture.ts';
import { noStore } from '../../store/engine/open.ts';
import { StoreError } from '../../store/engine/store.ts';
import { listPockets } from './list-pockets.ts';

const noon = Date.parse('2026-11-11T04:00:00Z');
const ids = city.pockets.map(({ id }) => id).sort();
const unread = [60, 120, 180].map((minutes) => ({ minutes, calm_probability: null }));

test('names the 18 pockets of Singapore in alphabetical order, without a store', async () => {
  const { structured, text } = await askOperation(listPockets, noStore(), noon);
  assert.equal(ids.length, 18);
  assert.deepEqual(structured.pockets, ids);
  const [first, second, ...lines] = text.split('\n');
  assert.equal(first, `observed pockets: ${ids.join(', ')}`);
  assert.equal(second, 'buona vista (buonavista): no current reading');
  assert.equal(lines.length, 17);
  assert.deepEqual(
    structured.details.map(({ pocket_id }) => pocket_id),
    ids,
  );
  for (const { primary_state, calm_probability, ahead, speaking } of structured.details)
    assert.deepEqual([primary_state, calm_probability, ahead, speaking], [null, null, unread, null]);
});

test('names the pockets of another registry, and of an empty one', async () => {
  const ask = (pockets: typeof city.pockets) =>
    askOperation(listPockets, noStore(), noon, {}, { ...city, pockets });
  const { structured } = await ask(city.pockets.slice(0, 2).reverse());
  assert.deepEqual(structured.pockets, ids.slice(0, 2));
  assert.deepEqual(await ask([]), {
    structured: { pockets: [], details: [] },
    text: 'observed pockets: ',
  });
});

test('the text of a city of thousands of pockets is short and says where the rest is', async () => {
  const [pocket] = city.pockets;
  assert.ok(pocket);
  const pockets = Array.from({ length: 5000 }, (_, at) => ({ ...pocket, id: `pocket-${at}` }));
  const { structured, text } = await askOperation(listPockets, noStore(), noon, {}, { ...city, pockets });
  assert.equal(structured.pockets.length, 5000);
  assert.ok(text.length < 4096);
  const [first = '', ...lines] = text.split('\n');
  assert.match(first, /, and 49\d\d more at \/api\/pockets$/);
  assert.match(lines.at(-1) ?? '', /^and 49\d\d more at \/api\/pockets$/);
  assert.ok(lines.length <= 51);
});

test('answers while the store is down, and says that the answer is partial', async () => {
  const down = { all: () => Promise.reject(new StoreError('unavailable')), get: () => assert.fail() };
  let partial = 0;
  const context = {
    zone: singapore,
    substrate: 'simulated' as const,
    ...{ registry: city, lookup: { find: () => [], suggest: () => [] }, store: down, now: noon, baseUrl: '' },
    onPartial: () => {
      partial += 1;
    },
  };
  const { structured } = await listPockets.answer({}, context);
  assert.deepEqual(
    [structured.details.length, structured.details[0]?.calm_probability, partial],
    [18, null, 1],
  );
  const broken = { ...down, all: () => Promise.reject(new Error('a bug')) };
  await assert.rejects(listPockets.answer({}, { ...context, store: broken }), /a bug/);
});

describeStores('list_pockets', (makePlace) => {
  const store = storeFor(makePlace, async (store) => {
    await writeDecisions(store, [
      { slot: noon, pocket: 'siglap', gate: null, moment: { calm_probability: 0.8 } },
      { slot: noon, pocket: 'dempsey', gate: 'why_now', moment: { calm_probability: 0.4 } },
      { slot: noon - 4 * SLOT, pocket: 'holland', gate: 'why_now' },
    ]);
    await writeForecasts(store, [
      { slot: noon - SLOT, pocket: 'siglap', horizon: 60, calm: 0.1 },
      { slot: noon, pocket: 'siglap', horizon: 60, calm: 0.7 },
      { slot: noon, pocket: 'siglap', horizon: 180, calm: 0.5 },
      { slot: noon - 4 * SLOT, pocket: 'dempsey', horizon: 180, calm: 0.9 },
      { slot: noon, pocket: 'dempsey', generator: 'quiet_window_60m', type: 'quiet_window', calm: 0.9 },
    ]);
  });
  const askDetails = async (pocket: string) => {
    const { structured } = await askOperation(listPockets, store(), noon + MINUTE);
    return structured.details.find(({ pocket_id }) => pocket_id === pocket);
  };

  test('each pocket with its place, how it is, what is expected and whether the service speaks', async () => {
    const { name, lat, lng, region } = city.pockets.find(({ id }) => id === 'siglap') ?? assert.fail();
    assert.deepEqual(await askDetails('siglap'), {
      pocket_id: 'siglap',
      ...{ name, lat, lng, region },
      primary_state: 'calm-productive',
      calm_probability: 0.8,
      ahead: [
        { minutes: 60, calm_probability: 0.7 },
        { minutes: 120, calm_probability: null },
        { minutes: 180, calm_probability: 0.5 },
      ],
      speaking: 'speaking',
    });
  });

  test('what is not current is null', async () => {
    const dempsey = await askDetails('dempsey');
    assert.deepEqual([dempsey?.calm_probability, dempsey?.ahead, dempsey?.speaking], [0.4, unread, 'silent']);
    const holland = await askDetails('holland');
    assert.deepEqual([holland?.primary_state, holland?.ahead, holland?.speaking], [null, unread, null]);
  });
});
