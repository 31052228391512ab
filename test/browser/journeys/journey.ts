// What people do with the pages. Each file in this folder lists the journeys around one page; journeys.test.ts makes each
// of them at the width of a phone and of a desktop, against one service.
import type { Page } from 'playwright-core';
import type { startService } from '../../support/services/service.ts';

export interface Visit {
  page: Page;
  url: string;
  service: Awaited<ReturnType<typeof startService>>['service'];
}

export interface Journey {
  name: string;
  make(visit: Visit): Promise<void>;
}
