// Rules over all operations, and the interface's tool table as data.

import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, test } from 'node:test';
import { type Argument, onRequestTable, toolTable } from '../../test/support/answers/tool-table.ts';
import { cityDir } from '../registry/city-dir.ts';
import { loadRegistry } from '../registry/load.ts';
import { operations as all } from './all.ts';
import { checkArguments } from './core/arguments.ts';
import { describeFor } from './core/city-descriptions.ts';
import { callableTools, isTool, type Operation, publishedTool } from './core/define.ts';
import { inToolsets, toolsetNames } from './core/toolsets.ts';

type Schema = Record<string, unknown>;

/** As the city of the interface publishes them. */
const operations = describeFor(all, loadRegistry(cityDir('singapore')).city);

const fileName = ({ name }: Operation) => name.replaceAll('_', '-');
const operationFolder = (operation: Operation): string =>
  dirname(globSync(join(import.meta.dirname, `*/${fileName(operation)}.ts`))[0] ?? '');
const tools = callableTools(operations);
const toolNames = tools.map(({ name }) => name);
/** Words that are made as the names of tools are: a verb first. */
const toolNamesIn = (text: string): string[] =>
  text.match(/\b(?:get|list|find|compare|lookup|score|simulate|submit|plan|explain|what)_[a-z_]+/g) ?? [];

test('the tools are those of the tool table, in its order and named once', () => {
  assert.deepEqual(
    inToolsets(tools, []).map(({ name }) => name),
    Object.keys(toolTable),
  );
  assert.deepEqual(
    tools.filter(({ tool }) => tool === 'on_request').map(({ name }) => name),
    Object.keys(onRequestTable),
  );
});

test('operations without a tool come after the tools and have a REST address', () => {
  const rest = operations.slice(tools.length);
  for (const operation of rest) assert.ok(!isTool(operation) && operation.rest, operation.name);
  const names = operations.map(({ name }) => name);
  assert.deepEqual(names, [...new Set(names)]);
});

test('no two operations share a REST address', () => {
  const paths = operations.flatMap(({ rest }) => (rest ? [rest.path] : []));
  assert.deepEqual(paths, [...new Set(paths)]);
});

for (const operation of operations) {
  const tool = publishedTool(operation);
  describe(operation.name, () => {
    test('its entry has the fields of the manifest and no others', () => {
      assert.deepEqual(Object.keys(tool), ['name', 'title', 'description', 'inputSchema', 'annotations']);
      assert.match(tool.name, /^[a-z]+(_[a-z]+)*$/);
      assert.match(tool.title, /^[A-Z][^.!]{5,60}$/);
    });

    test('it has a file and a test of its own name', () => {
      for (const ending of ['.ts', '.test.ts'])
        assert.ok(existsSync(join(operationFolder(operation), fileName(operation) + ending)));
    });

    test('its description says when to use it and what it returns', () => {
      assert.ok(tool.description.length >= 120, 'too short to choose by');
      assert.match(tool.description, /\bUse it\b/);
      assert.match(tool.description, /\bReturns\b/);
      assert.match(tool.description, /\.$/);
      // All of them are in the context of every model that may call one.
      if (isTool(operation)) assert.ok(tool.description.split(/\s+/).length < 60, 'too long');
    });

    test('its description names tools that exist, and those for what it is not for', () => {
      const [, notFor = ''] = tool.description.match(/\bNot for (.*?)\. Returns\b/) ?? [];
      const siblings = toolNamesIn(notFor);
      for (const name of toolNamesIn(tool.description))
        assert.ok(toolNames.includes(name), `no tool ${name}`);
      if (!isTool(operation)) return;
      assert.ok(siblings.length >= 1, 'it names no other tool');
      assert.ok(!siblings.includes(operation.name));
    });

    test('its annotations follow its effect', () => {
      const appends = operation.name === 'submit_benchmark_predictions';
      assert.equal(operation.effect, appends ? 'append' : undefined);
      assert.deepEqual(tool.annotations, {
        readOnlyHint: !appends,
        destructiveHint: appends,
        idempotentHint: !appends,
        openWorldHint: false,
      });
      if (appends) assert.match(tool.description, /append-only/);
    });

    test('its schema is closed, described and written in JSON Schema alone', () => {
      const schema = JSON.parse(JSON.stringify(tool.inputSchema)) as Schema;
      assert.equal(schema.type, 'object');
      assert.equal(schema.additionalProperties, false);
      assert.deepEqual(foreignKeywords(schema), []);
      for (const [name, property] of Object.entries(schema.properties as Record<string, Schema>)) {
        assert.match(String(property.description), /\w{3}/, `${name} has no description`);
      }
    });

    if (!isTool(operation)) return;

    test('its arguments, bounds and defaults are those of the tool table', () => {
      const table = { ...toolTable, ...onRequestTable }[operation.name] ?? {};
      const { properties, required = [] } = tool.inputSchema;
      assert.deepEqual(Object.keys(properties), Object.keys(table));
      assert.deepEqual(
        required,
        Object.keys(table).filter((name) => table[name]?.required),
      );
      for (const [name, argument] of Object.entries(table)) {
        checkSchema(properties[name] as Schema, argument, name);
        checkBehaviour(operation, table, name, argument);
      }
    });

    test('its published entry is the one that was committed', () => {
      const file = join(operationFolder(operation), `${fileName(operation)}.snapshot.json`);
      const entry = `${JSON.stringify(tool, null, 2)}\n`;
      if (process.env.UPDATE_SNAPSHOTS) writeFileSync(file, entry);
      assert.equal(
        existsSync(file) ? readFileSync(file, 'utf8') : '',
        entry,
        `what clients see of ${operation.name} has changed; if that is meant, renew the snapshot:
        UPDATE_SNAPSHOTS=1 npm test -- src/operations/tools.test.ts`,
      );
    });
  });
}

