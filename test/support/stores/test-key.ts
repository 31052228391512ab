// A signing key that is the same in every run, so that signatures can be compared.
import { createSigner, privateKeyFromSeed } from '../../../src/ledger/key.ts';

export const testKey = privateKeyFromSeed(Buffer.alloc(32, 7));
export const testSigner = createSigner('pocketwatch.test', testKey);
