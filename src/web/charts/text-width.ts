/** Estimated widths of letters of a label on a phone, in a font that runs wide; the script measures the reader's font. */
const letterWidths: readonly [letters: RegExp, width: number][] = [
  [/[fijlrtI'’ .,-]/, 4.4],
  [/[mwMW\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}]/u, 12.7],
  [/\p{Lu}/u, 9],
];
const OTHER_LETTER = 7.7;

export const textWidth = (text: string): number =>
  [...text].reduce(
    (sum, letter) => sum + (letterWidths.find(([letters]) => letters.test(letter))?.[1] ?? OTHER_LETTER),
    0,
  );
