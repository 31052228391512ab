import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import Type from 'typebox';
import { buildLookup } from '../../domain/city/lookup.ts';
import { singapore } from '../../domain/time/zones.fixture.ts';
import { operations } from '../../operations/all.ts';
import { defineOperation, type Operation, Refused } from '../../operations/core/define.ts';
import { cityDir } from '../../registry/city-dir.ts';
import { loadRegistry } from '../../registry/load.ts';
import { noStore } from '../../store/engine/open.ts';
import { fromLatin1Body, rawBytes } from '../cache/latin1-body.ts';
import { toHttpError } from '../core/errors.ts';
import { uncounted } from '../heavy/cost.ts';
import type { HeavyAnswers, HeavyJob } from '../heavy/jobs.ts';
import { createHeavyQueue } from '../heavy/queue.ts';
import { createOperationRunner } from './operation-runner.ts';

const registry = loadRegistry(cityDir('singapore'));
const noon = Date.parse('2026-11-11T04:00:00Z');

/** An operation whose text is `line`; it counts how often it is run. */
function sayOperation(line: string, effect?: 'append') {
  const runs = { count: 0 };
  const operation = defineOperation({
    name: 'say',
    title: 'Say',
    description: 'Says a line.',
    toolsets: ['reader'],
    input: {
      word: Type.String({ minLength: 1, maxLength: 2000, default: 'rain' }),
      pocket_id: Type.Optional(Type.String()),
      pocket_id_b: Type.Optional(Type.String()),
    },
    output: Type.Object({ word: Type.String() }),
    ...(effect && { effect }),
    load: () => {
      runs.count += 1;
    },
    shape: (_nothing, { word }) => ({ word }),
    speak: (_shape, { word }) => line.replaceAll('<word>', word),
    rest: { path: '/api/say', names: { pocket_id: 'pocket', pocket_id_b: 'other' } },
  });
  return { operation, runs };
}

const client = uncounted('192.0.2.1');
const noHeavyAnswers: HeavyAnswers = {
  answer: () => assert.fail(),
  table: () => assert.fail(),
  stop: async () => undefined,
};

function createRunner(served: readonly Operation[] = operations, answers = noHeavyAnswers) {
  const state = { version: '1', submissions: 0, refreshed: 0 };
  const withheld: [string, string[], string][] = [];
  const runner = createOperationRunner(
    {
      baseUrl: 'https://pocketwatch.test/city',
      registry,
      zone: singapore,
      lookup: buildLookup(registry.pockets),
      store: {
        ...noStore(),
        all: async () => [],
        get: async () => undefined,
      },
      substrate: 'simulated',
      operations: served,
      dataVersion: {
        version: () => state.version,
        logVersion: () => `${state.version}/${state.submissions}`,
        maxAge: () => 5,
        newestReading: () => null,
        unreachableSince: () => null,
        upgrade: () => undefined,
        history: () => assert.fail(),
        subscribe: () => () => undefined,
        refresh: async () => {
          state.refreshed += 1;
        },
        invalidate: async () => {
          state.version += '-partial';
        },
        stop: () => undefined,
      },
      now: () => noon,
      storeNow: async () => noon,
      ledgerKey: '',
      build: { version: 'test', deployed_at: '' },
    },
    {
      queue: createHeavyQueue({
        running: 1,
        rest: 0,
        bytesPerSecond: Infinity,
        waiting: 0,
        waitingPerClient: 0,
      }),
      answers,
    },
    (name, faults, line) => withheld.push([name, faults, line]),
  );
  const tool = async (name: string, given: Record<string, unknown> = {}) =>
    JSON.parse(
      fromLatin1Body(
        await runner.tool(name, given, client, () => ({ address: '', charge: () => assert.fail() })),
      ),
    );
  const text = async (name: string, given?: Record<string, unknown>) =>
    (await tool(name, given)).content[0].text as string;
  return { state, withheld, runner, tool, text };
}

describe('the envelope', () => {
  test('of an answer', async () => {
    const { tool } = createRunner();
    const { _meta, content, structuredContent, ...rest } = await tool('list_pockets');
    assert.deepEqual(rest, {});
    assert.equal(structuredContent.pockets.length, 18);
    assert.deepEqual([content.length, content[0].type], [1, 'text']);
    const [first, second] = content[0].text.split('\n');
    assert.equal(first, `observed pockets: ${structuredContent.pockets.join(', ')}`);
    assert.equal(second, 'buona vista (buonavista): no current reading');
    assert.deepEqual(_meta, {
      source: 'pocketwatch.test',
      source_url: 'https://pocketwatch.test/city',
      license: 'CC BY-NC-ND 4.0',
      license_url: 'https://pocketwatch.test/city/LICENSE-CONTENT.md',
      attribution_required: true,
      tool: 'list_pockets',
      computed_at: '2026-11-11T04:00:00.000Z',
      substrate: 'simulated',
    });
  });

  test('of a failure', async () => {
    const { tool } = createRunner();
    assert.deepEqual(await tool('get_pocket_atmosphere'), {
      content: [{ type: 'text', text: 'error: pocket_id is required' }],
      isError: true,
      _meta: {
        source: 'pocketwatch.test',
        tool: 'get_pocket_atmosphere',
        computed_at: '2026-11-11T04:00:00.000Z',
      },
    });
  });

  test('of an unknown tool, whatever its name', async () => {
    const { tool, text } = createRunner();
    for (const name of ['nope', '__proto__', 'constructor', 'List_pockets']) {
      assert.equal(await text(name), `error: unknown tool: ${name}`);
    }
    const { content, _meta } = await tool(`${'x'.repeat(100_000)}\n`);
    assert.equal(content[0].text, `error: unknown tool: ${'x'.repeat(79)}…`);
    assert.equal(_meta.tool, `${'x'.repeat(79)}…`);
  });
});

