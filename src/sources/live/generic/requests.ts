// The requests of one poll from an address with placeholders, and what each of them was made for.
import { type FeedRequest, FeedShapeError, MOST_REQUESTS, type Poll } from '../../core/adapter.ts';
import { type ReadContext, readContext } from './read-rows.ts';
import { MOST_BODY, type RequestSettings } from './settings.ts';
import { writeTime } from './time-format.ts';

const UNITS: Record<string, number> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** What a request was made for; it travels in `part` as JSON. */
export interface RequestPart {
  id?: string;
  pocket_id?: string;
  /** Pages read before this one. */
  page?: number;
}

/**
 * `{lat}`, `{lng}` and `{pocket_id}` make one request for each point, `{id}` one for each of `ids`. `{now}`,
 * `{now-90m}`, `{now-2h:YYYY-MM-DD}` are times: ISO in UTC, or by a pattern in the zone of the city.
 */
export function buildRequests(
  { url, ids, body }: RequestSettings,
  poll: Poll,
  accept: string,
): FeedRequest[] {
  const forPoints = /\{(lat|lng|pocket_id)\}/.test(url);
  const points = forPoints ? poll.points : [null];
  const forIds = url.includes('{id}');
  if (forIds && !ids) throw new FeedShapeError('settings: the url has {id}, but `ids` is missing');
  const wanted = forIds && ids ? ids : [null];
  const sent = body && JSON.stringify(body);
  if (sent && sent.length > MOST_BODY)
    throw new FeedShapeError(`settings: body is longer than ${MOST_BODY} characters`);
  // Nothing tells the answers to two questions at one address apart but the questions themselves.
  const question = sent === undefined ? {} : { body: sent, unconditional: true as const };
  if (points.length * wanted.length > MOST_REQUESTS)
    throw new FeedShapeError(`settings: more than ${MOST_REQUESTS} requests a poll`);
  return wanted.flatMap((id) =>
    points.map((point) => {
      const values: Record<string, string> = {};
      if (id !== null) values.id = id;
      if (point) {
        // Four decimals are 11 m; some publishers refuse more.
        values.lat = point.lat.toFixed(4);
        values.lng = point.lng.toFixed(4);
        values.pocket_id = point.pocket_id;
      }
      const part: RequestPart = {};
      if (id !== null) part.id = id;
      if (point) part.pocket_id = point.pocket_id;
      return withPart({ url: expand(url, values, poll), headers: { accept }, ...question }, part);
    }),
  );
}

function expand(url: string, values: Record<string, string>, poll: Poll): string {
  return url.replaceAll(/\{([^{}]*)\}/g, (_, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : timeParameter(name, poll);
    if (value === undefined)
      throw new FeedShapeError(`settings: the url has the unknown placeholder {${name}}`);
    return encodeURIComponent(value);
  });
}

function timeParameter(name: string, { now, time_zone }: Poll): string | undefined {
  const [matched, sign, amount = '0', unit = 'm', format = 'iso'] =
    /^now(?:([+-])(\d{1,4})([mhd]))?(?::(.+))?$/.exec(name) ?? [];
  if (matched === undefined) return undefined;
  const shift = Number(amount) * (UNITS[unit] ?? 0);
  return writeTime(sign === '-' ? now - shift : now + shift, format, time_zone);
}

export const withPart = (request: FeedRequest, part: RequestPart): FeedRequest =>
  Object.keys(part).length === 0 ? request : { ...request, part: JSON.stringify(part) };

/** An unreadable part is an empty one: it was not written here. */
export function requestPart({ part }: FeedRequest): RequestPart {
  try {
    const value: unknown = JSON.parse(part ?? '{}');
    if (typeof value !== 'object' || value === null) return {};
    const { id, pocket_id, page } = value as Record<string, unknown>;
    return {
      ...(typeof id === 'string' && { id }),
      ...(typeof pocket_id === 'string' && { pocket_id }),
      ...(typeof page === 'number' && { page }),
    };
  } catch {
    return {};
  }
}

/** For checking settings without an answer: every name in braces that the address gives has a value. */
export function requestContextForCheck(settings: RequestSettings): ReadContext {
  const poll: Poll = { now: 0, points: [{ pocket_id: 'a', lat: 1, lng: 1 }], time_zone: 'UTC' };
  const [request = { url: settings.url }] = buildRequests(settings, poll, '');
  return requestContext({ id: 'a' }, request, poll);
}

/** What the rows of an answer may refer to: the id or the point that was asked for. */
export function requestContext(
  feed: Parameters<typeof readContext>[0],
  request: FeedRequest,
  poll: Poll,
): ReadContext {
  const { id, pocket_id } = requestPart(request);
  const point = poll.points.find((candidate) => candidate.pocket_id === pocket_id);
  const names = { ...(id !== undefined && { id }), ...(pocket_id !== undefined && { point: pocket_id }) };
  return readContext(feed, poll, names, point ? { lat: point.lat, lng: point.lng } : null);
}
