// llms-full.txt: the whole documentation as one text, made from what /docs, the tools and the repository's pages are
// made from.
import { callableTools, publishedSchema } from '../../../operations/core/define.ts';
import { introduction } from '../../site/robots.ts';
import type { DocumentedAddress, Parameter } from './api-document.ts';
import type { DocsSite } from './docs-site.ts';
import type { Schema } from './schema-references.ts';
import { argumentWords } from './schema-words.ts';

/** A longer text is cut off: it is read whole, by models and by people who pay for each word. */
export const MAX_FULL_TEXT = 400_000;

/** `pages` are Markdown of the repository, by the heading that they get here. */
export function fullText(docs: DocsSite, pages: Readonly<Record<string, string>>): string {
  const { site, addresses, document } = docs;
  const groups = document.tags.map(({ name, description }) => ({
    ...{ name, description },
    own: addresses.filter(({ tag }) => tag === name),
  }));
  const text = [
    ...introduction(site),
    '## Tools',
    '',
    ...callableTools(site.operations).map(toolText),
    '## Addresses',
    '',
    `Each has a page with its fields and a real answer, such as ${site.baseUrl}/docs/api/windows.`,
    '',
    ...groups.flatMap(({ name, description, own }) =>
      own.length ? [`### ${name}`, '', description, '', ...own.map(addressText), ''] : [],
    ),
    ...Object.entries(pages).map(([heading, page]) => [`## ${heading}`, '', pageText(page), ''].join('\n')),
  ].join('\n');
  return text.length > MAX_FULL_TEXT ? `${text.slice(0, MAX_FULL_TEXT)}\n… cut off here\n` : text;
}

function toolText({ name, title, description, input }: DocsSite['site']['operations'][number]): string {
  const { properties, required = [] } = publishedSchema(input);
  const given = Object.entries(properties as Record<string, Schema>).map(([argument, schema]) =>
    argumentText(argument, schema, (required as string[]).includes(argument), schema.description),
  );
  return [`### ${name}`, '', `${title}. ${description}`, '', ...given, ...(given.length ? [''] : [])].join(
    '\n',
  );
}

const addressText = ({ path, endpoints }: DocumentedAddress): string =>
  endpoints
    .map(({ method, summary, parameters = [] }) =>
      [`- ${method} ${path}: ${summary}`, ...parameters.map((own) => `  ${parameterText(own)}`)].join('\n'),
    )
    .join('\n');

const parameterText = ({ name, schema, required, description }: Parameter): string =>
  argumentText(name, schema, required, description);

const argumentText = (name: string, schema: Schema, required: boolean, about = ''): string =>
  `- ${name} (${argumentWords(schema, required)})${about && `: ${about}`}`;

/** Below the heading that it gets here, and without links to files that only the repository has. */
const pageText = (markdown: string): string =>
  markdown
    .replace(/^# .*\n+/, '')
    .replaceAll(/^(#+) /gm, '#$1 ')
    .replaceAll(/\[([^\]]+)\]\((?!https?:)[^)]*\)/g, '$1')
    .trim();
