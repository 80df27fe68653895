/** Search: one word for any record. The palette asks here as well, for data in place of the page. */
import { definePage } from '../../../pages/define-page.ts';
import { searchAll } from '../../overview/search-operations.ts';
import { deedsOf } from './deeds.ts';
import { drawSearch } from './search-view.ts';
import { whereTo } from './where-to.ts';

/** As many letters as the operation takes. */
const LONGEST = 255;

export const searchPage = definePage({
  path: '/search',
  title: 'Search',
  needs: [searchAll],
  async get(page) {
    const q = (page.query['q'] ?? '').trim().slice(0, LONGEST);
    const deeds = deedsOf(page);
    const { data } = q === '' ? { data: [] } : await page.invoke(searchAll, { query: { q } });
    const found = data.map((one) => whereTo(page, one));
    return page.query['as'] === 'json' ? { json: { results: found, deeds } } : drawSearch(page, { q, found, deeds });
  },
});
