/** One sign-in provider: what it is trusted with, whether it can be used now, and how it is changed. */
import { definePage, type PageContext } from '../../../pages/define-page.ts';
import { deleteAuthProvider, getAuthProvider, testAuthProvider, updateAuthProvider } from '../../auth/providers-operations.ts';
import { besideField, providerFault } from './provider-faults.ts';
import { changedOf, providerBody } from './provider-form.ts';
import { drawProvider } from './provider-view.ts';

const paramsOf = ({ params }: PageContext) => ({ authProviderId: params['authProviderId'] ?? '' });

export const providerPage = definePage({
  path: '/providers/:authProviderId',
  title: 'Sign-in provider',
  below: '/providers',
  needs: [getAuthProvider],
  get: async (page) => drawProvider(page, await page.invoke(getAuthProvider, { params: paramsOf(page) })),
  actions: {
    test: {
      needs: [testAuthProvider],
      async run(page) {
        const provider = await page.invoke(getAuthProvider, { params: paramsOf(page) });
        try {
          const { keys } = await page.invoke(testAuthProvider, { params: paramsOf(page) });
          return { shownOnce: drawProvider(page, provider, { keys, at: new Date() }) };
        } catch (thrown) {
          const fault = providerFault(thrown);
          if (!fault) throw thrown;
          return { shownOnce: drawProvider(page, provider, { fault, at: new Date() }) };
        }
      },
    },
    change: {
      needs: [updateAuthProvider],
      async run(page, form) {
        const params = paramsOf(page);
        const body = changedOf(providerBody(form), await page.invoke(getAuthProvider, { params }));
        if (!body) return { to: page.here(), said: 'Nothing was other than before.' };
        await besideField(page.invoke(updateAuthProvider, { params, body }));
        return { to: page.here(), said: 'The provider is changed.' };
      },
    },
    remove: {
      needs: [deleteAuthProvider],
      async run(page) {
        await page.invoke(deleteAuthProvider, { params: paramsOf(page) });
        return { to: page.at('/providers'), said: 'The provider is deleted, and its tokens are revoked.' };
      },
    },
  },
});
