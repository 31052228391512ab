import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { html } from './html.ts';

test('text is escaped, markup is not, and null renders as nothing', () => {
  const inner = html`<b>${'a & b'}</b>`;
  const cases: [given: Parameters<typeof html>[1], markup: string][] = [
    ['<script>alert(1)</script>', '<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>'],
    [`"quoted" 'twice'`, '<p>&quot;quoted&quot; &#39;twice&#39;</p>'],
    [inner, '<p><b>a &amp; b</b></p>'],
    [[inner, '<', 3], '<p><b>a &amp; b</b>&lt;3</p>'],
    [null, '<p></p>'],
    [0, '<p>0</p>'],
    ['', '<p></p>'],
  ];
  for (const [given, markup] of cases) assert.equal(html`<p>${given}</p>`.markup, markup);
});

test('no text can break out of its element or attribute', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const { markup } = html`<p title="${text}">${text}</p>`;
      assert.match(markup, /^<p title="[^"<>]*">[^<>]*<\/p>$/);
    }),
  );
});
