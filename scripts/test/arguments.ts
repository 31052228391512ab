// What `npm test` was given: patterns of files, options for `node --test`, and whether it is the quick run.

const flags = ['--test-only', '--test-force-exit', '--test-update-snapshots'];

/** Options of `node --test` take their value after `=` or as the next argument. */
export function readArguments(args: string[]): { patterns: string[]; options: string[]; isFast: boolean } {
  const patterns: string[] = [];
  const options: string[] = [];
  let isFast = false;
  for (let i = 0; i < args.length; i++) {
    const arg = args[i] ?? '';
    if (arg === '--fast') isFast = true;
    else if (!arg.startsWith('-')) patterns.push(arg);
    else if (arg.startsWith('--test-') && !arg.includes('=') && !flags.includes(arg)) {
      i += 1;
      options.push(`${arg}=${args[i] ?? ''}`);
    } else options.push(arg);
  }
  return { patterns, options, isFast };
}
