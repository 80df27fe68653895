/** API keys: who may call us? */
import { definePage } from '../../../pages/define-page.ts';
import { listApiKeys } from '../../tenants/api-keys-operations.ts';
import { createApiKey } from './key-calls.ts';
import { drawKeys } from './keys-view.ts';

export const keysPage = definePage({
  path: '/keys',
  title: 'API keys',
  nav: { group: 'Developers', icon: 'key', key: 'k' },
  needs: [listApiKeys],
  uses: [createApiKey],
  async get(page) {
    const { cursor } = page.query;
    return drawKeys(page, await page.invoke(listApiKeys, { query: { cursor, limit: '50' } }));
  },
});
