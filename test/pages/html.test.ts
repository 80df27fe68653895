/** The template tag of pages: what is escaped, and where no value may stand. Source: docs/specification/pages.md#escaping. */
import { describe, expect, test } from 'vitest';
import { Html, html, safeAddress, trusted } from '../../src/pages/html.ts';

const HOSTILE = `<img src=x onerror=alert(1)>"'&</script>`;

test('a text is escaped, wherever it stands', () => {
  const escaped = '&lt;img src=x onerror=alert(1)&gt;&quot;&#39;&amp;&lt;/script&gt;';
  expect(html`<p>${HOSTILE}</p>`.text).toBe(`<p>${escaped}</p>`);
  expect(html`<p title="${HOSTILE}">x</p>`.text).toBe(`<p title="${escaped}">x</p>`);
  expect(html`${[HOSTILE, [HOSTILE]]}`.text).toBe(escaped + escaped);
});

test('what is drawn already is not escaped again, and what is absent draws nothing', () => {
  expect(html`<p>${html`<b>${'<'}</b>`}${false}${null}${undefined}${0}${12n}${trusted('<i></i>')}</p>`.text).toBe(
    '<p><b>&lt;</b>012<i></i></p>',
  );
  expect(html`<p title="${undefined}"${false}>x</p>`.text).toBe('<p title="">x</p>');
});

test('nobody else makes what is not escaped', () => {
  expect(() => new Html(Symbol('other'), '<b>')).toThrow();
  const forged = { text: '<b>' } as never;
  expect(() => html`<p>${forged}</p>`.text).toThrow();
});

test.each([
  ['javascript:alert(1)'],
  ['JaVaScRiPt:alert(1)'],
  [' javascript:alert(1)'],
  ['data:text/html,<script>'],
  ['vbscript:x'],
  ['//evil.example'],
  ['/\\evil.example'],
  ['blob:x'],
  ['/\t/evil.example'],
  ['/\n\\evil.example'],
  ['\u0000//evil.example'],
  ['/members/a b'],
  ['https://shop.example/\u2028x'],
])('the address %j leads nowhere', (address) => {
  expect(html`<a href="${address}">x</a>`.text).toBe('<a href="#">x</a>');
  expect(safeAddress(address)).toBe('#');
});

test.each([['/members'], ['?q=1'], ['#main'], ['https://shop.example/?a=1'], ['mailto:a@b.example'], ['']])(
  'the address %j leads there',
  (address) => {
    expect(html`<a href="${address}">x</a>`.text).toBe(`<a href="${address}">x</a>`);
  },
);

describe('a value is refused', () => {
  const value = 'x';
  test.each([
    ['without quotes', () => html`<a href=${value}>`],
    ['in single quotes', () => html`<a href='${value}'>`],
    ['as an attribute', () => html`<a ${value}>`],
    ['as the name of an element', () => html`<${value}>`],
    ['in a style', () => html`<p style="color: ${value}">`],
    ['in a handler', () => html`<p onclick="${value}">`],
    ['in a handler of htmx', () => html`<p hx-on:click="${value}">`],
    ['in values of htmx', () => html`<p hx-vals="${value}">`],
    ['in a document within', () => html`<iframe srcdoc="${value}"></iframe>`],
    ['in a script', () => html`<script>${value}</script>`],
    ['in a style sheet', () => html`<style>${value}</style>`],
    ['that is markup, in an attribute', () => html`<p title="${html`<b>`}">`],
  ])('%s', (_where, draw) => {
    expect(draw).toThrow(/html:/);
  });
});

test('an attribute that is drawn by itself is escaped too, and its address looked at', () => {
  expect(html`<a${html` href="${'javascript:alert(1)'}" title="${HOSTILE}"`}>x</a>`.text).not.toMatch(
    /javascript|<img|title="[^"]*"[^>]*"/,
  );
});
