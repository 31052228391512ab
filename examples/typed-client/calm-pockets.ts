// A small program with a typed client: where it is calm now, and how that is likely to change. Paths, parameters and
// the fields of the answers are checked against api.ts, which `npm run generate` makes from a running service.
import createClient from 'openapi-fetch';
import type { paths } from './api.ts';

const baseUrl = process.env.POCKETWATCH_URL ?? 'http://localhost:3000';
const client = createClient<paths>({ baseUrl });
const print = (line: string) => process.stdout.write(`${line}\n`);
/** Errors are `{error}`; problem details have no such field, and are not asked for here. */
const fault = (body: object) => new Error('error' in body ? String(body.error) : JSON.stringify(body));

const calm = await client.GET('/api/calm-pockets', {
  params: { query: { min_calm_probability: 0, top_n: 3 } },
});
if (calm.error) throw fault(calm.error);
// The answer to a request with `fields` is a type of its own, told by that field. This request has none.
if ('fields' in calm.data) throw new Error('fields were not asked for');

const { pockets, left_out } = calm.data;
print(`${pockets.length} calm pockets, ${left_out.total} others`);
for (const { pocket_id, primary_state, calm_probability } of pockets) {
  const { data, error } = await client.GET('/api/pocket-futures', {
    params: { query: { pocket: pocket_id } },
  });
  if (error) throw fault(error);
  const next = 'horizons' in data ? data.horizons[0]?.summary_line : undefined;
  print(`${pocket_id}: ${primary_state}, calm ${calm_probability}; ${next ?? 'no forecast yet'}`);
}

// An address that answers with 404 has a body of its own type.
const unknown = await client.GET('/api/moment', { params: { query: { pocket: 'atlantis' } } });
print(`${unknown.response.status} ${unknown.error?.error}`);
