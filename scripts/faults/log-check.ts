// What a kill must not have done: looks in the store for submissions that were acknowledged and are not there, and for
// anything that is there twice.

import { hash } from 'node:crypto';
import type { Store } from '../../src/store/engine/store.ts';
import { allEntries, type LedgerEntry } from '../../src/store/ledger/entries.ts';
import { ledgerSize } from '../../src/store/ledger/ledger-reads.ts';
import type { Claim } from './killable-service.ts';
import type { Receipt } from './submitter.ts';

/** A table, and columns that no two of its rows may share. */
const uniqueRows: [what: string, table: string, columns: string][] = [
  ['slot of a job', 'job_runs', 'job, slot'],
  ['reading', 'atmosphere_readings', 'slot, pocket_id'],
  ['line', 'packages', 'slot, pocket_id'],
  ['silence', 'silences', 'slot, pocket_id'],
  ['verdict', 'verdicts', 'slot, pocket_id'],
  ['forecast', 'predictions', 'slot, pocket_id, generator, prediction_type, reveal_at'],
  ['reveal', 'reveals', 'prediction_leaf'],
  ['submission', 'submissions', 'submitter_name'],
  ['score', 'submission_scores', 'submission_leaf'],
];

/** That every leaf below the size has an entry is seen when the log is read. */
const notLogged = 'leaf < 0 or leaf >= (select size from ledger_size)';

/** Rows that one transaction writes together: either both are there or neither. */
const wholeRows: [what: string, rows: string][] = [
  [
    'run without its readings',
    `select slot from job_runs where job = 'atmosphere' and slot not in (select slot from atmosphere_readings)`,
  ],
  [
    'readings without their run',
    `select distinct slot from atmosphere_readings
     where slot not in (select slot from job_runs where job = 'atmosphere')`,
  ],
  ['forecast that is not in the log', `select leaf from predictions where ${notLogged}`],
  ['line that is not in the log', `select id from packages where ${notLogged}`],
  ['verdict that is not in the log', `select leaf from verdicts where ${notLogged}`],
  ['submission that is not in the log', `select id from submissions where ${notLogged}`],
  [
    'score without its submission',
    'select submission_leaf from submission_scores where submission_leaf not in (select leaf from submissions)',
  ],
];

/** Reads the log as it grows, so that a check after each kill costs as much as the entries since the last. */
export class LogCheck {
  readonly lost: string[] = [];
  readonly doubled: string[] = [];
  readonly #hashes = new Map<string, string>();
  readonly #names = new Map<string, string>();
  #size = 0;
  #receipts = 0;
  /** Those of submissions that were accepted and are not in the log yet. */
  waiting: Receipt[] = [];

  /** Checks the entries and the receipts that are new since the last call. */
  async advance(store: Store, receipts: readonly Receipt[]): Promise<void> {
    const known = receipts.length;
    // Asked first: a submission leaves these rows as it enters the log.
    const accepted = new Set(
      (await store.all<{ id: string }>('select id from accepted_submissions')).map(({ id }) => id),
    );
    for await (const entries of allEntries(store, this.#size)) for (const entry of entries) this.#add(entry);
    const size = (await ledgerSize(store)) ?? 0;
    if (size !== this.#size) this.lost.push(`the log has ${size} entries, and ${this.#size} were read`);
    const open = [...this.waiting, ...receipts.slice(this.#receipts, known)];
    const isWaiting = ({ id, payload_hash }: Receipt) =>
      !payload_hash && accepted.has(id) && !this.#hashes.has(id);
    this.waiting = open.filter(isWaiting);
    for (const receipt of open) if (!isWaiting(receipt)) this.#find(receipt);
    this.#receipts = known;
  }

  #add({ leaf, type, id, payload, payload_hash }: LedgerEntry): void {
    if (leaf !== this.#size) this.lost.push(`leaf ${this.#size}: the next one is ${leaf}`);
    this.#size = leaf + 1;
    if (`sha256:${hash('sha256', payload)}` !== payload_hash) this.lost.push(`leaf ${leaf}: another hash`);
    if (this.#hashes.has(id)) this.doubled.push(`ledger id ${id}`);
    this.#hashes.set(id, payload_hash);
    if (type !== 'submission') return;
    const { submitter_name: name } = JSON.parse(payload) as { submitter_name: string };
    if (this.#names.has(name)) this.doubled.push(`submission of ${name}`);
    this.#names.set(name, id);
  }

  #find({ name, id, payload_hash }: Receipt): void {
    const sealed = this.#hashes.get(id);
    if (sealed === undefined || (payload_hash && sealed !== payload_hash))
      this.lost.push(`${name}: ${id} was acknowledged`);
    else if (this.#names.get(name) !== id)
      this.doubled.push(`${name}: sealed as ${this.#names.get(name)} too`);
  }
}

/** Everything, read anew: what is there twice, and what is there in part. */
export async function checkStore(store: Store, receipts: readonly Receipt[]) {
  const log = new LogCheck();
  await log.advance(store, receipts);
  const { lost, doubled, waiting } = log;
  lost.push(...waiting.map(({ name, id }) => `${name}: ${id} was accepted and is not in the log`));
  for (const [what, table, columns] of uniqueRows) {
    const rows = await store.all(
      `select ${columns}, count(*) as n from ${table} group by ${columns} having count(*) > 1`,
    );
    doubled.push(...rows.map((row) => `${what} ${JSON.stringify(row)}`));
  }
  for (const [what, statement] of wholeRows)
    lost.push(...(await store.all(statement)).map((row) => `${what} ${JSON.stringify(row)}`));
  const damage = store.engine === 'sqlite' ? await store.all('pragma integrity_check') : [];
  lost.push(...damage.map((row) => Object.values(row as object).join()).filter((text) => text !== 'ok'));
  return { lost, doubled };
}

/** Whether the transaction of this claim was rolled back: the process died before the commit. */
export async function wasCutShort(store: Store, { pid, job, slot }: Claim): Promise<boolean> {
  const run = await store.get<{ worker: string }>(
    'select worker from job_runs where job = ? and slot = ?',
    job,
    slot,
  );
  return !run?.worker.endsWith(`:${pid}`);
}
