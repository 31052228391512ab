// The protocol versions that are served, and the form of the reply to any other one.
import { errorCodes, failure, type Id, type McpReply } from './json-rpc.ts';

/** Version of the requests that are stateless: each carries its version in `_meta` (stateless.ts). */
export const STATELESS_VERSION = '2026-07-28';

/** Versions that begin with an `initialize` handshake (legacy.ts), oldest first. */
export const legacyVersions = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'] as const;
export type LegacyVersion = (typeof legacyVersions)[number];

/** Also the version of the manifest. */
export const DEFAULT_VERSION: LegacyVersion = '2024-11-05';

/** Newest first: a client takes the first that it knows. */
export const supportedVersions: readonly string[] = [STATELESS_VERSION, ...legacyVersions.toReversed()];

/**
 * How long a client may use a list or the result of `server/discover`. They change only when another release is
 * started, which is not known beforehand: the bound is that of the manifest.
 */
export const LIST_TTL_SECONDS = 300;

export const SERVER_INFO_KEY = 'io.modelcontextprotocol/serverInfo';
export const VERSION_HEADER = 'mcp-protocol-version';

/** Header names in lower case, as node:http has them. */
export type McpHeaders = Readonly<Record<string, string | string[] | undefined>>;

export const isLegacyVersion = (version: unknown): version is LegacyVersion =>
  (legacyVersions as readonly unknown[]).includes(version);

export const unsupportedVersion = (id: Id | undefined, requested: unknown): McpReply => ({
  status: 400,
  body: failure(id, errorCodes.unsupportedVersion, 'unsupported protocol version', {
    supported: supportedVersions,
    requested,
  }),
});
