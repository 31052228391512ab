import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { storedPayloads } from '../../../test/support/stores/stored-entries.ts';
import { readConfig } from '../../config.ts';
import { DAY, SLOT } from '../../domain/time/slot.ts';
import { openStore } from '../../store/engine/open.ts';
import { runCommandLine } from '../command-line.ts';
import { UsageError } from '../runtime/command.ts';
import { localAnswers } from '../runtime/mcp/local.ts';
import { replayCommand } from './replay.ts';

const smallTown = join(import.meta.dirname, '../../../test/support/replay/small-town');
// In Europe/Berlin, where the clock goes back an hour on the second day.
const midnight = Date.parse('2024-10-26T00:00:00+02:00');
const END = Date.parse('2024-10-31T00:00:00+01:00');

/** Five days of a market that is full at noon, with a thermometer; the park has no counter. */
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
    const args = ['--city', smallTown, '--from', '2024-10-26', '--to', '2024-10-30', '--data', data];
    const replay = () => replayCommand.run([...args, '--no-serve', file]);
    await replay();

    const store = openStore({ databaseUrl: undefined, dataDir: data });
    t.after(() => store.close());
    const [span] = await store.all<{ first: number; last: number; n: number; substrates: string }>(
      `select min(slot) as first, max(slot) as last, count(*) as n, group_concat(distinct substrate) as substrates
       from snapshots where pocket_id = 'market'`,
    );
    // 25 hours on the day of the clock change.
    assert.deepEqual({ ...span }, { first: midnight, last: END - SLOT, n: 121 * 4, substrates: 'replay' });

    const levels = await store.all<{ slot: number; crowd: number | null }>(
      "select slot, crowd from snapshots where pocket_id = 'market' order by slot",
    );
    const learned = midnight + 3 * DAY;
    assert.ok(
      levels.every(({ slot, crowd }) => (crowd === null) === slot < learned),
      'for three days the range of a counter is learned',
    );
    const [noon, night] = [12, 24].map(
      (hours) => levels.find(({ slot }) => slot === learned + hours * 4 * SLOT)?.crowd,
    );
    assert.ok(noon && noon > 0.9 && night !== undefined && night !== null && night < 0.1);
    const first = await store.get<{ slot: number }>('select min(slot) as slot from atmosphere_readings');
    assert.equal(first?.slot, learned, 'without a known crowd there is no reading');

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
    const sealed = await storedPayloads<{ backfilled?: true }>(store);
    assert.ok(sealed.length > 0 && sealed.every(({ backfilled }) => backfilled));

    const before = await store.get<{ size: number }>('select size from ledger_size');
    await replay();
    assert.deepEqual(await store.get('select size from ledger_size'), before, 'it goes on, not over');

    // Whoever asks that store later is told that it is a replay, although its city is a live one.
    const config = readConfig({ CITY_DIR: smallTown, DATA_DIR: data });
    const answers = await localAnswers(config, [], () => undefined);
    t.after(() => answers.close());
    const call = { name: 'get_pocket_predictions', arguments: { since: 'all' } };
    const reply = await answers.answer(
      JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: call }),
      () => undefined,
    );
    const { result } = JSON.parse(reply ?? '');
    assert.equal(result._meta.substrate, 'replay');
    assert.match(result.content[0].text, /\nreplay of 30 october 2024\.$/);
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
