/** The frame of a page: head, navigation, environment, and what the same would be by the API. */
import type { Environment } from '../db/scope.ts';
import type { Assets } from './asset-files.ts';
import type { NavGroup, PageView, Person } from './define-page.ts';
import type { Formats } from './format.ts';
import { type Drawn, type Html, html, trusted } from './html.ts';
import { type IconName, icon } from './icons.ts';
import { copyButton } from './parts/id.ts';

export type Theme = 'light' | 'dark' | undefined;

export interface NavLink {
  label: string;
  href: string;
  icon: IconName;
  here: boolean;
  /** What waits there. */
  count?: number | undefined;
  /** The key behind `g`. */
  key?: string | undefined;
}

export interface Notice {
  tone: 'good' | 'waiting' | 'bad';
  text: string;
}

export interface PageFrame {
  assets: Assets;
  theme: Theme;
  tenantName: string;
  environment: Environment;
  /** Of the same place in each environment. */
  switchTo: Readonly<Record<Environment, string>>;
  nav: readonly { group: NavGroup | null; links: readonly NavLink[] }[];
  person: Pick<Person, 'name' | 'email' | 'role'>;
  accountHref: string | undefined;
  home: string;
  searchHref: string | undefined;
  signOut: Html;
  /** The sandbox's clock; of LIVE nothing is said. */
  sandboxTime: Date | undefined;
  format: Formats;
  notice: Notice | undefined;
  /** The requests of the page as they would be sent by the API. */
  sameAs: readonly string[];
}

const LOGO = trusted(
  '<svg class="logo" viewBox="0 0 24 24" width="22" height="22" aria-hidden="true" focusable="false"><path class="logo-outer" d="M12 1.5 21 6.75v10.5L12 22.5l-9-5.25V6.75z"/><circle class="logo-inner" cx="12" cy="12" r="4"/></svg>',
);

/** A whole document. `title` stands in the tab, before the product's name. */
export function documentOf(
  { assets, theme, title, scripts = [] }: { assets: Assets; theme: Theme; title: string; scripts?: readonly string[] },
  body: Html,
): Html {
  const modules = ['core', ...scripts].map((name) =>
    name === 'htmx'
      ? html`<meta name="htmx-config" content="{&quot;includeIndicatorCSS&quot;:false}"><script src="${assets.url('htmx.js')}" defer></script>`
      : html`<script type="module" src="${assets.url(`${name}.js`)}"></script>`,
  );
  const scheme = theme !== undefined && html` data-theme="${theme}"`;
  return html`<!doctype html>
<html lang="en"${scheme}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="${assets.url('icon.svg')}" type="image/svg+xml">
<link rel="stylesheet" href="${assets.url('pages.css')}">
${modules}
</head>
${body}
</html>
`;
}

export function drawPage(frame: PageFrame, view: PageView, title: string): Html {
  const body = html`<body${frame.environment === 'SANDBOX' && html` class="is-sandbox"`}>
<a class="skip" href="#main">Skip to the content</a>
${frame.sandboxTime && sandboxBar(frame.sandboxTime, frame.format)}
<div class="shell">
${sidebar(frame)}
<div class="page">
${topBar(frame)}
<main id="main" tabindex="-1">
${frame.notice && html`<div class="notice notice-${frame.notice.tone}" role="status"><p><bdi>${frame.notice.text}</bdi></p></div>`}
${head(view, title)}
${view.body}
${sameAs(frame.sameAs)}
</main>
</div>
</div>
</body>`;
  const tab = `${title} · ${frame.tenantName}${frame.environment === 'SANDBOX' ? ' (sandbox)' : ''}`;
  return documentOf({ ...frame, title: tab, scripts: view.scripts ?? [] }, body);
}

function sandboxBar(now: Date, format: Formats): Html {
  return html`<section class="sandbox-bar" aria-label="Sandbox"><strong>Sandbox</strong> <span>Test data. The sandbox clock is at ${format.time(now)}</span></section>`;
}

