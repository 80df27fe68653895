/** The types of events that there are, with an example of each. */
import { definePage, type PageContext, type PageView } from '../../../pages/define-page.ts';
import { html } from '../../../pages/html.ts';
import { card } from '../../../pages/parts/card.ts';
import { listWebhookEventTypes } from '../../webhooks/log/events-operations.ts';
import type { EventTypes } from './endpoint-fields.ts';
import { firstWord, prettyJson } from './json.ts';
import { tabs } from './tabs.ts';

export const typesPage = definePage({
  path: '/webhooks/types',
  title: 'Types of events',
  below: '/webhooks',
  needs: [listWebhookEventTypes],
  async get(page) {
    const { data } = await page.invoke(listWebhookEventTypes);
    return drawTypes(page, data);
  },
});

export function drawTypes(page: Pick<PageContext, 'at'>, types: EventTypes): PageView {
  const words = [...new Set(types.map(({ type }) => firstWord(type)))];
  const cards = words.map((word) =>
    card({
      title: word,
      lead: html`An endpoint hears all of these with <code>${word}.*</code>`,
      body: html`<div class="event-types">${types
        .filter(({ type }) => firstWord(type) === word)
        .map(
          ({ type, meaning, example }) =>
            html`<details class="example" id="${type}"><summary><code>${type}</code> <span class="muted">${meaning}</span></summary>${prettyJson(example)}</details>`,
        )}</div>`,
    }),
  );
  return {
    lead: `${types.length} types. Each unfolds to an example, as it is sent.`,
    crumbs: [{ label: 'Webhooks', href: page.at('/webhooks') }],
    crumb: 'Types of events',
    body: html`${tabs(page, '/webhooks/types')}${cards}`,
  };
}
