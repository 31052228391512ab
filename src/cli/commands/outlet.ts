import { randomUUID } from 'node:crypto';
import { categories, type Outlet, type Registry } from '../../domain/city/city.ts';
import { hoursFault } from '../../domain/city/outlet-change.ts';
import { printable } from '../../domain/text/printable.ts';
import { outletFaults } from '../../registry/outlets.ts';
import { withOperatorLock } from '../../store/engine/operator-lock.ts';
import type { Reader } from '../../store/engine/store.ts';
import { writeOutletChange } from '../../store/merchant/outlet-changes.ts';
import { latestTakedown } from '../../store/merchant/takedowns.ts';
import { flag, print, text, UsageError } from '../runtime/command.ts';
import {
  commandWithActions,
  readAction,
  registryNow,
  report,
  textTable,
  withOperatorContext,
} from '../runtime/operator.ts';

const usage = `pocketwatch outlet add --pocket POCKET --name NAME --unit UNIT --opens HH:MM --closes HH:MM [--overnight]
                       --category CATEGORY --seats N --spend AMOUNT --margin SHARE [--id UUID] [--json]
pocketwatch outlet update OUTLET_ID [any of the options above but --pocket and --id] [--reactivate] [--json]
pocketwatch outlet deactivate OUTLET_ID [--json]
pocketwatch outlet list [--pocket POCKET] [--all] [--json]

Adds an outlet to those of the registry's files, changes one, or deactivates one. A running service shows the change
within seconds. Nothing is overwritten: each change is a new row. An outlet that moves to another pocket is added as a
new one, since what was observed belongs to the pocket.

  --opens, --closes   in the city's time
  --overnight         it closes past midnight, so that --closes lies before --opens
  --category          ${categories.slice(0, 6).join(', ')},
                      ${categories.slice(6).join(', ')}
  --spend             what one person typically spends, in the city's currency
  --margin            gross margin, 0 to 1
  --id                a UUID of your own; default: a new one, which is printed
  --reactivate        show it again; refused for an outlet that asked to be removed
  --all               inactive ones too
  --json              print what was done, or the list, as JSON`;

const fields = {
  pocket: 'pocket_id',
  name: 'name',
  unit: 'unit',
  opens: 'opens_at',
  closes: 'closes_at',
  category: 'category',
  seats: 'seats',
  spend: 'typical_spend',
  margin: 'margin',
} as const;
type Option = keyof typeof fields;
const optionNames = Object.keys(fields) as Option[];

const { pocket, ...changeable } = Object.fromEntries(optionNames.map((name) => [name, text])) as Record<
  Option,
  typeof text
>;

export const outletCommand = commandWithActions('outlet', usage, { add, update, deactivate, list });

async function add(args: string[]): Promise<void> {
  const { values } = readAction(args, { pocket, ...changeable, overnight: flag, id: text, json: flag });
  const missing = optionNames.filter((name) => values[name] === undefined);
  if (missing.length) throw new UsageError(`${missing.map((name) => `--${name}`).join(', ')} must be given`);
  const outlet = {
    ...parseOutletFields(values),
    id: values.id?.toLowerCase() ?? randomUUID(),
    active: true,
  } as Outlet;
  await withOperatorContext(async ({ store, files, now }) => {
    refuse(outletProblem(files, outlet, values.overnight === true));
    await withOperatorLock(store, async (tx) => {
      const { outlets } = await registryNow(tx, files);
      if (outlets.some(({ id }) => id === outlet.id))
        throw new UsageError(`outlet ${outlet.id} already exists`);
      const namesake = outlets.find(
        ({ active, name, pocket_id }) => active && name === outlet.name && pocket_id === outlet.pocket_id,
      );
      if (namesake) throw new UsageError(`that pocket already has an outlet of that name: ${namesake.id}`);
      await writeOutletChange(tx, 'add', outlet.id, outlet, now);
    });
    report(values.json, { action: 'add', outlet }, `added ${outlet.name} in ${outlet.pocket_id}`);
    if (!values.json) print(outlet.id);
  });
}

