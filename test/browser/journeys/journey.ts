// What people do with the pages. Each file in this folder lists the journeys around one page; journeys.test.ts makes
// each of them in a window as wide as a phone or as a desktop, against one service.
import type { Page } from 'playwright-core';
import type { startService } from '../../support/services/service.ts';

export interface Visit {
  page: Page;
  url: string;
  service: Awaited<ReturnType<typeof startService>>['service'];
}

export type Device = 'phone' | 'desktop';

export interface Journey {
  name: string;
  /** Where what the journey checks depends on the width. Any other is made on one of the two. */
  on?: readonly Device[];
  make(visit: Visit): Promise<void>;
}
