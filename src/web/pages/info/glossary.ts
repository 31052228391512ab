// The page /glossary: every term of docs/glossary.md with its definition, and an anchor for each.
import { sentenceCase } from '../../../domain/text/sentence-case.ts';
import { type Html, html } from '../../parts/html.ts';
import { renderPage, type Site } from '../../parts/page.ts';
import { type GlossarySection, glossary, type Term } from '../../site/glossary.ts';

export const glossaryPage = (site: Site): string =>
  renderPage(site, {
    title: 'Glossary',
    about: 'Every term that these pages and answers use, defined in plain words.',
    path: '/glossary',
    body: html`
<h1>Glossary</h1>
<p class="lead">The terms that these pages and answers use. Elsewhere a dotted underline marks a term: it leads to its definition here.</p>
<nav class="choices" aria-label="Sections of the glossary"><ul class="links">${glossary.map(({ slug, title }) => html`<li><a href="#${slug}">${title}</a></li>`)}</ul></nav>
${glossary.map(sectionPart)}
<p class="note">The same list as <a href="/glossary.md">Markdown</a>.</p>`,
  });

const sectionPart = ({ slug, title, terms }: GlossarySection): Html => html`
<h2 id="${slug}">${title}</h2>
<dl class="glossary">${terms.map(termPart)}</dl>`;

const termPart = ({ slug, name, aliases, definition }: Term): Html =>
  html`<div id="${slug}"><dt>${sentenceCase(name)}${aliases.map((alias) => html`<span id="${alias.slug}">, ${alias.name}</span>`)}</dt><dd>${inline(definition)}</dd></div>\n`;

/** Code spans and emphasis of Markdown. A link keeps its text only: it leads to a file that is not served. */
const inline = (markdown: string): Html[] =>
  markdown
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .split(/(`[^`]+`|\*[^*]+\*)/)
    .map((piece) => {
      if (piece.startsWith('`')) return html`<code>${piece.slice(1, -1)}</code>`;
      return piece.startsWith('*') ? html`<em>${piece.slice(1, -1)}</em>` : html`${piece}`;
    });
