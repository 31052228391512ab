import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mcpCommand } from './mcp.ts';

const refusals: [args: string[], message: RegExp][] = [
  [['--url', 'localhost:3000'], /^--url: not an http address: localhost:3000$/],
  [['--url', 'file:///etc'], /^--url: not an http address/],
  [
    ['--toolset', 'readers'],
    /^--toolset: unknown toolset: readers; there are reader, merchant, record, benchmark, visitor$/,
  ],
  [['--urls'], /Unknown option '--urls'/],
  [['http://a.test'], /Unexpected argument/],
];
for (const [args, message] of refusals) {
  test(`pocketwatch mcp ${args.join(' ')} is a usage error`, () =>
    assert.rejects(mcpCommand.run(args), { name: 'UsageError', message }));
}