function sidebar({ nav, tenantName, home }: PageFrame): Html {
  const groups = nav.map(({ group, links }, at) => {
    const id = `nav-${at}`;
    const list = links.map(
      ({ label, href, icon: name, here, count, key }) =>
        html`<li><a href="${href}"${here && html` aria-current="page"`}${key !== undefined && html` data-go="${key}"`}>${icon(name)}<span>${label}</span>${count !== undefined && count > 0 && html`<span class="count">${count}<span class="unseen"> waiting</span></span>`}</a></li>`,
    );
    return html`${group !== null && html`<h2 class="nav-group" id="${id}">${group}</h2>`}<ul${group !== null && html` aria-labelledby="${id}"`}>${list}</ul>`;
  });
  return html`<header class="side"><a class="brand" href="${home}">${LOGO}<bdi>${tenantName}</bdi></a><nav class="nav" aria-label="Main">${groups}</nav></header>`;
}

function topBar({ searchHref, switchTo, environment, person, accountHref, signOut }: PageFrame): Html {
  const side = (which: Environment, label: string): Html =>
    html`<a href="${switchTo[which]}"${which === environment && html` aria-current="true"`}>${label}</a>`;
  const search =
    searchHref !== undefined &&
    html`<a class="search" href="${searchHref}" data-palette="${searchHref}">${icon('search')}<span>Search or jump to</span><kbd>Ctrl K</kbd></a>`;
  const account = accountHref !== undefined && html`<a href="${accountHref}">Your account</a>`;
  const themes = html`<div class="themes" role="group" aria-label="Colours"><button type="button" data-theme-to="light">Light</button><button type="button" data-theme-to="dark">Dark</button><button type="button" data-theme-to="">System</button></div>`;
  return html`<div class="top">${search ? html`<nav aria-label="Search">${search}</nav>` : html`<div></div>`}<div class="top-end"><nav class="switch" aria-label="Environment">${side('LIVE', 'Live')}${side('SANDBOX', 'Sandbox')}</nav><details class="account"><summary><span aria-hidden="true">${initials(person.name)}</span><span class="unseen">Your account and settings</span></summary><div class="menu"><p><strong><bdi>${person.name}</bdi></strong><br><span class="muted"><bdi>${person.email}</bdi><br>${person.role}</span></p>${account}${themes}<button type="button" class="only-script" data-keys-help="">Keyboard shortcuts</button>${signOut}</div></details></div></div>`;
}

function initials(name: string): string {
  const words = name.trim().split(/\s+/);
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined].map((word) => Array.from(word ?? '')[0] ?? '');
  return letters.join('').toUpperCase() || '?';
}

function head({ lead, crumbs = [], crumb, actions }: PageView, title: string): Html {
  const way: Drawn =
    (crumbs.length > 0 || crumb) &&
    html`<nav class="crumbs" aria-label="Breadcrumb">${crumbs.map(({ label, href }) => html`<a href="${href}">${label}</a> / `)}${crumb && html`<bdi>${crumb}</bdi>`}</nav>`;
  return html`<div class="page-head"><div>${way}<h1>${title}</h1>${lead && html`<p class="muted">${lead}</p>`}</div>${actions && html`<div class="actions">${actions}</div>`}</div>`;
}

/** Every page says what it has asked, so that anybody can ask the same. */
function sameAs(requests: readonly string[]): Html {
  if (requests.length === 0) return html``;
  const list = requests.map(
    (line) => html`<li><pre tabindex="0"><code>${line}</code></pre>${copyButton(line, 'Copy the request')}</li>`,
  );
  return html`<details class="same-as"><summary>Same as</summary><p class="muted">The API requests that show the same. Put an API key in the place of $KEY.</p><ul>${list}</ul></details>`;
}

/** A page outside a tenant: sign-in, welcome, errors. */
export function drawAlone(
  { assets, theme, scripts }: { assets: Assets; theme: Theme; scripts?: readonly string[] },
  { title, body, lead }: { title: string; body: Drawn; lead?: Drawn },
): Html {
  const content = html`<body class="alone"><main id="main"><div class="brand">${LOGO}<span>Commissions</span></div><div class="card"><h1>${title}</h1>${lead && html`<p class="muted">${lead}</p>`}${body}</div></main></body>`;
  return documentOf({ assets, theme, title, ...(scripts && { scripts }) }, content);
}
