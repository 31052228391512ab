import { Backlog } from './backlog.ts';
import type { Store, Transaction } from './engine/store.ts';
import type { TreeWriter } from './ledger/log-tree.ts';
import type { Line } from './line.ts';
import type { Answer, Message, Order, Question } from './write-behind.ts';

/** What this thread does of its own in the transactions that it writes. */
export interface Errands {
  begin(tx: Transaction): Promise<void>;
  run(tx: Transaction, errand: unknown): Promise<void>;
  end(tx: Transaction): Promise<void>;
}

const unanswered: ReadonlySet<string> = new Set<Order['kind']>([
  'insert',
  'append',
  'write',
  'run',
  'errand',
]);

class RolledBack extends Error {}

/** The other end of `writeBehind`: does as it is told, until it is told to close. */
export async function obey(
  line: Line<Message, Answer>,
  store: Store,
  log: TreeWriter,
  errands: Errands,
): Promise<void> {
  const queue: (Order | Question)[] = [];
  /** Whoever sent the last question stands still until it is answered. */
  let isAwaited = false;
  const answer = (reply: Answer): void => {
    isAwaited = false;
    line.send(reply);
  };
  const open = ({ orders, question }: Message): void => {
    queue.push(...orders);
    if (question) queue.push(question);
  };
  const next = (): Order | Question => {
    while (!queue.length) open(line.take());
    const first = queue.shift() as Order | Question;
    isAwaited = !unanswered.has(first.kind);
    return first;
  };

  let hasBegun = false;
  const work = async (tx: Transaction): Promise<void> => {
    const backlog = new Backlog(tx, log);
    await errands.begin(backlog.tx);
    hasBegun = true;
    answer({ value: undefined });
    for (;;) {
      if (!queue.length) {
        const message = line.poll();
        if (message) open(message);
        else if (await backlog.some()) continue;
      }
      const told = next();
      switch (told.kind) {
        case 'insert':
          backlog.add(told.table, told.rows, told.conflict);
          break;
        case 'append':
          backlog.append(told.rows);
          break;
        case 'write':
          await backlog.write(told.now);
          break;
        case 'run':
          await backlog.tx.run(told.sql, ...told.params);
          break;
        case 'errand':
          await errands.run(backlog.tx, told.errand);
          break;
        case 'settle':
          await backlog.settle();
          answer({ value: undefined });
          break;
        case 'open':
          answer({ value: await log.open(tx) });
          break;
        case 'all':
        case 'get':
        case 'script':
          answer({ value: await backlog.tx[told.kind](told.sql, ...told.params) });
          break;
        case 'commit':
          await errands.end(backlog.tx);
          return backlog.settle();
        default:
          throw new RolledBack();
      }
    }
  };

  /** After a fault: whatever is asked is answered with it, until the transaction is given up. */
  const refuse = (error: unknown): void => {
    for (;;) {
      if (isAwaited) answer({ error });
      if (next().kind === 'rollback') return;
    }
  };

  while (next().kind === 'begin') {
    hasBegun = false;
    try {
      await store.transaction(work);
      answer({ value: undefined });
    } catch (error) {
      log.forget();
      if (hasBegun && !(error instanceof RolledBack)) refuse(error);
      answer(hasBegun ? { value: undefined } : { error });
    }
  }
  await store.close();
  answer({ value: undefined });
}
