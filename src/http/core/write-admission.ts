// Whether a request may write, and as whom: the one check of REST and MCP.
import type { IncomingMessage } from 'node:http';
import type { Sender } from '../../operations/core/define.ts';
import { limitKey } from './client-address.ts';
import type { CheckWrite } from './cross-site.ts';
import type { DailyQuota } from './daily-quota.ts';

/** Throws if the request may not write. `address` is that of the client. */
export type AdmitWrite = (request: IncomingMessage, address: string) => Sender;

export function writeAdmission(check: CheckWrite, quota: DailyQuota, now: () => number): AdmitWrite {
  return (request, clientAddress) => {
    check(request);
    const address = limitKey(clientAddress);
    return { address, charge: (amount) => quota.charge(address, now(), amount) };
  };
}
