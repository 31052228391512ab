import { hostname } from 'node:os';
import type { FastifyBaseLogger } from 'fastify';
import { batchPerTurn } from '../core/event-loop-batch.ts';

/** What is told of each reply: neither who asked nor what about. */
export interface AccessLogLine {
  reqId: string;
  method: string;
  path: string;
  status: number;
  ms: number;
}

/** Where the service tells what happens. */
export interface HttpLog {
  logger: FastifyBaseLogger;
  access(line: AccessLogLine): void;
}

export interface NamedLogger extends FastifyBaseLogger {
  bindings(): Record<string, unknown>;
  isLevelEnabled(level: string): boolean;
}

/** As pino counts levels. */
const INFO = 30;

/**
 * The line of each reply is written as the logger itself would write it, but for all replies of a turn of the event
 * loop at once: one by one they cost a kept answer more than everything else that is ours.
 */
export function createHttpLog(logger: NamedLogger, sink: { write(lines: string): void }): HttpLog {
  if (!logger.isLevelEnabled('info')) return { logger, access: () => undefined };
  const { pid } = process;
  const ours = JSON.stringify({ pid, hostname: hostname(), ...logger.bindings() }).slice(1, -1);
  const access = batchPerTurn<AccessLogLine>((all) => {
    const head = `{"level":${INFO},"time":${Date.now()},${ours},`;
    let lines = '';
    for (const { reqId, method, path, status, ms } of all)
      lines += `${head}"reqId":"${reqId}","method":"${method}","path":${JSON.stringify(path)},"status":${status},"ms":${ms},"msg":"answered"}\n`;
    sink.write(lines);
  });
  return { logger, access };
}
