/** The form for a link of one's own: what is wrong is said at its field. */
import type { WidgetLink } from './answers.ts';
import { Failure, freshKey } from './connection.ts';
import { freshId, h, put } from './kit.ts';
import { type Look, whyOf } from './look.ts';

interface Made {
  hosts: readonly string[];
  isOpen: boolean;
  onMade(link: WidgetLink): void;
}

type FieldName = 'destinationUrl' | 'slug' | 'name';

interface Field {
  name: FieldName;
  input: HTMLInputElement;
  box: HTMLElement;
  /** Says what is wrong, or nothing. */
  fault(text: string): void;
}

const SLUG = /^[a-z0-9]+(-[a-z0-9]+)*$/;

export function drawForm(look: Look, { hosts, isOpen, onMade }: Made): HTMLElement {
  const { connection, words } = look;
  const { links } = words;
  const [onlyHost] = hosts;
  // A star stands for every name below.
  const start = hosts.length === 1 && onlyHost && !onlyHost.startsWith('*') ? `https://${onlyHost}/` : '';
  const places = hosts.map((host) => (host.startsWith('*.') ? links.below(host.slice(2)) : host));
  const destination = makeField('destinationUrl', links.destination, links.destinationHint(places.join(', ')), {
    type: 'url',
    inputmode: 'url',
    maxlength: 2048,
    required: true,
    value: start,
    placeholder: 'https://',
  });
  const slug = makeField('slug', links.slug, links.slugHint, { maxlength: 40, autocapitalize: 'none', spellcheck: 'false' });
  const name = makeField('name', links.name, links.nameHint, { maxlength: 255 });
  const fields = [destination, slug, name];
  const told = h('div', { role: 'alert' });
  const send = h('button', { type: 'submit', class: 'button primary' }, links.create);
  // The same form that is sent once more makes no second link; another one has a key of its own.
  let idempotencyKey = freshKey();

  const check = (): boolean => {
    for (const field of fields) field.fault('');
    put(told);
    if (destination.input.value.trim() === '') destination.fault(links.fault.empty);
    else if (!/^https?:\/\/\S+$/i.test(destination.input.value.trim())) destination.fault(links.fault.destinationUrl);
    const own = slug.input.value.trim();
    if (own !== '' && !(own.length >= 3 && SLUG.test(own))) slug.fault(links.fault.slug);
    return focusOnFault();
  };

  const focusOnFault = (): boolean => {
    const wrong = fields.find(({ input }) => input.ariaInvalid === 'true');
    wrong?.input.focus();
    return wrong === undefined;
  };

  const tellFailure = (error: unknown): void => {
    const known = error instanceof Failure ? error : new Failure(0, '');
    if (known.code === 'CODE_TAKEN') slug.fault(links.fault.taken);
    for (const field of fields) {
      if (known.fields.some((of) => of.split('.').pop() === field.name)) field.fault(links.fault[field.name]);
    }
    // Its form was right: it is one of those that nobody gets.
    if (slug.input.ariaInvalid === 'true' && known.code === 'VALIDATION_ERROR' && SLUG.test(slug.input.value.trim())) {
      slug.fault(links.fault.slugRefused);
    }
    if (!focusOnFault()) return;
    put(told, h('p', { class: 'fault' }, known.code === 'LIMIT_REACHED' ? links.fault.limit : words.failedWhy[whyOf(known)]));
  };

  const onsubmit = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (send.disabled || !check()) return;
    send.disabled = true;
    const [own, called] = [slug.input.value.trim(), name.input.value.trim()];
    const body = {
      destinationUrl: destination.input.value.trim(),
      ...(own !== '' && { slug: own }),
      ...(called !== '' && { name: called }),
    };
    try {
      const link = await connection.post<WidgetLink>('/links', { body, idempotencyKey });
      form.reset();
      idempotencyKey = freshKey();
      details.open = false;
      onMade(link);
    } catch (error) {
      tellFailure(error);
    }
    send.disabled = false;
  };

  const oninput = (): void => {
    idempotencyKey = freshKey();
  };
  const form = h(
    'form',
    { novalidate: true, onsubmit, oninput },
    fields.map(({ box }) => box),
    told,
    send,
  );
  const details = h('details', { class: 'card', open: isOpen }, h('summary', null, links.add), form);
  return details;
}

function makeField(name: FieldName, label: string, hint: string, props: Record<string, string | number | boolean>): Field {
  const [id, hintId, faultId] = [freshId(), freshId(), freshId()];
  const input = h('input', { id, name, type: 'text', autocomplete: 'off', 'aria-describedby': hintId, ...props });
  const wrong = h('p', { class: 'fault', id: faultId });
  const box = h(
    'div',
    { class: 'field' },
    h('label', { for: id }, label),
    input,
    wrong,
    h('p', { class: 'small', id: hintId }, hint),
  );
  return {
    name,
    input,
    box,
    fault(text) {
      wrong.textContent = text;
      input.ariaInvalid = text === '' ? null : 'true';
      input.setAttribute('aria-describedby', text === '' ? hintId : `${faultId} ${hintId}`);
    },
  };
}