test('tools that are easily mixed up name each other', () => {
  const groups = [
    ['find_calm_pocket_now', 'compare_pockets', 'get_intent_substrate'],
    ['get_accuracy_report', 'get_pocket_predictions'],
    ['get_accuracy_report', 'get_benchmark_leaderboard'],
    ['get_pocket_futures', 'get_pocket_predictions'],
    ['get_pocket_silence', 'get_pocket_counterfactuals'],
    ['get_pocket_packages', 'get_live_moment_story'],
    ['get_pocket_packages', 'get_pocket_counterfactuals'],
    ['score_legitimacy', 'get_legitimacy_index_today'],
    ['get_weekly_report', 'get_state_of_pocket'],
    ['get_merchant_readiness', 'get_observed_outlet'],
  ];
  for (const group of groups) {
    for (const one of group) {
      const { description = '' } = tools.find(({ name }) => name === one) ?? {};
      for (const other of group)
        assert.ok(one === other || description.includes(other), `${one}: no word of ${other}`);
    }
  }
});

test('every tool is in a toolset, every toolset is smaller than the whole, and nothing else is in one', () => {
  for (const { name, toolsets } of operations) {
    if (!toolsets) continue;
    assert.ok(toolsets.length > 0, name);
    assert.deepEqual(toolsets, [...new Set(toolsets)], name);
  }
  for (const name of toolsetNames) {
    const listed = inToolsets(tools, [name]);
    assert.ok(listed.length >= 5 && listed.length <= tools.length / 2, name);
  }
  assert.deepEqual(inToolsets(tools, toolsetNames), tools);
  const byDefault = inToolsets(tools, []);
  assert.deepEqual(byDefault, tools.slice(0, byDefault.length), 'what is listed by default comes first');
  for (const tool of inToolsets(tools, ['reader']))
    assert.ok(inToolsets(tools, ['visitor']).includes(tool), tool.name);
});

test('every snapshot belongs to a tool', () => {
  const snapshots = globSync(join(import.meta.dirname, '*/*.snapshot.json')).map((path) =>
    basename(path, '.snapshot.json'),
  );
  assert.deepEqual(snapshots.sort(), tools.map(fileName).sort());
});

const keywords = new Set([
  ...['type', 'enum', 'const', 'anyOf', 'default', 'description', 'format', 'pattern'],
  ...['minimum', 'maximum', 'minLength', 'maxLength', 'minItems', 'maxItems'],
  ...['items', 'properties', 'required', 'additionalProperties'],
]);

