/** One API key: what it may do, and how it is changed, rolled, switched off and revoked. */
import { AppError } from '../../../errors.ts';
import { definePage, type PageContext } from '../../../pages/define-page.ts';
import { listApiKeys, revokeApiKey, rollApiKey } from '../../tenants/api-keys-operations.ts';
import { rangesOf, scopesOf, updateApiKey } from './key-calls.ts';
import { drawKey } from './key-view.ts';
import type { ApiKey } from './keys-view.ts';
import { drawSecret } from './new-key-view.ts';

const paramsOf = (page: PageContext): { keyId: string } => ({ keyId: page.params['keyId'] ?? '' });

export const keyPage = definePage({
  path: '/keys/:keyId',
  title: 'API key',
  below: '/keys',
  needs: [listApiKeys],
  get: async (page) => drawKey(page, await findKey(page)),
  actions: {
    change: {
      needs: [updateApiKey],
      async run(page, form) {
        const name = form.text('name') ?? null;
        const body = { ...scopesOf(form), name, allowedIps: rangesOf(form) };
        await page.invoke(updateApiKey, { params: paramsOf(page), body });
        return { to: page.here(), said: 'The key is changed. It holds within a second.' };
      },
    },
    roll: {
      needs: [rollApiKey],
      async run(page, form) {
        const body = { overlapSeconds: form.number('overlapSeconds') };
        const made = await page.invoke(rollApiKey, { params: paramsOf(page), body });
        return { shownOnce: drawSecret(page, { ...made, secret: made.apiKey }) };
      },
    },
    switch: {
      needs: [updateApiKey],
      async run(page, form) {
        const disabled = form.text('disabled') === 'yes';
        await page.invoke(updateApiKey, { params: paramsOf(page), body: { disabled } });
        return { to: page.here(), said: disabled ? 'The key is disabled.' : 'The key works again.' };
      },
    },
    revoke: {
      needs: [revokeApiKey],
      async run(page) {
        await page.invoke(revokeApiKey, { params: paramsOf(page) });
        return { to: page.here(), said: 'The key is revoked. It stops working within a second.' };
      },
    },
  },
});

/** Keys are few: the list is read until it has the one. */
async function findKey(page: PageContext): Promise<ApiKey> {
  const { keyId } = paramsOf(page);
  let cursor: string | undefined;
  do {
    const { data, nextCursor } = await page.invoke(listApiKeys, { query: { cursor, limit: '100' } });
    const found = data.find(({ id }) => id === keyId);
    if (found) return found;
    cursor = nextCursor ?? undefined;
  } while (cursor !== undefined);
  throw new AppError('NOT_FOUND', 'No such key in this environment');
}
