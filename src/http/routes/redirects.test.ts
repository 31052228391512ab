import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { cityDir } from '../../registry/city-dir.ts';
import { loadRegistry } from '../../registry/load.ts';
import { withoutTrailingSlash, withTrueIds } from './redirects.ts';

const registry = loadRegistry(cityDir('singapore'));
const outlet = registry.outlets[0]?.id ?? '';

test('slashes at the end of a page are cut, and its query stays', () => {
  const cases: [url: string, address: string | undefined][] = [
    ['/docs/', '/docs'],
    ['/docs///?a=/&b=%2F/', '/docs?a=/&b=%2F/'],
    ['/pocket/serene/', '/pocket/serene'],
    ['/docs', undefined],
    ['/docs?x=/', undefined],
    ['/', undefined],
    ['//', undefined],
    ['//evil.example/', undefined],
    ['/\\evil.example/', undefined],
    ['http://evil.example/', undefined],
    ['/api/', undefined],
    ['/api/moment/?pocket=serene', undefined],
    ['/.well-known/mcp.json/', undefined],
    ['*', undefined],
  ];
  for (const [url, address] of cases) {
    const cut = withoutTrailingSlash(url);
    assert.equal(cut && cut.path + cut.query, address, url);
  }
});

test('whatever is asked for, a redirect stays on this site', () => {
  for (const gap of ['\t', '\n', '\r'])
    assert.equal(withoutTrailingSlash(`/${gap}/evil.example/`), undefined);
  const part = fc.constantFrom('/', '\\', 'evil.example', '?', '%2F', ':', '@', 'docs', '\t', '.', 'http:');
  fc.assert(
    fc.property(fc.array(part), (parts) => {
      const cut = withoutTrailingSlash(`/${parts.join('')}`);
      if (cut) assert.equal(new URL(cut.path + cut.query, 'http://own.test').host, 'own.test');
    }),
    { numRuns: 2_000 },
  );
});

test('ids are spelled as they are known, those of the log by their form', () => {
  const cases: [pattern: string, given: Record<string, string>, address: string | undefined][] = [
    ['/pocket/:pocket_id', { pocket_id: 'TiongBahru' }, '/pocket/tiongbahru?x=Y'],
    ['/pocket/:pocket_id', { pocket_id: 'tiongbahru' }, undefined],
    ['/pocket/:pocket_id', { pocket_id: 'ATLANTIS' }, undefined],
    ['/pocket/:pocket_id', { pocket_id: '//evil.example' }, undefined],
    [
      '/pocket/:pocket_id/intent/:slug',
      { pocket_id: 'Serene', slug: 'Quiet-Now' },
      '/pocket/serene/intent/quiet-now?x=Y',
    ],
    ['/outlet/:outlet_id', { outlet_id: outlet.toUpperCase() }, `/outlet/${outlet}?x=Y`],
    ['/ledger/:id', { id: 'SERENE-20261111t0400z' }, '/ledger/serene-20261111T0400Z?x=Y'],
    ['/ledger/:id', { id: 'serene-20261111T0400Z' }, undefined],
    ['/ledger/:id', { id: 'Nothing' }, undefined],
    [
      '/explanations/:id',
      { id: 'Silence:serene-20261111T0400Z' },
      '/explanations/silence:serene-20261111T0400Z?x=Y',
    ],
    [
      '/reports/weekly/:pocket_id/:week_iso',
      { pocket_id: 'Serene', week_iso: '2026-W45' },
      '/reports/weekly/serene/2026-W45?x=Y',
    ],
  ];
  for (const [pattern, given, address] of cases)
    assert.equal(withTrueIds('/whatever?x=Y', pattern, given, registry), address, JSON.stringify(given));
});
