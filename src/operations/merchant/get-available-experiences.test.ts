import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { askOperation, city } from '../../../test/support/answers/ask-operation.ts';
import { exampleBrief, writeBriefFixtures } from '../../../test/support/rows/briefs.ts';
import { writeDecisions } from '../../../test/support/rows/decisions.ts';
import { writeForecasts } from '../../../test/support/rows/forecasts.ts';
import { ask as fetchFrom } from '../../../test/support/services/http-client.ts';
import { callTool, NOON, startService } from '../../../test/support/services/service.ts';
import { describeStores } from '../../../test/support/stores/store-places.ts';
import { storeFor } from '../../../test/support/stores/suite-store.ts';
import { levers } from '../../domain/merchant/value-stack.ts';
import { DAY, HOUR, MINUTE, SLOT } from '../../domain/time/slot.ts';
import { singapore } from '../../domain/time/zones.fixture.ts';
import { writeStories } from '../../store/decision/live-stories.ts';
import { noStore } from '../../store/engine/open.ts';
import type { Store } from '../../store/engine/store.ts';
import { acceptBrief } from '../../store/merchant/briefs.ts';
import type { AnswerOf } from '../core/define.ts';
import { getAvailableExperiences } from './get-available-experiences.ts';

const noon = Date.parse('2026-11-11T04:00:00Z');
const at = (minutes: number) => noon + minutes * MINUTE;
const outletIn = (pocket: string, active = true) =>
  city.outlets.find((outlet) => outlet.pocket_id === pocket && outlet.active === active)?.id ?? assert.fail();

const accept = (store: Store, id: string, now: number, by: 'operator' | 'simulated' = 'operator') =>
  store.transaction((tx) => acceptBrief(tx, id, { now, zone: singapore }, undefined, by));

