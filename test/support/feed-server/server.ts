// A server that answers as the publishers of feeds do, with values, places, a clock and faults that its caller chooses.
// It listens on the loopback address alone. `npm run feeds` is the same as a command (scripts/feeds.ts).
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dailyCurve } from './daily-curve.ts';
import {
  type FaultKind,
  type FaultOptions,
  FaultSwitches,
  faultKinds,
  isFaultKind,
  sendAnswer,
} from './faults.ts';
import { dataGovSg } from './publishers/data-gov-sg.ts';
import { gbfs } from './publishers/gbfs.ts';
import { gtfsRealtime } from './publishers/gtfs-realtime.ts';
import { ltaDatamall } from './publishers/lta-datamall.ts';
import { muensterBikes, muensterParking } from './publishers/muenster.ts';
import { openMeteo, openMeteoCost } from './publishers/open-meteo.ts';
import { opendatasoft } from './publishers/opendatasoft.ts';
import { createView, json, type Places, type Publisher, type Values } from './view.ts';

export interface FeedServerOptions {
  /** Default: any that is free. */
  port?: number;
  /** Default: the real clock. */
  now?: () => number;
  /** Default: a curve over the day. */
  values?: Values;
  places?: Places;
  /** The one AccountKey that LTA DataMall accepts; default: any. */
  lta_key?: string;
  /** Stations on a page of data.gov.sg; default: all. */
  page_places?: number;
}

export interface RecordedRequest {
  /** By the server's clock. */
  at: number;
  /** The first segment of the path. */
  publisher: string;
  /** Without the query. */
  path: string;
  query: string;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** How many requests the publisher counts it as. */
  cost: number;
}

export interface FeedServer {
  /** `http://127.0.0.1:PORT`; the publishers' addresses are below it. */
  url: string;
  /** Oldest first; the newest 100,000. */
  requests: readonly RecordedRequest[];
  /** From now on for all addresses below `path`, such as `/lta-datamall` or `/`; null ends it. */
  setFault(path: string, kind: FaultKind | null, options?: FaultOptions): void;
  setValues(values: Values): void;
  /** The greatest cost of a publisher's requests within any window of so many seconds. */
  mostWithin(publisher: string, seconds: number): number;
  close(): Promise<void>;
}

const MOST_RECORDED = 100_000;

export async function startFeedServer({
  port = 0,
  now = Date.now,
  values: firstValues = dailyCurve,
  places = {},
  lta_key,
  page_places,
}: FeedServerOptions = {}): Promise<FeedServer> {
  const publishers: Readonly<Record<string, Publisher>> = {
    'data-gov-sg': dataGovSg(page_places === undefined ? {} : { page_places }),
    'lta-datamall': ltaDatamall(lta_key),
    'open-meteo': openMeteo,
    gbfs,
    'gtfs-realtime': gtfsRealtime,
    opendatasoft,
    'muenster-parking': muensterParking,
    'muenster-bikes': muensterBikes,
  };
  const requests: RecordedRequest[] = [];
  const faults = new FaultSwitches();
  let values = firstValues;

  const setFault: FeedServer['setFault'] = (path, kind, options = {}) =>
    faults.set(path, kind && { ...options, kind, since: now() });

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = URL.parse(request.url ?? '/', `http://${request.headers.host ?? '127.0.0.1'}`);
    if (!url) return void response.writeHead(400).end();
    if (url.pathname === '/' || url.pathname === '/faults') return control(request, response, url);
    const [, publisher = '', ...rest] = url.pathname.split('/');
    record(requests, {
      at: now(),
      publisher,
      path: url.pathname,
      query: url.search,
      headers: request.headers,
      cost: publisher === 'open-meteo' ? openMeteoCost(url.searchParams) : 1,
    });
    const fault = faults.take(url.pathname);
    const question = {
      path: rest.join('/'),
      query: url.searchParams,
      base: `${url.origin}/${publisher}`,
      headers: request.headers,
    };
    const shape = Object.hasOwn(publishers, publisher) ? publishers[publisher] : undefined;
    const answer =
      shape?.(question, createView(now(), values, places, fault)) ??
      json({ error: 'no such address' }, 'error', 404);
    await sendAnswer(request, response, answer, fault);
  }

  /** For a person who runs the command: what was asked for, and the switches of faults. */
  function control({ method }: IncomingMessage, response: ServerResponse, url: URL): void {
    const { path = '', kind = '', seconds } = Object.fromEntries(url.searchParams);
    const isKnown = kind === 'none' || isFaultKind(kind);
    if (url.pathname === '/faults' && method === 'POST' && path.startsWith('/') && isKnown) {
      const number = Number(seconds);
      setFault(path, kind === 'none' ? null : kind, number > 0 ? { seconds: number } : {});
    } else if (url.pathname === '/faults') {
      const usage = `POST /faults?path=/lta-datamall&kind=KIND[&seconds=N], with KIND none or one of\n`;
      const kinds = Object.entries(faultKinds).map(([name, what]) => `  ${name}: ${what}\n`);
      return void response.writeHead(method === 'POST' ? 400 : 200).end(usage + kinds.join(''));
    }
    const counts = Map.groupBy(requests, (entry) => entry.path);
    const lines = [...counts].map(([asked, list]) => `${list.length} × ${asked}\n`);
    const switched = [...faults.active].map(([start, fault]) => `fault ${fault.kind} below ${start}\n`);
    response
      .writeHead(200, { 'content-type': 'text/plain; charset=utf-8' })
      .end(`${requests.length} requests\n${lines.join('')}${switched.join('')}`);
  }

  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    url,
    requests,
    setFault,
    setValues(chosen) {
      values = chosen;
    },
    mostWithin: (publisher, seconds) =>
      mostWithin(
        requests.filter((entry) => entry.publisher === publisher),
        seconds,
      ),
    async close() {
      const closed = once(server, 'close');
      server.close();
      // Those that wait for an answer that never comes too.
      server.closeAllConnections();
      await closed;
    },
  };
}

function record(requests: RecordedRequest[], entry: RecordedRequest): void {
  requests.push(entry);
  if (requests.length > MOST_RECORDED) requests.shift();
}

/** A window holds its first moment and not its last. */
function mostWithin(requests: readonly RecordedRequest[], seconds: number): number {
  let most = 0;
  let cost = 0;
  let first = 0;
  for (const { at, cost: own } of requests) {
    cost += own;
    for (let oldest = requests[first]; oldest && oldest.at <= at - seconds * 1000; oldest = requests[++first])
      cost -= oldest.cost;
    most = Math.max(most, cost);
  }
  return most;
}
