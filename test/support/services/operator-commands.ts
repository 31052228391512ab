// Runs operator commands on a store that the test can read.
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { briefCommand } from '../../../src/cli/commands/brief.ts';
import { keyCommand } from '../../../src/cli/commands/key.ts';
import { outletCommand } from '../../../src/cli/commands/outlet.ts';
import { reviewCommand } from '../../../src/cli/commands/review.ts';
import { senseCommand } from '../../../src/cli/commands/sense.ts';
import { takedownCommand } from '../../../src/cli/commands/takedown.ts';
import { openStore } from '../../../src/store/engine/open.ts';
import type { Engine, Reader } from '../../../src/store/engine/store.ts';
import { migrate } from '../../../src/store/schema/migrate.ts';
import type { StorePlace } from '../stores/store-places.ts';
import { captureOutput, run, runHere, serviceEnvironment } from './processes.ts';

export const commands = {
  outlet: outletCommand,
  brief: briefCommand,
  sense: senseCommand,
  takedown: takedownCommand,
  review: reviewCommand,
  key: keyCommand,
};

/** Operators are promised that a running service shows a change within seconds. */
const WITHIN_MS = 3_000;
/** An outlet of the registry files, in Holland Village. */
export const KNOWN_OUTLET = '143b5afb-f9d2-4ecd-b0a7-ace07ba3d9bd';
const outlet = {
  pocket: 'holland',
  name: 'Ferry Bell',
  unit: '#01-01',
  opens: '17:00',
  closes: '01:00',
  category: 'bar',
  seats: '20',
  spend: '18.50',
  margin: '0.6',
};
export const addOutletArguments = (change: Record<string, string> = {}): string[] => [
  ...['outlet', 'add'],
  ...Object.entries({ ...outlet, ...change }).flatMap(([name, value]) => [`--${name}`, value]),
];

/** Polls until the condition is true; fails after `within` milliseconds. */
export async function eventually(condition: () => Promise<boolean>, within = WITHIN_MS): Promise<void> {
  const began = performance.now();
  while (!(await condition())) {
    assert.ok(performance.now() - began < within, `not within ${within} ms`);
    await new Promise((next) => setTimeout(next, 50));
  }
}

/** A migrated store, and commands that run on it. */
export async function operatorSetup(t: TestContext, makePlace: () => Promise<StorePlace>) {
  const place = await makePlace();
  const store: Engine = openStore(place);
  await migrate(store, Date.now());
  t.after(async () => {
    await store.close();
    await place.remove();
  });
  const environment = serviceEnvironment(place);
  return {
    place,
    store,
    environment,
    /** Runs a command, as a process of its own if it is given input. */
    command: (args: string[], input = '') =>
      input ? run(args, environment, input) : runHere(t, args, environment),
    /** Runs a command in this process; returns what it writes to standard error, and throws what it throws. */
    here: async ([name = '', ...args]: string[]) => {
      const run = () => commands[name as keyof typeof commands].run(args);
      return (await captureOutput(t, environment, run)).stderr;
    },
  };
}

/** Every table that an operator command may write to. */
const tables = [
  'outlet_changes',
  'takedowns',
  'takedown_resolutions',
  'review_verdicts',
  'brief_answers',
  'citizen_senses',
];

/** The number of rows of each, and the revision, which counts commits. */
export async function countOperatorRows(store: Reader): Promise<unknown[]> {
  const counts = await Promise.all(tables.map((table) => store.get(`select count(*) as n from ${table}`)));
  return [...counts, await store.get('select revision as n from store_revision')];
}
