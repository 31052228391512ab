import { LONGEST_NOTE, reviewVerdicts } from '../../domain/decision/review.ts';
import { deceptiveCharacters, isDeceptive } from '../../domain/text/plain-text.ts';
import { printable } from '../../domain/text/printable.ts';
import { DAY, HOUR, iso, MINUTE } from '../../domain/time/slot.ts';
import { withOperatorLock } from '../../store/engine/operator-lock.ts';
import { type OpenReview, openReviews, verdictOn, writeVerdict } from '../../store/runtime/reviews.ts';
import { flag, print, text, UsageError } from '../runtime/command.ts';
import {
  commandWithActions,
  dateAndZone,
  readAction,
  report,
  textTable,
  withOperatorContext,
} from '../runtime/operator.ts';

const LISTED = 50;
const MOST_LISTED = 1_000;

const usage = `pocketwatch review list [--limit N] [--json]
pocketwatch review resolve REVIEW_ID --verdict upheld|overturned [--note TEXT] [--json]

Lists what was withheld and needs a human verdict: lines of answers and drafts that broke the rules of the voice (open
until they are judged), and near misses, where a single gate was closed narrowly (open for two days). A verdict
publishes nothing: it is stored with what was withheld, for tuning the gates and the wording. pqs is the quality, 0 to
1, that the line would have had as a package.

  --verdict   upheld: it was right to withhold it; overturned: it should have been said
  --note      why, at most ${LONGEST_NOTE} characters; nothing about a person
  --limit     how many to list, the oldest first, 1 to ${MOST_LISTED}; default: ${LISTED}
  --json      print what was done, or the list, as JSON`;

export const reviewCommand = commandWithActions('review', usage, { list, resolve });

async function list(args: string[]): Promise<void> {
  const { values } = readAction(args, { limit: text, json: flag });
  const { limit = String(LISTED) } = values;
  if (!/^\d{1,4}$/.test(limit) || Number(limit) < 1 || Number(limit) > MOST_LISTED)
    throw new UsageError(`--limit must be an integer 1-${MOST_LISTED}`);
  await withOperatorContext(async ({ store, zone, now }) => {
    const waiting = await openReviews(store, now, zone);
    const shown = waiting.slice(0, Number(limit));
    if (values.json) return print(JSON.stringify(shown.map(shape)));
    if (!shown.length) return print('no review is open');
    const rows = shown.map(({ id, age, origin, subject, reasons, line, pqs }) => [
      ...[id, ageText(age), origin, subject, pqs === null ? '-' : pqs.toFixed(2), reasons.join(', ')],
      line,
    ]);
    print(textTable(['review_id', 'age', 'origin', 'of', 'pqs', 'withheld for', 'line'], rows));
    if (waiting.length > shown.length) print(`and ${waiting.length - shown.length} more`);
  });
}

async function resolve(args: string[]): Promise<void> {
  const { values, given } = readAction(args, { verdict: text, note: text, json: flag }, ['REVIEW_ID']);
  const [id = ''] = given;
  const verdict = reviewVerdicts.find((one) => one === values.verdict);
  if (!verdict) throw new UsageError(`--verdict must be one of ${reviewVerdicts.join(', ')}`);
  const { note = '' } = values;
  if ([...note].length > LONGEST_NOTE)
    throw new UsageError(`--note must have at most ${LONGEST_NOTE} characters`);
  if (isDeceptive(note)) throw new UsageError(`--note must not hold ${deceptiveCharacters}`);
  await withOperatorContext(async ({ store, zone, now }) => {
    const review = await withOperatorLock(store, async (tx) => {
      const before = await verdictOn(tx, id);
      if (before)
        throw new UsageError(
          `${before.review_id} was already ${before.verdict}, at ${dateAndZone(before.at, zone)}`,
        );
      const waiting = (await openReviews(tx, now, zone)).find((one) => one.id === id);
      if (!waiting) throw new UsageError(`no open review has that id: ${printable(id)}`);
      await writeVerdict(tx, { review_id: id, verdict, note, at: now });
      return waiting;
    });
    report(
      values.json,
      { action: 'resolve', review: shape(review), verdict, note, at: iso(now) },
      `${id}: ${verdict}`,
    );
  });
}

const shape = ({ since, lapses_at, age, ...review }: OpenReview) => ({
  ...review,
  since: iso(since),
  lapses_at: lapses_at === null ? null : iso(lapses_at),
  age_minutes: Math.floor(age / MINUTE),
});

const ageText = (age: number): string =>
  age < HOUR
    ? `${Math.floor(age / MINUTE)} min`
    : age < 3 * DAY
      ? `${Math.floor(age / HOUR)} h`
      : `${Math.floor(age / DAY)} d`;
