/** Sends a request from a page of the reference to this service, and shows what came back. The key is kept nowhere. */

function valuesOf(form: HTMLFormElement, place: string): [string, string][] {
  return [...new FormData(form)].flatMap(([name, value]): [string, string][] =>
    name.startsWith(`${place}.`) && typeof value === 'string' && value !== '' ? [[name.slice(place.length + 1), value]] : [],
  );
}

async function send(form: HTMLFormElement, output: HTMLOutputElement): Promise<void> {
  const method = form.dataset['method'] ?? 'GET';
  const named = new Map(valuesOf(form, 'path'));
  const path = (form.dataset['path'] ?? '').replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(named.get(name) ?? ''));
  const query = new URLSearchParams(valuesOf(form, 'query')).toString();
  const fields = new FormData(form);
  const body = fields.get('body');
  const key = fields.get('key');
  const headers = new Headers(valuesOf(form, 'header'));
  const type = form.dataset['type'];
  if (type !== undefined && type !== '') headers.set('content-type', type);
  if (typeof key === 'string' && key !== '') headers.set('x-tenant-api-key', key);
  const answer = await fetch(query === '' ? path : `${path}?${query}`, {
    method,
    headers,
    ...(typeof body === 'string' && method !== 'GET' ? { body } : {}),
  });
  const text = await answer.text();
  const shown = document.createElement('pre');
  shown.tabIndex = 0;
  const head = [...answer.headers].map(([name, value]) => `${name}: ${value}\n`).join('');
  shown.textContent = `${answer.status} ${answer.statusText}\n${head}\n${pretty(text)}`;
  output.replaceChildren(shown);
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

for (const form of document.querySelectorAll<HTMLFormElement>('form[data-try]')) {
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const output = form.querySelector('output');
    if (!output) return;
    output.textContent = 'Sending…';
    send(form, output).catch((error: unknown) => {
      output.textContent = `It was not sent: ${String(error)}`;
    });
  });
}
