import { type MessagePort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { connect } from './sqlite.ts';
import { ANSWERED, GIVEN, type Order, type Reply } from './sqlite-thread.ts';
import { bumpRevision } from './store.ts';

const { path, port, words } = workerData as { path: string; port: MessagePort; words: Int32Array };

/** Opened by the first order, so that whoever gave it hears why it cannot be. */
let connection: ReturnType<typeof connect> | undefined;
const open = () => {
  if (!connection) {
    connection = connect(path);
    connection.database.exec('pragma busy_timeout = 30000');
  }
  return connection;
};

/** What was not waited for and failed: told to whoever asks next, or lost with the transaction. */
let fault: { error: unknown } | undefined;

const calls: Record<Order['call'], (order: Order, at: ReturnType<typeof connect>) => unknown> = {
  insert: ({ sql, values, width = values.length }, { prepare }) => {
    const statement = prepare(sql);
    for (let at = 0; at < values.length; at += width) statement.run(...values.slice(at, at + width));
  },
  run: ({ sql, values }, { prepare }) => Number(prepare(sql).run(...values).changes),
  all: ({ sql, values }, { prepare }) => prepare(sql).all(...values),
  get: ({ sql, values }, { prepare }) => prepare(sql).get(...values),
  script: ({ sql }, { database }) => database.exec(sql),
  begin: (_order, { database }) => database.exec('begin immediate'),
  commit: (_order, { database }) => database.exec(`${bumpRevision}; commit`),
  rollback: (_order, { database }) => {
    fault = undefined;
    if (database.isTransaction) database.exec('rollback');
  },
  close: (_order, { database }) => database.close(),
};

function answer(order: Order): Reply {
  if (fault && order.call !== 'rollback') return fault;
  try {
    return { value: calls[order.call](order, open()) };
  } catch (error) {
    return { error };
  }
}

// The thread waits for orders, not for events: nothing else ever happens here.
for (let done = 0; ; done++) {
  let message = receiveMessageOnPort(port);
  while (!message) {
    Atomics.wait(words, GIVEN, done);
    message = receiveMessageOnPort(port);
  }
  const order = message.message as Order;
  const reply = answer(order);
  if (!order.question) {
    if ('error' in reply) fault = reply;
    continue;
  }
  port.postMessage(reply);
  Atomics.add(words, ANSWERED, 1);
  Atomics.notify(words, ANSWERED);
  if (order.call === 'close') break;
}
