import assert from 'node:assert/strict';
import { test } from 'node:test';
import { searchByName } from './outlet-search.ts';

const names = ['Café Crème', 'Curved Stair Coffee', 'Yeast and Ledger', 'Slow Papaya', '慢木瓜'];
const search = (query: string) => {
  const { match, found } = searchByName(
    names.map((name) => ({ name })),
    query,
  );
  return [match, ...found.map(({ name }) => name)];
};

test('part of a name, in any case, with or without accents; otherwise the names that are most alike', () => {
  const table: [query: string, ...found: string[]][] = [
    ['creme', 'part', 'Café Crème'],
    ['STAIR', 'part', 'Curved Stair Coffee'],
    ['c', 'part', 'Café Crème', 'Curved Stair Coffee'],
    ['木瓜', 'part', '慢木瓜'],
    ['slow papya', 'similar', 'Slow Papaya'],
    ['papaya slow', 'similar', 'Slow Papaya'],
    ['slowpapaya', 'similar', 'Slow Papaya'],
    ['curvd stiar', 'similar', 'Curved Stair Coffee'],
    ['yeast adn leger', 'similar', 'Yeast and Ledger'],
    ['cofee', 'similar', 'Curved Stair Coffee'],
    ['papaya noodles', 'similar'],
    ['zzz', 'similar'],
    ['%', 'part'],
    ['', 'part'],
  ];
  for (const [query, ...found] of table) assert.deepEqual(search(query), found, query);
});
