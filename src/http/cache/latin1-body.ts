/**
 * The UTF-8 bytes of a text, one to a character. The engine holds such a string as bytes and the socket takes it with
 * its headers in one write, which neither a buffer nor a string of wider characters can have.
 */
export type Wire = string & { readonly wire: unique symbol };

export const toWire = (text: string): Wire => Buffer.from(text).toString('latin1') as Wire;

export const fromWire = (wire: Wire): string => wireBytes(wire).toString();

export const wireBytes = (wire: Wire): Buffer => Buffer.from(wire, 'latin1');
