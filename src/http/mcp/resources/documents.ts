// The glossary and the formulas as resources: each document whole, and a resource for each term or section of it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { glossary, type Term, toSlug } from '../../../web/site/glossary.ts';

export interface Document {
  uri: string;
  title: string;
  description: string;
  /** In Markdown, as `sections` are. */
  text: string;
  sections: ReadonlyMap<string, string>;
}

const GLOSSARY = 'pocketwatch://glossary';
const FORMULAS = 'pocketwatch://formulas';

/** Read once: the files do not change while the process runs. */
export const documents: Readonly<Record<'glossary' | 'formulas', Document>> = {
  glossary: {
    uri: GLOSSARY,
    title: 'Glossary',
    description: `Every term of the service with its definition. A single term: ${GLOSSARY}/{slug}.`,
    text: withReachableLinks(readDocument('glossary.md'), GLOSSARY),
    sections: new Map(
      glossary.flatMap(({ terms }) =>
        terms.flatMap((term) => [term, ...term.aliases].map(({ slug }) => [slug, termText(term)] as const)),
      ),
    ),
  },
  formulas: {
    uri: FORMULAS,
    title: 'Formulas',
    description: `Every formula with its weights, thresholds and a worked example; long. A single section: ${FORMULAS}/{slug}.`,
    text: withReachableLinks(readDocument('formulas.md'), FORMULAS),
    sections: splitSections(withReachableLinks(readDocument('formulas.md'), FORMULAS)),
  },
};

function readDocument(name: string): string {
  return readFileSync(join(import.meta.dirname, '../../../../docs', name), 'utf8');
}

function termText({ name, aliases, definition, formula }: Term): string {
  const also = aliases.length ? `Also called ${aliases.map((alias) => alias.name).join(', ')}.\n\n` : '';
  const computed = formula ? `\n\nFormula: ${formula}` : '';
  return withReachableLinks(`# ${name}\n\n${also}${definition}${computed}\n`, GLOSSARY);
}

/** A section for each heading of the second level, by the fragment that links to it. */
function splitSections(markdown: string): Map<string, string> {
  return new Map(
    markdown
      .split(/^(?=## )/m)
      .slice(1)
      .map((section) => [toSlug(section.slice(3, section.indexOf('\n'))), `${section.trim()}\n`]),
  );
}

/** Links between the two documents lead to resources; other links are relative to a folder that a client does not have. */
function withReachableLinks(markdown: string, own: string): string {
  return markdown.replaceAll(/\[([^\]]*)\]\(([^)]*)\)/g, (link, text: string, target: string) => {
    if (/^https?:/.test(target)) return link;
    const [file = '', slug] = target.split('#');
    const uri = { '': own, 'glossary.md': GLOSSARY, 'formulas.md': FORMULAS }[file];
    if (uri === undefined) return text;
    return `[${text}](${slug === undefined ? uri : `${uri}/${slug}`})`;
  });
}
