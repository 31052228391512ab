// MCP on stdin and stdout: a JSON-RPC message or batch is a line, and so is each reply. Several messages may be answered
// at the same time, so replies can come in another order; their ids tell which is which.
import type { Readable, Writable } from 'node:stream';
import { readLines } from './lines.ts';

/** Writes a line that is no reply: a message of a subscription. */
export type SendLine = (text: string) => void;

/** The reply to a line as JSON without a newline; undefined where there is none, or none yet. Must not throw. */
export type AnswerLine = (text: string, send: SendLine) => Promise<string | undefined>;

/** That of a request body over HTTP. */
export const MAX_LINE_BYTES = 1024 * 1024;
/** While as many are being answered, no further line is read: a client cannot fill the memory. */
const MAX_OPEN = 8;

const lineTooLong = JSON.stringify({
  jsonrpc: '2.0',
  id: null,
  error: { code: -32600, message: 'invalid request: the line is too long (max 1 MiB)' },
});

/**
 * Resolves when the input has ended and everything that was asked is answered. Rejects when the output cannot be
 * written any more, whether or not the input has ended.
 */
export async function answerLines(input: Readable, output: Writable, answer: AnswerLine): Promise<void> {
  const open = new Set<Promise<void>>();
  let failure: { error: unknown } | undefined;
  const onFailure = (error: unknown) => {
    failure ??= { error };
    input.destroy();
  };
  const send: SendLine = (text) => void writeLine(output, text).catch(onFailure);
  const reply = async (text: string) => {
    const body = await answer(text, send);
    if (body !== undefined) await writeLine(output, body);
  };
  try {
    for await (const line of readLines(input, MAX_LINE_BYTES)) {
      const replied = 'text' in line ? reply(line.text) : writeLine(output, lineTooLong);
      const settled = replied.catch(onFailure).finally(() => open.delete(settled));
      open.add(settled);
      if (open.size >= MAX_OPEN) await Promise.race(open);
    }
  } catch (error) {
    // Reading a stream that was destroyed is an error too; the first one is the cause.
    onFailure(error);
  }
  await Promise.all(open);
  if (failure) throw failure.error;
}

/** Waits until the client has taken it. */
const writeLine = (output: Writable, text: string): Promise<void> =>
  new Promise((resolve, reject) => {
    output.write(`${text}\n`, (error) => (error ? reject(error) : resolve()));
  });
