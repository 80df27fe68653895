/** A new API key: what it may do, and the key itself, once. */
import { definePage } from '../../../pages/define-page.ts';
import { createApiKey, expiryOf, rangesOf, scopesOf } from './key-calls.ts';
import { drawNewKey, drawSecret } from './new-key-view.ts';

export const newKeyPage = definePage({
  path: '/keys/new',
  title: 'New API key',
  below: '/keys',
  needs: [createApiKey],
  get: async (page) => drawNewKey(page),
  actions: {
    create: {
      needs: [createApiKey],
      async run(page, form) {
        const allowedIps = rangesOf(form);
        const expiresAt = expiryOf(form, page.tenant.timeZone);
        const body = {
          ...scopesOf(form),
          name: form.text('name'),
          ...(allowedIps && { allowedIps }),
          ...(expiresAt !== undefined && { expiresAt }),
        };
        const made = await page.invoke(createApiKey, { body });
        return { shownOnce: drawSecret(page, { ...made, secret: made.apiKey }) };
      },
    },
  },
});
