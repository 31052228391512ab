import type { Operation } from '../operations/define.ts';
import { getExplanation } from '../operations/get-explanation.ts';
import { getPocketLive } from '../operations/get-pocket-live.ts';
import { explanationPage } from './explanation.ts';
import { pocketPage } from './pocket.ts';

/** A page shows the answer to one question, asked with the parts of its address. */
export interface PageRoute {
  path: string;
  operation: Operation;
  /** The structured half of the operation's answer, as a page. */
  render(structured: object, substrate: string): string;
}

export const pages: readonly PageRoute[] = [
  {
    path: '/pocket/:pocket_id',
    operation: getPocketLive,
    render: (shape, substrate) => pocketPage(shape as never, substrate),
  },
  {
    path: '/explanations/:id',
    operation: getExplanation,
    render: (shape, substrate) => explanationPage(shape as never, substrate),
  },
];
