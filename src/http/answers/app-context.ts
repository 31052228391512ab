// The dependencies that routes, the MCP endpoint and the operation runner share; `serve` creates them.

import type { Registry } from '../../domain/city/city.ts';
import { feedAttributions } from '../../domain/city/city-feed.ts';
import { iso } from '../../domain/time/slot.ts';
import type { Metrics } from '../../metrics/metrics.ts';
import type { Operation, OperationContext, Writer } from '../../operations/core/define.ts';
import { MAX_LAG_MS } from '../../store/engine/servers/readers.ts';
import type { Store } from '../../store/engine/store.ts';
import type { DataVersion } from '../cache/data-version.ts';
import type { HeavyAnswers, OnWithheld } from '../heavy/jobs.ts';
import type { WithheldLines } from '../logging/withheld-lines.ts';

/** The dependencies that answering needs. Code that has an AppContext reads the time from `now` only. */
export interface AppContext
  extends Pick<OperationContext, 'baseUrl' | 'zone' | 'lookup' | 'substrate' | 'status'> {
  /** Replaced when an operator changes an outlet: read it anew for each request. */
  readonly registry: Registry;
  store: Store;
  operations: readonly Operation[];
  dataVersion: DataVersion;
  now: () => number;
  /** Up to when what is read is complete, where that is a replica; undefined where it is the store itself. */
  readAt?: () => number | undefined;
  /** The store's time, for what must not be published before it: this machine's clock may be fast (docs/decisions/034). */
  storeNow: () => Promise<number>;
  /** The ledger's public key, in the form that a verifier takes. */
  ledgerKey: string;
  /** Absent without a datastore. */
  writer?: Writer;
  /** Stores texts that broke the rules of the voice for review by a person; absent without a datastore. */
  withheld?: WithheldLines;
  /** Starts the thread for heavy answers; absent where they are computed on the request thread. */
  heavyAnswers?: (onWithheld: OnWithheld, onDeath: (error: Error) => void) => HeavyAnswers;
  build: { version: string; deployed_at: string };
  /** Absent where nobody reads them. */
  metrics?: Metrics;
  /** What the operator states about the domain (routes/well-known.ts). */
  domain?: DomainStatements;
}

export interface DomainStatements {
  /** URIs, the preferred one first. */
  securityContacts?: readonly string[];
  /** The proof that the MCP registry asks for. */
  registryAuth?: string;
  /** The public address; unset where the service only knows its own machine. */
  publicUrl?: string;
}

/** Of what clients rely on, as the interface states it; the package has a version of its own (docs/decisions/073). */
export const INTERFACE_VERSION = '0.1.0';
export const SERVER = { name: 'pocketwatch', version: INTERFACE_VERSION } as const;

/** When what an answer tells was so, and the time that it is asked for. */
export function answerTimes({ now, readAt }: Pick<AppContext, 'now' | 'readAt'>) {
  const at = now();
  const computed = Math.min(at, readAt?.() ?? at);
  // An answer of a replica is the one of a moment ago. One that is far behind, as the primary is away, is asked about now:
  // what was current then no longer is.
  return { computed, now: at - computed <= MAX_LAG_MS ? computed : at };
}

/** The `_meta` object of every answer: source, licence and attribution. */
export function answerMeta(
  {
    baseUrl,
    substrate,
    registry,
    zone,
    ...times
  }: Pick<AppContext, 'baseUrl' | 'substrate' | 'now' | 'readAt' | 'registry' | 'zone'>,
  tool: string,
  /** Names in the query that nobody read. */
  ignored: readonly string[] = [],
) {
  const { feeds } = registry;
  const { computed, now } = answerTimes(times);
  return {
    source: new URL(baseUrl).host,
    source_url: baseUrl,
    license: 'CC BY-NC-ND 4.0',
    license_url: `${baseUrl}/LICENSE-CONTENT.md`,
    attribution_required: true,
    tool,
    computed_at: iso(computed),
    substrate,
    ...(feeds && { attribution: feedAttributions(feeds, zone.localDate(now), `${baseUrl}/feeds`) }),
    ...(ignored.length && { ignored }),
  };
}
