import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { DAY, SLOT } from '../../domain/time/slot.ts';
import { openStore } from '../../store/engine/open.ts';
import { runCommandLine } from '../command-line.ts';
import { UsageError } from '../runtime/command.ts';
import { replayCommand } from './replay.ts';

const smallTown = join(import.meta.dirname, '../../../test/support/replay/small-town');
// In Europe/Berlin, where the clock goes back an hour on the second day.
const midnight = Date.parse('2026-10-24T00:00:00+02:00');
const END = Date.parse('2026-10-27T00:00:00+01:00');

/** Three days of a market that is full at noon, with a thermometer; the park has no counter. */
function recording(): string {
  const rows = ['timestamp,feed,place_id,lat,lon,field,value'];
  for (let time = midnight; time < END; time += SLOT) {
    const count = Math.round(100 + 80 * Math.cos(((time - midnight) / DAY - 0.5) * 2 * Math.PI));
    rows.push(`${new Date(time).toISOString()},people,gate,51.96,7.62,count,${count}`);
    rows.push(`${new Date(time).toISOString()},weather,hall,51.96,7.62,celsius,12`);
    rows.push(`${new Date(time).toISOString()},noise,gate,51.96,7.62,decibel,60`);
  }
  return `${rows.join('\n')}\n`;
}

describe('pocketwatch replay', () => {
  test('writes the days of a recording as they would have been written then, marked as a replay', async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'pocketwatch-replay-'));
    t.after(() => rmSync(folder, { recursive: true, force: true }));
    const file = join(folder, 'days.csv');
    writeFileSync(file, recording());
    const data = join(folder, 'data');
    const args = ['--city', smallTown, '--from', '2026-10-24', '--to', '2026-10-26', '--data', data];
    const replay = () => replayCommand.run([...args, '--no-serve', file]);
    await replay();

    const store = openStore({ databaseUrl: undefined, dataDir: data });
    t.after(() => store.close());
    const [span] = await store.all<{ first: number; last: number; n: number; substrates: string }>(
      `select min(slot) as first, max(slot) as last, count(*) as n, group_concat(distinct substrate) as substrates
       from env_snapshots where pocket_id = 'market'`,
    );
    // 25 hours on the day of the clock change.
    assert.deepEqual({ ...span }, { first: midnight, last: END - SLOT, n: 73 * 4, substrates: 'replay' });

    const levels = await store.all<{ slot: number; crowd: number | null }>(
      "select slot, crowd from env_snapshots where pocket_id = 'market' order by slot",
    );
    assert.equal(levels[0]?.crowd, null, 'nothing is known of a counter at first');
    const [noon, night] = [12, 24].map(
      (hours) => levels.find(({ slot }) => slot === midnight + DAY + hours * 4 * SLOT)?.crowd,
    );
    assert.ok(noon && noon > 0.9 && night !== undefined && night !== null && night < 0.1);

    const reasons = await store.all<{ reason: string }>('select distinct reason from silences');
    assert.deepEqual(
      reasons.map(({ reason }) => reason),
      ['no_norm'],
      'in its first days the service does not know what is usual',
    );
    const moments = await store.all<{ pocket_id: string }>('select distinct pocket_id from moments');
    assert.deepEqual(
      moments.map(({ pocket_id }) => pocket_id),
      ['market'],
      'nothing counts the people of the park',
    );
    const sealed = await store.get<{ n: number; backfilled: number }>(
      `select count(*) as n, sum(case when payload like '%"backfilled":true%' then 1 else 0 end) as backfilled
       from ledger_entries`,
    );
    assert.ok(sealed && sealed.n > 0 && sealed.n === sealed.backfilled);

    const before = await store.get<{ n: number }>('select count(*) as n from ledger_entries');
    await replay();
    assert.deepEqual(
      await store.get('select count(*) as n from ledger_entries'),
      before,
      'it goes on, not over',
    );
  });

  const wrong: [why: string, args: string[], message: RegExp][] = [
    ['no file', [], /at least one FILE/],
    [
      'a file that is not there',
      ['--city', smallTown, '--from', '2026-10-24', '--to', '2026-10-25', 'no.csv'],
      /no\.csv does not exist/,
    ],
    [
      'a span that ends before it begins',
      ['--city', smallTown, '--from', '2026-10-26', '--to', '2026-10-24', import.meta.filename],
      /--from must be before --to/,
    ],
    [
      'a day of another form',
      ['--city', smallTown, '--from', '24.10.2026', '--to', '2026-10-25', import.meta.filename],
      /--from must be YYYY-MM-DD/,
    ],
  ];
  for (const [why, args, message] of wrong)
    test(`refuses ${why}`, async () => {
      await assert.rejects(
        async () => replayCommand.run(args),
        (error) => {
          assert.ok(error instanceof UsageError);
          assert.match(error.message, message);
          return true;
        },
      );
    });

  const days = ['--city', smallTown, '--from', '2026-10-24', '--to', '2026-10-25', '--no-serve'];
  const [header, first = '', ...rest] = recording().split('\n');
  const broken: [why: string, content: string | Buffer, line: RegExp][] = [
    [
      'a row with a cell less',
      `${header}\n${first}\n1,2\n`,
      /days\.csv, line 3: 2 cells where the header has 7/,
    ],
    ['no header', first, /days\.csv, line 1: the header has no column timestamp/],
    [
      'an invalid time',
      `${header}\n${first.replace('-10-', '-30-')}\n`,
      /days\.csv, line 2, column timestamp/,
    ],
    ['nothing', '', /days\.csv: the file is empty/],
    ['half a gzip', gzipSync(recording()).subarray(0, 200), /days\.csv: the gzip data is damaged or cut off/],
    ['rows out of order', [header, rest[30], first, ''].join('\n'), /days\.csv is not in order of time/],
  ];
  for (const [why, content, line] of broken)
    test(`tells of ${why} in one line`, async (t) => {
      const folder = mkdtempSync(join(tmpdir(), 'pocketwatch-replay-'));
      t.after(() => rmSync(folder, { recursive: true, force: true }));
      const file = join(folder, 'days.csv');
      writeFileSync(file, content);
      const said: string[] = [];
      t.mock.method(process.stderr, 'write', (text: string) => said.push(text) > 0);
      assert.equal(await runCommandLine(['replay', ...days, '--data', join(folder, 'data'), file]), 1);
      t.mock.restoreAll();
      assert.match(said.join(''), new RegExp(`^pocketwatch: ${line.source}[^\\n]*\\n$`));
      assert.equal(existsSync(join(folder, 'data')), false, 'and writes nothing');
    });

  test('refuses a folder in the place of a file', async () => {
    await assert.rejects(
      async () => replayCommand.run([...days, tmpdir()]),
      (error) => error instanceof UsageError && /is not a file$/.test(error.message),
    );
  });
});
