// The programs of the first calls of /docs, run as they are shown: only the public address is replaced by that of the
// service of the test.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { after, describe, type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { ask } from '../../support/services/http-client.ts';
import { decodeMarkup, getPage } from '../../support/services/pages.ts';
import { startService } from '../../support/services/service.ts';

const run = promisify(execFile);
const { url, service } = await startService({ after: after as TestContext['after'] });
const { text: page } = await getPage(`${url}/docs`);

const sections = [...page.matchAll(/<section class="call" id="([\w-]+)">(.*?)<\/section>/gs)].map(
  ([, id = '', markup = '']) => ({ id, markup }),
);
const shown = (markup: string, pattern: RegExp): string => decodeMarkup(pattern.exec(markup)?.[1] ?? '');
const shownProgram = (markup: string, language: string): string =>
  shown(markup, new RegExp(`<div class="in-${language}">.*?<pre[^>]*>(.*?)</pre>`, 's')).replaceAll(
    service.baseUrl,
    url,
  );

const runners: Record<string, (program: string) => Promise<string>> = {
  curl: async (program) => (await run('sh', ['-c', program])).stdout,
  javascript: async (program) =>
    (await run(process.execPath, ['--input-type=module', '--eval', program])).stdout,
  python: async (program) => (await run('python3', ['-c', program])).stdout,
};

const found = await Promise.all(
  [
    ['curl', 'curl'],
    ['python', 'python3'],
  ].map(([language = '', command = '']) =>
    run(command, ['--version']).then(
      () => [language, false] as const,
      () => [language, `no ${command}`] as const,
    ),
  ),
);
const missing = new Map<string, string | false>([['javascript', false], ...found]);

/** What the programs print, beside what the same address answers to curl. */
const checks: Record<string, (answer: never, output: string) => void> = {
  'calm-now': ({ pockets }: { pockets: { name: string; calm_probability: number }[] }, output) => {
    assert.equal(pockets.length, 3);
    assert.equal(
      output,
      pockets.map(({ name, calm_probability }) => `${name} ${calm_probability}\n`).join(''),
    );
  },
  'calm-at': ({ at, pockets }: { at: string; pockets: { name: string; expected: object }[] }, output) => {
    assert.equal(new Date(at).getUTCHours(), 7, '15:00 in Singapore');
    assert.equal(pockets.length, 1);
    assert.ok(output.startsWith(`${at} ${pockets[0]?.name} `), output);
    assert.match(output, /calm_probability/);
  },
  notify: ({ recommendation, reasoning }: { recommendation: string; reasoning: string[] }, output) => {
    assert.ok(output.startsWith(recommendation), output);
    for (const line of reasoning) assert.ok(output.includes(line), line);
  },
  'how-right': (
    {
      headline,
      baseline,
    }: {
      headline: { overall_accuracy: number; revealed_count: number };
      baseline: { baseline_accuracy: number };
    },
    output,
  ) => {
    assert.ok(headline.revealed_count > 0);
    const { overall_accuracy, revealed_count } = headline;
    assert.equal(output, `${overall_accuracy} ${revealed_count} ${baseline.baseline_accuracy}\n`);
  },
  verify: ({ payload_hash }: { payload_hash: string }, output) => {
    assert.match(payload_hash, /^sha256:[\da-f]{64}$/);
    assert.equal(output.toLowerCase(), 'true\n');
  },
};

test('five calls come first, each with its programs and what it answered', () => {
  assert.deepEqual(
    sections.map(({ id }) => id),
    Object.keys(checks),
  );
  assert.ok(page.indexOf('id="first"') < page.indexOf('id="contents"'));
  assert.ok(page.indexOf('id="contents"') < page.indexOf('<details class="group"'));
  for (const { id, markup } of sections) assert.match(markup, /Answered <strong>200<\/strong>/, id);
});

for (const { id, markup } of sections)
  describe(id, () => {
    test('the answer that is shown is part of what the address answers', async (t) => {
      if (missing.get('curl')) return t.skip(String(missing.get('curl')));
      const answer = JSON.parse(await (runners.curl?.(shownProgram(markup, 'curl')) ?? ''));
      const part = JSON.parse(shown(markup, /<pre class="reply"[^>]*>(.*?)<\/pre>/s));
      assert.ok(Object.keys(part).length >= 2);
      assert.partialDeepStrictEqual(answer, part);
    });

    for (const language of ['javascript', 'python'])
      test(`in ${language} it prints the answer`, { skip: missing.get(language) ?? false }, async () => {
        const answer = await askCommand(id, shownProgram(markup, 'curl'));
        const output = await (runners[language]?.(shownProgram(markup, language)) ?? '');
        checks[id]?.(answer as never, output);
      });
  });

/** What the address of the command answers, whether or not there is a curl. */
async function askCommand(id: string, command: string): Promise<object> {
  const [, method = 'GET'] = /-X (\w+)/.exec(command) ?? [];
  const [, address = ''] = /'(http[^']+)'/.exec(command) ?? [];
  const [, body] = /-d '(.*)'$/.exec(command) ?? [];
  const headers = { 'content-type': 'application/json' };
  const { status, json } = await ask(address, { method, ...(body && { body, headers }) });
  assert.equal(status, 200, id);
  return json();
}
