// A simulated month: for how much of waking time a line was live, computed from the lines and moments themselves, is the
// same on every page, tool and REST address that states it, and no other surface states it.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type WakingTime, wakingTimeText } from '../../../src/domain/stats/waking-time.ts';
import { percentText } from '../../../src/domain/text/figures.ts';
import { DAY } from '../../../src/domain/time/slot.ts';
import { singapore } from '../../../src/domain/time/zones.fixture.ts';
import type { AnswerOf } from '../../../src/operations/core/define.ts';
import type { getSilenceCounts } from '../../../src/operations/decision/get-silence-counts.ts';
import type { getPocketCalendar } from '../../../src/operations/history/get-pocket-calendar.ts';
import type { getChangelog } from '../../../src/operations/report/get-changelog.ts';
import type { getTrustReport } from '../../../src/operations/report/get-trust-report.ts';
import type { listStatesOfRestraint } from '../../../src/operations/report/list-states-of-restraint.ts';
import { allEndpoints } from '../../support/answers/openapi-document.ts';
import { sampleIds } from '../../support/answers/operation-answers.ts';
import { referenceWakingTime } from '../../support/answers/reference-waking-time.ts';
import { sampleAddress } from '../../support/answers/sample-addresses.ts';
import { ask } from '../../support/services/http-client.ts';
import { monthService } from '../../support/services/month.ts';
import { browserHeaders } from '../../support/services/pages.ts';
import { callTool, NOON } from '../../support/services/service.ts';

const { url, store, service } = await monthService();
const pockets = service.registry.pockets.map(({ id }) => id);

interface Place {
  pocket_id: string;
  slot: number;
}
const lines = await store.all<Place & { expires_at: number }>(
  'select slot, pocket_id, expires_at from packages',
);
const moments = await store.all<Place>('select slot, pocket_id from moments');

const [linesOf, momentsOf] = [lines, moments].map((rows) =>
  Map.groupBy(rows as readonly Place[], ({ pocket_id }) => pocket_id),
) as [Map<string, typeof lines>, Map<string, typeof moments>];
function reference(from: number, to: number, pocket?: string): WakingTime {
  const [said, decided] =
    pocket === undefined ? [lines, moments] : [linesOf.get(pocket) ?? [], momentsOf.get(pocket) ?? []];
  return referenceWakingTime(said, decided, { from, to }, singapore);
}
const computed = new Map<string, WakingTime>();
/** Computed once for all tests: nearly every one compares with it. */
const ofDays = (days: number, pocket?: string): WakingTime => {
  const key = `${days} ${pocket}`;
  const known = computed.get(key) ?? reference(NOON - days * DAY + 1, NOON + 1, pocket);
  computed.set(key, known);
  return known;
};
const october = reference(Date.parse('2026-10-01T00:00:00+08:00'), Date.parse('2026-11-01T00:00:00+08:00'));

const get = async <T>(path: string): Promise<T> => (await ask(url + path)).json<T>();
const page = async (path: string): Promise<string> => {
  const { status, text } = await ask(url + path, { headers: browserHeaders });
  assert.equal(status, 200, path);
  return text
    .replace(/<head>.*?<\/head>/s, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/[^\S\u00a0]+/g, ' ');
};
const shows = async (path: string, ...texts: string[]) => {
  const shown = await page(path);
  for (const text of texts) assert.ok(shown.includes(text), `${path} does not say “${text}”`);
};
const shareText = ({ share_said }: WakingTime) =>
  percentText(share_said ?? assert.fail('nothing observed'), 1);