describeStores('get_available_experiences', (makePlace) => {
  const store = storeFor(makePlace, async (store) => {
    const moment = { half_life_minutes: 20, expires_at: at(50) };
    await writeDecisions(store, [{ slot: at(30), gate: 'why_now', moment }]);
    await writeForecasts(store, [
      { slot: at(30), horizon: 60, confidence: 0.625 },
      { slot: at(30), horizon: 120, confidence: 0.5 },
    ]);
    const holland = outletIn('holland');
    await writeBriefFixtures(store, [
      { slot: noon, id: 'cafe' },
      { slot: noon, id: 'bakery', outlet_id: outletIn('tiongbahru'), window_end: at(60) },
      { slot: noon, id: 'gone', pocket_id: 'keongsaik', outlet_id: outletIn('keongsaik', false) },
      ...[3, 2, 1].map((days) => ({
        ...{ slot: noon - days * DAY, id: `habit${days}`, pocket_id: 'holland', outlet_id: holland },
      })),
      { slot: noon, id: 'upcoming', pocket_id: 'siglap', outlet_id: outletIn('siglap') },
    ]);
    await accept(store, 'bakery', at(20), 'simulated');
    await accept(store, 'gone', at(20));
    await accept(store, 'upcoming', at(2));
    for (const days of [3, 2, 1]) await accept(store, `habit${days}`, noon - days * DAY + SLOT);
  });
  const ask = (pocket_id: string, now: number) =>
    askOperation(getAvailableExperiences, store(), now, { pocket_id });

  test('an experience: four clauses, the value stack, the rest of the window, live figures', async () => {
    const { structured, text } = await ask('tiongbahru', at(30));
    const { value_stack } = exampleBrief({ slot: noon });
    assert.deepEqual(structured, {
      pocket_id: 'tiongbahru',
      experiences: [
        {
          pocket_id: 'tiongbahru',
          story: {
            composed_at: '2026-11-11T04:00:00.000Z',
            why_now: 'an ordinary hour.',
            why_this_merchant: 'the 6 outlets here are 25\u00a0% in use.',
            why_users_care: "the hour suits 'calm work'.",
            why_pocket_benefits: 'visits in a calm hour spare the crowded ones.',
          },
          value_stack,
          window_ends_at: '2026-11-11T05:00:00.000Z',
          window_remaining_minutes: 30,
          receipts: { outlets: 6, people: null, intents: [] },
          atmosphere: {
            primary_state: 'calm-productive',
            stress: 0.25,
            calm: 0.75,
            social_energy: 0.125,
            productive: 0.5,
            captured_at: '2026-11-11T04:30:00.000Z',
          },
          projection_confidence_60m: 0.625,
          consent: 'simulated',
        },
      ],
      next_window_at: null,
    });
    assert.deepEqual(Object.keys(structured.experiences[0]?.value_stack ?? {}), [...levers]);
    assert.match(
      text,
      /^confirmed and live in tiongbahru.*\nuntil 13:00 SGT, 30 minutes left\. why now: an ordinary/,
    );
    assert.match(text, /the pocket is calm-productive\. .*confidence of 0\.625\. the merchant is simulated/);
  });

  test('a stale forecast or reading gives null', async () => {
    const { structured, text } = await ask('tiongbahru', at(59));
    assert.equal(structured.experiences[0]?.projection_confidence_60m, 0.625);
    const stale = await ask('siglap', at(59));
    const [experience] = stale.structured.experiences;
    assert.deepEqual([experience?.atmosphere, experience?.projection_confidence_60m], [null, null]);
    assert.equal(experience?.consent, 'merchant');
    assert.match(stale.text, /no fresh forecast of the hour ahead\. the merchant has consented\./);
    assert.doesNotMatch(text, /no fresh forecast/);
  });

  test('listed from its acceptance to the end of its window, to the second', async () => {
    const table: [pocket: string, now: number, seen: number][] = [
      ['tiongbahru', at(20) - 1000, 0],
      ['tiongbahru', at(20), 1],
      ['tiongbahru', at(60) - 1000, 1],
      ['tiongbahru', at(60), 0],
      ['tiongbahru', at(60) + 1000, 0],
      // Accepted before its window begins: listed from the beginning of the window.
      ['siglap', at(15) - 1000, 0],
      ['siglap', at(15), 1],
      ['siglap', at(75) - 1000, 1],
      ['siglap', at(75), 0],
    ];
    for (const [pocket, now, seen] of table)
      assert.equal((await ask(pocket, now)).structured.experiences.length, seen, `${pocket} ${now - noon}`);
    assert.equal(
      (await ask('tiongbahru', at(60) - 1000)).structured.experiences[0]?.window_remaining_minutes,
      1,
    );
  });

  test('an empty list says when the next window may open, if that is known', async () => {
    for (const [pocket, now, next, words] of [
      ['siglap', at(5), at(15), 'about 12:15 SGT on 2026-11-11'],
      ['holland', noon - 2 * HOUR, noon, 'about 12:00 SGT on 2026-11-11'],
      ['holland', at(20), noon + DAY, 'about 12:00 SGT on 2026-11-12'],
      ['rochester', noon, null, 'not known'],
      ['atlantis', noon, null, 'not known'],
    ] as const) {
      const { structured, text } = await ask(pocket, now);
      const next_window_at = next === null ? null : new Date(next).toISOString();
      assert.deepEqual(structured, { pocket_id: pocket, experiences: [], next_window_at });
      assert.match(text, new RegExp(`^no experience is live in ${pocket}: .*${words}`));
    }
  });

  test('an inactive outlet offers nothing, and no outlet is ever named', async () => {
    assert.deepEqual((await ask('keongsaik', at(30))).structured.experiences, []);
    for (const pocket of ['tiongbahru', 'siglap']) {
      const { structured, text } = await ask(pocket, at(30));
      const all = `${JSON.stringify(structured)} ${text}`;
      for (const { id, name } of city.outlets) assert.ok(!all.includes(id) && !all.includes(name));
      for (const id of ['cafe', 'bakery', 'upcoming']) assert.ok(!all.includes(`"${id}"`));
    }
  });

  test('a live story is quoted, and none that has ended', async () => {
    const later = {
      ...{ pocket_id: 'tiongbahru', slot: at(30), expires_at: at(50), why_now: 'a later hour.' },
      ...{ why_this_merchant: 'b.', why_users_care: 'c.', why_pocket_benefits: 'd.' },
      receipts: { outlets: null, people: 7, intents: [] },
    };
    await store().transaction((tx) => writeStories(tx, [later]));
    const now = async (minutes: number) => (await ask('tiongbahru', at(minutes))).structured.experiences[0];
    assert.equal((await now(29))?.story, null, 'the story that the brief was drafted on has ended');
    assert.equal((await now(31))?.story?.why_now, 'a later hour.');
    assert.deepEqual((await now(31))?.receipts, later.receipts);
    const ended = await now(50);
    assert.deepEqual([ended?.story, ended?.receipts], [null, null]);
    const { text } = await ask('tiongbahru', at(50));
    assert.match(text, /no story of the pocket is live\./);
    assert.doesNotMatch(text, /ordinary|later hour|why now/);
  });
});

describe('get_available_experiences, served', () => {
  test('no cache serves an answer past the end of a window', async (t) => {
    const { url, clock, store } = await startService(t, { days: 0 });
    await writeBriefFixtures(store, [{ slot: NOON, id: 'a' }]);
    await accept(store, 'a', NOON + SLOT);
    const live = async (now: number) => {
      clock.now = now;
      const { structuredContent } = await callTool(url, 'get_available_experiences', {
        pocket_id: 'tiongbahru',
      });
      const reply = await fetchFrom(`${url}/api/experiences?pocket=tiongbahru`);
      assert.equal(reply.headers['cache-control'], 'no-cache');
      const rest = reply.json<AnswerOf<typeof getAvailableExperiences>>();
      assert.deepEqual(rest.experiences, structuredContent?.experiences);
      return rest.experiences.length;
    };
    assert.equal(await live(NOON + SLOT - 1000), 0);
    assert.equal(await live(NOON + SLOT), 1);
    assert.equal(await live(NOON + 75 * MINUTE - 1), 1);
    assert.equal(await live(NOON + 75 * MINUTE), 0);
  });

  test('without a store', async () => {
    await assert.rejects(askOperation(getAvailableExperiences, noStore(), noon, { pocket_id: 'siglap' }), {
      code: 'not_configured',
    });
  });
});
