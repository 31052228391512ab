// Shows what an address has just answered, shortened by rules that are stated beside it.
import { type Html, html } from '../../parts/html.ts';
import { MAX_CHARACTERS, MAX_ROWS, shorten } from './shorten.ts';

/** An answer of this service to a request that was made for the page. */
export interface Sample {
  status: number;
  /** Media type, without parameters. */
  type: string;
  bytes: number;
  /** Null where it is not text. */
  text: string | null;
}

/** Of a text that is not JSON. */
const MAX_TEXT = 1_200;
/** Cuts that are listed. */
const MAX_CUTS = 8;
/** A shortened answer that is longer still is cut off. */
const MAX_SHOWN = 14_000;

/** `link` is false for an address that a link cannot ask. */
export function realAnswer({ status, type, bytes, text }: Sample, address: string, link: boolean): Html {
  const shown = text === null ? null : type.endsWith('json') ? shortenJson(text) : cut(text, MAX_TEXT);
  return html`
<p>${link && status === 200 ? html`<a href="${address}" rel="nofollow"><code>${address}</code></a>` : html`<code>${address}</code>`} answered <strong>${status}</strong>, ${type}, ${bytes.toLocaleString('en')} bytes, when this page was made.</p>
${
  shown
    ? html`<pre class="reply" tabindex="0">${shown.text}</pre>
${shown.note ? html`<p class="note">${shown.note}</p>` : null}`
    : html`<p class="note">The bytes are not text, so they are not shown.</p>`
}`;
}

interface Shown {
  text: string;
  note: string;
}

function shortenJson(text: string): Shown {
  const { value, cuts } = shorten(JSON.parse(text));
  const rule = `Lists are cut to ${MAX_ROWS} rows and texts to ${MAX_CHARACTERS} characters`;
  const shown = cut(JSON.stringify(value, null, 2), MAX_SHOWN);
  const left = [...new Set(cuts)];
  const listed = left.slice(0, MAX_CUTS).join('; ') + (left.length > MAX_CUTS ? '; and others' : '');
  return { text: shown.text, note: [`${rule}${listed && `: ${listed}`}.`, shown.note].join(' ') };
}

const cut = (text: string, characters: number): Shown =>
  text.length > characters
    ? {
        text: `${text.slice(0, characters)}…`,
        note: `The rest is cut off: ${characters.toLocaleString('en')} of ${text.length.toLocaleString('en')} characters are shown.`,
      }
    : { text, note: '' };
