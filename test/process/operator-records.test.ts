// Commands that record senses, answers to briefs and verdicts of reviews, while a service runs on the same store.

import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { MomentBrief } from '../../src/domain/merchant/brief.ts';
import { HOUR, iso, MINUTE, SLOT, slotStart } from '../../src/domain/time/slot.ts';
import { singapore } from '../../src/domain/time/zones.fixture.ts';
import { createWithheldLines } from '../../src/http/logging/withheld-lines.ts';
import { buildServer } from '../../src/http/server/server.ts';
import { getPocketPerception } from '../../src/operations/pocket/get-pocket-perception.ts';
import { openBriefs, writeBriefs } from '../../src/store/merchant/briefs.ts';
import { claim } from '../../src/store/runtime/job-runs.ts';
import { openReviews } from '../../src/store/runtime/reviews.ts';
import { askOperation } from '../support/answers/ask-operation.ts';
import {
  countOperatorRows,
  eventually,
  KNOWN_OUTLET,
  operatorSetup,
} from '../support/services/operator-commands.ts';
import { listen, run, runHere, serviceEnvironment } from '../support/services/processes.ts';
import { callTool, noLimits, quietLog, startService } from '../support/services/service.ts';
import { describeStores } from '../support/stores/store-places.ts';

const brief = (
  id: string,
  outlet_id: string,
  slot: number,
  more: Partial<MomentBrief> = {},
): MomentBrief => ({
  id,
  slot,
  pocket_id: 'holland',
  outlet_id,
  state: 'READY_FOR_ATTENTION' as MomentBrief['state'],
  line: 'calm outside and room inside.',
  value_stack: {} as MomentBrief['value_stack'],
  window_start: slot + SLOT,
  window_end: slot + 2 * HOUR,
  expires_at: slot + 45 * MINUTE,
  ...more,
});

