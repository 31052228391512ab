// The terms of the domain with their definitions, parsed from docs/glossary.md when the process starts. The page
// /glossary and the inline definitions (src/web/parts/terms.ts) are rendered from it, so the docs are the one source.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Term {
  /** The fragment of its definition: /glossary#calm-level. */
  slug: string;
  name: string;
  /** In Markdown: code spans, emphasis and links. */
  definition: string;
  /** A link to what it is computed by, in Markdown; empty where nothing computes it. */
  formula: string;
  /** Other names of the same thing, each with a slug of its own. */
  aliases: readonly { slug: string; name: string }[];
}

export interface GlossarySection {
  slug: string;
  title: string;
  terms: readonly Term[];
}

/** 'calm level' as 'calm-level'. */
export const toSlug = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '');

/** A section for each heading of the second level, a term for each row of its table. */
export function parseGlossary(markdown: string): GlossarySection[] {
  return markdown
    .split(/^## /m)
    .slice(1)
    .map((section) => {
      const [title = '', ...lines] = section.split('\n');
      return { slug: `section-${toSlug(title)}`, title: title.trim(), terms: lines.flatMap(parseTerm) };
    });
}

/** A row of the table; headings and other lines give none. */
function parseTerm(line: string): Term[] {
  const [, names = '', definition = '', formula = ''] = line.split(/(?<!\\)\|/).map((cell) => cell.trim());
  if (!line.startsWith('|') || names === 'term' || /^-+$/.test(names)) return [];
  const [name = '', ...others] = names.split(/\s*,\s*/);
  return [
    {
      slug: toSlug(name),
      name,
      definition,
      formula,
      aliases: others.map((other) => ({ slug: toSlug(other), name: other })),
    },
  ];
}

/** A definition without its Markdown, for attributes. */
export const plainText = (markdown: string): string =>
  markdown.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll(/[`*]/g, '');

export const glossary = parseGlossary(
  readFileSync(join(import.meta.dirname, '../../../docs/glossary.md'), 'utf8'),
);

const bySlug = new Map(
  glossary.flatMap(({ terms }) =>
    terms.flatMap((term) => [term, ...term.aliases].map(({ slug }) => [slug, term] as const)),
  ),
);

/** The term of that name or alias. */
export const findTerm = (name: string): Term | undefined => bySlug.get(toSlug(name));
