/** The form of a new referral link. */
import type { PageContext, PageView } from '../../../pages/define-page.ts';
import { card } from '../../../pages/parts/card.ts';
import { linkFields } from './link-fields.ts';

export function drawNewLink(page: Pick<PageContext, 'at' | 'form' | 'query' | 'tenant'>): PageView {
  const form = page.form('create', {
    fields: [
      {
        name: 'user_id',
        label: 'Credits',
        value: page.query['user_id'],
        required: true,
        placeholder: 'Email, name or id of the member',
        autocomplete: 'off',
      },
      ...linkFields(page),
      {
        name: 'slug',
        label: 'Last part of its address',
        mono: true,
        maxLength: 40,
        placeholder: 'spring-by-ida',
        hint: 'Lower-case letters, digits and hyphens. Empty: one is drawn.',
      },
    ],
    submit: 'Make the link',
  });
  return {
    crumbs: [{ label: 'Links', href: page.at('/links') }],
    crumb: 'New',
    body: card({ body: form }),
  };
}
