// Examples of ids that only the store knows: taken from the lists that have them, so that asking for them is answered.

/** Asks an address of this service; undefined where it is not answered with 200. */
export type AskList = (address: string) => Promise<unknown>;

/** By the name of the operation or the id of the endpoint; absent where nothing exists that could be named. */
export type ExampleIds = Readonly<Record<string, string | undefined>>;

interface IdSource {
  /** The address of a list that has such an id; `{pocket}` stands for the pocket of the examples. */
  list: string;
  pick(body: never, now: number): string | undefined;
}

interface Entries {
  entries: { id: string }[];
}

interface Submissions {
  entries: { payload: { prediction_window_end: string; detached: { hash: string } } }[];
}

interface Measured {
  signals: { measurements: { body: { hash: string; url: string | null } | null }[] }[];
}

const newestEntry: IdSource = {
  list: '/api/ledger/entries?limit=1',
  pick: ({ entries }: Entries) => entries[0]?.id,
};

const TILE_WIDTH = 256;

const idSources: Record<string, IdSource> = {
  get_explanation: {
    list: '/api/explanations?since=30d&limit=1',
    pick: ({ items }: { items: { id: string }[] }) => items[0]?.id,
  },
  get_ledger_entry: newestEntry,
  ledger_proof: newestEntry,
  ledger_tile: {
    list: '/api/ledger/history',
    // The first tile, or as much of it as there is.
    pick: ({ tree_size: size }: { tree_size: number }) =>
      size < 1 ? undefined : size < TILE_WIDTH ? `0/000.p/${size}` : '0/000',
  },
  ledger_rows: {
    list: '/api/ledger/history',
    pick: ({ tree_size: size }: { tree_size: number }) =>
      size < 1 ? undefined : size < TILE_WIDTH ? `000.p/${size}` : '000',
  },
  ledger_detached: {
    list: '/api/ledger/entries?type=submission&limit=50',
    // Items are published once their window has closed.
    pick: ({ entries }: Submissions, now) =>
      entries
        .find(({ payload }) => Date.parse(payload.prediction_window_end) < now)
        ?.payload.detached.hash.replace('sha256:', ''),
  },
  get_benchmark_scores: {
    list: '/api/ledger/entries?type=submission&limit=1',
    pick: ({ entries }: Entries) => entries[0]?.id,
  },
  feed_body: {
    list: '/api/provenance?pocket={pocket}',
    pick: ({ signals }: Measured) =>
      signals.flatMap(({ measurements }) => measurements).find(({ body }) => body?.url)?.body?.hash,
  },
};

/** Those of all endpoints, or of the ones that are named. */
export async function findExampleIds(
  ask: AskList,
  pocket: string,
  now: number,
  of: readonly string[] = Object.keys(idSources),
): Promise<ExampleIds> {
  const found = of.map(async (name): Promise<[string, string | undefined]> => {
    const source = idSources[name];
    const body = source && (await ask(source.list.replace('{pocket}', encodeURIComponent(pocket))));
    return [name, body === undefined ? undefined : source?.pick(body as never, now)];
  });
  return Object.fromEntries(await Promise.all(found));
}

/** Whether the path parameters of an endpoint are such ids. */
export const takesStoredId = (endpoint: string): boolean => endpoint in idSources;