/** Keywords that are not JSON Schema: validators in strict mode refuse a schema with any. */
function foreignKeywords(schema: Schema): string[] {
  const { properties = {}, items, anyOf = [] } = schema as Record<string, object>;
  const inner = [...Object.values(properties), ...(items ? [items] : []), ...(anyOf as object[])];
  const own = Object.keys(schema).filter((keyword) => !keywords.has(keyword));
  return [...own, ...inner.flatMap((schema) => foreignKeywords(schema as Schema))];
}

const schemaChoices = ({ enum: values, anyOf }: Schema) =>
  (values as unknown[] | undefined) ?? (anyOf as Schema[] | undefined)?.map((choice) => choice.const);

function checkSchema(schema: Schema, argument: Argument, name: string): void {
  assert.deepEqual(schemaChoices(schema), argument.choices, `${name}: choices`);
  if (!argument.choices) assert.equal(schema.type, argument.type, `${name}: type`);
  assert.equal(schema.default, argument.default, `${name}: default`);
  const [minimum, maximum] = argument.range ?? [];
  if (argument.clamped) return;
  const [low, high] =
    argument.type === 'string'
      ? ['minLength', 'maxLength']
      : argument.type === 'array'
        ? ['minItems', 'maxItems']
        : ['minimum', 'maximum'];
  if (argument.range || argument.type !== 'string') {
    assert.equal(schema[low], minimum, `${name}: ${low}`);
    assert.equal(schema[high], maximum, `${name}: ${high}`);
  }
  if (!argument.inner) return;
  const { additionalProperties, properties, required } = (schema.items ?? schema) as Record<string, Schema>;
  assert.equal(additionalProperties === (false as unknown), argument.closed ?? false, `${name}: extra keys`);
  assert.deepEqual(Object.keys(properties ?? {}), Object.keys(argument.inner));
  for (const [key, inner] of Object.entries(argument.inner)) {
    checkSchema(properties?.[key] as Schema, inner, `${name}.${key}`);
    const needed = ((required as unknown as string[] | undefined) ?? []).includes(key);
    assert.equal(needed, inner.required ?? false, `${name}.${key}: required`);
  }
}

/** Checks the same rules by calling with valid and invalid arguments. */
function checkBehaviour(
  { input }: Operation,
  table: Record<string, Argument>,
  name: string,
  argument: Argument,
): void {
  const { type, range, choices, clamped, refused = [] } = argument;
  const given = Object.fromEntries(
    Object.entries(table).flatMap(([key, { required, sample }]) => (required ? [[key, sample]] : [])),
  );
  const read = (value: unknown) => checkArguments(input, { ...given, [name]: value });
  const message = (value: unknown) => {
    const result = read(value);
    return result.ok ? 'accepted' : result.message;
  };
  if (argument.sample !== undefined) assert.equal(message(argument.sample), 'accepted', name);
  if (argument.default !== undefined) {
    const result = checkArguments(input, given);
    assert.equal(result.ok && result.input[name], argument.default);
  }
  if (argument.required) {
    for (const empty of ['', null]) assert.equal(message(empty), `${name} is required`);
  }
  for (const value of choices ?? []) assert.equal(message(value), 'accepted');
  if (choices) assert.equal(message('none of them'), `${name} must be one of ${choices.join(', ')}`);
  for (const value of refused) assert.notEqual(message(value), 'accepted', `${name}: ${value}`);
  if (!range || (type !== 'integer' && type !== 'number')) return;
  const [low, high] = range;
  const beyond = [low - 1, high + 1, low - 0.001, high + 0.001];
  if (clamped) {
    for (const value of [low, high, ...beyond]) assert.equal(message(value), 'accepted', `${name}: ${value}`);
    return;
  }
  for (const value of range) assert.equal(message(value), 'accepted', `${name}: ${value}`);
  for (const value of type === 'integer' ? beyond.slice(0, 2) : beyond) {
    assert.equal(message(value), `${name} must be ${low}-${high}`);
  }
  if (type === 'integer') assert.equal(message(low + 0.5), `${name} must be an integer`);
  assert.equal(message('1'), `${name} must be ${type === 'integer' ? 'an integer' : 'a number'}`);
}
