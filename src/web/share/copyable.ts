// Text that readers take with them: a command, a program, a set-up. The script of the page adds what the button does.

import { type Html, html } from '../parts/html.ts';
import { assets } from '../site/assets.ts';

/** `what` tells a screen reader which of the buttons it is; `attributes` are those of the text's element. */
export const copyable = (text: string, what: string, attributes: Html | null = null): Html =>
  html`<div class="copyable"><pre class="wrap" tabindex="0"${attributes}>${text}</pre>${copyButton(what)}</div>`;

/** Stands beside the `pre` or `textarea` that it copies. Without scripts there is none, and the text is selected by hand. */
export const copyButton = (what: string): Html =>
  html`<button type="button" class="copy scripted" aria-label="Copy: ${what}">Copy</button><span class="copied scripted" role="status"></span>`;

/** For pages that have something to copy. */
export const copyScript = ({ markup }: Html): Html | null =>
  markup.includes('<button type="button" class="copy')
    ? html`<script type="module" src="${assets.copyScript.address}"></script>\n`
    : null;
