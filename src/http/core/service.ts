import type { Substrate } from '../../domain/atmosphere/signal.ts';
import type { Registry } from '../../domain/city/city.ts';
import type { Lookup } from '../../domain/city/lookup.ts';
import { iso } from '../../domain/time/sgt.ts';
import type { Operation, StatusProvider, Writer } from '../../operations/core/define.ts';
import type { Store } from '../../store/engine/store.ts';
import type { DataVersion } from '../cache/data-version.ts';
import type { WithheldLines } from '../logging/withheld-lines.ts';

/** What answering needs. `now` is the only clock that anything behind it sees. */
export interface Service {
  baseUrl: string;
  /** Another one once an operator has changed an outlet: to be read when it is needed. */
  readonly registry: Registry;
  lookup: Lookup;
  store: Store;
  substrate: Substrate;
  operations: readonly Operation[];
  dataVersion: DataVersion;
  now: () => number;
  /** The ledger's public key, as a verifier takes it. */
  ledgerKey: string;
  /** Absent where there is no datastore. */
  writer?: Writer;
  /** Keeps for a person what broke the voice; absent where there is no datastore. */
  withheld?: WithheldLines;
  /** Absent where nothing runs on the clock. */
  status?: StatusProvider;
  build: { version: string; deployed_at: string };
}

export const SERVER = { name: 'pocketwatch', version: '0.1.0' } as const;

/** The attribution envelope. */
export function metaOf({ baseUrl, substrate, now }: Service, tool: string) {
  return {
    source: new URL(baseUrl).host,
    source_url: baseUrl,
    license: 'CC BY-NC-ND 4.0',
    license_url: `${baseUrl}/LICENSE-CONTENT.md`,
    attribution_required: true,
    tool,
    computed_at: iso(now()),
    substrate,
  };
}