describe('restraint in time', () => {
  for (const days of [7, 30] as const)
    test(`is that of the lines and moments of the last ${days} days, of all pockets and of each`, async () => {
      const counts = await get<AnswerOf<typeof getSilenceCounts>>(`/api/silence?window=${days}d`);
      const trust = await get<AnswerOf<typeof getTrustReport>>(`/api/trust?window=${days}d`);
      assert.deepEqual([counts.waking_time, trust.waking_time], [ofDays(days), ofDays(days)]);
      assert.deepEqual(
        new Map(counts.per_pocket.map(({ pocket_id, waking_time }) => [pocket_id, waking_time])),
        new Map(counts.per_pocket.map(({ pocket_id }) => [pocket_id, ofDays(days, pocket_id)])),
      );
      for (const name of ['minutes_said', 'minutes_silent'] as const)
        for (const parts of [counts.per_pocket, counts.daily_counts])
          assert.equal(
            parts.reduce((sum, { waking_time }) => sum + waking_time[name], 0),
            counts.waking_time[name],
          );
      const text = wakingTimeText(ofDays(days));
      const shares = pockets.map((pocket) => shareText(ofDays(days, pocket)));
      await shows(`/silence?window=${days}d`, text, shareText(ofDays(days)), ...shares);
      await shows(`/trust?window=${days}d`, shareText(ofDays(days)));
    });

  test('says more than the share of decisions, which counts a line once', () => {
    const { share_said } = ofDays(30);
    const recent = ({ slot }: Place) => slot > NOON - 30 * DAY;
    const said = lines.filter(recent).length;
    const silent = ofDays(30).minutes_silent / 15;
    assert.ok(share_said !== null && share_said > said / (said + silent), `${share_said}`);
  });

  test('of a pocket is the same on its page and in its calendar', async () => {
    for (const pocket of pockets.slice(0, 3)) {
      const { last_week } = await get<AnswerOf<typeof getPocketCalendar>>(
        `/api/pocket-calendar?pocket=${pocket}`,
      );
      assert.deepEqual(last_week.waking_time, ofDays(7, pocket));
      await shows(`/pocket/${pocket}`, wakingTimeText(ofDays(7, pocket)));
    }
  });

  test('of a month is the same in the report, its list, its pages and the text of the tool', async () => {
    const { reports } = await get<AnswerOf<typeof listStatesOfRestraint>>(
      '/api/state-of-restraint?month=2026-10',
    );
    assert.deepEqual(
      reports.map(({ metrics }) => metrics.waking_time),
      [october],
    );
    const { structuredContent, content } = await callTool(url, 'get_state_of_restraint', {
      month_iso: '2026-10',
    });
    assert.deepEqual((structuredContent as { waking_time: WakingTime }).waking_time, october);
    assert.ok(content[0]?.text.includes(wakingTimeText(october)));
    await shows('/reports/restraint/2026-10', wakingTimeText(october).slice(1), shareText(october));
    await shows('/reports', shareText(october));
  });

  test('of a day is that of its day of UTC', async () => {
    const { entries } = await get<AnswerOf<typeof getChangelog>>('/api/changelog?days=14');
    for (const { date, waking_time } of entries) {
      const from = Date.parse(`${date}T00:00:00Z`);
      assert.deepEqual(waking_time, reference(from, Math.min(from + DAY, NOON + 1)), date);
    }
  });

  test('is stated by these surfaces and no other', async () => {
    const ids = await sampleIds(url);
    const endpoints = (await allEndpoints(url)).filter(({ method }) => method === 'get');
    const found: string[] = [];
    for (const endpoint of endpoints) {
      if (/^\/(?:docs|openapi|glossary)/.test(endpoint.path)) continue;
      const reply = await ask(url + sampleAddress(endpoint, service, ids, {}), {
        headers: endpoint.path.startsWith('/api/') ? {} : browserHeaders,
      });
      assert.doesNotMatch(
        reply.text,
        /of decisions were silence|mostly (?:silent|saying nothing|stay)/i,
        endpoint.path,
      );
      if (
        reply.status === 200 &&
        /"waking_time"|\d\s% of waking time|Waking time with a line live/.test(reply.text)
      )
        found.push(endpoint.path);
    }
    assert.deepEqual(found.sort(), [
      '/api/changelog',
      '/api/pocket-calendar',
      '/api/silence',
      '/api/state-of-restraint',
      '/api/trust',
      '/pocket/{pocket_id}',
      '/reports',
      '/reports/restraint',
      '/reports/restraint/{month_iso}',
      '/silence',
      '/trust',
    ]);
  });
});
