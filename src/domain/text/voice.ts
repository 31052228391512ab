/**
 * The voice of published lines: lowercase, observational, no exclamation, no call to action. Every line that the
 * service composes is checked here; a line with a fault is withheld, never published. The faults are stored and shown
 * to operators.
 */
export type Style = 'plain' | 'emit';

/** The most words of an emit-style line. */
export const EMIT_WORDS = 18;

/**
 * What a line may quote although it breaks the rules: a caller's own words, addresses, times with their zone, codes in
 * capitals.
 */
const quotable = [
  /'[^']*'/g,
  /https?:\/\/\S+/g,
  /\b\d{4}-\d{2}-\d{2}T[\d:.]+Z\b/g,
  /\b\d{4}-W\d{2}\b/g,
  /\b[A-Z]+(?:_[A-Z]+)+\b/g,
  /\b\d{2}:\d{2} [A-Z]{2,5}\b/g,
  /\b(?:MQS|UTC)\b/g,
  // The currency of an amount: 'EUR 12.50', '12.50 EUR'.
  /\b[A-Z]{3}(?= \d)|(?<=\d )[A-Z]{3}\b/g,
];

const callsToAction =
  /\b(?:you|your|yours|hurry|act now|don't miss|do not miss|visit us|come (?:by|in|over|and|to)|drop (?:by|in)|check out|book (?:now|a|your)|order (?:now|a|your)|buy|grab|try (?:it|our|the|a)|head (?:to|over|down)|join us|last chance|limited time|must-(?:try|see|visit)|sign up|click)\b/;

export function voiceFaults(line: string, style: Style = 'plain'): string[] {
  const own = quotable.reduce((text, pattern) => text.replace(pattern, ' '), line);
  const faults: string[] = [];
  if (line.trim() === '') faults.push('is empty');
  if (/\p{Lu}/u.test(own)) faults.push('is not lowercase');
  if (/[!！]/.test(own)) faults.push('exclaims');
  if (callsToAction.test(own)) faults.push('calls to action');
  if (/[\p{Cc}\p{Cf}]/u.test(line.replaceAll('\n', ''))) faults.push('holds unprintable characters');
  if (style === 'emit' && wordCount(line) > EMIT_WORDS) faults.push(`has more than ${EMIT_WORDS} words`);
  return faults;
}

export const wordCount = (line: string): number =>
  line.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;

/** The line, or null when it has a fault. */
export const lineInVoice = (line: string, style: Style = 'plain'): string | null =>
  voiceFaults(line, style).length ? null : line;

/** A figure such as 0.62 that a reader cannot place: composed texts compare in words. Null where there is none. */
export const bareLevelIn = (text: string): string | null => /\b[01]\.\d+\b/.exec(text)?.[0] ?? null;
