import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Html, html } from './html.ts';

const policy =
  "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

export const pageHeaders = {
  'content-security-policy': policy,
};

export interface Page {
  title: string;
  /** Said on every page. */
  substrate: string;
  body: Html;
}

export const renderPage = ({ title, substrate, body }: Page): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · pocketwatch</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/assets/style.css">
</head>
<body>
<header><a href="/">pocketwatch</a> <nav><a href="/docs">docs</a> <a href="/openapi.json">openapi</a></nav></header>
<main>
<h1>${title}</h1>
<p class="substrate">substrate: ${substrate}</p>
${body}
</main>
<footer><a href="/LICENSE-CONTENT.md">CC BY-NC-ND 4.0</a>, with attribution</footer>
</body>
</html>
`.markup;

export const styleSheet = (): string => readFileSync(join(import.meta.dirname, 'style.css'), 'utf8');
