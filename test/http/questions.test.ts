// The questions of docs/questions.md: every call is made as it is written there, and its answer compared with the store.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, type TestContext, test } from 'node:test';
import { checks, type Question, type Replies } from '../support/questions/question-checks.ts';
import { type TextCheck, textChecks } from '../support/questions/text-question-checks.ts';
import { knowUsual } from '../support/pipeline/known-usual.ts';
import { writeReports } from '../support/rows/reports.ts';
import { ask, post } from '../support/services/http-client.ts';
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

/** What the text half alone has to answer: the check sees no more. */
const onTexts =
  (check: TextCheck): Question['check'] =>
  (replies, recorded) =>
    check(
      replies.map(({ text }) => text.replaceAll('\u00a0', ' ')),
      recorded,
    );

/** A day of history has no usual and no report yet. */
let known: Promise<void> | undefined;
const knowTheUsual = () => {
  known ??= knowUsual(store, service.registry)
    .then(() => writeReports(store))
    .then(() => service.dataVersion.refresh());
  return known;
};

/** Makes a call: a tool with its arguments, or GET and an address. */
async function replyTo(
  call: string,
): Promise<{ bytes: number; body: Record<string, unknown>; text: string }> {
  if (call.startsWith('GET ')) {
    const { status, text, json } = await ask(url + call.slice('GET '.length));
    assert.equal(status, 200, call);
    return { bytes: Buffer.byteLength(text), body: json(), text };
  }
  const [, name, given = '{}'] = /^(\w+) (.+)$/.exec(call) ?? [];
  const params = { name, arguments: JSON.parse(given) };
  const reply = await post(`${url}/api/mcp`, { jsonrpc: '2.0', id: 1, method: 'tools/call', params });
  const { result } = reply.json<{
    result: { content: [{ text: string }]; structuredContent: Record<string, unknown>; isError?: true };
  }>();
  assert.equal(result.isError, undefined, call);
  return {
    bytes: Buffer.byteLength(reply.text),
    body: result.structuredContent,
    text: result.content[0].text,
  };
}

test('each question has at most three calls, and a check', () => {
  assert.deepEqual(
    questions.map(({ number }) => number),
    questions.map((_, n) => n + 1),
  );
  assert.deepEqual(
    [...Object.keys(checks), ...Object.keys(textChecks)].map(Number),
    questions.map(({ number }) => number),
  );
  for (const { title, calls } of questions) assert.ok(calls.length > 0 && calls.length <= 3, title);
});

for (const { title, number, calls } of questions) {
  test(title, async () => {
    const textCheck = textChecks[number];
    if (textCheck) await knowTheUsual();
    const { check, fill } = textCheck ? { check: onTexts(textCheck) } : (checks[number] ?? assert.fail());
    const bodies: Replies = [];
    for (const { call, bytes } of calls) {
      const names = (await fill?.(bodies, store)) ?? {};
      const reply = await replyTo(call.replaceAll(/<(\w+)>/g, (_, name) => names[name] ?? assert.fail(name)));
      assert.ok(reply.bytes <= bytes, `${call}: ${reply.bytes} bytes, at most ${bytes}`);
      bodies.push(reply);
    }
    await check(bodies, { store, registry: service.registry, now: clock.now });
  });
}
