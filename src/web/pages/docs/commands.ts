// Commands to copy. Values come from the city's files and from visitors, so everything is quoted for the shell.

export interface CurlRequest {
  method: string;
  url: string;
  /** Sent as JSON. */
  body?: unknown;
}

/** In single quotes, in which the shell takes everything as it stands but a single quote. */
const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

export function curlCommand({ method, url, body }: CurlRequest): string {
  if (method === 'GET') return `curl -s ${quote(url)}`;
  return `curl -s -X ${method} ${quote(url)} -H 'content-type: application/json' -d ${quote(JSON.stringify(body))}`;
}

/** Path and query. Path parameters are filled in; others are given in the query. */
export function addressFor(path: string, values: Readonly<Record<string, unknown>>): string {
  const inPath = new Set<string>();
  const filled = path.replaceAll(/{(\w+)}/g, (_, name: string) => {
    inPath.add(name);
    // A tile's path has slashes of its own.
    return encodeURIComponent(String(values[name] ?? ''))
      .replaceAll('%2F', '/')
      .replaceAll("'", '%27');
  });
  const query = Object.entries(values)
    .filter(([name, value]) => !inPath.has(name) && value !== undefined && value !== '')
    .map(([name, value]): [string, string] => [name, String(value)]);
  return query.length ? `${filled}?${new URLSearchParams(query)}` : filled;
}
