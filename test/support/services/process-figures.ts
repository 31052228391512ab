// What Linux tells of a process.
import { existsSync, readFileSync } from 'node:fs';

export const noProcessFigures = existsSync('/proc/self/status') ? false : 'no /proc';

/** Memory in bytes: what is resident (`VmRSS`), or the most that ever was (`VmHWM`). A process that has ended has none. */
export function readMemory(pid: number, figure: 'VmRSS' | 'VmHWM' = 'VmRSS'): number {
  const [, kib = 0] =
    new RegExp(`^${figure}:\\s+(\\d+)`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return 1024 * Number(kib);
}

/** The processes that it started and that still run. */
export const listChildren = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
