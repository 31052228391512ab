import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import pino from 'pino';
import { type AccessLogLine, createHttpLog } from './access-log.ts';

function house(level: string) {
  const written: string[] = [];
  const sink = { write: (text: string) => written.push(text) };
  const logger = pino({ level, name: 'http' }, sink);
  return { written, ...createHttpLog(logger, sink) };
}

const answeredAt = (path: string): AccessLogLine => ({
  reqId: 'a-1',
  method: 'GET',
  path,
  status: 200,
  ms: 3,
});
const untimed = (line: string) => line.replace(/"time":\d+/, '"time":0');

describe('the line of a reply', () => {
  test('reads as if the logger had written it', async () => {
    const { written, logger, access } = house('info');
    for (const path of ['/api/mcp', '/a"b\\c', '/雨 ', '/\u2028']) {
      written.length = 0;
      access(answeredAt(path));
      await turn();
      logger.info(answeredAt(path), 'answered');
      assert.equal(untimed(written[0] ?? ''), untimed(written[1] ?? 'nothing'));
      assert.equal(JSON.parse(written[0] ?? '').path, path);
    }
  });

  test('leaves with those of the same turn, in order', async () => {
    const { written, access } = house('info');
    const paths = ['/1', '/2', '/3'];
    for (const path of paths) access(answeredAt(path));
    assert.deepEqual(written, []);
    await turn();
    assert.equal(written.length, 1);
    const lines = (written[0] ?? '').trim().split('\n');
    assert.deepEqual(
      lines.map((line) => JSON.parse(line).path),
      paths,
    );
    access(answeredAt('/4'));
    await turn();
    assert.equal(written.length, 2);
  });

  test('is not written where the log wants less', async () => {
    const { written, access } = house('warn');
    access(answeredAt('/'));
    await turn();
    assert.deepEqual(written, []);
  });
});
