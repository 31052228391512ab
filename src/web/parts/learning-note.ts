// Which of the two steps of learning a city is in, since when and about until when.
import type { Learning } from '../../operations/pocket/learning.ts';
import { type Html, html } from './html.ts';
import type { Site } from './page.ts';
import { dateOnly } from './times.ts';

const words: Record<Learning['step'], { what: string; until: string }> = {
  range: {
    what: 'How full each place gets is being learned',
    until: 'until then there are measurements and no readings',
  },
  usual: {
    what: 'What is usual at each hour of the week is being learned',
    until: 'until then there are readings, and nothing is said',
  },
};

export function learningNote({ zone }: Site, learning: Learning | null): Html | null {
  if (!learning) return null;
  const { step, since, until } = learning;
  const { what, until: meanwhile } = words[step];
  return html`<p class="note learning">${what}${since === null ? null : html`, since ${dateOnly(since, zone)}`}${until === null ? null : html`, until about ${dateOnly(until, zone)}`}: ${meanwhile}.</p>`;
}
