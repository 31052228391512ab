// The metrics of a service after requests and a slot, and whether what ops/ names is among them.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { startFigures } from '../../../src/cli/runtime/metrics/figures.ts';
import { serveMetrics } from '../../../src/cli/runtime/metrics/serve-metrics.ts';
import { HOUR, SLOT } from '../../../src/domain/time/slot.ts';
import { createMetrics } from '../../../src/metrics/metrics.ts';
import { runDue } from '../../../src/pipeline/schedule/run.ts';
import { documentedMetrics, namedMetrics, noPromtool, promtool } from '../../support/answers/promtool.ts';
import { townRegistry, writeTown } from '../../support/rows/feeds.ts';
import { ask } from '../../support/services/http-client.ts';
import { callTool, NOON, startService } from '../../support/services/service.ts';
import { openStream } from '../../support/services/stream-client.ts';
import { describeStores, type Engine, type MakePlace } from '../../support/stores/store-places.ts';

/** A live town on a new store, whose metrics are served. */
async function startTown(t: TestContext, makePlace: MakePlace, engine: Engine, hostsPipeline = true) {
  const metrics = createMetrics();
  const place = await makePlace();
  const town = { registry: townRegistry(), substrate: 'live' as const };
  const started = await startService(t, { ...town, place, metrics, days: 0 });
  const status = {
    ...{
      dueBy: () => [],
      mail: async () => 'found' as const,
      isKeyChanged: async () => false,
      isUpgraded: () => false,
    },
    storeDamage: () => undefined,
    fullSince: () => undefined,
    replica: () => ({ used: true, reachable: true, lagMs: 1_500, primaryAway: false }),
  };
  const metered = await serveMetrics({ ...started.service, status }, metrics, {
    ...{ host: '127.0.0.1', port: 0, dataDir: place.dataDir, engine, hostsPipeline },
  });
  t.after(() => metered.stop());
  return { ...started, metered };
}

