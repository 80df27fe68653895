/** The page of the frame: nothing in it is the member's. Source: docs/specification/widget.md#frame. */
import { type Html, html } from '../../pages/html.ts';
import type { EffectiveTheme } from './widget-theme.ts';

/** What a browser may do in the frame, and who may frame it: nobody, where there is no origin. */
export function framePolicyOf(origins: readonly string[]): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' blob:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${origins.length === 0 ? "'none'" : origins.join(' ')}`,
  ].join('; ');
}

/** The member's browser fills it, once the page around it has given the token. */
export function framePage(theme: EffectiveTheme, { script, styles }: { script: string; styles: string }): Html {
  return html`<!doctype html>
<html lang="en" data-theme="${JSON.stringify(theme)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>Referrals</title>
<link rel="stylesheet" href="${styles}">
<script type="module" src="${script}"></script>
</head>
<body>
<main id="widget" aria-busy="true"></main>
<noscript><p>This needs JavaScript.</p></noscript>
</body>
</html>
`;
}

/** One answer whatever the reason: what sessions there are is nobody's business. */
export const NO_FRAME: Html = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>This is over</title>
</head>
<body>
<h1>This is over</h1>
<p>The page that you came from can open it again.</p>
</body>
</html>
`;