describeStores('operator records', (makePlace) => {
  test('recorded and imported senses are counted from the next quarter hour on, in steps of five', async (t) => {
    const { store, environment, command, here } = await operatorSetup(t, makePlace);
    const { url } = await listen(t, { ...environment, PIPELINE: 'off', MCP_RATE_LIMIT: '0' });
    const askTotal = async (pocket_id: string) =>
      Number((await callTool(url, 'get_pocket_perception', { pocket_id })).structuredContent?.total);
    const at = slotStart(Date.now() - HOUR / 2);
    const record = ['sense', 'record', '--pocket', 'siglap', '--word', 'calm', '--at', iso(at + 7 * MINUTE)];
    const first = await command([...record, '--people', '3', '--json']);
    assert.deepEqual(JSON.parse(first.stdout).recorded, [
      { slot: iso(at), pocket_id: 'siglap', word: 'calm', people: 3 },
    ]);
    await assert.rejects(
      here(record),
      /^UsageError: calm is recorded for siglap from .* already \(3\): --again /,
    );
    assert.match(await here([...record, '--again']), /^recorded 1 person: calm for siglap from /);

    const rows = [
      `siglap,busy,${iso(at)},2`,
      `siglap,busy,${iso(at + MINUTE)},1`,
      `serene,social,${iso(at)},6`,
    ];
    const sheet = ['pocket,word,at,people', ...rows].join('\n');
    const folder = await mkdtemp(join(tmpdir(), 'pocketwatch-senses-'));
    t.after(() => rm(folder, { recursive: true }));
    const file = join(folder, 'senses.csv');
    await writeFile(file, `\uFEFF${sheet}\r\n`);
    assert.equal(await here(['sense', 'import', file]), 'recorded 9 people: 2 words and quarter hours\n');
    await assert.rejects(here(['sense', 'import', file]), /^UsageError: .* already \(/);
    const piped = await command(['sense', 'import', '-', '--again'], sheet);
    assert.equal(piped.status, 0, piped.stderr);

    // Whoever asks before and after a record learns nothing from the difference.
    assert.deepEqual([await askTotal('siglap'), await askTotal('serene')], [0, 0]);
    const later = slotStart(Date.now()) + 2 * SLOT;
    await store.transaction((tx) => claim(tx, 'atmosphere', later, 'test', later));
    const askWords = async (pocket_id: string) =>
      (await askOperation(getPocketPerception, store, later, { pocket_id })).structured.distribution;
    assert.equal((await askWords('siglap'))?.busy?.count, 6);
    assert.equal((await askWords('siglap'))?.calm, null);
    assert.equal((await askWords('serene'))?.social?.count, 12);
  });

  test('a brief is answered once, before it expires, and not over another commitment', async (t) => {
    const { store, command, here } = await operatorSetup(t, makePlace);
    const now = Date.now();
    const slot = slotStart(now);
    const other = 'efd2b268-2405-4538-854b-c01256848b98';
    const offered = { expires_at: now + HOUR, window_start: now, window_end: now + 2 * HOUR };
    await store.transaction((tx) =>
      writeBriefs(tx, [
        brief('first', KNOWN_OUTLET, slot, offered),
        brief('second', KNOWN_OUTLET, slot, { ...offered, window_end: now + 3 * HOUR }),
        brief('third', other, slot, { expires_at: now + HOUR }),
        brief('late', other, slot - HOUR, { expires_at: now - 1 }),
      ]),
    );
    const listed = await command(['brief', 'list', '--pocket', 'holland']);
    assert.match(listed.stdout, /^brief_id .*\nfirst +Kettle and Slate .*\nsecond .*\nthird .*\n$/);

    const until = iso(now + HOUR);
    assert.match(await here(['brief', 'accept', 'first', '--until', until]), /^first: accepted, 20.* SGT\n$/);
    const before = await countOperatorRows(store);
    const overlapping = await command(['brief', 'accept', 'second']);
    assert.deepEqual(
      [overlapping.status, overlapping.stderr],
      [2, 'pocketwatch: second: the outlet is committed to first at that time\n'],
    );
    const expired = await command(['brief', 'accept', 'late']);
    assert.equal(expired.status, 2);
    assert.match(expired.stderr, /^pocketwatch: late: the brief expired at \d\d:\d\d SGT\n$/);
    const table: [args: string[], message: RegExp][] = [
      [['accept', 'first'], /^UsageError: first: the brief was already accepted$/],
      [['decline', 'first'], /^UsageError: first: the brief was already accepted$/],
      [
        ['accept', 'third', '--until', iso(slot + 9 * HOUR)],
        /^UsageError: third: the window must lie within /,
      ],
      [['accept', 'third', '--from', 'soon'], /^UsageError: --from must be HH:MM or /],
      [['decline', 'late'], /^UsageError: late: the brief expired at /],
      [['accept', 'x\u001b'], /^UsageError: x: there is no such brief$/],
      [['accept'], /^UsageError: give BRIEF_ID$/],
    ];
    for (const [args, message] of table) await assert.rejects(here(['brief', ...args]), message);
    assert.deepEqual(await countOperatorRows(store), before);
    assert.equal(await here(['brief', 'decline', 'third']), 'third: declined\n');

    // The outlet is taken down after its brief was drafted.
    await here(['takedown', 'add', KNOWN_OUTLET]);
    const rest = ['--from', iso(now + HOUR), '--until', iso(now + 2 * HOUR)];
    await assert.rejects(
      here(['brief', 'accept', 'second', ...rest]),
      /the outlet of that brief is no longer active$/,
    );
    assert.equal((await command(['brief', 'list'])).stdout, 'no brief is open\n');
    assert.equal((await openBriefs(store, now)).length, 1);
  });

  test('a withheld line is open for review, and is judged once', async (t) => {
    const place = await makePlace();
    const { service, store } = await startService(t, { days: 0, place });
    const withheld = createWithheldLines(store, service.now, singapore, (error) =>
      assert.fail(String(error)),
    );
    const operations = service.operations.map((operation) => ({
      ...operation,
      answer: async () => ({ structured: {}, text: 'Visit us now!' }),
    }));
    const app = buildServer({ ...service, operations, withheld }, noLimits, quietLog);
    t.after(() => app.close());
    const url = await app.listen({ host: '127.0.0.1', port: 0 });
    for (let n = 0; n < 3; n += 1) await callTool(url, 'list_pockets');
    await eventually(async () => (await openReviews(store, service.now(), singapore)).length > 0);

    const environment = serviceEnvironment(place);
    const command = (args: string[]) => runHere(t, args, environment);
    const listed = await run(['review', 'list', '--json'], environment);
    const [review, ...others] = JSON.parse(listed.stdout) as {
      id: string;
      reasons: string[];
      line: string;
    }[];
    assert.equal(others.length, 0);
    assert.deepEqual([review?.reasons, review?.line], [['is not lowercase', 'exclaims'], 'Visit us now!']);
    const id = review?.id ?? '';
    assert.match(
      (await command(['review', 'list'])).stdout,
      new RegExp(`^review_id .*\\n${id} .*list_pockets`),
    );
    const resolve = ['review', 'resolve', id, '--verdict', 'upheld', '--note', 'a slip of ours'];
    assert.equal((await command(resolve)).stderr, `${id}: upheld\n`);
    const again = await command(resolve);
    assert.deepEqual([again.status, /was already upheld, at /.test(again.stderr)], [2, true]);
    assert.equal((await command(['review', 'list'])).stdout, 'no review is open\n');
  });
});
