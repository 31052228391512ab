import assert from 'node:assert/strict';
import { test } from 'node:test';
import { documents } from './documents.ts';

test('every link in a document or a part of it leads to a resource that exists', () => {
  for (const { text, sections } of Object.values(documents))
    for (const part of [text, ...sections.values()])
      for (const [, target = ''] of part.matchAll(/\]\(([^)]*)\)/g)) {
        const [, name = '', slug] = /^pocketwatch:\/\/(\w+)(?:\/(.+))?$/.exec(target) ?? [];
        const document = documents[name as keyof typeof documents];
        assert.ok(document, target);
        if (slug !== undefined) assert.ok(document.sections.has(slug), target);
      }
});

test('a term has its other names, its definition and its formula', () => {
  const text = documents.glossary.sections.get('calm-window') ?? '';
  assert.match(text, /^# calm window\n\nAlso called window\.\n\nA span of time/);
  assert.match(text, /Formula: \[windows\]\(pocketwatch:\/\/formulas\/windows\)/);
  assert.equal(documents.glossary.sections.get('window'), text);
});

test('a section of the formulas is that part of the document', () => {
  const text = documents.formulas.sections.get('calm-probability') ?? '';
  assert.match(text, /^## Calm probability\n/);
  assert.equal(text.match(/^## /gm)?.length, 1);
  assert.ok(documents.formulas.text.includes(text));
  for (const section of documents.formulas.sections.values()) assert.ok(section.length < 16_384);
});
