// The files of a city of few pockets, for tests that start the service as a process: its history is written in a
// fraction of the time that the whole city takes.
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cityDir } from '../../../src/registry/city-dir.ts';

const singaporeDir = cityDir('singapore');

export const smallRegistryPockets = ['holland', 'serene', 'siglap', 'tiongbahru'];

/** Writes the files into a folder inside `dataDir`, once; returns that folder, for CITY_DIR. */
export function smallRegistry(dataDir: string, ids: readonly string[] = smallRegistryPockets): string {
  const folder = join(dataDir, 'registry');
  if (existsSync(folder)) return folder;
  mkdirSync(folder, { recursive: true });
  for (const file of ['city.json', 'intents.json', 'holidays.json'])
    copyFileSync(join(singaporeDir, file), join(folder, file));
  copySmallCity(folder, 'pockets', ({ id }) => ids.includes(id ?? ''));
  copySmallCity(folder, 'outlets', ({ pocket_id }) => ids.includes(pocket_id ?? ''));
  return folder;
}

function copySmallCity(
  folder: string,
  list: 'pockets' | 'outlets',
  isKept: (entry: Record<string, string>) => boolean,
) {
  const file = `${list}.json`;
  const content: Record<string, Record<string, string>[]> = JSON.parse(
    readFileSync(join(singaporeDir, file), 'utf8'),
  );
  const selected = content[list]?.filter(isKept);
  writeFileSync(join(folder, file), JSON.stringify({ [list]: selected }));
}
