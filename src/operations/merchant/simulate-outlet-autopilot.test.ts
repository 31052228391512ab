import assert from 'node:assert/strict';
import { after, describe, type TestContext, test } from 'node:test';
import { askOperation, city } from '../../../test/support/answers/ask-operation.ts';
import {
  type DecisionFixture,
  decidedMoment,
  reading,
  writeDecisions,
} from '../../../test/support/rows/decisions.ts';
import { ask as get } from '../../../test/support/services/http-client.ts';
import { callTool, NOON, startService } from '../../../test/support/services/service.ts';
import { describeStores } from '../../../test/support/stores/store-places.ts';
import { storeFor } from '../../../test/support/stores/suite-store.ts';
import { decideAgain } from '../../domain/merchant/replay.ts';
import { voiceFaults } from '../../domain/text/voice.ts';
import { isOpen } from '../../domain/time/opening-hours.ts';
import { DAY, HOUR, iso, SLOT } from '../../domain/time/slot.ts';
import { singapore } from '../../domain/time/zones.fixture.ts';
import { writeMoments } from '../../store/decision/moments.ts';
import { outletMoments } from '../../store/merchant/past-moments.ts';
import { writeOutletActivity } from '../../store/observation/outlet-activity.ts';
import { writeReadings } from '../../store/observation/readings.ts';
import type { AnswerOf } from '../core/define.ts';
import { simulateOutletAutopilot } from './simulate-outlet-autopilot.ts';

const outlets = city.outlets.filter(({ active }) => active);
const inactive = city.outlets.find(({ active }) => !active)?.id ?? '';
const cafe = outlets.find(({ pocket_id, category }) => pocket_id === 'tiongbahru' && category === 'cafe');
const id = cafe?.id ?? '';

type Answer = AnswerOf<typeof simulateOutletAutopilot>;
type Backtest = Extract<Answer, { methodology: object }>;

function assertBacktest(answer: Answer): asserts answer is Backtest {
  assert.ok('methodology' in answer);
}

