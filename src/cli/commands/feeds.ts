import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readConfig } from '../../config.ts';
import { OperatorError } from '../../domain/text/operator-error.ts';
import { printable } from '../../domain/text/printable.ts';
import { loadCity } from '../../registry/load.ts';
import { print, say, UsageError } from '../runtime/command.ts';
import { type CityCheck, checkFeeds, type FeedCheck, type FieldCheck } from '../runtime/feeds/check-feeds.ts';
import { configuredCityDir } from '../runtime/open.ts';
import { commandWithActions, readAction } from '../runtime/operator.ts';
import { formatUserAgent } from '../runtime/user-agent.ts';

const usage = `pocketwatch feeds check [--city DIR] [--json]

Reads each feed of a city once and shows what would be read: which values, for which pockets, how old they are, what is
wrong, and the text that the publisher asks for. A folder of files is read as it is now, a broker (MQTT) is listened to
for up to 10 seconds. Needs no store and writes nothing. Keys come from the environment: FEED_KEY_NAME is
sent to the hosts of FEED_KEY_NAME_HOSTS and to those of its adapter, and a feed at another host is not asked.
Exits with 1 when a pocket is left without any crowd signal: it would get no moments.

  --city DIR   the folder of the city; default: the city of the settings
  --json       print the result as JSON`;

export const feedsCommand = commandWithActions('feeds', usage, { check });

/** A pocket has no crowd signal; the output says which. */
class FeedCheckError extends OperatorError {}

async function check(args: string[]): Promise<void> {
  const { values } = readAction(args, { city: { type: 'string' }, json: { type: 'boolean' } });
  const config = readConfig(process.env);
  const dir = values.city ?? configuredCityDir(config);
  if (!existsSync(join(dir, 'city.json')))
    throw new UsageError(`--city must be the folder of a city, but ${printable(dir)} has no city.json`);
  const {
    registry: { city, pockets },
    feeds,
  } = loadCity(dir);
  if (feeds.length === 0) throw new UsageError(`${city.name} has no feeds: its signals are simulated`);
  const checked = await checkFeeds({
    feeds,
    pockets,
    time_zone: city.time_zone,
    keys: config.FEED_KEYS,
    userAgent: formatUserAgent(config),
    clock: Date.now,
  });
  print(values.json ? JSON.stringify(checked) : cityCheckText(checked));
  refuseWithoutCrowd(checked);
  say('every pocket has a crowd signal');
}

export function refuseWithoutCrowd({ without_crowd }: Pick<CityCheck, 'without_crowd'>): void {
  if (without_crowd.length > 0)
    throw new FeedCheckError(`no crowd signal for ${without_crowd.join(', ')}: no moments there`);
}

export const cityCheckText = ({ feeds }: CityCheck): string => feeds.map(feedText).join('\n\n');

function feedText({
  feed,
  title,
  publisher,
  licence,
  attribution,
  notes,
  problems,
  faults,
  fields,
}: FeedCheck): string {
  const counts = Object.entries(faults).map(([fault, count]) => `${fault} ${count}`);
  const lines: [label: string, text: string][] = [
    ...fields.map((field): [string, string] => ['reads', fieldText(field)]),
    ...notes.map((note): [string, string] => ['note', note]),
    ...problems.map((problem): [string, string] => ['wrong', problem]),
    ...(counts.length ? ([['left out', `rows by reason: ${counts.join(', ')}`]] as [string, string][]) : []),
    ['licence', licence],
    ['credit', attribution],
  ];
  return [
    `${feed}: ${printable(title, 100)}${publisher && `, ${printable(publisher, 100)}`}`,
    ...lines
      .filter(([, text]) => text)
      .map(([label, text]) => `  ${label.padEnd(9)} ${printable(text, 1000)}`),
  ].join('\n');
}

function fieldText(check: FieldCheck): string {
  const { field, measures, what, values, closed, places, age_minutes, pockets } = check;
  const name = `${field} (${what}; ${measures})`;
  if (places === 0) return `${name}: nothing`;
  const age = age_minutes === null ? 'without a time' : `newest ${age_minutes} min old`;
  const reached = pockets.map(
    ({ pocket_id, places: near, nearest_m }) => `${pocket_id} (${near} within reach, nearest ${nearest_m} m)`,
  );
  const rows = `${values} values${closed > 0 ? ` and ${closed} times "closed"` : ''}`;
  return `${name}: ${rows} of ${places} places, ${age}, for ${reached.join(', ')}`;
}
