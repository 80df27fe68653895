/** What stands around every page of the documentation. */
import { type Drawn, type Html, html } from '../pages/html.ts';
import { type DocsPage, type Section, twinOf } from './page.ts';

export interface Frame {
  pages: readonly DocsPage[];
  styles: string;
  script: string;
}

const SECTIONS: readonly Section[] = ['Guides', 'Explanations', 'Reference'];

interface Drawing {
  title: string;
  description: string;
  path: string;
  body: Drawn;
  /** Whether it has a twin in Markdown. */
  hasTwin: boolean;
}

/** A whole document, as text. */
export function drawDocs({ pages, styles, script }: Frame, { title, description, path, body, hasTwin }: Drawing): string {
  const links = SECTIONS.map((section) => {
    const own = pages.filter((page) => page.section === section);
    return html`<h2>${section}</h2><ul>${own.map((page) => linkTo(page, path))}</ul>`;
  });
  const page = html`<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title} · Member Commission and Referral Service</title><meta name="description" content="${description.slice(0, 160)}"><link rel="stylesheet" href="${styles}">${hasTwin && html`<link rel="alternate" type="text/markdown" href="${twinOf(path)}">`}<script type="module" src="${script}"></script></head><body><a class="skip" href="#content">To the text</a><header><a class="home" href="/docs">Documentation</a><form role="search" action="/docs/search"><label><span class="unseen">Search</span><input type="search" name="q" placeholder="Search" autocomplete="off"></label></form><nav aria-label="Elsewhere"><a href="/docs/try">Swagger UI</a> <a href="/api/v1/openapi.json">OpenAPI</a> <a href="/dashboard">Dashboard</a></nav></header><div class="columns"><main id="content">${body}${hasTwin && html`<p class="twin"><a href="${twinOf(path)}">This page as Markdown</a></p>`}</main><nav class="side" aria-label="Pages">${links}</nav></div></body></html>`;
  return page.text;
}

function linkTo({ path, title }: DocsPage, here: string): Html {
  return html`<li><a href="${path}"${path === here && html` aria-current="page"`}>${title}</a></li>`;
}
