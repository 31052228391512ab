// Entry point of the command line.
import { runCommandLine } from './cli/command-line.ts';

const status = await runCommandLine(process.argv.slice(2));
// A service goes on after its command has returned.
if (status !== 0) process.exit(status);