describe('the voice', () => {
  for (const line of ['Hello', 'such rain!', 'visit us for rain', 'so\u200bft', ' ']) {
    test(`${JSON.stringify(line)} is withheld and reported`, async () => {
      const { text, withheld } = createRunner([sayOperation(line).operation]);
      assert.equal(await text('say'), 'a line was withheld here: it broke the rules of the voice.');
      assert.equal(withheld.length, 1);
      assert.equal(withheld[0]?.[0], 'say');
    });
  }

  test('the report of a withheld line holds no word of the caller', async () => {
    const { operation } = sayOperation('it was <word> here!');
    const { text, withheld } = createRunner([operation]);
    await text('say', { word: 'someone at home' });
    assert.deepEqual(withheld, [['say', ['exclaims'], 'it was  here!']]);
    const uncached = createRunner([{ ...operation, cache: false }]);
    await uncached.text('say');
    assert.deepEqual(uncached.withheld, [['say', ['exclaims'], '']]);
  });

  test('words of the caller are not held to the rules of the voice', async () => {
    const { text, withheld } = createRunner([sayOperation('it was <word> here').operation]);
    for (const word of ['X', 'BUY NOW!', '!', 'İ', 'you']) {
      assert.equal(await text('say', { word }), `it was ${word} here`);
    }
    assert.deepEqual(withheld, []);
  });

  test('an unknown pocket is named in the words of the caller', async () => {
    const { text, withheld } = createRunner();
    for (const [pocket_id, shown] of [
      ['X', 'X'],
      ['Tiong Bahru!', 'Tiong Bahru!'],
      ['A\u202eB', 'AB'],
      ["D'ART", "D'ART"],
    ]) {
      assert.match(await text('get_pocket_atmosphere', { pocket_id }), new RegExp(`^${shown} has no recent`));
    }
    assert.deepEqual(withheld, []);
  });
});

describe('caching', () => {
  test('a read is run once for each data version and checked input', async () => {
    const { operation, runs } = sayOperation('soft rain');
    const { state, tool } = createRunner([operation]);
    await tool('say');
    await tool('say', { word: 'rain' });
    assert.equal(runs.count, 1, 'leaving out a default is the same input');
    await tool('say', { word: 'sun' });
    assert.equal(runs.count, 2);
    state.version = '2';
    await tool('say');
    assert.equal(runs.count, 3);
  });

  test('an answer that lacks data is not cached', async () => {
    const { operation, runs } = sayOperation('soft rain');
    const state = { down: true };
    const { tool } = createRunner([
      {
        ...operation,
        answer: async (input, context) => {
          if (state.down) context.onPartial?.();
          return operation.answer(input as { word: string }, context);
        },
      },
    ]);
    await tool('say');
    await tool('say');
    state.down = false;
    await tool('say');
    await tool('say');
    assert.equal(runs.count, 3);
  });

  test('after a submission only an operation that reads the log is run again', async () => {
    const [plain, ofLog] = [sayOperation('soft rain'), sayOperation('soft rain')];
    const { state, tool } = createRunner([
      plain.operation,
      { ...ofLog.operation, name: 'say_log', readsLog: true },
    ]);
    for (const submissions of [0, 0, 1, 1]) {
      state.submissions = submissions;
      for (const name of ['say', 'say_log']) await tool(name);
    }
    assert.deepEqual([plain.runs.count, ofLog.runs.count], [1, 2]);
  });

  test('a tool result and a REST body are cached separately', async () => {
    const { operation } = sayOperation('soft rain');
    const { runner, tool } = createRunner([operation]);
    assert.ok((await tool('say')).content);
    const body = JSON.parse(rawBytes(await runner.rest(operation, {}, client)).toString());
    assert.deepEqual(Object.keys(body), ['word', '_meta']);
  });

  test('an operation whose input may describe a person runs each time and is never cached', async () => {
    const { operation, runs } = sayOperation('soft rain');
    const { tool, runner } = createRunner([{ ...operation, cache: false }]);
    await Promise.all([tool('say'), tool('say')]);
    await tool('say');
    await runner.rest({ ...operation, cache: false }, {}, client);
    assert.equal(runs.count, 4);
  });

  test('an append runs each time, and the data version is refreshed at once', async () => {
    const { operation, runs } = sayOperation('soft rain', 'append');
    const { state, tool } = createRunner([operation]);
    await tool('say');
    await tool('say');
    assert.deepEqual([runs.count, state.refreshed], [2, 2]);
  });
});

