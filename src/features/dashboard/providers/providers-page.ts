/** Sign-in providers: can members sign in? */
import { definePage } from '../../../pages/define-page.ts';
import { createAuthProvider, listAuthProviders } from '../../auth/providers-operations.ts';
import { drawProviders } from './providers-view.ts';

export const providersPage = definePage({
  path: '/providers',
  title: 'Sign-in providers',
  nav: { group: 'Developers', icon: 'provider' },
  needs: [listAuthProviders],
  uses: [createAuthProvider],
  async get(page) {
    return drawProviders(page, await page.invoke(listAuthProviders, { query: { cursor: page.query['cursor'], limit: '50' } }));
  },
});