describeStores('simulate_outlet_autopilot', (makePlace) => {
  const hours = (count: number) => NOON - count * HOUR;
  const made: DecisionFixture[] = [
    { slot: hours(48), gate: null },
    { slot: hours(3), gate: null },
    // Its own line of 09:00 is live until 09:45.
    { slot: hours(2.75), gate: 'resonance', layers: { human_energy: 0.5 } },
    { slot: hours(2.25), gate: 'resonance', layers: { human_energy: 0.5 } },
    {
      slot: hours(2),
      gate: 'moment_silence',
      moment: { fragility: 0.75, should_stay_silent: true, silence_reasons: ['the moment is fragile'] },
    },
    { slot: hours(1), gate: 'why_low_effort', moment: { movement_friction: 0.375 } },
    // The outlet was not counted then.
    { slot: hours(0.5), gate: null },
    { slot: NOON, gate: null },
    // At 04:00 it is closed, and opens at 07:30.
    { slot: hours(8), gate: null },
  ];
  const store = storeFor(makePlace, async (store) => {
    await writeDecisions(store, made);
    const counted = made.filter(({ slot }) => slot !== hours(0.5));
    await store.transaction((tx) =>
      writeOutletActivity(
        tx,
        counted.map(({ slot }) => ({ slot, outlet_id: id, activity: 0.25 })),
      ),
    );
  });
  // Backtests end with yesterday.
  const TOMORROW = NOON + DAY - 6 * HOUR;
  const simulate = (more = {}, now = TOMORROW) =>
    askOperation(simulateOutletAutopilot, store(), now, { outlet_id: id, ...more });

  test('the whole answer', async () => {
    const { structured, text } = await simulate({ days_back: 1 });
    assertBacktest(structured);
    const { methodology, ...rest } = structured;
    const line = 'tiong bahru is quiet and at work; much calmer than a usual wednesday';
    assert.deepEqual(rest, {
      pocket_id: 'tiongbahru',
      days_back: 1,
      window: { from: '2026-11-10T16:00:00.000Z', to: '2026-11-11T16:00:00.000Z' },
      // The store begins two days before, the window a day before, and the outlet was open from 09:00 on.
      history_from: '2026-11-09T04:00:00.000Z',
      replayed_from: '2026-11-11T01:00:00.000Z',
      decisions_replayed: 5,
      surfaced_count: 2,
      withheld_count: 3,
      already_speaking_count: 1,
      quiet_hours_count: 0,
      // 34 seats, three quarters of them free, twice: 51 × 0.05 × 13.50 × 0.66
      economic_range_sgd: { low: 9.09, midpoint: 22.72, high: 36.35 },
      economic_range: { low: 9.09, midpoint: 22.72, high: 36.35 },
      currency: 'SGD',
      top_silence_reasons: [
        { gate: 'moment_silence', reason: 'fragile', reason_text: 'the moment is fragile', count: 1 },
        {
          gate: 'resonance',
          reason: 'resonance_human_energy',
          reason_text: 'not enough reasons to speak, mainly because of a strained or empty street',
          count: 1,
        },
        {
          gate: 'why_low_effort',
          reason: 'why_low_effort',
          reason_text: 'getting there would take too much effort',
          count: 1,
        },
      ],
      // The first line still takes up 0.075 three hours on, and 0.043 of the rest.
      sample_emissions: [
        { at: '2026-11-11T04:00:00.000Z', text: `${line} midday; until about one.`, legitimacy_score: 85.4 },
        { at: '2026-11-11T01:00:00.000Z', text: `${line} morning; until about ten.`, legitimacy_score: 88.7 },
      ],
    });
    assert.deepEqual([methodology.simulation, methodology.customers_notified], [true, 0]);
    assert.match(text, /^over the last day, an autopilot would/);
    const month = await simulate();
    const since = /^over the last 30 days, of which history is stored from 2026-11-09T04:00:00\.000Z on, an/;
    assert.match(month.text, since);
    assert.match(text, /would have surfaced 2 and withheld 3 of 5 decisions\./);
    assert.match(text, /economic range 9\.09 to 36\.35 SGD, midpoint 22\.72\./);
    assert.match(text, /this is a simulation over stored history: nobody was notified/);
  });

  test('days_back is clamped to its range, never refused', async () => {
    for (const [days_back, days] of [
      [-5, 1],
      [0, 1],
      [1.00001, 1.00001],
      [2.75, 2.75],
      [90, 90],
      [1e300, 90],
    ] as const) {
      const { structured } = await simulate({ days_back });
      assertBacktest(structured);
      assert.equal(structured.days_back, days);
      assert.equal(structured.window.from, iso(NOON + 12 * HOUR - Math.round(days * DAY)));
      assert.equal(structured.surfaced_count, days > 2 ? 3 : 2);
    }
    const { structured } = await simulate();
    assertBacktest(structured);
    assert.equal(structured.days_back, 30);
    await assert.rejects(simulate({ days_back: 'many' }), { message: 'days_back must be a number' });
  });

  test('nothing of today is told: a count of now changes no figure', async () => {
    const { structured, text } = await simulate({ days_back: 2 }, NOON);
    const earlier = await simulate({ days_back: 2 }, NOON - 4 * HOUR);
    assert.deepEqual([structured, text], [earlier.structured, earlier.text]);
  });

  test('without stored history the text says so', async () => {
    const { structured, text } = await simulate({}, NOON + 60 * DAY);
    assertBacktest(structured);
    assert.equal(structured.history_from, '2026-11-09T04:00:00.000Z');
    assert.equal(structured.replayed_from, null);
    assert.equal(structured.decisions_replayed, 0);
    assert.deepEqual(structured.economic_range_sgd, { low: 0, midpoint: 0, high: 0 });
    assert.match(
      text,
      /^nothing about the outlet is stored for the last 30 days, so there is nothing to replay\. this is a simulation/,
    );
  });

  test('an outlet that is unknown or inactive', async () => {
    for (const outlet_id of [inactive, 'none']) {
      const { structured, text } = await simulate({ outlet_id });
      assert.deepEqual(structured, { outlet_id, available: false });
      assert.equal(text, 'outlet not found or inactive.');
    }
  });
});

describeStores('simulate_outlet_autopilot over 90 days', (makePlace) => {
  const slots = Array.from({ length: 8640 }, (_, at) => NOON - at * SLOT);
  const open = slots.filter((slot) => cafe && isOpen(cafe, slot, singapore));
  const store = storeFor(makePlace, (store) =>
    store.transaction(async (tx) => {
      const all = slots.map((slot): DecisionFixture => ({ slot, gate: null }));
      await writeReadings(tx, all.map(reading));
      await writeMoments(tx, all.map(decidedMoment));
      await writeOutletActivity(
        tx,
        slots.map((slot) => ({ slot, outlet_id: id, activity: open.includes(slot) ? 0.25 : 0 })),
      );
    }),
  );

  // The 90 days that end with the first day of the slots' last one.
  const replayed = open.filter((slot) => slot > NOON + 12 * HOUR - 90 * DAY);

  test('other work runs while it replays', async () => {
    const given = { outlet_id: id, days_back: 90 };
    const ask = () => askOperation(simulateOutletAutopilot, store(), NOON + DAY, given);
    const { structured } = await ask();
    assertBacktest(structured);
    let turns = 0;
    const ticking = setInterval(() => turns++, 1);
    await ask();
    clearInterval(ticking);
    assert.equal(structured.quiet_hours_count, 0);
    assert.equal(structured.decisions_replayed + structured.already_speaking_count, replayed.length);
    assert.ok(structured.surfaced_count >= 90);
    assert.ok(turns >= 5, `${turns} turns`);
  });
});

