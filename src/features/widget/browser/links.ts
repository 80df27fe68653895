/** The member's code and links: to copy, to share, to switch off, and to make. */
import type { Links, WidgetLink } from './answers.ts';
import { Failure } from './connection.ts';
import { button, type Child, card, chip, empty, freshId, h, put, written } from './kit.ts';
import { drawForm } from './link-form.ts';
import { copyButton, failure, focusOn, type Look, moreButton, show } from './look.ts';

const READ = '/links';

/** As many or more are told as these. */
const MOST_CLICKS = 10_000;

export function draw(panel: HTMLElement, look: Look): void {
  void show(
    panel,
    look,
    () => look.connection.get<Links>(READ),
    (links) => drawLinks(look, links),
  );
}

function drawLinks(look: Look, { code, canCreate, destinationHosts, links, nextCursor }: Links): Child {
  const { words } = look;
  const list = h(
    'ul',
    { class: 'rows' },
    links.map((link) => drawLink(look, link)),
  );
  const box = h('div', { class: 'links' });
  const showList = (): void => {
    const more = moreButton(
      look,
      list,
      async (cursor) => {
        const further = await look.connection.get<Links>(`${READ}?cursor=${encodeURIComponent(cursor)}`);
        return { items: further.links.map((link) => drawLink(look, link)), next: further.nextCursor };
      },
      nextCursor,
    );
    put(box, card(words.links.yours, list, more));
  };
  if (links.length > 0) showList();
  else put(box, empty(words.links.empty, canCreate ? words.links.emptyWhy : words.links.emptyCannot));
  const onMade = (link: WidgetLink): void => {
    if (!list.isConnected) showList();
    const row = drawLink(look, link);
    list.prepend(row);
    focusOn(row);
    look.say(words.links.created);
  };
  return [
    code !== null && drawCode(look, code),
    box,
    canCreate && drawForm(look, { hosts: destinationHosts, isOpen: links.length === 0, onMade }),
  ];
}

function drawCode(look: Look, code: string): HTMLElement {
  const { links } = look.words;
  const shown = written(code, { class: 'code' });
  return card(
    links.code,
    h('p', { class: 'line' }, shown, copyButton(look, code, shown)),
    h('p', { class: 'small' }, links.codeMeans),
  );
}

function drawLink(look: Look, first: WidgetLink): HTMLElement {
  const { words, format, connection } = look;
  const row = h('li', { class: 'row' });
  const below = h('div', { class: 'below', 'aria-live': 'polite' });
  const top = h('div', { class: 'link' });
  let link = first;

  const change = async (event: Event): Promise<void> => {
    const pressed = event.currentTarget as HTMLButtonElement;
    pressed.disabled = true;
    const status = link.status === 'active' ? 'disabled' : 'active';
    try {
      link = await connection.post<WidgetLink>(`${READ}/${encodeURIComponent(link.id)}`, { body: { status } });
      put(below);
      drawTop();
      top.querySelector<HTMLElement>('.toggle')?.focus();
      look.say(link.status === 'active' ? words.links.turnedOn : words.links.turnedOff);
    } catch (error) {
      pressed.disabled = false;
      put(below, failure(words, error));
    }
  };

  const drawTop = (): void => {
    const { url, name, slug, destinationUrl, status, expiresAt, clicks, lastClickedAt } = link;
    const isOver = expiresAt !== null && Date.parse(expiresAt) <= Date.now();
    const label = name ?? slug;
    const address = written(url.replace(/^https?:\/\//, ''), { class: 'address' });
    const until = expiresAt !== null && (isOver ? words.links.expired : words.links.expires)(format.day(expiresAt));
    const nameOf = (word: string): { 'aria-label': string } => ({ 'aria-label': `${word}: ${label}` });
    put(
      top,
      h(
        'p',
        { class: 'line' },
        h('strong', null, written(label)),
        status === 'disabled' && chip(words.links.off, 'neutral'),
        until !== false && h('span', { class: 'small' }, until),
      ),
      h('p', null, address),
      h(
        'p',
        { class: 'small' },
        words.links.clicks(clicks, `${format.number(clicks)}${clicks >= MOST_CLICKS ? '+' : ''}`),
        lastClickedAt !== null && `, ${words.links.lastClick(format.day(lastClickedAt))}`,
      ),
      h('p', { class: 'small' }, words.links.leadsTo, ' ', written(destinationUrl.replace(/^https?:\/\//, ''))),
      h(
        'div',
        { class: 'buttons' },
        copyButton(look, url, address, { class: 'button primary' }),
        'share' in navigator && button(words.links.share, () => share(url, name), nameOf(words.links.share)),
        qrButton(look, link, below),
        button(status === 'active' ? words.links.turnOff : words.links.turnOn, change, {
          class: 'quiet toggle',
          ...nameOf(status === 'active' ? words.links.turnOff : words.links.turnOn),
        }),
      ),
    );
  };

  drawTop();
  row.append(top, below);
  return row;
}

async function share(url: string, name: string | null): Promise<void> {
  try {
    await navigator.share(name === null ? { url } : { url, title: name });
  } catch {
    // Whoever closes the choice shares with nobody.
  }
}

/** Opens and closes the picture below the link: a window of its own could lie where the page around is not scrolled to. */
function qrButton({ words, connection }: Look, { id, slug, name }: WidgetLink, below: HTMLElement): HTMLElement {
  below.id ||= freshId();
  let shown: string | undefined;
  const open = async (): Promise<void> => {
    if (shown !== undefined) {
      URL.revokeObjectURL(shown);
      shown = undefined;
      put(below);
    } else {
      toggle.disabled = true;
      try {
        shown = URL.createObjectURL(await connection.image(`${READ}/${encodeURIComponent(id)}/qr`));
        put(
          below,
          h('img', { class: 'qr', src: shown, width: 200, height: 200, alt: words.links.qrOf(name ?? slug) }),
          h('a', { class: 'button', href: shown, download: `${slug}.svg` }, words.links.download),
        );
      } catch (error) {
        if (!(error instanceof Failure) || error.code !== 'ENDED') put(below, failure(words, error));
      }
      toggle.disabled = false;
    }
    toggle.setAttribute('aria-expanded', String(shown !== undefined));
  };
  const toggle = button(words.links.qr, open, {
    'aria-expanded': 'false',
    'aria-controls': below.id,
    'aria-label': `${words.links.qr}: ${name ?? slug}`,
  });
  return toggle;
}
