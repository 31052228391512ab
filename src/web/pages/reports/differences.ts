// The section of weekly and monthly reports that lists what sets the pocket and the period apart.
import type { AnswerOf } from '../../../operations/core/define.ts';
import type { listWeeklyReports } from '../../../operations/report/list-weekly-reports.ts';
import { plural, signed } from '../../parts/format.ts';
import { type Html, html } from '../../parts/html.ts';
import { table } from '../../parts/table.ts';

type Report = AnswerOf<typeof listWeeklyReports>['reports'][number];

export const differencesSection = (
  differences: Report['sets_apart'],
  { other_pockets, earlier, note }: Report['compared_with'],
): Html => html`
<h2 id="apart">what sets it apart</h2>
${
  differences.length
    ? table(
        'what sets it apart',
        [
          { name: 'hours' },
          { name: 'quality' },
          { name: 'against' },
          { name: 'here', figures: true },
          { name: 'there', figures: true },
          { name: 'difference', figures: true },
          { name: 'in words', text: true },
        ],
        differences.map(({ day, hours, quality, against, value, reference, difference, text }) => ({
          cells: [
            `${day ?? 'every day'} ${hours}`,
            quality,
            against === 'network' ? 'other pockets' : 'its usual',
            value.toFixed(3),
            reference.toFixed(3),
            signed(difference),
            text,
          ],
        })),
      )
    : html`<p>nothing was larger than chance and the usual spread explain.</p>`
}
<p class="note">compared with ${plural(other_pockets, 'other pocket')}${earlier.length ? html` and with ${earlier.join(', ')}` : null}${note ? html`; ${note}` : '.'}</p>`;