describe('simulate_outlet_autopilot over a simulated day', async () => {
  const { url, store } = await startService({ after: after as TestContext['after'] });

  test('with the same inputs the replay decides as the service did', async () => {
    let decisions = 0;
    let pauses = 0;
    for (const { pocket_id, id } of outlets) {
      const stored = await store.all<{ slot: number; spare_capacity: number | null; reason: string | null }>(
        `select m.slot, m.spare_capacity, s.reason from moments m
         left join silences s on s.slot = m.slot and s.pocket_id = m.pocket_id where m.pocket_id = ?
         and not exists (select 1 from pauses p where p.slot = m.slot and p.pocket_id = m.pocket_id)`,
        pocket_id,
      );
      const known = new Map(stored.map((row) => [row.slot, row]));
      const name = city.pockets.find((pocket) => pocket.id === pocket_id)?.name ?? '';
      for (const past of await outletMoments(store, { id, pocket_id }, 0, NOON)) {
        const was = known.get(past.reading.slot);
        if (!was) {
          pauses++;
          continue;
        }
        const again = decideAgain(
          name,
          past,
          {
            spare_capacity: was.spare_capacity,
            tier: 'atmosphere',
            spoken: [],
          },
          singapore,
        );
        assert.equal(again.reason, was.reason, `${pocket_id} ${iso(past.reading.slot)}`);
        decisions++;
      }
    }
    assert.ok(decisions > 1000 && pauses > 0, `${decisions}, ${pauses}`);
  });

  test('every outlet: counts add up, the range is ordered, lines pass the voice check, no outlet is named', async () => {
    for (const { id } of outlets) {
      const { structuredContent, content } = await callTool(url, 'simulate_outlet_autopilot', {
        outlet_id: id,
      });
      const answer = structuredContent as unknown as Answer;
      assertBacktest(answer);
      assert.equal(answer.surfaced_count + answer.withheld_count, answer.decisions_replayed);
      const { low, midpoint, high } = answer.economic_range;
      assert.deepEqual(answer.economic_range_sgd, answer.economic_range);
      assert.ok(low <= midpoint && midpoint <= high);
      assert.equal(high > 0, answer.surfaced_count > 0);
      const reasons = answer.top_silence_reasons.map(({ count }) => count);
      assert.deepEqual(
        reasons,
        [...reasons].sort((a, b) => b - a),
      );
      for (const { text } of answer.sample_emissions) assert.deepEqual(voiceFaults(text, 'emit'), [], text);
      const strings = Object.values(answer.methodology).filter((value) => typeof value === 'string');
      for (const line of strings) assert.deepEqual(voiceFaults(line), [], line);
      const said = JSON.stringify(structuredContent) + content[0]?.text;
      for (const { name, id } of city.outlets)
        assert.ok(!said.toLowerCase().includes(name.toLowerCase()) && !said.includes(id));
    }
  });

  test('the REST address gives the same answer, clamps the same way, and answers 404 for an unknown outlet', async () => {
    const address = `${url}/api/outlet-autopilot`;
    const { _meta, ...body } = (await get(`${address}?outlet=${id}&days_back=900`)).json();
    const { structuredContent } = await callTool(url, 'simulate_outlet_autopilot', {
      outlet_id: id,
      days_back: 90,
    });
    assert.deepEqual(body, structuredContent);
    const errors: [query: string, status: number, error: string][] = [
      ['', 400, 'outlet is required'],
      [`?outlet=${id}&days_back=many`, 400, 'days_back must be a number'],
      ['?outlet=none', 404, 'unknown outlet: none'],
      [`?outlet=${inactive}`, 404, `unknown outlet: ${inactive}`],
    ];
    for (const [query, status, error] of errors) {
      const reply = await get(address + query);
      assert.deepEqual([reply.status, reply.json().error], [status, error]);
    }
  });

  test('it shares the limit of POST /api/mcp', async (t) => {
    const { url } = await startService(t, { days: 0, mcpLimit: 1 });
    const address = `${url}/api/outlet-autopilot?outlet=${id}`;
    assert.deepEqual([(await get(address)).status, (await get(address)).status], [200, 429]);
  });
});
