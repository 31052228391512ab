// What `npm test` runs of the long files: of each kind of promise the cheapest tests that would tell that it is broken, by
// their names, each after those of its suites. `npm run test:all` runs the files whole.

export interface Sample {
  file: string;
  tests: readonly string[];
}

export const samples: readonly Sample[] = [
  // Kills: what was acknowledged is there, and nothing is there twice.
  {
    file: 'test/process/kills.test.ts',
    tests: [
      'a service that takes submissions, on SQLite killed 2 times, also inside ticks, loses and doubles nothing',
    ],
  },
  // Outages, replicas, poolers, other servers.
  {
    file: 'test/process/store/postgres-outages.test.ts',
    tests: [
      'a PostgreSQL server that fails a stop (immediate) and start',
      'a PostgreSQL server that fails connections that an administrator ends',
    ],
  },
  {
    file: 'test/process/store/replica.test.ts',
    tests: ['a replica is read once it has what the primary has, and writes go to the primary'],
  },
  {
    file: 'test/process/store/pgbouncer.test.ts',
    tests: ['rows that are refused through PgBouncer leave its connections as they were'],
  },
  {
    file: 'test/process/store/postgres-tls.test.ts',
    tests: [
      'a PostgreSQL that speaks TLS DATABASE_URL: the authority of the address is believed, and no other',
    ],
  },
  // Full disks and damaged stores.
  {
    file: 'test/process/store/full-disk.test.ts',
    tests: [
      'a full disk, on SQLite stops writing with a line, answers go on, and writing resumes when there is room',
      'a start on a full disk, on SQLite, says where to make room',
    ],
  },
  // Upgrades.
  {
    file: 'test/process/store/upgrade.test.ts',
    tests: [
      'the store of a released version, on SQLite 1.0.0 survives a kill at every step of its upgrade, verifies, and goes on',
      'the store of a released version, on SQLite 0.1.0 is not upgraded while a process of that version has it open',
    ],
  },
  // Backups, archives, what is let go.
  {
    file: 'test/process/store/backup.test.ts',
    tests: [
      'a backup, on SQLite a log that has lost published entries does not go on until the loss is accepted',
    ],
  },
  {
    file: 'test/process/store/removed-months.test.ts',
    tests: [
      'archive --remove, on SQLite removes what is archived, and every answer says so or stays as it was',
    ],
  },
  {
    file: 'test/process/store/maintain.test.ts',
    tests: [
      'maintain, on SQLite keeps everything by default, 400 days on a server, and says what a setting must be',
    ],
  },
  // The published ledger.
  {
    file: 'src/pipeline/publish/publish-ledger.test.ts',
    tests: [
      'publishing, on SQLite gives the bytes that the service serves, and the checkpoint always last',
      'publishing, on SQLite with lost answers, repeats, refusals and an outage delays the checkpoint and loses nothing',
      'publishing, on SQLite refuses a place with another log, or with more of this one than the database has',
      'publishing, on SQLite stops at a file with other bytes, and at a row that was edited in the database',
      'publishing, on SQLite gives the key that signed the checkpoint, also where a slower publisher put back the old one',
      'publishing, on SQLite gives the items of a submission once its window has closed by the time of the checkpoint',
    ],
  },
  {
    file: 'src/pipeline/publish/run-publisher.test.ts',
    tests: ['the publisher, on SQLite'],
  },
  // The first history.
  {
    file: 'src/pipeline/backfill/backfill.test.ts',
    tests: [
      'the history begins with the previous month, or some days ago',
      'the first history, on SQLite its progress is in the store after each day, until it is complete; a run that resumes later writes up to its own time',
      'the first history, on SQLite slots that become due while it is written belong to it',
      'the first history, on SQLite two workers that write at once write the same rows as one alone',
    ],
  },
  // The ledger from outside, and histories.
  {
    file: 'test/history/ledger.test.ts',
    tests: [
      'the ledger, on SQLite a day of history verifies, and so do the rows that a later slot adds',
      'the ledger, on SQLite proofs of inclusion lead to the signed root',
      'the ledger, on SQLite an independent implementation accepts both kinds of proof',
      'the ledger, on SQLite full and partial tiles are immutable',
      'the ledger, on SQLite no entry can be deleted',
    ],
  },
  {
    file: 'test/history/benchmark.test.ts',
    tests: [
      'a submission, on SQLite has no scores while its window is open, or when no forecast falls into it',
    ],
  },
  {
    file: 'test/verify/tampers.test.ts',
    tests: [
      'the log that is tampered with is correct',
      'a field of a payload edited: `wrong_leaf`',
      'a silence edited, and its table with it: only with `--since`: `rewritten`',
      'a reveal left out: `missing_reveal`',
      'the outcome of a verdict changed: `wrong_verdict`',
      'a rollup of accuracy changed: `wrong_figure`',
      'the published text of a line changed: `wrong_row`',
      'docs/ledger.md has the same table',
    ],
  },
  // Commands as processes.
  {
    file: 'test/process/cli.test.ts',
    tests: ['help and usage errors', 'commands, on SQLite migrate, backfill and tick do their work once'],
  },
  {
    file: 'test/process/feed-keys.test.ts',
    tests: ['a key goes to the host that its operator names, and to no other'],
  },
  {
    file: 'test/process/operator-outlets.test.ts',
    tests: [
      'operator commands, on SQLite bad input ends with status 2 and one line, and writes nothing',
      'the help of every command lists its actions and options, in 120 columns',
      'only commands can write what operators write',
    ],
  },
  {
    file: 'test/process/operator-records.test.ts',
    tests: [
      'operator records, on SQLite a brief is answered once, before it expires, and not over another commitment',
    ],
  },
  {
    file: 'test/process/launcher.test.ts',
    tests: [
      'the Node of every platform that README names is in the lockfile with its hash',
      'an install that fails is one line that says what to do: no network',
      'an old Node gets one line, with the versions of package.json',
      'what an old Node reads has no syntax that is newer than Node 12',
      'SIGTERM reaches the file, which may finish its work',
    ],
  },
  {
    file: 'test/process/bench.test.ts',
    tests: [
      'every measurement has its place in docs/performance.md, which its table replaces and nothing else',
    ],
  },
  {
    file: 'test/process/mcp-stdio.test.ts',
    tests: [
      'the SDK client over stdio lists and calls every tool from the local store; submissions are refused',
      'a raw pipe',
      'the set-ups of the page are on the page, unchanged',
      'the set-ups of the page name the MCP address in the field that each client reads',
    ],
  },
  // What both engines have in common, on the faster one.
  {
    file: 'src/store/rollup/days.test.ts',
    tests: ['rollups of days, on SQLite Australia/Lord_Howe'],
  },
  {
    file: 'src/pipeline/schedule/run-districts.test.ts',
    tests: ['districts, on SQLite workers that share the districts write the same rows as one alone'],
  },
  {
    file: 'src/pipeline/core/pipeline-state.test.ts',
    tests: ['pipeline state, on SQLite'],
  },
  {
    file: 'src/pipeline/core/pocket-forecaster.test.ts',
    tests: [
      'a weekend of other days is moved to the end of the week',
      'the forecaster of all pockets, on SQLite',
    ],
  },
  {
    file: 'src/pipeline/jobs/reports-by-district.test.ts',
    tests: ['reports by district, on SQLite'],
  },
  {
    file: 'src/store/prediction/forecast-figures.test.ts',
    tests: ['figures of forecasts, on SQLite'],
  },
  // Heavy questions, and how much is read.
  {
    file: 'test/http/heavy/heavy.test.ts',
    tests: ['reads are counted by rows and bytes; what is cached is free'],
  },
  {
    file: 'test/http/reads/bounded-reads.test.ts',
    tests: ['reads on SQLite no statement reads a growing table from one end to the other'],
  },
  // Documents and clients.
  {
    file: 'test/http/docs/openapi-conditions.test.ts',
    tests: ['no answer is outside of the document: no datastore'],
  },
  // Pages in a browser.
  {
    file: 'test/browser/conditions.test.ts',
    tests: ['an ordinary day', 'a store that is away', 'a first start'],
  },
  {
    file: 'test/browser/outage.test.ts',
    tests: ['an outage the same while the service answers with an error'],
  },
];

/**
 * The processes that run the samples, those that start processes of the service in one and the others in another: its
 * arguments, which are its files after their names.
 */
export function sampleProcesses(): string[][] {
  const parts = Map.groupBy(samples, ({ file }) => file.startsWith('test/process/'));
  return [...parts.values()].map((list) => [
    ...list.flatMap(({ tests }) => tests.map((name) => `--test-name-pattern=/^${RegExp.escape(name)}/`)),
    ...list.map(({ file }) => file),
  ]);
}
