// Retries and the circuit breaker of one feed. The breaker counts requests: while it is open, nothing is sent, so a
// poll of many pages does not knock at a dead server for each of them.
import {
  CircuitState,
  ConsecutiveBreaker,
  circuitBreaker,
  ExponentialBackoff,
  handleWhen,
  retry,
  wrap,
} from 'cockatiel';
import { FetchError, type FetchFault } from './fetch-error.ts';

/** What a second attempt may mend within seconds. A timeout is not: the next poll comes soon enough. */
const RETRIED: readonly FetchFault[] = ['network', 'server'];
/** What says nothing about the publisher's server, so that the breaker does not count it. */
const NOT_COUNTED: readonly FetchFault[] = ['budget', 'forbidden'];

export interface FetchPolicy {
  execute<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T>;
  readonly state: 'closed' | 'open' | 'half-open';
}

export interface PolicySettings {
  retries: number;
  /** The first pause; later ones grow, each with random jitter. */
  pause_ms: number;
  /** So many failures in a row open the breaker. */
  failures: number;
  /** How long it stays open before one request is tried. */
  open_ms: number;
}

export const policySettings: PolicySettings = { retries: 2, pause_ms: 500, failures: 6, open_ms: 60_000 };

export function fetchPolicy({
  retries,
  pause_ms,
  failures,
  open_ms,
}: PolicySettings = policySettings): FetchPolicy {
  const fetchFault = (error: unknown) => (error instanceof FetchError ? error.fault : undefined);
  const retried = retry(
    handleWhen((error) => RETRIED.some((fault) => fault === fetchFault(error))),
    {
      maxAttempts: retries,
      backoff: new ExponentialBackoff({ initialDelay: pause_ms, maxDelay: 20 * pause_ms }),
    },
  );
  const breaker = circuitBreaker(
    handleWhen((error) => {
      const fault = fetchFault(error);
      return fault !== undefined && !NOT_COUNTED.includes(fault);
    }),
    { halfOpenAfter: open_ms, breaker: new ConsecutiveBreaker(failures) },
  );
  const policy = wrap(retried, breaker);
  return {
    execute: (work, signal) => policy.execute(work, signal),
    get state() {
      if (breaker.state === CircuitState.Closed) return 'closed';
      return breaker.state === CircuitState.HalfOpen ? 'half-open' : 'open';
    },
  };
}
