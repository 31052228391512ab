// What the methods of MCP answer, as bytes and without the era of the request.
import { isObject, isTooDeep } from '../../operations/core/arguments.ts';
import type { Latin1Body } from '../cache/latin1-body.ts';
import { type MaybePromise, mapMaybePromise } from '../core/maybe-promise.ts';
import { errorCodes, failure, type Id, type McpReply, success } from './json-rpc.ts';
import type { LegacyVersion } from './versions.ts';

export interface Result {
  /** An object as JSON, without `_meta`. */
  result: Latin1Body;
  /** How long a client may keep it, and whether every client of the address gets this one. */
  kept?: Kept;
}
export interface Kept {
  seconds: number;
  scope: 'public' | 'private';
}
export interface Fault {
  code: number;
  message: string;
  data?: object;
}
export type Outcome = Result | Fault;

/** The result of `tools/call`. Its last field is `_meta`, an object that is not empty. */
export type CallTool = (name: string, given: Record<string, unknown>) => MaybePromise<Latin1Body>;

/** Results as JSON. */
export interface Methods {
  initialize(version: LegacyVersion): Latin1Body;
  /** The result of `server/discover`, with its `_meta`. */
  discover(): Latin1Body;
  callTool: CallTool;
  /** Every other method that all eras have; undefined if none has this name. */
  answer(method: string, params: Record<string, unknown>): MaybePromise<Outcome> | undefined;
  /** Answers `subscriptions/listen`; left out where the transport cannot hold a reply open. */
  listen?(id: Id, params: Record<string, unknown>): McpReply;
}

export type OnError = (error: unknown) => void;

/** Adds to a result what the era of the request asks for. */
type Complete<T> = (result: T) => Latin1Body;

/** Responds to `tools/call`. */
export function respondToCall(
  id: Id,
  params: unknown,
  { callTool }: Methods,
  onError: OnError,
  complete: Complete<Latin1Body> = (result) => result,
): MaybePromise<Latin1Body> {
  const { invalidParams } = errorCodes;
  if (!isObject(params) || typeof params.name !== 'string')
    return failure(id, invalidParams, 'invalid params: name must be a string');
  const { name, arguments: given = {} } = params;
  if (!isObject(given)) return failure(id, invalidParams, 'invalid params: arguments must be an object');
  if (isTooDeep(given)) return failure(id, invalidParams, 'invalid params: arguments are nested too deeply');
  return withoutThrowing(id, onError, () =>
    mapMaybePromise(callTool(name as string, given), (result) => success(id, complete(result))),
  );
}

/** Responds to a method that all eras have; undefined if none has this name. */
export function respondTo(
  id: Id,
  method: string,
  params: unknown,
  { answer }: Methods,
  onError: OnError,
  complete: Complete<Result> = ({ result }) => result,
  publishedCode = (code: number) => code,
): MaybePromise<Latin1Body> | undefined {
  return withoutThrowing(id, onError, () => {
    const answered = answer(method, isObject(params) ? params : {});
    if (answered === undefined) return undefined;
    return mapMaybePromise(answered, (outcome) =>
      'result' in outcome
        ? success(id, complete(outcome))
        : failure(id, publishedCode(outcome.code), outcome.message, outcome.data),
    );
  });
}

function withoutThrowing<T extends MaybePromise<Latin1Body> | undefined>(
  id: Id,
  onError: OnError,
  respond: () => T,
): T | MaybePromise<Latin1Body> {
  const fault = (error: unknown) => {
    onError(error);
    return failure(id, errorCodes.internalError, 'internal error');
  };
  try {
    const response = respond();
    return response instanceof Promise ? response.catch(fault) : response;
  } catch (error) {
    return fault(error);
  }
}

export const invalidParams = (message: string): Fault => ({
  code: errorCodes.invalidParams,
  message: `invalid params: ${message}`,
});
