import { TAKEDOWN_SLA, type TakedownOutcome } from '../../domain/city/takedown.ts';
import { printable } from '../../domain/text/printable.ts';
import { DAY, HOUR, iso } from '../../domain/time/slot.ts';
import { withOperatorLock } from '../../store/engine/operator-lock.ts';
import {
  addTakedown,
  findTakedown,
  latestTakedown,
  type OpenTakedown,
  openTakedowns,
  type ResolvedTakedown,
  recentTakedowns,
  resolveTakedown,
  type Takedown,
} from '../../store/merchant/takedowns.ts';
import { flag, print, text, UsageError } from '../runtime/command.ts';
import {
  commandWithActions,
  dateAndClock,
  dateAndZone,
  type OperatorContext,
  readAction,
  readTimeOption,
  registryNow,
  report,
  textTable,
  withOperatorContext,
} from '../runtime/operator.ts';
import { outletIn } from './outlet.ts';

const LONGEST_AGO = 30 * DAY;
const MOST_LISTED = 500;

const usage = `pocketwatch takedown add OUTLET_ID [--received TIME] [--json]
pocketwatch takedown list [--all] [--json]
pocketwatch takedown resolve TAKEDOWN_ID [--withdrawn] [--json]

Records that an outlet asks to be removed. "add" deactivates it, and a running service stops showing it within seconds.
What is left to be done elsewhere is due ${TAKEDOWN_SLA / HOUR} hours after the request; then resolve the takedown.

  --received    when the outlet asked: HH:MM or "YYYY-MM-DD HH:MM" in local time, or ISO 8601 with a zone;
                default: now; not in the future, and within the last 30 days
  --withdrawn   the outlet wants to stay after all: it may be shown again (pocketwatch outlet update --reactivate)
  --all         resolved ones too, the newest first
  --json        print what was done, or the list, as JSON`;

export const takedownCommand = commandWithActions('takedown', usage, { add, list, resolve });

async function add(args: string[]): Promise<void> {
  const { values, given } = readAction(args, { received: text, json: flag }, ['OUTLET_ID']);
  await withOperatorContext(async (context) => {
    const { store, files, zone, now } = context;
    const requested_at = receivedAt(values.received, context);
    const { outlet, takedown } = await withOperatorLock(store, async (tx) => {
      const outlet = outletIn(await registryNow(tx, files), given[0]);
      const before = await latestTakedown(tx, outlet.id);
      if (before && before.outcome === null)
        throw new UsageError(
          `takedown ${before.id} of that outlet is already open, due ${dateAndZone(before.due_at, zone)}`,
        );
      if (before?.outcome === 'removed')
        throw new UsageError(`that outlet was already removed (takedown ${before.id})`);
      return { outlet, takedown: await addTakedown(tx, outlet.id, requested_at, now) };
    });
    report(
      values.json,
      { action: 'add', takedown: shape(takedown) },
      `takedown ${takedown.id}: ${outlet.name} is inactive now; the rest is due ${dateAndZone(takedown.due_at, zone)}`,
    );
  });
}

function receivedAt(given: string | undefined, context: OperatorContext): number {
  const { now } = context;
  const time = readTimeOption('--received', given, context) ?? now;
  if (time > now) throw new UsageError('--received must not be in the future');
  if (time <= now - LONGEST_AGO) throw new UsageError('--received must be within the last 30 days');
  return time;
}

async function list(args: string[]): Promise<void> {
  const { values } = readAction(args, { all: flag, json: flag });
  await withOperatorContext(async ({ store, files, zone, now }) => {
    const found: (OpenTakedown | ResolvedTakedown)[] = values.all
      ? await recentTakedowns(store, MOST_LISTED)
      : await openTakedowns(store, now);
    if (values.json) return print(JSON.stringify(found.map(shape)));
    const { outlets } = await registryNow(store, files);
    const outletName = (id: string) => outlets.find((outlet) => outlet.id === id)?.name ?? '';
    const rows = found.map((takedown) => [
      String(takedown.id),
      takedown.outlet_id,
      outletName(takedown.outlet_id),
      dateAndClock(takedown.requested_at, zone),
      dateAndClock(takedown.due_at, zone),
      takedownState(takedown, now),
    ]);
    print(
      rows.length
        ? textTable(
            ['id', 'outlet_id', 'name', `asked (${zone.generalName})`, `due (${zone.generalName})`, 'state'],
            rows,
          )
        : 'no takedown is open',
    );
  });
}

async function resolve(args: string[]): Promise<void> {
  const { values, given } = readAction(args, { withdrawn: flag, json: flag }, ['TAKEDOWN_ID']);
  const [id = ''] = given;
  if (!/^\d{1,9}$/.test(id)) throw new UsageError(`unknown takedown: ${printable(id)}`);
  await withOperatorContext(async ({ store, zone, now }) => {
    const outcome: TakedownOutcome = values.withdrawn ? 'withdrawn' : 'removed';
    const takedown = await withOperatorLock(store, async (tx) => {
      const found = await findTakedown(tx, Number(id));
      if (!found) throw new UsageError(`unknown takedown: ${id}`);
      if (found.outcome) throw new UsageError(`takedown ${id} was already resolved: ${found.outcome}`);
      await resolveTakedown(tx, found.id, outcome, now);
      return { ...found, outcome, resolved_at: now };
    });
    const late = now > takedown.due_at ? `, after it was due at ${dateAndZone(takedown.due_at, zone)}` : '';
    report(
      values.json,
      { action: 'resolve', takedown: shape(takedown) },
      `takedown ${id}: ${outcome}${late}`,
    );
  });
}

const takedownState = (takedown: OpenTakedown | ResolvedTakedown, now: number): string =>
  ('outcome' in takedown ? takedown.outcome : null) ?? (takedown.due_at < now ? 'overdue' : 'open');

const shape = (takedown: Takedown & Partial<OpenTakedown & ResolvedTakedown>) => ({
  id: takedown.id,
  outlet_id: takedown.outlet_id,
  requested_at: iso(takedown.requested_at),
  due_at: iso(takedown.due_at),
  outcome: takedown.outcome ?? null,
  resolved_at: takedown.resolved_at ? iso(takedown.resolved_at) : null,
  ...(takedown.overdue !== undefined && { overdue: takedown.overdue }),
});
