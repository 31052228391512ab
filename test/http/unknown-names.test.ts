// Not found is not thin: every tool says when it was asked about something that does not exist.
import assert from 'node:assert/strict';
import { after, describe, type TestContext, test } from 'node:test';
import { voiceFaults } from '../../src/domain/text/voice.ts';
import { callableTools, type Operation } from '../../src/operations/core/define.ts';
import { argumentsFor } from '../support/answers/operation-answers.ts';
import { writeReports } from '../support/rows/reports.ts';
import { ask } from '../support/services/http-client.ts';
import { callTool, startService } from '../support/services/service.ts';

const { url, service, store } = await startService({ after: after as TestContext['after'] });
await writeReports(store);

const tools = callableTools(service.operations);
const has = (name: string) => tools.filter(({ input }) => Object.hasOwn(input.properties, name));
/** What a tool needs, with one argument replaced. */
const given = (operation: Operation, name: string, value: string) => {
  const all = argumentsFor(operation, service);
  const required = (operation.input.required ?? []).filter((key) => all[key] !== undefined);
  return { ...Object.fromEntries(required.map((key) => [key, all[key]])), [name]: value };
};
/** Not-found replies whose beginning the interface fixes; which names are similar comes after it. */
const fixedTexts: Record<string, (name: string) => string> = {
  get_pocket_moment: (name) => `no moment composable for ${name} — substrate may be thin.`,
  get_observed_outlet: () => 'outlet not found or inactive.',
  get_pocket_sustainability: (name) => `no sustainability data for ${name} over the last 30d.`,
  get_pocket_moment_quality: (name) => `no MQS data for ${name} yet — substrate may be thin.`,
  get_pocket_silence: (name) => `no silence data for ${name}`,
};

const outlet = service.registry.outlets.find(({ active }) => active)?.id ?? '';
const table: [argument: string, flag: string, value: string, similar: string[]][] = [
  ['pocket_id', 'unknown_pocket', 'JOOCHIAT', ['joochiat']],
  ['pocket_id', 'unknown_pocket', 'tiong bahru', ['tiongbahru']],
  ['pocket_id', 'unknown_pocket', 'Johor Bahru', []],
  ['pocket_id_a', 'unknown_pocket', 'Siglap', ['siglap']],
  ['outlet_id', 'unknown_outlet', outlet.toUpperCase(), [outlet]],
  ['outlet_id', 'unknown_outlet', 'none', []],
  ['generator', 'unknown_generator', 'Rain comfort', ['rain_comfort_60m']],
];
for (const [argument, flag, value, similar] of table) {
  describe(`${argument} ${value}`, () => {
    const asked = has(argument);
    assert.ok(asked.length);
    for (const operation of asked) {
      test(operation.name, async () => {
        const result = await callTool(url, operation.name, given(operation, argument, value));
        assert.equal(result.isError, undefined);
        const { structuredContent, content } = result;
        assert.equal(structuredContent?.[flag], true);
        assert.deepEqual(structuredContent.did_you_mean, similar);
        const text = content[0]?.text ?? '';
        const fixed = fixedTexts[operation.name]?.(value);
        if (fixed !== undefined) assert.equal(text.split('\n')[0], fixed);
        assert.ok(text.includes(`'${value}'`), text);
        for (const name of similar) assert.ok(text.includes(name), text);
        assert.deepEqual(voiceFaults(text.replaceAll(value, '')), []);
      });
    }
  });
}

test('a month or week without a report says so, and names the latest that have one', async () => {
  const periods: [tool: string, argument: string, value: string, flag: string][] = [
    ['get_state_of_pocket', 'month_iso', '2020-01', 'unknown_month'],
    ['get_state_of_restraint', 'month_iso', '2020-01', 'unknown_month'],
    ['get_weekly_report', 'week_iso', '2020-W10', 'unknown_week'],
  ];
  for (const [tool, argument, value, flag] of periods) {
    const pocket = tool === 'get_state_of_restraint' ? {} : { pocket_id: 'tiongbahru' };
    const { structuredContent, content } = await callTool(url, tool, { ...pocket, [argument]: value });
    assert.equal(structuredContent?.[flag], true, tool);
    const [latest] = structuredContent.did_you_mean as string[];
    assert.ok(latest && content[0]?.text.includes(latest), content[0]?.text);
    const found = await callTool(url, tool, { ...pocket, [argument]: latest });
    assert.equal(found.structuredContent?.[flag], undefined);
    assert.equal(found.structuredContent?.did_you_mean, undefined);
  }
});

