import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import pino from 'pino';
import { inFormat } from './text-log.ts';

function logged(format: 'auto' | 'text' | 'json', isTerminal: boolean, write: (log: pino.Logger) => void) {
  const written: string[] = [];
  const sink = inFormat(format, { write: (lines) => written.push(lines) }, isTerminal);
  write(pino({ name: 'http', level: 'trace' }, sink));
  return written.join('');
}

const greet = (log: pino.Logger) => log.info({ path: '/', ms: 3 }, 'answered');
const DATE = String.raw`\d{4}-\d\d-\d\d \d\d:\d\d:\d\d`;

describe('the format of the log', () => {
  test('auto is text on a terminal and JSON elsewhere; text and json are what they say', () => {
    const isText = (format: 'auto' | 'text' | 'json', isTerminal: boolean) =>
      !logged(format, isTerminal, greet).startsWith('{');
    assert.deepEqual([isText('auto', true), isText('auto', false)], [true, false]);
    assert.deepEqual([isText('text', true), isText('text', false)], [true, true]);
    assert.deepEqual([isText('json', true), isText('json', false)], [false, false]);
  });

  test('time of this machine, level, message and fields; on a terminal it takes the place of the progress bar', () => {
    const line = logged('text', false, greet);
    assert.match(line, new RegExp(`^${DATE} INFO  http: answered path=/ ms=3\\n$`));
    const [day = '', time = ''] = line.split(' ');
    assert.ok(Math.abs(new Date(`${day}T${time}`).getTime() - Date.now()) < 60_000);
    assert.match(logged('auto', true, greet), new RegExp(`^\\r\\x1b\\[2K${DATE} INFO  http: answered`));
  });

  test('several lines that are written at once are several lines', () => {
    const line = '{"level":40,"time":0,"name":"http","msg":"slow"}\n';
    const written: string[] = [];
    inFormat('text', { write: (lines) => written.push(lines) }, false).write(line + line);
    assert.match(written.join(''), new RegExp(`^(${DATE} WARN  http: slow\\n){2}$`));
  });

  test('values with spaces are quoted, objects are JSON', () => {
    const text = logged('text', false, (log) =>
      log.warn({ how: 'exit 1', at: { a: [1] }, none: null }, 'died'),
    );
    assert.match(text, /http: died how="exit 1" at=\{"a":\[1\]\} none=null\n$/);
  });

  test('an error comes with its stack, indented', () => {
    const text = logged('text', false, (log) =>
      log.error({ err: new Error('away\n2026 INFO forged') }, 'failed'),
    );
    assert.match(text, /ERROR http: failed\n {4}Error: away\n {4}2026 INFO forged\n {4}at /);
  });

  test('what a client sent neither ends a line nor reaches the terminal as a control character', () => {
    const hostile = 'x\r\n2026-01-01 00:00:00 INFO  http: forged\x1b[2J\x07\x9b\u202E"';
    const text = logged('text', false, (log) => {
      log.info({ [hostile]: hostile, path: hostile }, hostile);
      log.error({ err: new Error(hostile) });
    });
    assert.doesNotMatch(text.replaceAll('\n', ''), /[\p{Cc}\p{Cf}]/u);
    const starts = text.split('\n').filter((line) => new RegExp(`^${DATE} `).test(line));
    assert.equal(starts.length, 2);
  });
});
