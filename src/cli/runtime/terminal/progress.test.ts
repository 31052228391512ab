import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type HistoryProgress, historySentence } from '../../../domain/text/history-progress.ts';
import { progressBar } from './progress.ts';

/** What is written for a history of so many days, of which one after the other is done. */
function shown(total: number, isTTY: boolean, columns?: number): string[] {
  const written: string[] = [];
  const stream = { isTTY, ...(columns && { columns }), write: (text: string) => written.push(text) };
  const show = progressBar(historySentence, stream);
  const progress = (done: number): HistoryProgress => ({
    finished: done === total,
    done,
    total,
    seconds_left: total - done,
  });
  for (let done = 0; done <= total; done += 1) show(progress(done));
  return written;
}

test('a line every few days where there is no terminal', () => {
  const lines = shown(46, false);
  assert.deepEqual(lines.slice(0, 2), [
    'writing the history: 0 of 46 days, about 46 s left\n',
    'writing the history: 5 of 46 days, about 41 s left\n',
  ]);
  assert.equal(lines.length, 11);
  assert.equal(lines.at(-1), 'the history is complete: 46 days\n');
  assert.equal(shown(2, false).length, 3);
});

test('a bar in one line on a terminal', () => {
  const [empty = '', half = '', full = '', ...rest] = shown(2, true, 100);
  assert.equal(rest.length, 0);
  for (const text of [empty, half, full]) assert.ok(text.startsWith('\r\x1b[2K'), text);
  assert.match(empty, /░{32} {2}writing the history: 0 of 2 days/);
  assert.match(half, /█{16}░{16} {2}writing the history: 1 of 2 days, about 1 s left$/);
  assert.match(full, /█{32} {2}the history is complete: 2 days\n$/);
});

test('no line of a terminal wraps: the bar is shorter, then left out, then the sentence is cut', () => {
  for (const columns of [undefined, 60, 50, 10]) {
    const lines = shown(46, true, columns).map((text) => text.replace('\r\x1b[2K', '').trimEnd());
    for (const line of lines) assert.ok(line.length < (columns ?? 80), line);
    assert.equal(
      lines.every((line) => /^[█░]{8,} {2}/.test(line)),
      columns === undefined,
      `${columns}`,
    );
  }
});
