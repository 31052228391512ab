// A signing key that is the same in every run, so that signatures can be compared.
import { privateKeyFromSeed, signerOf } from '../../../src/ledger/key.ts';

export const testKey = privateKeyFromSeed(Buffer.alloc(32, 7));
export const testSigner = signerOf('pocketwatch.test', testKey);
