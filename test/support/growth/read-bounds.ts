// How many rows a question may look at on its way to an answer, with ordinary arguments, in a city of so many pockets,
// however long it has been watched. One that is not in the table reads what it is asked for, by index.

interface Bound {
  /** Rows for each pocket of the city. */
  perPocket: number;
  because: string;
}

/**
 * Without the rows for each pocket: the forecasts of one pocket that are compared with what came, over four weeks, and
 * the usual week of a page of a hundred pockets, are the most that is asked for.
 */
export const MOST_ROWS = 25_000;

const every = (perPocket: number): Bound => ({
  perPocket,
  because: 'it tells of every pocket, or ranks them',
});
const unsettled = (perPocket: number): Bound => ({
  perPocket,
  because: 'what was decided and forecast in the last hours is in no rollup yet, and is counted row by row',
});
const slots = (perPocket: number): Bound => ({
  perPocket,
  because: 'the newest rows of the city are those of its newest slots, which PostgreSQL reads whole',
});

/** By the name of the operation. */
export const readBounds: Readonly<Record<string, Bound>> = {
  list_pockets: every(6),
  find_calm_pocket_now: every(3),
  get_network_now: every(8),
  list_calm_windows: every(4),
  plan_visit: every(4),
  find_outlet: every(6),
  get_legitimacy_index_today: every(2),
  get_legitimacy_index: every(2),
  get_sustainability: every(3),
  get_accuracy_report: unsettled(240),
  get_trust_report: unsettled(175),
  get_changelog: unsettled(160),
  what_changed: unsettled(35),
  get_silence_counts: unsettled(30),
  list_accuracy_periods: unsettled(90),
  list_accuracy_days: unsettled(35),
  get_pocket_silence: unsettled(65),
  get_heartbeat: unsettled(5),
  list_explanations: unsettled(10),
  list_silence_vindications: unsettled(10),
  get_pocket_predictions: unsettled(130),
  list_predictions: unsettled(130),
  get_pocket_live: slots(30),
  get_stream: slots(35),
  search_ledger: slots(30),
};

/** Tables that grow neither with pockets nor with time, or by a row a month, an operator's act or a submission. */
export const smallTables: ReadonlySet<string> = new Set([
  ...['history_progress', 'ledger_keys', 'ledger_size', 'schema_migrations', 'signal_retention'],
  ...[
    'restraint_reports',
    'review_verdicts',
    'takedowns',
    'submission_scores',
    'submissions',
    'withheld_lines',
  ],
  ...['feed_states', 'builds', 'store_revision', 'excluded_sensors'],
]);
