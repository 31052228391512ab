import assert from 'node:assert/strict';
import { test } from 'node:test';
import { robotsText } from './robots.ts';

const rules = robotsText({ baseUrl: 'https://pocketwatch.test' })
  .split('\n')
  .flatMap((line) => {
    const [, kind, pattern] = /^(Allow|Disallow): (\S+)$/.exec(line) ?? [];
    return kind && pattern ? [{ allowed: kind === 'Allow', pattern }] : [];
  });

/** As RFC 9309 says: the longest pattern that fits decides, and of two equal ones the one that allows. */
function mayCrawl(address: string): boolean {
  const fitting = rules.filter(({ pattern }) => {
    const parts = pattern.split('*').map((part) => part.replaceAll(/[.?+^$()|[\]{}\\]/g, '\\$&'));
    return new RegExp(`^${parts.join('.*')}`).test(address);
  });
  const longest = Math.max(...fitting.map(({ pattern }) => pattern.length));
  return fitting.some(({ allowed, pattern }) => allowed && pattern.length === longest);
}

test('pages and single answers of the api may be crawled', () => {
  for (const address of [
    ...['/', '/pocket/holland', '/pocket/holland/2026-11-11', '/ledger', '/status', '/outlet/some-id'],
    ...['/api/atmosphere?pocket=holland', '/llms.txt', '/docs/api/predictions'],
  ])
    assert.ok(mayCrawl(address), address);
});

test('no query leads a crawler into an endless space, and nothing costly is fetched', () => {
  for (const address of [
    ...['/?q=holland', '/?order=calm', '/?at=15&intent=quiet-now', '/?offset=100', '/compare?pockets=a,b'],
    ...['/ledger?q=0c5f91b5', '/ledger?type=silence&before=1.2', '/accuracy?since=all&by=week&pocket_id=x'],
    ...['/outlets?page=2', '/docs?q=x', '/silence?window=30d'],
    ...['/api/predictions?limit=50&cursor=abc', '/api/ledger/search?before=1.2', '/api/outlets?offset=100'],
    ...[
      '/api/predictions?since=all&format=csv',
      '/api/stream/live?pocket=holland',
      '/outlet/x/backtest?days=7',
    ],
  ])
    assert.ok(!mayCrawl(address), address);
});
