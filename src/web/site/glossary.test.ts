import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { term } from '../parts/terms.ts';
import { findTerm, glossary, parseGlossary, plainText, toSlug } from './glossary.ts';

describe('parsing docs/glossary.md', () => {
  const [section, ...others] = parseGlossary(
    '# Glossary\n\nIntro.\n\n## The city\n\n| term | meaning | formula | file |\n|---|---|---|---|\n| calm level | How *calm* it is, `0..1` ([cities](cities.md)). | | [a.ts](a.ts) |\n| atmosphere, reading | How it feels. | | |\n',
  );

  test('a section for each heading, a term for each row, an alias after a comma', () => {
    assert.deepEqual(others, []);
    assert.deepEqual([section?.slug, section?.title], ['section-the-city', 'The city']);
    assert.deepEqual(
      section?.terms.map(({ slug, name, aliases }) => [slug, name, aliases.map((alias) => alias.slug)]),
      [
        ['calm-level', 'calm level', []],
        ['atmosphere', 'atmosphere', ['reading']],
      ],
    );
  });

  test('a definition without its Markdown', () => {
    assert.equal(plainText(section?.terms[0]?.definition ?? ''), 'How calm it is, 0..1 (cities).');
  });

  test('slugs', () => {
    for (const [name, slug] of [
      ['calm level', 'calm-level'],
      ['MQS', 'mqs'],
      ['half-life', 'half-life'],
      ['  Brier score ', 'brier-score'],
    ] as const)
      assert.equal(toSlug(name), slug);
  });
});

test('every term is defined once, in a sentence', () => {
  const terms = glossary.flatMap((section) => section.terms);
  const slugs = terms.flatMap(({ slug, aliases }) => [slug, ...aliases.map((alias) => alias.slug)]);
  assert.deepEqual(
    slugs.filter((slug, at) => slugs.indexOf(slug) !== at),
    [],
  );
  for (const { name, definition } of terms) assert.match(plainText(definition), /^[A-Z0-9].*\.$/s, name);
});

test('a term is a link with its definition; a word that is none stays text', () => {
  assert.equal(
    term('calm level', 'Calm').markup,
    `<a class="term" href="/glossary#calm-level" title="${plainText(findTerm('calm level')?.definition ?? '')}">Calm</a>`,
  );
  assert.match(term('reading').markup, /href="\/glossary#reading" title="Stress, calm/);
  assert.equal(term('<b>').markup, '&lt;b&gt;');
});

test('every term that the sources of the pages name is in the glossary', () => {
  const root = join(import.meta.dirname, '..');
  for (const file of globSync('**/*.{ts,js}', { cwd: root }).filter((name) => !name.endsWith('.test.ts'))) {
    const text = readFileSync(join(root, file), 'utf8');
    const names = [...text.matchAll(/\bterm\(\s*'([^']+)'/g), ...text.matchAll(/\/glossary#([\w-]+)/g)].map(
      ([, name = '']) => name,
    );
    for (const name of names) assert.ok(findTerm(name), `${file}: ${name}`);
  }
});
