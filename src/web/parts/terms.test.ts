import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findTerm } from '../site/glossary.ts';
import { html } from './html.ts';
import { explainedTerms, term, termsNote, undefinedTerms } from './terms.ts';

test('every explained term is in the glossary', () => {
  for (const word of explainedTerms) assert.ok(findTerm(word), word);
});

test('a page lists the terms that its text uses and does not link', () => {
  const body = html`<h1 title="friction">Pockets</h1><p>${term('calm level', 'Calm level')} 0.5; calm level of two gates</p>`;
  assert.deepEqual(undefinedTerms(body), ['pocket', 'gate']);
  assert.match(termsNote(body)?.markup ?? '', /Terms on this page: <a class="term" href="\/glossary#pocket"/);
  assert.equal(termsNote(html`<p>Navigate, investigate.</p>`), null);
});
