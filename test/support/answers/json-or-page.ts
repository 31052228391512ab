import Type from 'typebox';
import type { Reply } from '../../../src/http/openapi/replies.ts';

/** Errors that browsers get as a page, and other clients as JSON. */
export const jsonOrPage = (failures: Record<number, Reply>): Record<number, Reply> =>
  Object.fromEntries(
    Object.entries(failures).map(([status, { description, content }]) => [
      status,
      { description, content: { ...content, 'text/html': { schema: Type.String() } } },
    ]),
  );
