/** What a member sees in a widget, page by page. Source: docs/specification/widget.md#reads. */

export const WIDGET_SCOPES = ['summary', 'links', 'earnings', 'team'] as const;
export type WidgetScope = (typeof WIDGET_SCOPES)[number];
