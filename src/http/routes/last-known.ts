// What pages that are served without a store last knew: their question is asked every minute, so that there is an answer
// from shortly before an outage, whether or not somebody looked at the page.
import type { FastifyInstance } from 'fastify';
import { iso, MINUTE } from '../../domain/time/slot.ts';
import { StoreError } from '../../store/engine/store.ts';
import type { DynamicPage } from '../../web/pages/all.ts';
import type { Site } from '../../web/parts/page.ts';
import type { AppContext } from '../answers/app-context.ts';
import { operationContext } from '../answers/render-answer.ts';
import { toLatin1Body } from '../cache/latin1-body.ts';

export interface LastKnown {
  remember(answer: unknown): void;
  /** The page without the store; throws the error if it is another. */
  withoutStore(site: Site, error: unknown): ReturnType<typeof toLatin1Body>;
}

export function keepLastKnown(
  app: FastifyInstance,
  context: AppContext,
  pages: readonly DynamicPage[],
): Map<DynamicPage, LastKnown> {
  const { now, dataVersion } = context;
  const kept = new Map<DynamicPage, LastKnown>();
  for (const page of pages) {
    const { withoutStore, question } = page;
    if (!withoutStore) continue;
    let last: { answer: unknown; at: string } | null = null;
    let failedAt: number | null = null;
    const remember = (answer: unknown) => {
      last = { answer, at: iso(now()) };
      failedAt = null;
    };
    const ask = async () => {
      try {
        remember((await question.answer({}, operationContext(context))).structured);
      } catch {
        // The next request for the page tells why.
        failedAt ??= now();
      }
    };
    const timer = setInterval(ask, MINUTE).unref();
    app.addHook('onClose', async () => clearInterval(timer));
    kept.set(page, {
      remember,
      withoutStore: (site, error) => {
        if (!(error instanceof StoreError)) throw error;
        failedAt ??= now();
        const newest = dataVersion.newestReading();
        const outage = {
          configured: error.code !== 'not_configured',
          as_of: iso(now()),
          since: iso(Math.min(failedAt, dataVersion.unreachableSince() ?? failedAt)),
          newest_reading_at: newest === null ? null : iso(newest),
          last_known: last,
        };
        return toLatin1Body(withoutStore(site, outage));
      },
    });
  }
  return kept;
}
