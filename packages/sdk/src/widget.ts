/** Types of the members' widget in a page, which `/widget/embed.js` of the service brings. */

/** What a page may say of the looks; the session has the same. */
export interface WidgetTheme {
  /** As `#2f6b3a`. */
  accent?: string;
  /** Pixels, 0 to 24. */
  corner?: number;
  /** Of fonts that the browser has. */
  fontFamily?: string;
  mode?: 'light' | 'dark' | 'system';
}

/** `token`: `getToken` failed; `origin`: the page may not frame it; `session`: it is over; `theme`: refused; `network`, `timeout`. */
export type WidgetErrorCode = 'token' | 'origin' | 'session' | 'theme' | 'network' | 'timeout';

export interface MountOptions<Place> {
  /** Where the frame goes. */
  element: Place;
  /** As `createWidgetToken` answers it. */
  embedUrl: string;
  /** The first token and each later one. */
  getToken: () => Promise<string>;
  theme?: WidgetTheme;
  /** As `de-AT`; default the browser's. */
  locale?: string;
  /** Of the frame, for screen readers. */
  title?: string;
  onError?: (error: { code: WidgetErrorCode }) => void;
}

/** `mount` of `/widget/embed.js`. `destroy` takes the frame away. */
export type Mount<Place> = (options: MountOptions<Place>) => { destroy: () => void };

/** Attributes of `<mcr-referrals>`; its event `mcr-error` has `{code}` as `detail`. */
export interface WidgetAttributes {
  /** A route of your own server, which answers with a token. */
  src: string;
  /** A `WidgetTheme` as JSON. */
  theme?: string;
  locale?: string;
  'frame-title'?: string;
}
