// Names for the statements that a transaction repeats: the server parses a named statement once, and may keep its plan.
// They end with the transaction, so that they also work behind PgBouncer in transaction mode.
import type { ClientBase } from 'pg';

/**
 * With its fourth use a statement gets a name, and a new one whenever it has been used four times as often. A plan is made
 * for the tables as they are then, and a long transaction fills them: no plan outlives that by more.
 */
const FACTOR = 4;

export interface StatementNames {
  /** The name for the next use of a statement, if it has one. */
  next(sql: string): string | undefined;
  /** Has the server forget all of them; before the transaction ends. */
  close(): void;
}

/** Of this process: a name is never given twice, since pg may hear that one was parsed after it was closed. */
let given = 0;

export function statementNames(client: ClientBase): StatementNames {
  const { connection } = client as unknown as { connection: StatementConnection };
  const used = new Map<string, { times: number; renewAt: number; name?: string }>();
  const past: string[] = [];
  const forget = (name: string) => {
    connection.close({ type: 'S', name });
    past.push(name);
  };
  return {
    next(sql) {
      const use = used.get(sql) ?? { times: 0, renewAt: FACTOR };
      used.set(sql, use);
      use.times += 1;
      if (use.times === use.renewAt) {
        if (use.name) forget(use.name);
        given += 1;
        use.name = `s${given}`;
        use.renewAt *= FACTOR;
      }
      return use.name;
    },
    close() {
      for (const { name } of used.values()) if (name) forget(name);
      used.clear();
      for (const name of past) delete connection.parsedStatements[name];
    },
  };
}

/** What pg's type of a client leaves out: its connection, and the names that were sent over it. */
interface StatementConnection {
  close(statement: { type: 'S'; name: string }): void;
  parsedStatements: Record<string, string>;
}
