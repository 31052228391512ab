// The section of weekly and monthly reports that lists what sets the pocket and the period apart.

import { sentenceCase } from '../../../domain/text/sentence-case.ts';
import type { AnswerOf } from '../../../operations/core/define.ts';
import type { listWeeklyReports } from '../../../operations/report/list-weekly-reports.ts';
import { plural, rangeText, signedDifference } from '../../parts/format.ts';
import { type Html, html } from '../../parts/html.ts';
import { figureColumns, table } from '../../parts/table.ts';

type Report = AnswerOf<typeof listWeeklyReports>['reports'][number];

export const differencesSection = (
  differences: Report['sets_apart'],
  { other_pockets, earlier, note }: Report['compared_with'],
): Html => html`
<h2 id="apart">What sets it apart</h2>
${
  differences.length
    ? table(
        'What sets it apart',
        [
          'Hours',
          'Quality',
          'Compared with',
          ...figureColumns('Here', 'There', 'Difference'),
          { name: 'In words', text: true },
        ],
        differences.map(({ day, hours, quality, against, value, reference, difference, text }) => ({
          cells: [
            `${sentenceCase(day ?? 'every day')} ${rangeText(hours)}`,
            sentenceCase(quality),
            against === 'network' ? 'Other pockets' : 'Its usual',
            value.toFixed(3),
            reference.toFixed(3),
            signedDifference(difference),
            html`<span class="words">${text}</span>`,
          ],
        })),
      )
    : html`<p>No difference was larger than chance and the usual spread explain.</p>`
}
<p class="note">Compared with ${plural(other_pockets, 'other pocket')}${earlier.length ? html` and with ${earlier.join(', ')}` : null}${note ? html`; ${note}` : '.'}</p>`;
