import assert from 'node:assert/strict';
import { after, describe, type TestContext, test } from 'node:test';
import { askOperation, city } from '../../../test/support/answers/ask-operation.ts';
import { writeDecisions } from '../../../test/support/rows/decisions.ts';
import { callTool, NOON, startService } from '../../../test/support/services/service.ts';
import { describeStores } from '../../../test/support/stores/store-places.ts';
import { storeFor } from '../../../test/support/stores/suite-store.ts';
import { intentAlignment } from '../../domain/intent/intent-fit.ts';
import { voiceFaults } from '../../domain/text/voice.ts';
import { HOUR, SLOT } from '../../domain/time/slot.ts';
import { getIntentSubstrate } from './get-intent-substrate.ts';

const noon = NOON;

describeStores('get_intent_substrate', (makePlace, engine) => {
  const store = storeFor(makePlace, (store) =>
    writeDecisions(store, [
      { slot: noon, gate: 'why_now' },
      { pocket: 'dempsey', slot: noon, gate: 'why_now', values: { rain_mm: 3 } },
    ]),
  );
  const read = (more = {}, now = noon) =>
    askOperation(getIntentSubstrate, store(), now, {
      pocket_id: 'tiongbahru',
      slug: 'quiet-now',
      ...more,
    });

  /** The answer for a pocket and an intent that exist. */
  const readKnown = async (more = {}, now = noon) => {
    const { structured, text } = await read(more, now);
    assert.ok('reasoning' in structured);
    return { structured, text };
  };

  test('the whole answer', async () => {
    const { structured, text } = await read();
    // Calm 0.75 × 1, stress 0.25 shunned 0.8, social energy 0.125 shunned 0.5, productive 0.5 × 0.1: 1.8375 ÷ 2.4
    assert.deepEqual(structured, {
      pocket_id: 'tiongbahru',
      slug: 'quiet-now',
      intent_description: 'a pocket that is calm at this moment, whatever the reason for being there.',
      outlet_count: 6,
      // The bar opens in the evening.
      open_now_count: 5,
      match_ratio: 0.433,
      matched_outlets: [
        { id: '1', name: 'bookshops', alignment: 0.9, reasons: ['bookshops serve it well'] },
        { id: '2', name: 'cafes', alignment: 0.7, reasons: ['cafes serve it fairly'] },
        { id: '3', name: 'bakeries', alignment: 0.6, reasons: ['bakeries serve it fairly'] },
        { id: '4', name: 'dessert shops', alignment: 0.4, reasons: ['dessert shops serve it in part'] },
      ],
      confidence: 'high',
      current_moment_alignment: 0.766,
      narrative_line: "tiong bahru suits 'quiet now'; calm is likely until about one.",
      reasoning: [
        '12:00 lies within its hours',
        'the atmosphere meets what it wants, calm most of all',
        'of 6 active outlets, each counted as far as its kind serves it and 0 while closed, 43\u00a0% match',
      ],
    });
    assert.equal(
      text,
      [
        "tiong bahru suits 'quiet now'; calm is likely until about one.",
        'the intent: a pocket that is calm at this moment, whatever the reason for being there.',
        'match ratio 0.433 over 6 active outlets, 5 open now; open kinds that serve it: bookshops (0.9), cafes (0.7), bakeries (0.6), dessert shops (0.4).',
        'alignment with the current moment: 0.766; confidence high.',
        'the atmosphere meets what it wants, calm most of all',
      ]
        .join(' ')
        .replace('the atmosphere', '12:00 lies within its hours; the atmosphere')
        .concat(
          '; of 6 active outlets, each counted as far as its kind serves it and 0 while closed, 43\u00a0% match.',
        ),
    );
  });

  // What is said of the rows is decided above the store; the other tests read them on both engines.
  if (engine === 'sqlite')
    test('every pocket and intent answers, and no outlet can be identified', async () => {
      let matched = 0;
      for (const { id: pocket_id } of city.pockets) {
        const active = city.outlets.filter((outlet) => outlet.active && outlet.pocket_id === pocket_id);
        for (const { slug, description } of city.intents) {
          const { structured, text } = await readKnown({ pocket_id, slug });
          assert.deepEqual([structured.slug, structured.intent_description], [slug, description]);
          assert.equal(structured.outlet_count, active.length);
          assert.equal(structured.match_ratio === null, active.length < 5);
          if (active.length < 5) assert.deepEqual(structured.matched_outlets, []);
          else matched++;
          for (const row of structured.matched_outlets)
            assert.deepEqual(Object.keys(row), ['id', 'name', 'alignment', 'reasons']);
          assert.deepEqual(voiceFaults(structured.narrative_line, 'emit'), []);
          const all = JSON.stringify(structured) + text;
          for (const { name, id } of city.outlets)
            assert.ok(!all.toLowerCase().includes(name.toLowerCase()) && !all.includes(id));
        }
      }
      assert.equal(matched, 5 * 29);
    });

  test('alignment is that of the reading, its rain and its hour', async () => {
    const shelter = city.intents.find(({ slug }) => slug === 'rain-shelter');
    assert.ok(shelter);
    const qualities = { calm: 0.75, stress: 0.25, social_energy: 0.125, productive: 0.5 };
    const { structured } = await readKnown({ pocket_id: 'dempsey', slug: 'rain-shelter' });
    const dempsey = { covered: 0.3, open_kinds: null, calm_probability: 0.75 };
    const rain = 1 - Math.exp(-3 / 1.5);
    const expected = intentAlignment(shelter, { ...dempsey, atmosphere: qualities, rain, hour: 12 });
    assert.ok(Math.abs((structured.current_moment_alignment ?? 0) - expected) < 0.0005);
    assert.ok(structured.reasoning.includes('heavy rain, where it is meant for rain'));
  });

  test('with fewer than five outlets the text gives their number and nothing else of them', async () => {
    const { text, structured } = await readKnown({ pocket_id: 'dempsey' });
    assert.deepEqual([structured.outlet_count, structured.confidence], [2, 'low']);
    assert.match(text, /active outlets: 2; with fewer than five, nothing else is said about them\./);
  });

  test('without a current moment the alignment is null', async () => {
    for (const [now, ratio] of [
      // The dessert shop (0.4) opens at noon.
      [noon - 1, 0.367],
      [noon + 2 * SLOT, 0.433],
    ] as const) {
      const { structured, text } = await readKnown({}, now);
      assert.equal(structured.current_moment_alignment, null);
      assert.equal(structured.match_ratio, ratio);
      assert.match(text, /alignment with the current moment: not known; confidence low\./);
    }
  });

  test('at night no kind is listed, since none is open', async () => {
    const { structured, text } = await readKnown({}, noon - 8 * HOUR);
    assert.deepEqual(
      [
        structured.outlet_count,
        structured.open_now_count,
        structured.match_ratio,
        structured.matched_outlets,
      ],
      [6, null, 0, []],
    );
    assert.match(
      text,
      /over 6 active outlets, fewer than five open now; no kind that serves it is open now\./,
    );
  });

  test('an unknown slug', async () => {
    const { structured, text } = await read({ slug: 'Loud-Now' });
    assert.deepEqual(structured, {
      pocket_id: 'tiongbahru',
      slug: 'Loud-Now',
      available: false,
      known_slugs: city.intents.map(({ slug }) => slug),
    });
    assert.match(text, /^unknown intent slug: Loud-Now\nthere are: quiet-now, /);
  });

  test('an unknown pocket', async () => {
    const { structured, text } = await read({ pocket_id: 'atlantis' });
    assert.deepEqual(structured, {
      pocket_id: 'atlantis',
      slug: 'quiet-now',
      available: false,
      matched_outlets: [],
    });
    assert.equal(text, 'no intent substrate for atlantis');
  });

  const refusals: [given: object, message: string][] = [
    [{ slug: '' }, 'slug is required'],
    [{ pocket_id: '' }, 'pocket_id is required'],
    [{ slug: 'x'.repeat(65) }, 'slug too long (max 64 chars)'],
    [{ slug: 7 }, 'slug must be a string'],
    [{ mood: 'calm' }, 'unknown argument: mood (known: pocket_id, slug)'],
  ];
  for (const [given, message] of refusals) {
    test(`${JSON.stringify(given).slice(0, 40)} → ${message}`, () =>
      assert.rejects(read(given), { message }));
  }
});

describe('get_intent_substrate over MCP', async () => {
  const { url } = await startService({ after: after as TestContext['after'] });

  test('an unknown slug is content, not an error, and hidden characters in it are dropped', async () => {
    const { content, isError, structuredContent } = await callTool(url, 'get_intent_substrate', {
      pocket_id: 'tiongbahru',
      slug: 'quiet\u202enow',
    });
    assert.match(content[0]?.text ?? '', /^unknown intent slug: quietnow\nthere are: quiet-now, /);
    assert.equal(isError, undefined);
    assert.equal(structuredContent?.available, false);
  });

  test('it answers from the simulated city', async () => {
    const { structuredContent, content } = await callTool(url, 'get_intent_substrate', {
      pocket_id: 'holland',
      slug: 'calm-work',
    });
    assert.equal(structuredContent?.outlet_count, 5);
    assert.match(content[0]?.text ?? '', /^holland village .*'calm work'/);
  });
});
