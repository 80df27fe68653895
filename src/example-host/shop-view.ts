/** The example shop's one page. */
import { type Html, html } from '../pages/html.ts';
import type { ShopMember } from './shop-api.ts';

export const LOCALES = { en: 'English', de: 'Deutsch' } as const;
export type Locale = keyof typeof LOCALES;

export function isLocale(text: string): text is Locale {
  return Object.hasOwn(LOCALES, text);
}

export interface ShownShop {
  serviceUrl: string;
  /** Undefined where the service does not answer. */
  members: readonly ShopMember[] | undefined;
  signedIn: ShopMember | undefined;
  locale: Locale;
}

const WORDS = {
  en: {
    account: 'Your account',
    orders: 'Orders',
    addresses: 'Addresses',
    recommend: 'Recommend us',
    lead: 'Tell your friends about our vegetable boxes. You earn with each order that comes by you.',
    hello: 'Signed in as',
    signOut: 'Sign out',
    change: 'Somebody else',
    choose: 'Who are you today?',
    chooseHint: 'A real shop asks for a password here. This one lets you be anybody of the demo tenant.',
    behind: 'Behind this page',
  },
  de: {
    account: 'Ihr Konto',
    orders: 'Bestellungen',
    addresses: 'Adressen',
    recommend: 'Weiterempfehlen',
    lead: 'Erzählen Sie Freunden von unseren Gemüsekisten. Sie verdienen an jeder Bestellung, die durch Sie kommt.',
    hello: 'Angemeldet als',
    signOut: 'Abmelden',
    change: 'Jemand anderes',
    choose: 'Wer sind Sie heute?',
    chooseHint: 'Ein echter Laden fragt hier nach einem Passwort. Dieser lässt Sie jedes Mitglied der Demo sein.',
    behind: 'Hinter dieser Seite',
  },
} satisfies Record<Locale, Record<string, string>>;

/** The whole page. */
export function drawShop(shop: ShownShop): string {
  const { serviceUrl, signedIn, locale } = shop;
  const words = WORDS[locale];
  return html`<!doctype html>
<html lang="${locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${words.recommend} – Hofladen Demo</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/shop.css">
${signedIn && html`<script type="module" src="${serviceUrl}/widget/embed.js"></script>`}
</head>
<body>
<header>
<a class="brand" href="${`/?lang=${locale}`}">Hofladen <small>Demo</small></a>
<nav aria-label="${words.account}"><span>${words.orders}</span><span>${words.addresses}</span><span aria-current="page">${words.recommend}</span></nav>
<p class="locales">${Object.entries(LOCALES).map(
    ([code, name]) =>
      html`<a href="${`/?lang=${code}`}" lang="${code}" hreflang="${code}"${code === locale && html` aria-current="true"`}>${name}</a> `,
  )}</p>
</header>
<main>
${signedIn ? account(shop, signedIn) : choice(shop)}
</main>
<footer>${behind(shop)}</footer>
</body>
</html>
`.text;
}

function account({ members = [], locale }: ShownShop, signedIn: ShopMember): Html {
  const words = WORDS[locale];
  return html`<div class="who">
<p>${words.hello} <strong><bdi>${signedIn.name}</bdi></strong></p>
<details><summary>${words.change}</summary>${members.filter(({ id }) => id !== signedIn.id).map((member) => signInForm(member, locale))}</details>
<form method="post" action="/sign-out"><input type="hidden" name="lang" value="${locale}"><button class="quiet">${words.signOut}</button></form>
</div>
<h1>${words.recommend}</h1>
<p class="lead">${words.lead}</p>
<mcr-referrals src="/referral-session" locale="${locale}" frame-title="${words.recommend}"></mcr-referrals>
`;
}

function choice({ members, locale }: ShownShop): Html {
  const words = WORDS[locale];
  if (members === undefined) {
    return html`<h1>The service does not answer</h1><p class="lead">It is starting, ending, or the key of this shop was revoked. Load this page again in a moment.</p>`;
  }
  if (members.length === 0) {
    return html`<h1>There is nobody in this shop yet</h1>
<p class="lead">The SANDBOX of the demo tenant has no members. This fills it with 300 of them and half a year of orders, with the SANDBOX key of the service's first screen:</p>
<pre><code>npm run demo -- --key svc_sandbox_…</code></pre>
<p>Then load this page again; nothing has to be started anew.</p>`;
  }
  return html`<h1>${words.choose}</h1><p class="lead">${words.chooseHint}</p>
<div class="people">${members.map((member) => signInForm(member, locale))}</div>`;
}

function signInForm({ id, name }: ShopMember, locale: Locale): Html {
  return html`<form method="post" action="/sign-in"><input type="hidden" name="lang" value="${locale}"><input type="hidden" name="member" value="${id}"><button><bdi>${name}</bdi></button></form>`;
}

/** For whoever wants to build the same: shown as text, in English like the guide. */
function behind({ serviceUrl, locale }: ShownShop): Html {
  return html`<details><summary>${WORDS[locale].behind}</summary>
<div lang="en">
<p>All that this page has of the widget are two lines. Its policy allows the script and the frame of one other origin, <code>${new URL(serviceUrl).origin}</code>, and nothing else.</p>
<pre><code>&lt;script type="module" src="${serviceUrl}/widget/embed.js"&gt;&lt;/script&gt;
&lt;mcr-referrals src="/referral-session"&gt;&lt;/mcr-referrals&gt;</code></pre>
<p>The shop's server answers <code>/referral-session</code> with a token for whoever is signed in; the API key never leaves it. The guide is <code>docs/widget.md</code>, the operations are in the <a href="${serviceUrl}/docs">API docs</a>.</p>
</div></details>`;
}