describe('a week or month in the future is an error', () => {
  const next = { month: '2026-12', week: '2026-W47' };
  const later = (name: string) =>
    name.startsWith('week') ? [next.week, '2027-W01'] : [next.month, '9999-01'];
  const present = (name: string) => (name.startsWith('week') ? '2026-W46' : '2026-11');
  const takesPeriod = service.operations.flatMap((operation) =>
    Object.entries(operation.input.properties)
      .filter(([name]) => /^(week|month)(_iso)?$/.test(name))
      .map(([name]) => ({ operation, name })),
  );
  assert.ok(takesPeriod.length >= 7);
  for (const { operation, name } of takesPeriod)
    test(`${operation.name} ${name}`, async () => {
      const { rest } = operation;
      for (const value of later(name)) {
        const said = `must not be in the future: it is ${present(name)} now`;
        if (operation.toolsets) {
          const result = await callTool(url, operation.name, given(operation, name, value));
          assert.equal(result.isError, true);
          assert.equal(result.content[0]?.text, `error: ${name} ${said}`);
        }
        if (!rest) continue;
        const asked = rest.names?.[name] ?? name;
        const reply = await ask(`${url}${rest.path}?pocket=tiongbahru&${asked}=${value}`);
        assert.equal(reply.status, 400);
        assert.equal(reply.json<{ error: string }>().error, `${asked} ${said}`);
      }
      // The present one is no error.
      if (rest) {
        const asked = rest.names?.[name] ?? name;
        const reply = await ask(`${url}${rest.path}?pocket=tiongbahru&${asked}=${present(name)}`);
        assert.equal(reply.status, 200);
      }
    });

  test('pages and a future time of provenance', async () => {
    for (const path of ['/reports/pocket/tiongbahru/2026-12', '/reports/restraint/2026-12'])
      assert.equal((await ask(url + path)).status, 404, path);
    const reply = await ask(`${url}/api/provenance?pocket=tiongbahru&at=2099-01-01T00:00:00Z`);
    assert.equal(reply.status, 400);
  });
});

test('a month without readings has no notebook', async () => {
  const notebook = async (month: string) => (await ask(`${url}/api/notebook?month=${month}`)).json();
  const none = await notebook('2020-01');
  assert.deepEqual([none.unknown_month, none.did_you_mean], [true, ['2026-11']]);
  assert.equal((await notebook('2026-11')).unknown_month, undefined);
});

test('no refusal of an argument shows a regular expression', async () => {
  for (const operation of tools) {
    for (const [name, schema] of Object.entries(operation.input.properties)) {
      if (!('pattern' in schema)) continue;
      for (const value of ['x', '2026-13', '2026-W99', '2026-00']) {
        const result = await callTool(url, operation.name, given(operation, name, value));
        assert.equal(result.isError, true);
        const example = name === 'week_iso' ? 'week such as 2026-W07' : 'month such as 2026-03';
        const text = result.content[0]?.text ?? '';
        assert.ok(text.startsWith(`error: ${name} must be a ${example}`), text);
        assert.doesNotMatch(text, /[\\^$[\]{}]/);
      }
    }
  }
});

test('what exists is never marked as unknown', async () => {
  for (const operation of tools) {
    if (operation.effect === 'append') continue;
    const { structuredContent = {} } = await callTool(url, operation.name, argumentsFor(operation, service));
    const marks = Object.keys(structuredContent).filter((key) => /^unknown_|^did_you_mean$/.test(key));
    assert.deepEqual(marks, [], operation.name);
  }
});

test('over REST it is a 404 with the same fields, also without a store', async (t) => {
  const bare = await startService(t, { place: 'none' });
  const expected: [path: string, body: object][] = [
    [
      '/api/atmosphere?pocket=JOOCHIAT',
      { error: 'unknown pocket: JOOCHIAT', unknown_pocket: true, did_you_mean: ['joochiat'] },
    ],
    [
      '/api/compare?a=siglap&b=Tiong%20Bahru',
      { error: 'unknown pocket: Tiong Bahru', unknown_pocket: true, did_you_mean: ['tiongbahru'] },
    ],
    [
      '/api/observed-patterns?id=none',
      { error: 'unknown outlet: none', unknown_outlet: true, did_you_mean: [] },
    ],
  ];
  for (const base of [url, bare.url]) {
    for (const [path, body] of expected) {
      const reply = await ask(base + path);
      assert.deepEqual([reply.status, reply.json()], [404, body], path);
    }
  }
  const page = await ask(`${url}/pocket/joo%20chiat`, { headers: { accept: 'text/html' } });
  assert.equal(page.status, 404);
  assert.match(page.text, /<a href="\/pocket\/joochiat">/);
});
