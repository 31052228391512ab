// Finished months of the ledger that an operator copies into a folder: whole after a kill, and verified from there.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { singapore } from '../../../src/domain/time/zones.fixture.ts';
import { readNote, signCheckpoint } from '../../../src/ledger/checkpoint.ts';
import { latestCheckpoint } from '../../../src/store/ledger/ledger-reads.ts';
import { MARCH, oldLedger } from '../../support/services/old-ledger.ts';
import { eventually } from '../../support/services/operator-commands.ts';
import { runHere, start } from '../../support/services/processes.ts';
import { describeStores } from '../../support/stores/store-places.ts';
import { testSigner } from '../../support/stores/test-key.ts';

/** On a machine that is busy with other tests. */
const PATIENCE_MS = 120_000;
const filesOf = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile())
    .map((one) => join(one.parentPath, one.name));

async function verified(t: TestContext, folder: string): Promise<number> {
  const { status, stdout, stderr } = await runHere(t, ['verify', folder, '--json']);
  assert.equal(status, 0, stderr);
  return JSON.parse(stdout).size;
}

describeStores('an archive of the ledger', (makePlace) => {
  test('is whole after a kill in the middle, verified from its folder, and goes on with later months', async (t) => {
    const { store, environment, folder, february } = await oldLedger(t, makePlace);
    const all = (await latestCheckpoint(store))?.size ?? 0;
    assert.ok(february > 4 * 256 && all > february);
    const archive = (before: string, ...more: string[]) => ['archive', '--before', before, folder, ...more];

    await t.test('nothing was written before', async () => {
      const none = await runHere(t, archive('2025-02', '--json'), environment);
      assert.equal(none.status, 0, none.stderr);
      assert.deepEqual(JSON.parse(none.stdout), {
        ...{ folder, before: '2025-02', entries: 0, written_until: null },
      });
      assert.ok(!existsSync(folder));
    });

    await t.test('killed', async () => {
      // A pipe in place of a file, which nobody writes to, holds the command at it.
      const held = join(folder, 'tile/entries/003');
      mkdirSync(dirname(held), { recursive: true });
      execFileSync('mkfifo', [held]);
      const { child, closed } = start(archive('2025-03'), environment);
      const tiles = () => filesOf(join(folder, 'tile'));
      await eventually(async () => tiles().length >= 4, PATIENCE_MS);
      child.kill('SIGKILL');
      assert.deepEqual(await closed, [null, 'SIGKILL']);
      assert.ok(!existsSync(join(folder, 'checkpoint')), 'it is the last file of a step');
      rmSync(held);
      const before = new Map(tiles().map((file) => [file, statSync(file).mtimeMs]));

      const again = await runHere(t, archive('2025-03'), environment);
      assert.equal(again.status, 0, again.stderr);
      assert.match(
        again.stderr,
        new RegExp(`^${folder} has the ledger up to 2025-02-28 23:45 SGT: ${february} entries; [^\n]+\n$`),
      );
      for (const [file, time] of before) assert.equal(statSync(file).mtimeMs, time, file);
      assert.equal(await verified(t, folder), february);
    });

    await t.test('again, and with the months after', async () => {
      const files = filesOf(join(folder, 'tile')).length;
      const same = await runHere(t, archive('2025-03', '--json'), environment);
      assert.deepEqual(JSON.parse(same.stdout), {
        ...{ folder, before: '2025-03', entries: february, written_until: '2025-02-28T15:45:00.000Z' },
      });
      assert.equal(filesOf(join(folder, 'tile')).length, files);
      const later = await runHere(t, archive('2025-04'), environment);
      assert.equal(later.status, 0, later.stderr);
      assert.equal(await verified(t, folder), all);
      const earlier = await runHere(t, archive('2025-03'), environment);
      assert.equal(earlier.status, 0, earlier.stderr);
      assert.equal(readNote(readFileSync(join(folder, 'checkpoint'), 'utf8')).size, all);
    });

    await t.test('an altered file is found', async () => {
      for (const [path, code] of [
        ['tile/entries/002', 'wrong_leaf'],
        ['tile/0/002', 'wrong_leaf'],
        ['checkpoint', 'bad_signature'],
      ] as const) {
        const copy = `${folder}-altered`;
        rmSync(copy, { recursive: true, force: true });
        cpSync(folder, copy, { recursive: true });
        const bytes = readFileSync(join(folder, path));
        const at = bytes.length - 20;
        writeFileSync(join(copy, path), bytes.with(at, bytes[at] === 65 ? 66 : 65));
        const { status, stderr } = await runHere(t, ['verify', copy]);
        assert.equal(status, 1, path);
        assert.match(stderr, new RegExp(`\\(${code}\\)`));
      }
    });

    await t.test(
      "refuses another ledger's folder, and one that cannot be written to, in a line",
      async () => {
        const other = `${folder}-other`;
        mkdirSync(other);
        writeFileSync(join(other, 'checkpoint'), signCheckpoint(all, 'ab'.repeat(32), testSigner, MARCH));
        const foreign = await runHere(t, ['archive', '--before', '2025-04', other], environment);
        assert.equal(foreign.status, 1);
        assert.match(foreign.stderr, /^pocketwatch: \S+ has a different log from the database, [^\n]+\n$/);
        const file = join(folder, 'checkpoint');
        const refused = await runHere(t, ['archive', '--before', '2025-04', file], environment);
        assert.equal(refused.status, 1);
        assert.match(refused.stderr, new RegExp(`^pocketwatch: ${file}: [^\n]+\n$`));
      },
    );

    await t.test('refuses what is no finished month', async () => {
      const next = singapore.localMonth(singapore.startOfMonth(Date.now(), 1));
      for (const [args, line] of [
        [['--before', '2025-03'], /: give DIR\n$/],
        [[folder], /: give --before MONTH/],
        [['--before', '2025-03', 's3://bucket/ledger'], /: DIR must be a folder, not an address: s3:/],
        [['--before', '2025-13', folder], /: --before must be a month such as 2026-11\n$/],
        [['--before', 'october', folder], /: --before must be a month such as 2026-11\n$/],
        [
          ['--before', next, folder],
          /the month before it is not over in Asia\/Singapore; --before \d{4}-\d\d is/,
        ],
      ] as const) {
        const { status, stderr } = await runHere(t, ['archive', ...args], environment);
        assert.equal(status, 2, stderr);
        assert.match(stderr, line);
      }
    });
  });
});
