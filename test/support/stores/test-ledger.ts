// The ledger as tests write to it: signed with the test key, at a real time that is the same in every run.
import { LedgerLog } from '../../../src/store/ledger/ledger-log.ts';
import { LogTree } from '../../../src/store/ledger/log-tree.ts';
import { testSigner } from './test-key.ts';

/** The real time in every test that sets no other. */
export const TEST_TIME = Date.parse('2026-11-11T04:00:00Z');

export const testLedger = (clock = () => TEST_TIME): LedgerLog =>
  new LedgerLog(new LogTree(testSigner), clock);
