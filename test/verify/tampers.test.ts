// Every tamper of the table is applied to a copy of one small log, and found by what the table says.
import assert from 'node:assert/strict';
import { copyFileSync, mkdtempSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { EntryType } from '../../src/ledger/entry.ts';
import { openStore, sqliteFile } from '../../src/store/engine/open.ts';
import type { Store } from '../../src/store/engine/store.ts';
import { latestCheckpoint } from '../../src/store/ledger/ledger-reads.ts';
import type { FaultCode } from '../../src/verify/fault.ts';
import type { Verdict, VerifyOptions } from '../../src/verify/verify-ledger.ts';
import { verifyLedger } from '../support/services/verify-ledger.ts';
import { storedEntry } from '../support/stores/stored-entries.ts';
import { dropGuards } from '../support/stores/tamper-ledger.ts';
import { testSigner } from '../support/stores/test-key.ts';
import { figuresFetcher, ledgerFetcher, writeLogs } from './stored-log.ts';
import { type Finder, finderText, type Tamper, tamperedTables, tampers } from './tampers.ts';

const logs = await writeLogs();
after(() => logs.remove());

const verdictCode = (verdict: Verdict): string => (verdict.ok ? verdict.figures : verdict.code);

/** Opens a copy of the store. */
async function withCopy<T>(from: string, work: (store: Store) => Promise<T>): Promise<T> {
  const dataDir = mkdtempSync(join(logs.whole, 'copy-'));
  copyFileSync(sqliteFile(from), sqliteFile(dataDir));
  const store = openStore({ databaseUrl: undefined, dataDir });
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

const verify = (store: Store, options: Partial<VerifyOptions> = {}, { serve }: Partial<Tamper> = {}) => {
  const fetch = ledgerFetcher(store);
  return verifyLedger({ fetch: serve?.(fetch) ?? fetch, api: figuresFetcher(store), settle: 0, ...options });
};

const readCheckpoint = async (store: Store): Promise<string> => (await latestCheckpoint(store))?.note ?? '';

test('the log that is tampered with is correct', async () => {
  const verdict = await withCopy(logs.whole, (store) => verify(store));
  assert.ok(verdict.ok, JSON.stringify(verdict));
  assert.equal(verdict.figures, 'compared');
  assert.deepEqual([verdict.entries.submission, verdict.withheld], [3, 1]);
  assert.ok(verdict.entries.verdict);
});

/** What the options give, where it is a fault. */
function expectedCodes(finder: Finder): { since?: string; key?: string } {
  if ('sinceOrKey' in finder) return { since: finder.sinceOrKey, key: finder.sinceOrKey };
  if ('since' in finder) return { since: finder.since };
  return 'key' in finder ? { key: finder.key } : {};
}

/** The entry that a fault of verdicts names: the verdict itself, or what has none. */
const namedEntries: Partial<Record<FaultCode, EntryType>> = {
  wrong_verdict: 'verdict',
  missing_verdict: 'silence',
};

async function refuseUnnamed(store: Store, verdict: Verdict): Promise<void> {
  const type = verdict.ok ? undefined : namedEntries[verdict.code];
  if (verdict.ok || type === undefined) return;
  const { leaf = -1, id } = verdict.place;
  const row = await storedEntry(store, leaf);
  assert.deepEqual([row.id, row.type], [id, type], JSON.stringify(verdict));
}

const honest = await withCopy(logs.whole, readCheckpoint);

for (const tamper of tampers)
  test(`${tamper.what}: ${finderText(tamper.finder)}`, () =>
    withCopy(tamper.isOlder ? logs.older : logs.whole, async (store) => {
      await dropGuards(store, tamperedTables);
      await tamper.apply?.(store);
      const { finder } = tamper;
      const verdict = await verify(store, {}, tamper);
      assert.equal(
        verdictCode(verdict),
        'alone' in finder ? finder.alone : 'compared',
        JSON.stringify(verdict),
      );
      if ('alone' in finder) return refuseUnnamed(store, verdict);
      const since = tamper.isFork ? await readCheckpoint(store) : honest;
      const codes = {
        since: verdictCode(await verify(store, { since }, tamper)),
        key: verdictCode(await verify(store, { key: testSigner.verifierKey }, tamper)),
      };
      assert.deepEqual(codes, { since: 'compared', key: 'compared', ...expectedCodes(finder) });
    }));

test('docs/ledger.md has the same table', () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/ledger.md'), 'utf8');
  const rows = [...page.matchAll(/^\| \d+ \| (.+) \| (.+) \|$/gm)].map(([, what, finder]) => [what, finder]);
  assert.deepEqual(
    rows,
    tampers.map(({ what, finder }) => [what, finderText(finder)]),
  );
});
