// Which tools `tools/list` lists: all of them, or those of the sets that the client chose with `?toolset=` in the
// address or in a header. Calls are not limited.
import type { Operation } from '../../operations/core/define.ts';
import { inToolsets, isToolset, type Toolset, toolsetNames } from '../../operations/core/toolsets.ts';
import type { Latin1Body } from '../cache/latin1-body.ts';
import { errorCodes, failure, type McpReply, singleRequestId } from './json-rpc.ts';
import { toolList } from './manifest.ts';
import type { Kept } from './methods.ts';
import type { McpHeaders } from './versions.ts';

const PARAMETER = 'toolset';
export const TOOLSET_HEADER = 'x-pocketwatch-toolsets';

/** What is listed, or what is wrong with the choice: a set that does not exist. */
export type ToolList = { list: Latin1Body; scope: Kept['scope'] } | { fault: string };

/** Each list is stringified once. `url` is the address of the request with its query. */
export function toolListSelector(
  tools: readonly Operation[],
): (url: string, headers: McpHeaders) => ToolList {
  const all: ToolList = { list: toolList(inToolsets(tools, [])), scope: 'public' };
  const lists = new Map<string, Latin1Body>();
  return (url, headers) => {
    const header = headers[TOOLSET_HEADER];
    if (header === undefined && !url.includes('?')) return all;
    const names = chosenNames(url, header);
    const unknown = names.find((name) => !isToolset(name));
    if (unknown !== undefined) return { fault: messageFor(unknown) };
    const key = toolsetNames.filter((name) => names.includes(name));
    const list = lists.get(key.join()) ?? toolList(inToolsets(tools, key));
    lists.set(key.join(), list);
    // The header is not part of the address: another client gets another list there.
    return { list, scope: header === undefined ? 'public' : 'private' };
  };
}

/** In lower case, without repetition; none where no set is chosen. */
function chosenNames(url: string, header: string | string[] | undefined): string[] {
  const query = url.indexOf('?');
  const given = new URLSearchParams(query < 0 ? '' : url.slice(query)).getAll(PARAMETER);
  const names = [...given, ...[header ?? []].flat()].flatMap((list) => namesIn(list));
  return [...new Set(names)];
}

const namesIn = (list: string): string[] =>
  list
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter(Boolean);

/** The message for a list of names, such as that of a command's option; undefined where all are known. */
export function unknownToolsetIn(list: string): string | undefined {
  const unknown = namesIn(list).find((name) => !isToolset(name));
  return unknown === undefined ? undefined : messageFor(unknown);
}

export const toolsetsIn = (list: string): Toolset[] => namesIn(list).filter(isToolset);

/** The name is the client's: it is cut, and its control characters are escaped by JSON. */
const messageFor = (unknown: string): string =>
  `unknown toolset: ${unknown.slice(0, 40)}; there are ${toolsetNames.join(', ')}`;

/**
 * Every request to such an address is refused, so that a mistake in a configuration is seen at the start. The reply has
 * the id of the request, where it is one, so that the client does not wait for another.
 */
export const refuseToolsets = (message: string, messages: readonly unknown[]): McpReply => ({
  status: 400,
  body: failure(singleRequestId(messages), errorCodes.invalidParams, message),
});
