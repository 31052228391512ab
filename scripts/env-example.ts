// The text of .env.example, made from the table of settings.
import { settings } from '../src/config.ts';

const HEAD = `# Every setting with its default. Copy this file to .env, take away the # before the names that you set, and start with
#   node --env-file=.env bin/pocketwatch.mjs serve
# Keys of live feeds are settings too, under names that begin with FEED_KEY_: see docs/sources.md#keys.
`;

export const envExample = (): string =>
  [
    HEAD,
    ...Object.entries(settings).map(([name, { fallback, about }]) => `# ${about}\n# ${name}=${fallback}\n`),
  ].join('\n');
