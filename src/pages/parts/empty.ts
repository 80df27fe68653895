/** What a list says that has no rows: what will appear, why it is empty, and one next step. Source: docs/specification/pages.md#empty. */
import { type Drawn, type Html, html } from '../html.ts';
import { copyButton } from './id.ts';

export interface Empty {
  /** What will appear here. */
  what: string;
  /** Why there is nothing: no data yet, or no match with the filters. */
  why: Drawn;
  /** A request that would bring the first one. */
  curl?: string;
  action?: { href: string; label: string } | false | undefined;
  /** Of its heading: 2 below the title of the page, 3 in a card with a title of its own. Default 2. */
  level?: 2 | 3;
}

export function empty({ what, why, curl, action, level = 2 }: Empty): Html {
  const heading = level === 2 ? html`<h2>${what}</h2>` : html`<h3>${what}</h3>`;
  return html`<div class="empty">${heading}<p class="muted">${why}</p>${curl !== undefined && command(curl)}${action && html`<p><a class="button" href="${action.href}">${action.label}</a></p>`}</div>`;
}

/** A command line to copy. */
export function command(line: string): Html {
  return html`<div class="command"><pre tabindex="0"><code>${line}</code></pre>${copyButton(line, 'Copy the command')}</div>`;
}
