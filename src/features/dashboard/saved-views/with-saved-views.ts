/** A list whose filters are kept under a name. Source: docs/specification/pages.md#saved-views. */
import { definePage, type Page } from '../../../pages/define-page.ts';
import { html } from '../../../pages/html.ts';
import { deleteSavedView, listSavedViews, saveView } from '../../saved-views/saved-views-operations.ts';
import { drawViews, filtersSet } from './saved-views-view.ts';

/** A page that has filters with its saved views above it, and with the forms that save and delete one; others as they are. */
export function withSavedViews(page: Page): Page {
  const { path, filters } = page;
  if (!filters) return page;
  return definePage({
    ...page,
    uses: [...(page.uses ?? []), listSavedViews],
    async get(context) {
      const [drawn, listed] = await Promise.all([
        page.get(context),
        context.invokeIfAllowed(listSavedViews, { query: { page: path } }),
      ]);
      if (!listed) return drawn;
      const list = { path, set: filtersSet(filters, context.query), views: listed.data };
      if ('body' in drawn) return { ...drawn, body: html`${drawViews(context, list)}${drawn.body}` };
      // The list follows what is typed, and so does what would be saved of it.
      return 'part' in drawn ? { part: html`${drawn.part}${drawViews(context, list, { again: true })}` } : drawn;
    },
    actions: {
      ...page.actions,
      saveView: {
        needs: [saveView],
        async run(context, form) {
          const query = filtersSet(filters, context.query);
          const body = { name: form.text('name') ?? '', page: path, query, shared: form.checked('shared') };
          await context.invoke(saveView, { body });
          return { to: context.at(path, query), said: `The view ${body.name} is saved.` };
        },
      },
      deleteView: {
        needs: [deleteSavedView],
        async run(context, form) {
          await context.invoke(deleteSavedView, { params: { viewId: form.raw('viewId') } });
          return { to: context.at(path, filtersSet(filters, context.query)), said: 'The view is deleted.' };
        },
      },
    },
  });
}
