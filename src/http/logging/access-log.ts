// The access log: one line for each reply, in the format of the pino logger.
import { hostname } from 'node:os';
import type { FastifyBaseLogger } from 'fastify';
import { batchPerTurn } from '../core/event-loop-batch.ts';

/** Contains neither the client's address nor the query, so the line does not identify a visitor. */
export interface AccessLogLine {
  reqId: string;
  method: string;
  path: string;
  status: number;
  ms: number;
}

/** The access log, and the logger for everything else. */
export interface HttpLog {
  logger: FastifyBaseLogger;
  access(line: AccessLogLine): void;
}

/** A pino logger, of which Fastify's type shows only a part. */
interface PinoLogger extends FastifyBaseLogger {
  bindings(): Record<string, unknown>;
  isLevelEnabled(level: string): boolean;
}

/** Pino's number of the level. */
const INFO = 30;

/**
 * Writes what the logger itself would write, but in one go for all replies of a turn of the event loop: writing each
 * line by itself takes longer than all our other code for a cached answer.
 */
export function createHttpLog(logger: PinoLogger, sink: { write(lines: string): void }): HttpLog {
  if (!logger.isLevelEnabled('info')) return { logger, access: () => undefined };
  const { pid } = process;
  const bindings = JSON.stringify({ pid, hostname: hostname(), ...logger.bindings() }).slice(1, -1);
  const access = batchPerTurn<AccessLogLine>((batch) => {
    const head = `{"level":${INFO},"time":${Date.now()},${bindings},`;
    let lines = '';
    for (const { reqId, method, path, status, ms } of batch)
      lines += `${head}"reqId":"${reqId}","method":"${method}","path":${JSON.stringify(path)},"status":${status},"ms":${ms},"msg":"answered"}\n`;
    sink.write(lines);
  });
  return { logger, access };
}
