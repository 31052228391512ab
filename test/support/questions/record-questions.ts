// Questions 15 to 20 of docs/questions.md: of researchers and operators.

import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { DAY, HOUR, iso, SLOT } from '../../../src/domain/time/slot.ts';
import { singapore } from '../../../src/domain/time/zones.fixture.ts';
import type { Store } from '../../../src/store/engine/store.ts';
import { entryById } from '../../../src/store/ledger/ledger-reads.ts';
import { count, matchGroups, type Recorded, share, type TextCheck } from './question.ts';

/** The history ends this long before now: what was sealed later counts as sealed before its outcome. */
const LIVE = 8 * HOUR;

export const endHistoryEarlier = (store: Store, { now }: Pick<Recorded, 'now'>): Promise<void> =>
  store.transaction((tx) =>
    tx.run('update history_progress set reached_slot = ?, until_slot = ?', now - LIVE, now - LIVE),
  );

const plain = (figure: string | undefined): number => Number(figure?.replaceAll(',', ''));

export const recordQuestions: Record<number, TextCheck> = {
  15: async ([text = ''], { store, now }) => {
    const countScored = async (from: number, to: number) => {
      const row = await store.get<{ n: number; hits: number }>(
        `select count(*) as n, sum(case when accuracy_score >= 0.5 then 1 else 0 end) as hits from revealed_forecasts
         where slot > ? and slot <= ? and shadow = 0 and accuracy_score is not null`,
        from,
        to,
      );
      assert.ok(row?.n);
      return [row.n, share(row.hits, row.n)];
    };
    const [total, ...told] = matchGroups(
      text,
      /: (\d+) scored, (\d+) of them sealed before their outcome \(([\d.]+) came true\) and (\d+) written afterwards on a virtual clock \(([\d.]+) came true\)\./,
    ).map(Number);
    const [before, afterwards] = [
      await countScored(now - LIVE, now),
      await countScored(now - 7 * DAY, now - LIVE),
    ];
    assert.deepEqual(told, [...before, ...afterwards]);
    assert.equal(total, (before[0] ?? 0) + (afterwards[0] ?? 0));
    const end = `${singapore.clockWithZone(now - LIVE)} on ${singapore.localDate(now - LIVE)}`;
    assert.ok(text.includes(`written afterwards are those sealed up to ${end}.`), text);
  },
  16: async ([text = ''], { store, now }) => {
    const [id = '', proof = '', sealed = '', payload = ''] = matchGroups(
      text,
      /the newest, '(\S+)', can be checked: .* are at (\S+) and its payload_hash, (sha256:\S+), is the sha-256 of its sealed text: '([^']+)'\./,
    );
    assert.equal(`sha256:${hash('sha256', payload, 'hex')}`, sealed);
    const stored = await entryById(store, id);
    assert.deepEqual([stored?.payload, stored?.payload_hash], [payload, sealed]);
    assert.equal(JSON.parse(payload).sealed_at, iso(now));
    assert.ok(proof.endsWith(`/api/ledger/proof/${id}`));
  },
  17: async ([text = ''], { store, now }) => {
    const countJudged = async (spoke: 0 | 1) => {
      const row = await store.get<{ n: number; served: number | null }>(
        'select count(*) as n, sum(served) as served from verdicts where spoke = ? and served is not null and slot > ?',
        spoke,
        now - 7 * DAY,
      );
      const served = row?.served ?? 0;
      return [row?.n ?? 0, spoke ? served : (row?.n ?? 0) - served] as const;
    };
    const [lines, silences] = [await countJudged(1), await countJudged(0)];
    assert.ok(lines[0] && silences[0]);
    const [n, served, servedPercent, silent, right, rightPercent] = matchGroups(
      text,
      /of ([\d,]+) lines? judged ([\d,]+) served \(([\d.]+) %\), of ([\d,]+) silences? ([\d,]+) (?:was|were) right \(([\d.]+) %\)/,
    );
    assert.deepEqual([plain(n), plain(served), plain(silent), plain(right)], [...lines, ...silences]);
    for (const [percent, [whole, part]] of [
      [servedPercent, lines],
      [rightPercent, silences],
    ] as const)
      assert.ok(Math.abs(Number(percent) - (100 * part) / whole) < 0.1, `${percent}`);
    const failed = [...(/^.*lines that failed: ([^.]+)\./m.exec(text)?.[1] ?? '').matchAll(/(\d+) /g)];
    assert.equal(
      failed.reduce((sum, [, part]) => sum + Number(part), 0),
      lines[0] - lines[1],
    );
  },
  18: async ([text = ''], recorded) => {
    const { store, now } = recorded;
    const history = await store.get<{ finished: number }>('select finished from history_progress');
    assert.equal(history?.finished, 1);
    assert.match(text, /^ready: /);
    const [green] = matchGroups(text, /^the service is (?:green|amber|red): (\d) of 9 checks are green\.$/m);
    const others = [...text.matchAll(/^(?:amber|red): .+; what to do: '[^']+'\.$/gm)];
    assert.equal(Number(green) + others.length, 9, text);
    const newest = await count(recorded, 'select max(slot) as n from snapshots where slot <= ?', now);
    assert.ok(text.includes(`env_snapshots freshness, '${(now - newest) / 60_000} minutes ago'`), text);
    const [said, silent] = await Promise.all(
      ['packages', 'silences'].map((table) =>
        count(recorded, `select count(*) as n from ${table} where slot > ? and slot <= ?`, now - DAY, now),
      ),
    );
    assert.ok(text.includes(`of ${(said ?? 0) + (silent ?? 0)} decisions in 24 hours'`), text);
  },
  19: ([text = ''], { now }) => {
    // The test starts its service now, as the build that it calls 'test'.
    const began = `${singapore.clockWithZone(now)} on ${singapore.localDate(now)} (${new Date(now).toISOString()})`;
    assert.ok(text.includes(`\nbuild 'test', first run on this store at ${began}.\n`), text);
  },
  20: async ([text = ''], recorded) => {
    const { store, now } = recorded;
    const today = Math.floor(now / DAY) * DAY;
    for (const [name, from] of [
      ['today so far (UTC)', today],
      [`${new Date(today - DAY).toISOString().slice(0, 10)} UTC`, today - DAY],
    ] as const) {
      const line = text.split('\n').find((one) => one.startsWith(`${name}: `)) ?? assert.fail(text);
      const told = matchGroups(
        line,
        /: (\d+) readings of (\d+) pockets in (\d+) of (\d+) quarter hours \(([^)]+)\); (\d+) said and (\d+) held back; (\d+) forecasts sealed, /,
      );
      const rows = (table: string, more = '') =>
        count(
          recorded,
          `select count(*) as n from ${table} where slot >= ? and slot < ? and slot <= ?${more}`,
          ...[from, from + DAY, now],
        );
      const first = await count(recorded, "select min(slot) as n from job_runs where job = 'atmosphere'");
      const due = (Math.min(from + DAY, now + SLOT) - Math.max(from, first)) / SLOT;
      const run = await rows('job_runs', " and job = 'atmosphere'");
      const readings = await rows('atmosphere_readings');
      const pockets = recorded.registry.pockets.length;
      const missing = [
        ...(run < due ? [`${due - run} quarter hours were not observed`] : []),
        ...(run * pockets > readings
          ? [`${run * pockets - readings} readings are missing, where too little of a pocket was observed`]
          : []),
      ];
      assert.deepEqual(told, [
        ...[readings, pockets, run, due].map(String),
        missing.join(' and ') || 'none missing',
        ...[await rows('packages'), await rows('silences'), await rows('predictions', ' and shadow = 0')].map(
          String,
        ),
      ]);
    }
    assert.ok(await store.get('select 1 from job_runs limit 1'));
  },
};