describe('heavy questions', () => {
  const heavy = (rows: number): Operation => ({ ...sayOperation('soft rain').operation, rows: () => rows });
  /** Heavy answers that come when the test says so. */
  function heldAnswers() {
    const jobs: HeavyJob[] = [];
    const held = Promise.withResolvers<void>();
    const answer = async (job: HeavyJob) => {
      jobs.push(job);
      await held.promise;
      return { bytes: Buffer.from('{"soft":"雨"}'), etag: '"x"', partial: false };
    };
    return { jobs, release: held.resolve, answers: { ...noHeavyAnswers, answer } };
  }

  test('are computed elsewhere, once for all who ask the same, and then cached', async () => {
    const { jobs, release, answers } = heldAnswers();
    const operation = heavy(51);
    const { runner } = createRunner([operation], answers);
    const asked = [runner.rest(operation, {}, client), runner.rest(operation, { word: '' }, client)];
    release();
    for (const body of [...(await Promise.all(asked)), await runner.rest(operation, {}, client)])
      assert.equal(rawBytes(body).toString(), '{"soft":"雨"}');
    assert.deepEqual(jobs, [{ kind: 'rest', name: 'say', input: { word: 'rain' }, now: noon, notice: null }]);
    await createRunner([heavy(50)]).tool('say');
  });

  test('past the queue are a 503 that says when to come back and what to narrow', async () => {
    const { release, answers } = heldAnswers();
    const operation = { ...heavy(51), input: Type.Object({ word: Type.String(), limit: Type.Number() }) };
    const { runner, text } = createRunner([operation], answers);
    const first = runner.rest(operation, { word: 'one', limit: '9' }, client);
    const refused = runner.rest(operation, { word: 'two', limit: '9' }, client) as Promise<unknown>;
    await assert.rejects(refused, (error) => {
      const { status, details, retryAfter } = toHttpError(error);
      assert.deepEqual(details, {
        hint: 'a smaller limit is answered sooner',
        retry_in_seconds: retryAfter,
      });
      return status === 503;
    });
    assert.match(await text('say', { word: 'three', limit: 9 }), /^error: too many heavy requests at once/);
    release();
    await first;
    await runner.rest(operation, { word: 'two', limit: '9' }, client);
  });

  test('are counted by rows before they are answered, and by bytes afterwards; cached ones are free', async () => {
    const { release, answers } = heldAnswers();
    release();
    const operation = heavy(500);
    const { runner } = createRunner([operation], answers);
    const counted: [string, number][] = [];
    const payer = {
      key: 'a',
      take: (units: number) => void counted.push(['take', units]),
      charge: (units: number) => void counted.push(['charge', units]),
    };
    await runner.rest(operation, {}, payer);
    await runner.rest(operation, {}, payer);
    assert.deepEqual(counted, [
      ['take', 5],
      ['charge', Buffer.byteLength('{"soft":"雨"}') / 65_536],
    ]);
    const broke = { ...payer, take: () => assert.fail(new Refused('too much')) };
    const refused = runner.rest(operation, { word: 'other' }, broke) as Promise<unknown>;
    await assert.rejects(refused, /too much/);
  });
});

describe('over REST', () => {
  const askOutcome = async (query: Record<string, unknown>) => {
    const { operation } = sayOperation('soft rain');
    const { runner } = createRunner([operation]);
    try {
      await runner.rest(operation, query, client);
    } catch (error) {
      const { status, message } = toHttpError(error);
      return `${status} ${message}`;
    }
    return 'served';
  };
  const table: [query: Record<string, unknown>, outcome: string][] = [
    [{}, 'served'],
    [{ word: '' }, 'served'],
    [{ unknown: '1', constructor: 'x' }, 'served'],
    [{ pocket: 'tiongbahru' }, 'served'],
    [{ pocket: 'atlantis' }, '404 unknown pocket: atlantis'],
    [{ pocket: '__proto__' }, '404 unknown pocket: __proto__'],
    [{ pocket: '\u202eX' }, '404 unknown pocket: X'],
    [{ pocket: ['siglap', 'holland'] }, '400 pocket must be a string'],
    [{ pocket_id: 'atlantis' }, '404 unknown pocket: atlantis'],
    [{ pocket: 'siglap', pocket_id: 'siglap' }, 'served'],
    [
      { pocket: 'siglap', pocket_id: 'holland' },
      '400 pocket and pocket_id mean the same: give one, or the same in both',
    ],
    [{ other: 'siglap' }, 'served'],
    [{ other: 'atlantis' }, '404 unknown pocket: atlantis'],
    [{ word: ['a', 'b'] }, '400 word must be a string'],
  ];
  for (const [query, outcome] of table) {
    test(`${JSON.stringify(query)} → ${outcome}`, async () => assert.equal(await askOutcome(query), outcome));
  }
});
