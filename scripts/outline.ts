// Writes the outline.json of a city from a GeoJSON file of land: see docs/cities.md.
import { readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { extentAround, type Outline, outlineBox } from '../src/domain/city/outline.ts';
import { citiesDir } from '../src/registry/city-dir.ts';
import { loadCity, loadRegistry } from '../src/registry/load.ts';
import { collectRings, landIn } from './outline/land-from-geojson.ts';

const HELP = `npm run outline -- CITY_DIR LAND.geo.json --source NAME --source-url URL --attribution TEXT \\
  --licence NAME --licence-url URL [--tolerance METRES]

Cuts the land around the pockets of a city out of a GeoJSON file, simplifies it and writes CITY_DIR/outline.json.

  --source, --source-url    who publishes the data, and where
  --attribution TEXT        what the publisher wants to be shown under a map
  --licence, --licence-url  under which the data may be copied
  --tolerance METRES        detail below it is left out; default: half a pixel of the map on a phone
  --help                    this text
`;

/** Pixels of the longer side of the pockets' extent on the narrowest phone. */
const PIXELS = 292;
const METRES_IN_DEGREE = 111_195;

function main(): void {
  const text = { type: 'string' } as const;
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      ...{ source: text, 'source-url': text, attribution: text, licence: text, 'licence-url': text },
      ...{ tolerance: text, help: { type: 'boolean' } },
    },
  });
  const [dir, file] = positionals;
  const { source, attribution, licence } = values;
  const [sourceUrl, licenceUrl] = [values['source-url'], values['licence-url']];
  if (values.help || !dir || !file || !source || !sourceUrl || !attribution || !licence || !licenceUrl) {
    process.stderr.write(HELP);
    process.exitCode = values.help ? 0 : 2;
    return;
  }
  const { pockets } = loadRegistry(dir);
  const tolerance =
    values.tolerance === undefined
      ? extentAround(pockets).side / PIXELS / 2
      : Number(values.tolerance) / METRES_IN_DEGREE;
  const box = outlineBox(pockets);
  const outline: Outline = {
    source: { name: source, attribution, url: sourceUrl },
    licence: { name: licence, url: licenceUrl },
    box,
    land: landIn(collectRings(JSON.parse(readFileSync(file, 'utf8'))), box, tolerance),
  };
  const target = join(dir, 'outline.json');
  writeFileSync(
    target,
    outlineJson({ $schema: relative(dir, join(citiesDir, 'schema/outline.schema.json')), ...outline }),
  );
  // Says what is wrong with it, as `pocketwatch city check` would.
  loadCity(dir);
  const points = outline.land.flat().length;
  process.stderr.write(`${target}: ${outline.land.length} rings of ${points} points\n`);
}

/** JSON with a ring on each line, so that a change of the coast is a readable diff. */
function outlineJson({ land, ...rest }: Outline & { $schema: string }): string {
  const head = JSON.stringify(rest, null, 2).slice(0, -2);
  return `${head},\n  "land": [\n${land.map((ring) => `    ${JSON.stringify(ring)}`).join(',\n')}\n  ]\n}\n`;
}

main();
