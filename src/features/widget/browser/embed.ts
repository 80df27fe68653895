/**
 * What a page of a tenant loads to show the frame: `mount` and the element <mcr-referrals>. It keeps nothing and logs
 * nothing; a token passes through a private port. It has at most 3,000 bytes as it is served, where types leave blanks.
 * Source: docs/specification/widget.md#handshake.
 */
export interface MountOptions {
  element: Element;
  /** As the token's operation answered it. */
  embedUrl: string;
  /** Gives the first token and each later one. */
  getToken: () => string | Promise<string>;
  /** A theme, or its JSON. */
  theme?: unknown;
  locale?: string | null;
  title?: string | null;
  onError?: (error: { code: string }) => void;
}

/** Shows the frame in the element until `destroy` is called. Throws a TypeError when `embedUrl` is no address of a page. */
export function mount(options: MountOptions) {
  const { element, embedUrl, getToken, theme, locale, title, onError } = options;
  const { href: src, origin } = new URL(embedUrl);
  // Any other would be a script of this page.
  if (!src.startsWith('http')) throw TypeError('embedUrl');
  const frame = document.createElement('iframe');
  const tell = (code: string) => {
    if (frame.isConnected) onError?.({ code });
  };
  let close = () => {};

  const hear = (event: MessageEvent) => {
    if (event.source !== frame.contentWindow || event.origin !== origin || event.data !== 'mcr:ready') return;
    clearTimeout(late);
    // A frame that was loaded again says so again.
    close();
    const { port1, port2 } = new MessageChannel();
    close = () => port1.close();
    let type = 'start';
    const give = async () => {
      try {
        port1.postMessage({ type, token: await getToken(), theme, locale });
        type = 'token';
      } catch {
        port1.postMessage({ type: 'no-token' });
        tell('token');
      }
    };
    // By this property it also begins to listen.
    // oxlint-disable-next-line unicorn/prefer-add-event-listener
    port1.onmessage = ({ data }) => {
      if (data.type === 'token-needed') void give();
      if (data.type === 'height') frame.style.height = `${Math.min(Math.max(+data.height || 0, 0), 20000)}px`;
      if (data.type === 'error') tell(data.code);
    };
    frame.contentWindow?.postMessage('mcr:port', origin, [port2]);
    void give();
  };

  addEventListener('message', hear);
  const late = setTimeout(tell, 10000, 'timeout');
  // A browser that cannot share would write into the page's console.
  const allow = `clipboard-write${'share' in navigator ? '; web-share' : ''}`;
  Object.assign(frame, { title: title || 'Referrals', allow, referrerPolicy: 'no-referrer', src });
  Object.assign(frame.style, { width: '100%', border: 0, display: 'block' });
  element.append(frame);

  return {
    destroy() {
      removeEventListener('message', hear);
      clearTimeout(late);
      close();
      frame.remove();
    },
  };
}

class Referrals extends HTMLElement {
  #end = () => {};

  connectedCallback() {
    this.style.display = 'block';
    void this.#begin(true);
  }

  disconnectedCallback() {
    this.#end();
  }

  async #begin(first: boolean) {
    this.#end();
    let mayBeginAnew = first;
    let gone = false;
    this.#end = () => {
      gone = true;
    };
    const get = (name: string) => this.getAttribute(name);
    const tell = (code: string) => gone || this.dispatchEvent(new CustomEvent('mcr-error', { bubbles: true, detail: { code } }));
    const ask = async (body: object) => {
      const headers = { 'content-type': 'application/json' };
      const answer = await fetch(get('src') ?? '', { method: 'POST', headers, body: JSON.stringify(body) });
      if (!answer.ok) throw answer;
      return answer.json();
    };
    try {
      const { sessionId, embedUrl, widgetToken } = await ask({});
      if (gone) return;
      let token = widgetToken;
      const { destroy } = mount({
        element: this,
        embedUrl,
        theme: get('theme'),
        locale: get('locale'),
        title: get('frame-title'),
        async getToken() {
          const given = token || (await ask({ sessionId })).widgetToken;
          // A session that went on is worth another one after it.
          mayBeginAnew ||= !token;
          token = '';
          return given;
        },
        onError: ({ code }) => void (code === 'session' && mayBeginAnew ? this.#begin(false) : tell(code)),
      });
      this.#end = destroy;
    } catch {
      tell('token');
    }
  }
}

if (!customElements.get('mcr-referrals')) customElements.define('mcr-referrals', Referrals);
