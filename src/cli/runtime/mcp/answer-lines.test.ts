import assert from 'node:assert/strict';
import { PassThrough, Writable } from 'node:stream';
import { test } from 'node:test';
import { answerLines, MAX_LINE_BYTES } from './answer-lines.ts';

/** What is written to the output when the input is these chunks. */
async function collectOutput(chunks: string[], answer: (text: string) => Promise<string | undefined>) {
  const input = new PassThrough();
  for (const chunk of chunks) input.write(chunk);
  input.end();
  const written: string[] = [];
  const output = new Writable({
    write: (chunk, _encoding, done) => {
      written.push(String(chunk));
      done();
    },
  });
  await answerLines(input, output, answer);
  return written;
}

test('each reply is a line, and what has no reply is silent', async () => {
  const written = await collectOutput(['1\n2\n', '3'], async (text) =>
    text === '2' ? undefined : `re ${text}`,
  );
  assert.deepEqual(written.sort(), ['re 1\n', 're 3\n']);
});

test('the end of the input waits for what is still being answered', async () => {
  const { promise, resolve } = Promise.withResolvers<string>();
  const ended = collectOutput(['1\n'], () => promise);
  setImmediate(() => resolve('late'));
  assert.deepEqual(await ended, ['late\n']);
});

test('a line that is too long gets an error, and the next one is answered', async () => {
  const [error = '', answer] = await collectOutput(
    ['x'.repeat(MAX_LINE_BYTES), 'x\nnext\n'],
    async (text) => text,
  );
  assert.equal(JSON.parse(error).error.code, -32600);
  assert.equal(answer, 'next\n');
});

test('a bounded number of messages is answered at the same time', async () => {
  let [open, most] = [0, 0];
  await collectOutput(['x\n'.repeat(100)], async () => {
    open += 1;
    most = Math.max(most, open);
    await new Promise(setImmediate);
    open -= 1;
    return 'done';
  });
  assert.ok(most > 1 && most <= 8, `${most}`);
});

test('an output that the client has closed ends it, although the input is open', async () => {
  const input = new PassThrough();
  input.write('1\n');
  const output = new Writable({ write: (_chunk, _encoding, done) => done(new Error('EPIPE')) });
  output.on('error', () => undefined);
  await assert.rejects(
    answerLines(input, output, async () => 'x'),
    /EPIPE/,
  );
});
