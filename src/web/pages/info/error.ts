import { sentenceCase } from '../../../domain/text/sentence-case.ts';
import { html } from '../../parts/html.ts';
import { renderPage, type Site } from '../../parts/page.ts';

const headings: Record<number, string> = {
  400: 'This request could not be understood',
  404: 'Page not found',
  429: 'Too many requests',
  503: 'The data cannot be read right now',
};

export const errorHeading = (status: number): string =>
  headings[status] ?? (status < 500 ? 'This request could not be answered' : 'Something went wrong');

export function errorPage(
  site: Pick<Site, 'baseUrl' | 'substrate' | 'notice' | 'registry' | 'zone'>,
  { status, message, details }: { status: number; message: string; details: object },
): string {
  const { unknown_pocket, did_you_mean = [] } = details as { unknown_pocket?: true; did_you_mean?: string[] };
  const heading = errorHeading(status);
  return renderPage(site, {
    title: heading,
    about: `${heading}.`,
    path: null,
    body: html`
<h1>${heading}</h1>
<p class="lead">${sentenceCase(message)} (status ${status}).</p>
${unknown_pocket && did_you_mean.length ? html`<p>Did you mean: ${did_you_mean.map((id) => html`<a href="/pocket/${id}">${id}</a> `)}</p>` : null}
<ul class="links"><li><a href="/">All pockets now</a></li><li><a href="/docs">API docs</a></li></ul>`,
  });
}
