// The questions of docs/questions.md: every call is made as it is written there, and its answer compared with the store.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, type TestContext, test } from 'node:test';
import { knowUsual } from '../support/pipeline/known-usual.ts';
import { assistantQuestions } from '../support/questions/assistant-questions.ts';
import {
  merchantQuestions,
  outletIn,
  writeOffers,
  writeQuietMondays,
} from '../support/questions/merchant-questions.ts';
import type { Recorded } from '../support/questions/question.ts';
import { endHistoryEarlier, recordQuestions } from '../support/questions/record-questions.ts';
import { visitorQuestions } from '../support/questions/visitor-questions.ts';
import { writeReports } from '../support/rows/reports.ts';
import { post } from '../support/services/http-client.ts';
import { startService } from '../support/services/service.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/questions.md'), 'utf8');

const questions = page
  .split(/^### /m)
  .slice(1)
  .map((section) => ({
    title: section.slice(0, section.indexOf('\n')),
    number: Number.parseInt(section, 10),
    calls: [...section.matchAll(/^- `(.+)` · at most (\d+) KB$/gm)].map(([, call = '', kilobytes]) => ({
      call,
      bytes: Number(kilobytes) * 1024,
    })),
  }));

const { url, service, store, clock } = await startService(
  { after: after as TestContext['after'] },
  { days: 1 },
);

const checks = { ...assistantQuestions, ...merchantQuestions, ...recordQuestions, ...visitorQuestions };

const recorded: Recorded = { store, registry: service.registry, now: clock.now };
await endHistoryEarlier(store, recorded);
await writeQuietMondays(store, recorded);
await writeOffers(store, recorded);
await service.dataVersion.refresh();

/** A day of history has no usual and no report yet; the questions of visitors need them. */
let known: Promise<void> | undefined;
const knowTheUsual = () => {
  known ??= knowUsual(store, service.registry)
    .then(() => writeReports(store))
    .then(() => service.dataVersion.refresh());
  return known;
};

interface Result {
  content?: [{ text: string }];
  contents?: [{ text: string }];
  isError?: true;
}

/** Makes a call: a tool with its arguments, or `read` and the address of a resource. */
async function replyTo(call: string): Promise<{ bytes: number; text: string }> {
  const [, name = '', given = ''] = /^(\w+) (.+)$/.exec(call) ?? assert.fail(call);
  const [method, params] =
    name === 'read'
      ? ['resources/read', { uri: given }]
      : ['tools/call', { name, arguments: JSON.parse(given) }];
  const reply = await post(`${url}/api/mcp`, { jsonrpc: '2.0', id: 1, method, params });
  const { result } = reply.json<{ result?: Result }>();
  assert.ok(result && result.isError === undefined, reply.text);
  const [{ text }] = result.content ?? result.contents ?? assert.fail(reply.text);
  return { bytes: Buffer.byteLength(reply.text), text: text.replaceAll('\u00a0', ' ') };
}

test('each question has at most three calls of at most 16 KB, and a check', () => {
  assert.deepEqual(
    questions.map(({ number }) => number),
    questions.map((_, n) => n + 1),
  );
  assert.deepEqual(
    Object.keys(checks).map(Number),
    questions.map(({ number }) => number),
  );
  for (const { title, calls } of questions) {
    assert.ok(calls.length > 0 && calls.length <= 3, title);
    for (const { bytes } of calls) assert.ok(bytes <= 16 * 1024, title);
  }
  // No call is written in a form that is not read here.
  assert.equal(page.match(/^- /gm)?.length, questions.flatMap(({ calls }) => calls).length);
});

for (const { title, number, calls } of questions) {
  test(title, async () => {
    if (number in visitorQuestions) await knowTheUsual();
    const texts: string[] = [];
    for (const { call, bytes } of calls) {
      const reply = await replyTo(call.replace('<outlet_id>', () => outletIn(texts[0] ?? '')));
      assert.ok(reply.bytes <= bytes, `${call}: ${reply.bytes} bytes, at most ${bytes}`);
      assert.ok(Buffer.byteLength(reply.text) <= 4 * 1024, `${call}: ${reply.text}`);
      texts.push(reply.text);
    }
    await checks[number]?.(texts, recorded);
  });
}
