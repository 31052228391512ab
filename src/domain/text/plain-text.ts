/**
 * Checks of names and notes written by others. They are shown to agents and to people, and their writer may want to
 * mislead either: nothing in them may be invisible, change the direction of the text around it, or end its line.
 * Default-ignorable characters are drawn as nothing and can carry a hidden message.
 */
const DECEPTIVE = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;
/** U+2800 is the blank Braille pattern, which Unicode does not count as white space. */
const BLANK = /^[\s\u2800]*$/;

export const isDeceptive = (text: string): boolean => DECEPTIVE.test(text);
export const isBlank = (text: string): boolean => BLANK.test(text);

/** Completes the sentence "<field> must not hold …". */
export const deceptiveCharacters = 'control, bidirectional, zero-width or other invisible characters';
