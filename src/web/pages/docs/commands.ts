// Commands and programs to copy. Values come from the city's files and from visitors, so everything is quoted.

export interface ApiRequest {
  method: string;
  url: string;
  /** Sent as JSON. */
  body?: unknown;
}

/** In single quotes, in which the shell takes everything as it stands but a single quote. */
const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

export function curlCommand({ method, url, body }: ApiRequest): string {
  if (method === 'GET') return `curl -s ${quote(url)}`;
  return `curl -s -X ${method} ${quote(url)} -H 'content-type: application/json' -d ${quote(JSON.stringify(body))}`;
}

/** What a program does with the answer, and what it imports for that. */
export interface Reading {
  imports?: string;
  lines: readonly string[];
}

/** A module for Node; what is read is named `answer`. A JSON text is an expression of JavaScript. */
export function javascriptProgram({ method, url, body }: ApiRequest, { imports, lines }: Reading): string {
  const options =
    method === 'GET'
      ? ''
      : `, {
  method: ${JSON.stringify(method)},
  headers: { "content-type": "application/json" },
  body: JSON.stringify(${JSON.stringify(body)}),
}`;
  return [
    ...(imports ? [imports, ''] : []),
    `const reply = await fetch(${JSON.stringify(url)}${options});`,
    'const answer = await reply.json();',
    ...lines,
  ].join('\n');
}

/** A string or number of JSON is one of Python too. */
function pythonLiteral(value: unknown): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (Array.isArray(value)) return `[${value.map(pythonLiteral).join(', ')}]`;
  if (typeof value !== 'object') return JSON.stringify(value);
  const fields = Object.entries(value).map(([name, own]) => `${JSON.stringify(name)}: ${pythonLiteral(own)}`);
  return `{${fields.join(', ')}}`;
}

/** With the standard library alone. */
export function pythonProgram({ method, url, body }: ApiRequest, { imports, lines }: Reading): string {
  const request =
    method === 'GET'
      ? [`request = ${JSON.stringify(url)}`]
      : [
          'request = urllib.request.Request(',
          `    ${JSON.stringify(url)},`,
          `    data=json.dumps(${pythonLiteral(body)}).encode(),`,
          '    headers={"content-type": "application/json"},',
          `    method=${JSON.stringify(method)},`,
          ')',
        ];
  return [
    ...(imports ? [imports] : []),
    'import json',
    'import urllib.request',
    '',
    ...request,
    'with urllib.request.urlopen(request) as reply:',
    '    answer = json.load(reply)',
    ...lines,
  ].join('\n');
}

/** Path and query. Path parameters are filled in; others are given in the query. */
export function addressFor(path: string, values: Readonly<Record<string, unknown>>): string {
  const inPath = new Set<string>();
  const filled = path.replaceAll(/{(\w+)}/g, (_, name: string) => {
    inPath.add(name);
    if (values[name] === undefined) return `{${name}}`;
    // A tile's path has slashes of its own.
    return encodeURIComponent(String(values[name])).replaceAll('%2F', '/').replaceAll("'", '%27');
  });
  const query = Object.entries(values)
    .filter(([name, value]) => !inPath.has(name) && value !== undefined && value !== '')
    .map(([name, value]): [string, string] => [name, String(value)]);
  return query.length ? `${filled}?${new URLSearchParams(query)}` : filled;
}
