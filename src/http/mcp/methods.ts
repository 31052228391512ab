// What the methods of MCP answer, as bytes and without the era of the request.
import { isObject, isTooDeep } from '../../operations/core/arguments.ts';
import type { Latin1Body } from '../cache/latin1-body.ts';
import { type MaybePromise, mapMaybePromise } from '../core/maybe-promise.ts';
import { errorCodes, failure, type Id, success } from './json-rpc.ts';
import type { LegacyVersion } from './versions.ts';

/** Results as JSON. */
export interface Methods {
  initialize(version: LegacyVersion): Latin1Body;
  /** The result of `server/discover`. */
  discover(): Latin1Body;
  /** The result of `tools/list`, and whether every client of the address gets this one. */
  tools(): { list: Latin1Body; scope: 'public' | 'private' };
  /** The result of `tools/call`. Its last field is `_meta`, an object that is not empty. */
  callTool(name: string, given: Record<string, unknown>): MaybePromise<Latin1Body>;
}

export type OnError = (error: unknown) => void;

/** Responds to `tools/call`. `complete` adds to a result what the era of the request asks for. */
export function respondToCall(
  id: Id,
  params: unknown,
  { callTool }: Methods,
  onError: OnError,
  complete?: (result: Latin1Body) => Latin1Body,
): MaybePromise<Latin1Body> {
  const { invalidParams, internalError } = errorCodes;
  if (!isObject(params) || typeof params.name !== 'string')
    return failure(id, invalidParams, 'invalid params: name must be a string');
  const { name, arguments: given = {} } = params;
  if (!isObject(given)) return failure(id, invalidParams, 'invalid params: arguments must be an object');
  if (isTooDeep(given)) return failure(id, invalidParams, 'invalid params: arguments are nested too deeply');
  const fault = (error: unknown) => {
    onError(error);
    return failure(id, internalError, 'internal error');
  };
  try {
    const answer = mapMaybePromise(callTool(name as string, given), (result) =>
      success(id, complete ? complete(result) : result),
    );
    return answer instanceof Promise ? answer.catch(fault) : answer;
  } catch (error) {
    return fault(error);
  }
}