/** The samples of a text by their name and labels. */
async function scrape(url: string) {
  const { status, text, headers } = await ask(url);
  assert.equal(status, 200);
  assert.equal(headers['content-type'], 'text/plain; version=0.0.4; charset=utf-8');
  const samples = new Map(
    text
      .split('\n')
      .filter((line) => line && !line.startsWith('#'))
      .map((line): [string, number] => {
        const [, series = '', value] = /^(.+) (\S+)$/.exec(line) ?? [];
        return [series, Number(value)];
      }),
  );
  const names = new Set(Array.from(samples.keys(), (series) => series.replace(/\{.*/, '')));
  return { text, names, value: (series: string) => samples.get(`pocketwatch_${series}`) };
}

describeStores('metrics', (makePlace, engine) => {
  test('count requests, calls, slots and what is cached, and name no person, place, address or query', async (t) => {
    const { url, service, pipeline, store, metered } = await startTown(t, makePlace, engine);
    await writeTown(store, NOON - SLOT);
    metered.take({ outcomes: await runDue(pipeline, NOON) });
    metered.take({ outcomes: [{ job: 'reveal', outcome: 'failed' }] });
    const figures = startFigures();
    t.after(() => figures.stop());
    metered.take({ figures: figures.read() });
    metered.take({ published: { entries: 7, unpublished_since: Date.now() - HOUR } });
    await service.dataVersion.refresh();

    const pocket = '/api/atmosphere?pocket=domplatz';
    for (const path of [pocket, pocket, '/nowhere/secret', '/other?secret', '/api/health'])
      await ask(`${url}${path}`);
    await ask(`${url}/`);
    await ask(`${url}/`, { headers: { 'accept-encoding': 'gzip' } });
    await ask(`${url}/`, { method: 'HEAD' });
    await ask(`${url}/`, { headers: { host: 'secret.example' } });
    await ask(`${url}/`, { method: 'PROPFIND' });
    await callTool(url, 'get_pocket_atmosphere', { pocket_id: 'domplatz' });
    await callTool(url, 'secret', {});
    const stream = await openStream(`${url}/api/stream/live`);

    const { value, text, names } = await scrape(metered.url);
    const requests = (route: string, method: string, code: number) =>
      value(`http_requests_total{route="${route}",method="${method}",code="${code}"}`);
    assert.equal(requests('/api/atmosphere', 'GET', 200), 2, 'with the one that the fast path answered');
    assert.equal(value('http_request_duration_seconds_count{route="/api/atmosphere"}'), 2);
    assert.equal(value('http_request_duration_seconds_bucket{route="/api/atmosphere",le="+Inf"}'), 2);
    assert.equal(requests('/', 'GET', 200), 2);
    assert.equal(requests('/', 'HEAD', 200), 1);
    assert.equal(requests('/api/health', 'GET', 200), 1);
    assert.equal(requests('other', 'GET', 404), 2);
    assert.equal(requests('other', 'GET', 403), 1, 'a host that is refused');
    assert.equal(requests('other', 'other', 405), 1);
    assert.equal(requests('/api/mcp', 'POST', 200), 2);
    assert.equal(value('mcp_tool_calls_total{tool="get_pocket_atmosphere"}'), 1);
    assert.equal(value('mcp_tool_calls_total{tool="other"}'), 1);
    assert.equal(value('mcp_tool_calls_total{tool="list_pockets"}') ?? 0, 0);
    assert.equal(value('cache_hits_total{cache="reply"}'), 3);
    assert.equal(value('cache_misses_total{cache="reply"}'), 2);
    assert.equal(value('cache_misses_total{cache="answer"}'), 3, 'a REST answer, a page and a tool result');
    assert.equal(value('open_streams'), 1);
    assert.ok((value('open_connections') ?? 0) >= 1);
    for (const secret of ['secret', 'domplatz', '127.0.0.1', 'PROPFIND'])
      assert.ok(!text.includes(secret), secret);
    stream.cut();

    assert.equal(value('slots_total{job_name="atmosphere",outcome="ran"}'), 1);
    assert.equal(value('slots_total{job_name="reveal",outcome="failed"}'), 1);
    assert.equal(value('slots_total{job_name="weekly_report",outcome="failed"}'), 0);
    assert.equal(value('lag_seconds'), 0);
    assert.equal(value('published_log_entries'), 7);
    assert.equal(Math.floor((value('publishing_lag_seconds') ?? 0) / 3600), 1);
    assert.equal(value('feed_state{feed="counters",state="stale"}'), 1);
    assert.equal(value('feed_state{feed="counters",state="unread"}'), undefined);
    assert.equal(value('store_up'), 1);
    assert.equal(value('history_finished'), 1);
    const parts = engine === 'sqlite' ? ['main', 'wal'] : ['database'];
    for (const part of parts) assert.ok((value(`store_size_bytes{part="${part}"}`) ?? 0) > 0, part);
    assert.equal(value('store_disk_free_bytes') !== undefined, engine === 'sqlite');
    assert.ok((value('heap_used_bytes{thread="pipeline"}') ?? 0) > 0);
    assert.equal(
      value('process_resident_memory_bytes{process="pipeline"}') !== undefined,
      engine === 'postgres',
      'where the pipeline is a process of its own',
    );
    const ofReplica = ['replica_lag_seconds', 'replica_used', 'replica_up', 'primary_up'].map(value);
    assert.deepEqual(ofReplica, [1.5, 1, 1, 1]);
    await t.test('in a form that promtool accepts', { skip: noPromtool }, () => {
      const { status, output } = promtool(['check', 'metrics'], text);
      assert.equal(status, 0, output);
      assert.equal(output, '', 'it has no advice');
    });
    // Space on the disk is measured of the embedded store alone.
    if (engine === 'sqlite')
      await t.test('every metric that the dashboard, the alerts and the docs name is there', () => {
        const named = namedMetrics();
        assert.ok(named.size > 20);
        for (const [name, file] of named) assert.ok(names.has(name), `${file} names ${name}`);
        const families = new Set(Array.from(text.matchAll(/^# TYPE (\w+) /gm), ([, name = '']) => name));
        for (const name of documentedMetrics())
          assert.ok(families.delete(name), `docs/operators.md: ${name}`);
        assert.deepEqual([...families], [], 'every metric is documented');
      });

    metered.pipelineDied();
    const after = await scrape(metered.url);
    assert.equal(after.value('pipeline_deaths_total'), 1);
    assert.equal(after.value('heap_used_bytes{thread="pipeline"}'), undefined, 'it is not known any more');
  });

  test('of a process that hosts no pipeline', async (t) => {
    const { clock, store, service, metered } = await startTown(t, makePlace, engine, false);
    const before = await scrape(metered.url);
    assert.equal(before.value('lag_seconds'), undefined, 'no lag before the first reading');
    assert.equal(before.value('feed_state{feed="parking",state="unread"}'), 1);
    await writeTown(store, NOON);
    await service.dataVersion.refresh();
    clock.now = NOON + 3 * SLOT;
    const { value, names } = await scrape(metered.url);
    assert.equal(
      value('feed_state{feed="parking",state="unread"}'),
      1,
      'the store is not asked at every scrape',
    );
    assert.equal(value('lag_seconds'), (2 * SLOT) / 1000);
    assert.ok(!names.has('pocketwatch_slots_total'));
    assert.equal(value('heap_used_bytes{thread="pipeline"}'), undefined);
  });
});

test('without a datastore, nothing is said of one', async (t) => {
  const metrics = createMetrics();
  const { service } = await startService(t, { metrics, place: 'none' });
  const settings = { host: '127.0.0.1', dataDir: '/nowhere', engine: null, hostsPipeline: false };
  const metered = await serveMetrics(service, metrics, { ...settings, port: 0 });
  t.after(() => metered.stop());
  const { value, names } = await scrape(metered.url);
  assert.equal(value(`build_info{version="test",node="${process.versions.node}",store="none"}`), 1);
  for (const name of names) assert.doesNotMatch(name, /_(store|log|lag|history|feed)_/);

  const port = Number(new URL(metered.url).port);
  await assert.rejects(serveMetrics(service, createMetrics(), { ...settings, port }), {
    name: 'OperatorError',
    message: `METRICS_PORT ${port} is in use: end what listens there, or set METRICS_PORT to another port`,
  });
  const table: [path: string, method: string, status: number][] = [
    ['/metrics', 'GET', 200],
    ['/metrics?a=b', 'GET', 200],
    ['/metrics', 'HEAD', 200],
    ['/metrics', 'POST', 405],
    ['/', 'GET', 404],
    ['/metrics/a', 'GET', 404],
  ];
  for (const [path, method, status] of table)
    assert.equal(
      (await ask(new URL(path, metered.url).href, { method })).status,
      status,
      `${method} ${path}`,
    );
});
