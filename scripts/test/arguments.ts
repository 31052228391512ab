// What `npm test` was given: patterns of files, options for `node --test`, and which tests it runs without patterns.

const flags = ['--test-only', '--test-force-exit', '--test-update-snapshots'];

/** Options of `node --test` take their value after `=` or as the next argument. */
/** The quick ones, those of every change, or all. */
export type Extent = 'fast' | 'everyday' | 'all';

export function readArguments(args: string[]): { patterns: string[]; options: string[]; extent: Extent } {
  const patterns: string[] = [];
  const options: string[] = [];
  let extent: Extent = 'everyday';
  for (let i = 0; i < args.length; i++) {
    const arg = args[i] ?? '';
    if (arg === '--fast') extent = 'fast';
    else if (arg === '--all') extent = 'all';
    else if (!arg.startsWith('-')) patterns.push(arg);
    else if (arg.startsWith('--test-') && !arg.includes('=') && !flags.includes(arg)) {
      i += 1;
      options.push(`${arg}=${args[i] ?? ''}`);
    } else options.push(arg);
  }
  return { patterns, options, extent };
}