async function update(args: string[]): Promise<void> {
  const options = { ...changeable, overnight: flag, reactivate: flag, json: flag };
  const { values, given } = readAction(args, options, ['OUTLET_ID']);
  const wanted: Partial<Outlet> = {
    ...parseOutletFields(values),
    ...(values.reactivate && { active: true }),
  };
  if (!Object.keys(wanted).length) throw new UsageError('give at least one option that changes something');
  await withOperatorContext(async ({ store, files, now }) => {
    const { outlet, changed } = await withOperatorLock(store, async (tx) => {
      const before = outletIn(await registryNow(tx, files), given[0]);
      const after = { ...before, ...wanted };
      const hoursMove = after.opens_at !== before.opens_at || after.closes_at !== before.closes_at;
      const overnight = hoursMove ? values.overnight === true : after.closes_at < after.opens_at;
      refuse(outletProblem(files, after, overnight));
      if (after.active && !before.active) await refuseTakenDown(tx, before.id);
      const differing = Object.entries(wanted).filter(
        ([name, value]) => before[name as keyof Outlet] !== value,
      );
      if (differing.length)
        await writeOutletChange(tx, 'update', before.id, Object.fromEntries(differing), now);
      return { outlet: after, changed: differing.map(([name]) => name) };
    });
    const what = changed.length
      ? `changed ${changed.join(', ')}`
      : 'nothing changed: the values are the same';
    report(values.json, { action: 'update', changed, outlet }, `${outlet.name}: ${what}`);
  });
}

async function deactivate(args: string[]): Promise<void> {
  const { values, given } = readAction(args, { json: flag }, ['OUTLET_ID']);
  await withOperatorContext(async ({ store, files, now }) => {
    const before = await withOperatorLock(store, async (tx) => {
      const outlet = outletIn(await registryNow(tx, files), given[0]);
      if (outlet.active) await writeOutletChange(tx, 'deactivate', outlet.id, { active: false }, now);
      return outlet;
    });
    const changed = before.active ? ['active'] : [];
    const what = before.active ? 'is inactive now' : 'was already inactive';
    report(
      values.json,
      { action: 'deactivate', changed, outlet: { ...before, active: false } },
      `${before.name} ${what}`,
    );
  });
}

async function list(args: string[]): Promise<void> {
  const { values } = readAction(args, { pocket: text, all: flag, json: flag });
  await withOperatorContext(async ({ store, files }) => {
    if (values.pocket !== undefined && !files.pockets.some(({ id }) => id === values.pocket))
      throw new UsageError(`unknown pocket: ${printable(values.pocket)}`);
    const { outlets } = await registryNow(store, files);
    const shown = outlets.filter(
      ({ active, pocket_id }) => (active || values.all) && (!values.pocket || pocket_id === values.pocket),
    );
    if (values.json) return print(JSON.stringify(shown));
    const rows = shown.map(({ id, pocket_id, name, category, opens_at, closes_at, active }) => [
      ...[id, pocket_id, name, category, `${opens_at}-${closes_at}`],
      active ? 'active' : 'inactive',
    ]);
    print(textTable(['outlet_id', 'pocket', 'name', 'category', 'hours', 'state'], rows));
  });
}

function parseOutletFields(values: Partial<Record<Option, string | undefined>>): Partial<Outlet> {
  const given = optionNames.flatMap((name): [string, string | number][] => {
    const value = values[name];
    if (value === undefined) return [];
    // A value that is not a number stays text, so that the schema's error names it.
    const numeric = ['seats', 'spend', 'margin'].includes(name) && /^\d+(\.\d+)?$/.test(value);
    return [[fields[name], numeric ? Number(value) : value]];
  });
  return Object.fromEntries(given);
}

/** What is wrong with an outlet, naming the options of the command. */
export function outletProblem(files: Registry, outlet: Outlet, overnight: boolean): string | undefined {
  if (!files.pockets.some(({ id }) => id === outlet.pocket_id))
    return `unknown pocket: ${printable(outlet.pocket_id)}`;
  // `hoursFault` reports equal hours.
  const faults = outletFaults(files, outlet).filter((fault) => !fault.startsWith('closes_at must differ'));
  if (!faults.length) return hoursFault(outlet, overnight);
  return faults
    .map((fault) => {
      const option = optionNames.find((name) => fault.startsWith(`${fields[name]} `));
      return option ? fault.replace(fields[option], `--${option}`) : fault.replace(/^id /, '--id ');
    })
    .join('; ');
}

function refuse(problem: string | undefined): void {
  if (problem) throw new UsageError(problem);
}

export function outletIn({ outlets }: Registry, id = ''): Outlet {
  const outlet = outlets.find((one) => one.id === id.toLowerCase());
  if (!outlet) throw new UsageError(`unknown outlet: ${printable(id)}`);
  return outlet;
}

/** An outlet that asked to be removed stays removed. */
async function refuseTakenDown(store: Reader, id: string): Promise<void> {
  const takedown = await latestTakedown(store, id);
  if (!takedown || takedown.outcome === 'withdrawn') return;
  throw new UsageError(
    `outlet ${id} asked to be removed (takedown ${takedown.id}): only a withdrawn takedown lets it be shown again`,
  );
}
