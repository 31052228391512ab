// The log as a person reads it; programs read the JSON that pino writes.
import { isatty } from 'node:tty';
import pino from 'pino';
import type { Config } from '../../../config.ts';
import { escapeControls } from '../../../domain/text/printable.ts';
import { CLEAR_LINE } from './clear-line.ts';

/** Swedish writes 2026-11-18 10:33:05. */
const localTime = new Intl.DateTimeFormat('sv', { dateStyle: 'short', timeStyle: 'medium' });

/** A destination of pino in the format that LOG_FORMAT asks for; `auto` is text where standard output is a terminal. */
export function inFormat(
  format: Config['LOG_FORMAT'],
  sink: pino.DestinationStream,
  isTerminal = isatty(1),
): pino.DestinationStream {
  if (format === 'json' || (format === 'auto' && !isTerminal)) return sink;
  const start = isTerminal ? CLEAR_LINE : '';
  return { write: (lines) => sink.write(start + lines.trimEnd().split('\n').map(textLine).join('')) };
}

/** A line of pino's as text. What clients send is among its values: no character of it moves the cursor or hides. */
export function textLine(json: string): string {
  const { time, level, name, msg, err, pid, hostname, ...fields } = JSON.parse(json);
  const label = pino.levels.labels[level] ?? `${level}`;
  const values = Object.entries(fields).map(([key, value]) => ` ${escapeControls(key)}=${fieldText(value)}`);
  const head = `${localTime.format(time)} ${label.toUpperCase().padEnd(5)} ${name}: ${escapeControls(`${msg ?? err?.message}`)}`;
  return `${head}${values.join('')}\n${err ? errorLines(err) : ''}`;
}

function fieldText(value: unknown): string {
  const json = escapeControls(JSON.stringify(value));
  return /^"[^\s"\\=]+"$/.test(json) ? json.slice(1, -1) : json;
}

/** Indented, so that no line of a message passes for one of the log. */
const errorLines = ({ stack, message }: { stack?: string; message?: string }): string =>
  `${stack || message}`
    .split('\n')
    .map((line) => `    ${escapeControls(line.trim())}\n`)
    .join('');
