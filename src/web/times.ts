import { clockOf, dateOf } from '../domain/sgt.ts';
import { type Html, html } from './html.ts';

/** Singapore time to read, the exact moment on hover. */
export function timeOf(moment: string): Html {
  const at = Date.parse(moment);
  return html`<time datetime="${moment}" title="${moment}">${dateOf(at)} ${clockOf(at)} SGT</time>`;
}
