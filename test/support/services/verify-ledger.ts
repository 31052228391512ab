import { generators } from '../../../src/domain/prediction/generators/all.ts';
import {
  type Verdict,
  type VerifyOptions,
  verifyLedger as verify,
} from '../../../src/verify/verify-ledger.ts';

/** Verifies a log with the generators of this service, as the command does. */
export const verifyLedger = (options: Omit<VerifyOptions, 'generators'>): Promise<Verdict> =>
  verify({ generators, ...options });
