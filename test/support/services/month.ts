// The service over a month of simulated history. Writing the month takes long, so all test files of a process share one:
// they only read it, and set the clock back to NOON when they have moved it.
import { after, type TestContext } from 'node:test';
import { startService } from './service.ts';

let started: ReturnType<typeof startService> | undefined;

export function monthService(): ReturnType<typeof startService> {
  started ??= startService({ after: after as TestContext['after'] }, { days: 'month' });
  return started;
}
