// The files of ops/: that Prometheus accepts the rules, that alerts are raised when they should be, and what they link to.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { noPromtool, promtool, root } from './support/answers/promtool.ts';

const rules = readFileSync(join(root, 'ops/prometheus/alerts.yml'), 'utf8');
const all = (pattern: RegExp, text = rules): string[] =>
  Array.from(text.matchAll(pattern), ([, found = '']) => found);

test('Prometheus accepts the rules and the example, and raises each alert when its test says', {
  skip: noPromtool,
}, () => {
  for (const args of [
    ['check', 'config', 'ops/prometheus/prometheus.yml'],
    ['check', 'rules', 'ops/prometheus/alerts.yml'],
    ['test', 'rules', 'ops/prometheus/alerts.test.yml'],
  ]) {
    const { status, output } = promtool(args);
    assert.equal(status, 0, output);
  }
});

test('every alert has a summary and a section that says what to do', () => {
  const alerts = all(/- alert: (\w+)$/gm);
  assert.ok(alerts.length > 0);
  assert.equal(all(/^ +summary: (.+)$/gm).length, alerts.length);
  assert.deepEqual(
    all(/^ +runbook: (\S+)$/gm),
    alerts.map((name) => `docs/operating.md#${name.toLowerCase()}`),
  );
  const page = readFileSync(join(root, 'docs/operating.md'), 'utf8');
  assert.deepEqual(all(/^### (Pocketwatch\w+)$/gm, page), alerts);
});

test('the dashboard asks the data source that its user chooses', () => {
  const { panels } = JSON.parse(readFileSync(join(root, 'ops/grafana/pocketwatch.json'), 'utf8')) as {
    panels: {
      id: number;
      type: string;
      title: string;
      datasource?: { uid: string };
      targets?: { expr: string }[];
    }[];
  };
  assert.equal(new Set(panels.map(({ id }) => id)).size, panels.length);
  for (const { title, datasource, targets = [] } of panels.filter(({ type }) => type !== 'row')) {
    assert.match(datasource?.uid ?? '', /^\$\{datasource\}$/, title);
    assert.ok(targets.length > 0 && targets.every(({ expr }) => expr), title);
  }
});
