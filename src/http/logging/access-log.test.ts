import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setImmediate as endOfTurn } from 'node:timers/promises';
import pino from 'pino';
import { type AccessLogLine, createHttpLog } from './access-log.ts';

function createLog(level: string) {
  const written: string[] = [];
  const sink = { write: (text: string) => written.push(text) };
  const logger = pino({ level, name: 'http' }, sink);
  return { written, ...createHttpLog(logger, sink) };
}

const lineFor = (path: string): AccessLogLine => ({
  reqId: 'a-1',
  method: 'GET',
  path,
  status: 200,
  ms: 3,
});
const withoutTime = (line: string) => line.replace(/"time":\d+/, '"time":0');

describe('a line of the access log', () => {
  test('is what the logger itself would write', async () => {
    const { written, logger, access } = createLog('info');
    for (const path of ['/api/mcp', '/a"b\\c', '/雨 ', '/\u2028']) {
      written.length = 0;
      access(lineFor(path));
      await endOfTurn();
      logger.info(lineFor(path), 'answered');
      assert.equal(withoutTime(written[0] ?? ''), withoutTime(written[1] ?? 'nothing'));
      assert.equal(JSON.parse(written[0] ?? '').path, path);
    }
  });

  test('is written with those of the same turn, in order', async () => {
    const { written, access } = createLog('info');
    const paths = ['/1', '/2', '/3'];
    for (const path of paths) access(lineFor(path));
    assert.deepEqual(written, []);
    await endOfTurn();
    assert.equal(written.length, 1);
    const lines = (written[0] ?? '').trim().split('\n');
    assert.deepEqual(
      lines.map((line) => JSON.parse(line).path),
      paths,
    );
    access(lineFor('/4'));
    await endOfTurn();
    assert.equal(written.length, 2);
  });

  test('is not written below the log level', async () => {
    const { written, access } = createLog('warn');
    access(lineFor('/'));
    await endOfTurn();
    assert.deepEqual(written, []);
  });
});
