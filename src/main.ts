import { backfillCommand } from './cli/backfill.ts';
import { type Command, print, say, UsageError } from './cli/command.ts';
import { migrateCommand } from './cli/migrate.ts';
import { serveCommand } from './cli/serve.ts';
import { tickCommand } from './cli/tick.ts';
import { ConfigError } from './config.ts';
import { RegistryError } from './registry/load.ts';

const commands = new Map<string, Command>([
  ['serve', serveCommand],
  ['backfill', backfillCommand],
  ['tick', tickCommand],
  ['migrate', migrateCommand],
]);

const overview = () => `pocketwatch: watches small neighbourhoods and decides when attention is justified

${[...commands].map(([name, { summary }]) => `  pocketwatch ${name.padEnd(10)} ${summary}`).join('\n')}

pocketwatch COMMAND --help tells more.`;

async function main([name, ...args]: string[]): Promise<void> {
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') return print(overview());
  const command = commands.get(name);
  if (!command) throw new UsageError(`unknown command: ${name}\n\n${overview()}`);
  if (args.includes('--help') || args.includes('-h')) return print(command.usage);
  await command.run(args);
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  const foreseen =
    error instanceof UsageError || error instanceof ConfigError || error instanceof RegistryError;
  say(`pocketwatch: ${foreseen ? error.message : startFault(error)}`);
  process.exit(error instanceof UsageError ? 2 : 1);
}

/** What an operator can mend is said in one line; anything else is our fault and shown whole. */
function startFault(error: unknown): string {
  const { code, message, cause } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE') return `${message}: another process listens there; set PORT to another port`;
  if (code === 'unavailable')
    return `${message}: ${(cause as Error | undefined)?.message ?? 'no answer'}; check DATABASE_URL`;
  return (error as Error).stack ?? String(error);
}
