import { html } from '../parts/html.ts';
import { renderPage, type Site } from '../parts/page.ts';

const headings: Record<number, string> = {
  400: 'that could not be read',
  404: 'nothing is here',
  429: 'too many requests for now',
  503: 'the store cannot be reached',
};

export function errorPage(
  site: Pick<Site, 'baseUrl' | 'substrate' | 'notice'>,
  { status, message }: { status: number; message: string },
): string {
  const heading = headings[status] ?? (status < 500 ? 'that could not be answered' : 'something broke here');
  return renderPage(site, {
    title: heading,
    about: heading,
    path: null,
    body: html`
<h1>${heading}</h1>
<p class="lead">${status}: ${message}.</p>
<ul class="links"><li><a href="/">the network now</a></li><li><a href="/docs">how to ask</a></li></ul>`,
  });
}
