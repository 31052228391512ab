/**
 * The UTF-8 bytes of a text, one to a character. The engine holds such a string as bytes and the socket takes it with
 * its headers in one write, which neither a buffer nor a string of wider characters can have.
 */
export type Latin1Body = string & { readonly wire: unique symbol };

export const toLatin1Body = (text: string): Latin1Body => Buffer.from(text).toString('latin1') as Latin1Body;

export const fromLatin1Body = (wire: Latin1Body): string => bodyBytes(wire).toString();

export const bodyBytes = (wire: Latin1Body): Buffer => Buffer.from(wire, 'latin1');
