// What other sites and programs show of a pocket, with the question that each answers. Routes and tests are loops over
// this list. The link card is apart (routes/share.ts): it is a picture and not text.
import Type from 'typebox';
import { printable } from '../../domain/text/printable.ts';
import { sentenceCase } from '../../domain/text/sentence-case.ts';
import { bindArguments, composeOperations } from '../../operations/core/compose-operations.ts';
import { type AnswerOf, NotFound, type Question } from '../../operations/core/define.ts';
import { pocketId } from '../../operations/core/fields.ts';
import { activeOutlet, publicOutlet } from '../../operations/merchant/outlet.ts';
import { getPocketMoment } from '../../operations/pocket/get-pocket-moment.ts';
import { getCalmCalendar } from '../../operations/share/get-calm-calendar.ts';
import type { LinkCard } from '../drawing/link-card.ts';
import { dataLabel } from '../parts/data-label.ts';
import { pocketName } from '../parts/links.ts';
import type { Site } from '../parts/page.ts';
import { badgeSvg } from './badge.ts';
import { embedHeaders, embedPage, embedThemes } from './embed.ts';
import { calmIcal } from './ical.ts';
import { pocketView } from './pocket-view.ts';
import { shareHeaders, sharePage } from './share-page.ts';

export interface SharedReply {
  path: string;
  /** What it is, in words. */
  summary: string;
  /** Media type, without the character set: all are UTF-8. */
  type: string;
  headers: Record<string, string>;
  question: Question;
  render(site: Site, structured: unknown): string;
}

/** Lets the type check compare what is rendered with the answer of the question. */
const defineShared = <Input extends Record<string, unknown>, Answer>(
  about: Pick<SharedReply, 'path' | 'summary' | 'type' | 'headers'>,
  question: Question<Input, Answer>,
  render: (site: Site, answer: Answer) => string,
): SharedReply => ({
  ...about,
  question,
  render: (site, structured) => render(site, structured as Answer),
});

const badgeQuestion = composeOperations('badge_pocket', { pocket_id: pocketId }, ({ pocket_id }) => ({
  moment: bindArguments(getPocketMoment, { pocket_id }),
}));

const sharePageQuestion = composeOperations('page_share', { pocket_id: pocketId }, ({ pocket_id }) => ({
  moment: bindArguments(getPocketMoment, { pocket_id }),
}));

const embedQuestion = composeOperations(
  'embed_pocket',
  {
    pocket_id: pocketId,
    theme: Type.Enum([...embedThemes], { default: 'auto', description: "colours; auto: the reader's own" }),
  },
  ({ pocket_id }) => ({
    moment: bindArguments(getPocketMoment, { pocket_id }),
    calendar: bindArguments(getCalmCalendar, { pocket_id }),
  }),
);

const calendarQuestion = composeOperations('calm_ics', { pocket_id: pocketId }, ({ pocket_id }) => ({
  calendar: bindArguments(getCalmCalendar, { pocket_id }),
}));

export const sharedReplies: readonly SharedReply[] = [
  defineShared(
    {
      path: '/pocket/:pocket_id/calm.ics',
      summary: 'Calm windows of a pocket as iCalendar',
      type: 'text/calendar',
      headers: {},
    },
    calendarQuestion,
    (site, { calendar }) => calmIcal(site, calendar),
  ),
  defineShared(
    {
      path: '/embed/pocket/:pocket_id',
      summary: 'Card of a pocket that other sites may show in a frame',
      type: 'text/html',
      headers: embedHeaders,
    },
    embedQuestion,
    (site, { moment, calendar, asked }) => embedPage(site, pocketView(site, moment), calendar, asked.theme),
  ),
  defineShared(
    {
      path: '/badge/pocket/:pocket_id.svg',
      summary: 'Badge of a pocket: its state and calm level',
      type: 'image/svg+xml',
      headers: {},
    },
    badgeQuestion,
    (site, { moment }) => badgeSvg(pocketView(site, moment)).markup,
  ),
  defineShared(
    {
      path: '/share/:pocket_id',
      summary: 'Page /share/:pocket_id',
      type: 'text/html',
      headers: shareHeaders,
    },
    sharePageQuestion,
    (site, { moment }) => sharePage(site, pocketView(site, moment)),
  ),
];

export const cardQuestion = composeOperations('card_pocket', { pocket_id: pocketId }, ({ pocket_id }) => ({
  moment: bindArguments(getPocketMoment, { pocket_id }),
}));

/** What the link card of a pocket shows. */
export function pocketCard(site: Site, { moment }: AnswerOf<typeof cardQuestion>): LinkCard {
  const { pocket_id, name, state, calm, read, dataLabel } = pocketView(site, moment);
  return {
    names: [name, pocket_id],
    line: state,
    data: dataLabel ?? '',
    calm:
      calm && read
        ? { level: calm.level, label: sentenceCase(calm.label), time: `${read.clock}, ${read.day}` }
        : null,
  };
}

/** The link card of an outlet: what stands on its page, and nothing that was counted. */
export function outletCard(site: Site, outlet_id: string): LinkCard {
  const found = activeOutlet(site.registry, outlet_id);
  if (!found) throw new NotFound(`unknown outlet: ${printable(outlet_id)}`);
  const { name, category, pocket_id, opens_at, closes_at } = publicOutlet(found);
  const kind = sentenceCase(category);
  return {
    names: [name, kind],
    line: `${kind} in ${pocketName(site, pocket_id)}, open ${opens_at} to ${closes_at} ${site.zone.generalName}`,
    data: dataLabel(site, null) ?? '',
    calm: null,
  };
}

/** The link card of all pages that are not about one pocket or outlet. */
export const siteCard = (site: Site): LinkCard => ({
  names: [site.registry.city.name, 'pocketwatch'],
  line: 'Where it is calm now, and when it will be',
  data: dataLabel(site, null) ?? '',
  calm: null,
});
