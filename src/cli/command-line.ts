// The commands of `pocketwatch`, and what the operator is told when one fails.
import { OperatorError } from '../domain/text/operator-error.ts';
import { fullDiskText } from '../store/engine/store.ts';
import { packageVersion } from './runtime/build-id.ts';
import { type Command, print, say, UsageError } from './runtime/command.ts';

/** Loaded on demand, so that `--help` does not wait for the web server's modules. */
export const commands: Record<string, { summary: string; load: () => Promise<Command> }> = {
  serve: {
    summary: 'serve MCP, REST and pages, and run the pipeline',
    load: async () => (await import('./commands/serve.ts')).serveCommand,
  },
  mcp: {
    summary: 'speak MCP on stdin and stdout, from the local store or a service',
    load: async () => (await import('./commands/mcp.ts')).mcpCommand,
  },
  backfill: {
    summary: 'write the simulated history up to now',
    load: async () => (await import('./commands/backfill.ts')).backfillCommand,
  },
  tick: {
    summary: 'run the jobs that are due now, once',
    load: async () => (await import('./commands/tick.ts')).tickCommand,
  },
  migrate: {
    summary: 'apply missing migrations to the store',
    load: async () => (await import('./commands/store/migrate.ts')).migrateCommand,
  },
  maintain: {
    summary: 'let old raw signals go, and make the months to come',
    load: async () => (await import('./commands/store/maintain.ts')).maintainCommand,
  },
  verify: {
    summary: 'verify the whole ledger of a service from outside',
    load: async () => (await import('./commands/verify.ts')).verifyCommand,
  },
  key: {
    summary: "show the ledger's key, or change it",
    load: async () => (await import('./commands/key.ts')).keyCommand,
  },
  backup: {
    summary: 'copy the store into a file while the service runs',
    load: async () => (await import('./commands/store/backup.ts')).backupCommand,
  },
  restore: {
    summary: 'put a backup into an empty store',
    load: async () => (await import('./commands/store/restore.ts')).restoreCommand,
  },
  archive: {
    summary: 'copy finished months of the ledger into a folder, as files',
    load: async () => (await import('./commands/store/archive.ts')).archiveCommand,
  },
  replay: {
    summary: 'play recorded days of a city through the pipeline and serve them',
    load: async () => (await import('./commands/replay.ts')).replayCommand,
  },
  city: {
    summary: "check a city's files, or write new ones",
    load: async () => (await import('./commands/city.ts')).cityCommand,
  },
  feeds: {
    summary: 'fetch each live feed once and show what would be read',
    load: async () => (await import('./commands/feeds.ts')).feedsCommand,
  },
  outlet: {
    summary: 'add, change or deactivate an outlet',
    load: async () => (await import('./commands/outlet.ts')).outletCommand,
  },
  brief: {
    summary: "list briefs and record the merchants' answers",
    load: async () => (await import('./commands/brief.ts')).briefCommand,
  },
  sense: {
    summary: 'record the words that people chose for a pocket',
    load: async () => (await import('./commands/sense.ts')).senseCommand,
  },
  takedown: {
    summary: 'remove an outlet that asks for it',
    load: async () => (await import('./commands/takedown.ts')).takedownCommand,
  },
  review: {
    summary: 'judge withheld lines and near misses',
    load: async () => (await import('./commands/review.ts')).reviewCommand,
  },
};

const overview = () => `pocketwatch: watches small neighbourhoods and decides when attention is justified

${Object.entries(commands)
  .map(([name, { summary }]) => `  pocketwatch ${name.padEnd(10)} ${summary}`)
  .join('\n')}

pocketwatch COMMAND --help shows more, pocketwatch --version the version.`;

/** Runs a command to its end. The exit status is 2 for a mistake of usage and 1 for any other fault. */
export async function runCommandLine([name, ...args]: string[]): Promise<0 | 1 | 2> {
  try {
    if (name === undefined || ['--help', '-h', 'help'].includes(name)) print(overview());
    else if (['--version', '-v', 'version'].includes(name)) print(packageVersion());
    else await runCommand(name, args);
    return 0;
  } catch (error) {
    say(`pocketwatch: ${faultText(error as NodeJS.ErrnoException)}`);
    return error instanceof UsageError ? 2 : 1;
  }
}

async function runCommand(name: string, args: string[]): Promise<void> {
  if (!Object.hasOwn(commands, name)) throw new UsageError(`unknown command: ${name}\n\n${overview()}`);
  const command = await commands[name]?.load();
  if (args.includes('--help') || args.includes('-h')) return print(command?.usage ?? '');
  await command?.run(args);
}

/** One line for a fault that the operator can fix; the whole stack for any other. */
function faultText(error: NodeJS.ErrnoException): string {
  const { code, syscall, message, cause, stack } = error;
  if (error instanceof OperatorError) return message;
  if (code === 'EADDRINUSE')
    return `${message}: another process is listening there; set PORT to another port`;
  if (code !== undefined && ['listen', 'getaddrinfo'].includes(syscall ?? ''))
    return `${message}: check HOST and PORT`;
  if (code === 'not_configured') return `${message}: DATABASE_URL is none`;
  if (code === 'read_only') return `${message}; set DATABASE_URL`;
  if (code === 'key_changed' || code === 'lost_entries')
    return (cause as Error | undefined)?.message ?? message;
  if (code === 'full') return fullDiskText(error) ?? message;
  if (code === 'unavailable') return `${message}: ${storeFaultText(cause)}`;
  // Of PostgreSQL: a role or password that is refused, a database that does not exist, a missing permission.
  if (/^(28|3D|42501)/.test(code ?? '')) return `${message}; check DATABASE_URL and the rights of its role`;
  if (code === 'ENOSPC') return `${message}; make room on that disk`;
  if (/^(EACCES|EPERM|EROFS|ENOENT|ENOTDIR|EEXIST)$/.test(code ?? ''))
    return `${message}; DATA_DIR must be a folder that can be written to`;
  return stack ?? message;
}

function storeFaultText(cause: unknown): string {
  const { code, message = 'no answer' } = (cause ?? {}) as NodeJS.ErrnoException;
  return code === 'ERR_SQLITE_ERROR'
    ? `${message}; check the folder DATA_DIR`
    : `${message}; check DATABASE_URL`;
}
