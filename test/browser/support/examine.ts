/** What must hold of every page, whoever looks at it and however wide it is. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { HtmlValidate } from 'html-validate';
import type { Frame, Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

interface Finding {
  id: string;
  help: string;
  nodes: { html: string; target: string[]; failureSummary: string }[];
}

/** What axe finds: WCAG 2.0 to 2.2, levels A and AA, and what it holds for good practice. */
export async function accessibilityFaults(page: Page | Frame): Promise<string[]> {
  // By the browser's own door: a script put into the page would be stopped by the policy, and should be.
  await page.evaluate(`${AXE}; undefined`);
  const { violations } = await page.evaluate<{ violations: Finding[] }>(
    `axe.run(document, ${JSON.stringify({ runOnly: RULES, resultTypes: ['violations'] })})`,
  );
  return violations.map(({ id, help, nodes }) => {
    const [first] = nodes;
    return `axe ${id} (${help}), ${nodes.length} times: ${first?.target.join(' ')} ${first?.html.slice(0, 200)} ${first?.failureSummary}`;
  });
}

/** Whether the page can be scrolled sideways, and what is too wide. */
export async function widthFaults(page: Page | Frame): Promise<string[]> {
  return page.evaluate<string[]>(`(() => {
    const root = document.scrollingElement;
    if (root.scrollWidth <= root.clientWidth) return [];
    const within = (one) => { for (let up = one.parentElement; up && up !== document.body; up = up.parentElement)
      if (['auto', 'scroll', 'hidden', 'clip'].includes(getComputedStyle(up).overflowX)) return true; return false; };
    const wide = [...document.body.querySelectorAll('*')]
      .filter((one) => one.getBoundingClientRect().right > root.clientWidth + 0.5 && !within(one))
      .slice(0, 3).map((one) => one.cloneNode().outerHTML.slice(0, 120));
    return ['scrolls sideways, ' + root.scrollWidth + ' wide in ' + root.clientWidth + ': ' + wide.join(' ')];
  })()`);
}

const validator = new HtmlValidate({
  root: true,
  extends: ['html-validate:recommended'],
  rules: {
    // What the template writes is read by programs: spaces and the way of closing are nobody's business.
    'no-trailing-whitespace': 'off',
    'doctype-style': 'off',
    'void-style': 'off',
    'attribute-boolean-style': 'off',
    'attribute-empty-style': 'off',
    'long-title': 'off',
    // Drawn names of controls may be numbers of a row.
    'valid-id': ['error', { relaxed: true }],
    'no-inline-style': 'error',
    // Boxes of one name are one list.
    'form-dup-name': ['error', { shared: ['radio', 'checkbox', 'submit', 'button'] }],
  },
});

/** Faults of the source as the server sent it. */
export async function sourceFaults(html: string): Promise<string[]> {
  const { results } = await validator.validateString(html);
  const valid = results.flatMap(({ messages, source }) =>
    messages.map(
      ({ ruleId, message, line, column }) =>
        `html ${ruleId}: ${message} at ${line}:${column} ${(source ?? '').split('\n')[line - 1]?.slice(Math.max(0, column - 60), column + 100)}`,
    ),
  );
  return [...valid, ...inlineFaults(html)];
}

/** Styles and scripts in the page itself, which the policy would stop. */
export function inlineFaults(html: string): string[] {
  const faults: string[] = [];
  for (const [tag] of html.matchAll(TAG)) {
    for (const [, name = '', double, single, bare] of tag.matchAll(ATTRIBUTE)) {
      if (isCode(name.toLowerCase(), (double ?? single ?? bare ?? '').trim()))
        faults.push(`inline code or style: ${tag.slice(0, 160)}`);
    }
  }
  for (const [, attributes = '', body = ''] of html.matchAll(/<script\b([^>]*)>([\s\S]*?)<\/script/gi)) {
    if (!/\ssrc=/.test(attributes) || body.trim() !== '') faults.push(`inline script: ${attributes} ${body.slice(0, 100)}`);
  }
  if (/<style\b/i.test(html)) faults.push('a style element');
  return faults;
}

const TAG = /<[a-z][^\s>/]*(?:\s+[^\s=>]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s>]+))?)*\s*\/?>/gi;
const ATTRIBUTE = /\s([^\s=>/"']+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+)))?/g;

function isCode(name: string, value: string): boolean {
  if (name === 'style' || /^(?:data-)?hx-on/.test(name) || /^on\w+$/.test(name)) return true;
  if (['href', 'src', 'action', 'formaction'].includes(name)) return /^(?:javascript|data|vbscript):/i.test(value);
  return name.includes('hx-vals') && /^js(?:avascript)?:/.test(value);
}

/**
 * What the words of hostile-words.ts have done: elements and handlers that they made, addresses that are code, and signs
 * that turn round what is written behind them.
 */
export async function hostilityFaults(page: Page | Frame): Promise<string[]> {
  return page.evaluate<string[]>(`(() => {
    const told = (one) => one.cloneNode().outerHTML.slice(0, 160);
    const made = [...document.querySelectorAll('[data-hostile]')].map((one) => 'a word made an element: ' + told(one));
    const handlers = [...document.querySelectorAll('*')].filter((one) => [...one.attributes].some(({ name }) => /^(on\\w+|hx-on.*|style)$/.test(name)))
      .map((one) => 'a handler or style: ' + told(one));
    const code = [...document.querySelectorAll('a[href], area[href], form, [formaction], img, iframe, object, embed, link[href], script')]
      .flatMap((one) => [one.href, one.action, one.formAction, one.src, one.data].filter((value) => typeof value === 'string' && value !== '')
        .filter((value) => !/^(https?|mailto):/.test(value)).map((value) => 'an address that is code: ' + value.slice(0, 60) + ' in ' + told(one)));
    const turned = [];
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const text = texts.currentNode;
      if (!/[\\u202A-\\u202E\\u2066-\\u2069]/.test(text.data)) continue;
      let block = text.parentElement;
      const keeps = (one) => { const style = getComputedStyle(one); return !['inline', 'contents'].includes(style.display) || /isolate|plaintext/.test(style.unicodeBidi); };
      while (block !== document.body && !keeps(block)) block = block.parentElement;
      const behind = document.createRange();
      behind.setStartAfter(text); behind.setEndAfter(block.lastChild);
      if (behind.toString().trim() !== '') turned.push('turns round what stands behind it: ' + behind.toString().trim().slice(0, 60) + ' in ' + told(block));
    }
    return [...made, ...handlers, ...code, ...turned].slice(0, 10);
  })()`);
}
