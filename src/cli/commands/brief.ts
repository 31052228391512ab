import type { Registry } from '../../domain/city/city.ts';
import type { BriefWindow } from '../../domain/merchant/brief.ts';
import { printable } from '../../domain/text/printable.ts';
import { iso } from '../../domain/time/slot.ts';
import type { Zone } from '../../domain/time/zone.ts';
import { withOperatorLock } from '../../store/engine/operator-lock.ts';
import type { Transaction } from '../../store/engine/store.ts';
import {
  acceptBrief,
  type BriefRecord,
  BriefRefused,
  declineBrief,
  findBrief,
  openBriefs,
} from '../../store/merchant/briefs.ts';
import { flag, print, text, UsageError } from '../runtime/command.ts';
import {
  commandWithActions,
  dateAndClock,
  type OperatorContext,
  readAction,
  readTimeOption,
  registryNow,
  report,
  textTable,
  withOperatorContext,
} from '../runtime/operator.ts';

const usage = `pocketwatch brief list [--pocket POCKET] [--json]
pocketwatch brief accept BRIEF_ID [--from TIME] [--until TIME] [--json]
pocketwatch brief decline BRIEF_ID [--json]

The service offers an outlet a window when a moment suits it. These commands record the merchant's answer, once for each
brief. An accepted brief is listed among the experiences of its pocket while its window lasts.

  --from, --until   a part of the window that was offered: HH:MM or "YYYY-MM-DD HH:MM" in local time, or ISO 8601 with
                    a zone; default: all that is left of it
  --json            print what was done, or the list, as JSON`;

export const briefCommand = commandWithActions('brief', usage, { list, accept, decline });

async function list(args: string[]): Promise<void> {
  const { values } = readAction(args, { pocket: text, json: flag });
  const { pocket } = values;
  await withOperatorContext(async ({ store, files, zone, now }) => {
    if (pocket !== undefined && !files.pockets.some(({ id }) => id === pocket))
      throw new UsageError(`unknown pocket: ${printable(pocket)}`);
    const registry = await registryNow(store, files);
    const briefs = (await openBriefs(store, now, { pocket })).filter(({ outlet_id }) =>
      isActive(registry, outlet_id),
    );
    if (values.json) return print(JSON.stringify(briefs.map(shape)));
    if (!briefs.length) return print('no brief is open');
    const outletName = (id: string) => registry.outlets.find((outlet) => outlet.id === id)?.name ?? '';
    const rows = briefs.map((brief) => [
      ...[brief.id, outletName(brief.outlet_id), windowText(brief, zone), zone.localClock(brief.expires_at)],
      brief.line,
    ]);
    print(textTable(['brief_id', 'outlet', `window (${zone.generalName})`, 'answer by', 'line'], rows));
  });
}

async function accept(args: string[]): Promise<void> {
  const options = { from: text, until: text, json: flag };
  const { values, given } = readAction(args, options, ['BRIEF_ID']);
  await answer(values.json, given[0], async (tx, id, context) => {
    const from = readTimeOption('--from', values.from, context);
    const until = readTimeOption('--until', values.until, context);
    const offered = await findBrief(tx, id);
    const window =
      offered && (from !== undefined || until !== undefined)
        ? { window_start: from ?? offered.window_start, window_end: until ?? offered.window_end }
        : undefined;
    return acceptBrief(tx, id, context, window);
  });
}

async function decline(args: string[]): Promise<void> {
  const { values, given } = readAction(args, { json: flag }, ['BRIEF_ID']);
  await answer(values.json, given[0], (tx, id, context) => declineBrief(tx, id, context));
}

type Answering = (tx: Transaction, id: string, context: OperatorContext) => Promise<BriefRecord>;

async function answer(json: boolean | undefined, id = '', answering: Answering): Promise<void> {
  await withOperatorContext(async (context) => {
    const { store, files, zone } = context;
    const brief = await withOperatorLock(store, async (tx) => {
      const answered = await answering(tx, id, context);
      // Thrown inside the transaction, so that nothing is written.
      if (!isActive(await registryNow(tx, files), answered.outlet_id))
        throw new UsageError('the outlet of that brief is no longer active');
      return answered;
    }).catch((error) => {
      throw error instanceof BriefRefused ? new UsageError(`${printable(id)}: ${error.message}`) : error;
    });
    const window = brief.answer?.window;
    const what = window
      ? `accepted, ${windowText(window, zone)} ${zone.abbreviation(window.window_end)}`
      : brief.answer?.answer;
    report(json, { action: brief.answer?.answer, brief: shape(brief) }, `${brief.id}: ${what}`);
  });
}

const isActive = ({ outlets }: Registry, id: string): boolean =>
  outlets.some((outlet) => outlet.id === id && outlet.active);

const windowText = ({ window_start, window_end }: BriefWindow, zone: Zone): string =>
  `${dateAndClock(window_start, zone)}-${zone.localClock(window_end)}`;

const shape = ({ answer: given, ...brief }: BriefRecord) => ({
  ...brief,
  slot: iso(brief.slot),
  window_start: iso(brief.window_start),
  window_end: iso(brief.window_end),
  expires_at: iso(brief.expires_at),
  answer: given && {
    answer: given.answer,
    answered_at: iso(given.answered_at),
    answered_by: given.answered_by,
    window_start: given.window && iso(given.window.window_start),
    window_end: given.window && iso(given.window.window_end),
  },
});
