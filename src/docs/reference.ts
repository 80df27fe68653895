/** The reference: a page for each section of the OpenAPI document, one for the events, one for the error codes. */
import type { CodeRow } from '../errors.ts';
import { html, nothing } from '../pages/html.ts';
import { type Described, type ReadDocument, textOf } from './document.ts';
import { type Field, fieldsOf, typeOf } from './fields.ts';
import { renderInline, renderPiece } from './markdown.ts';
import { type DocsPage, slugOf } from './page.ts';
import { curlOf, typescriptOf } from './samples.ts';

const jsonText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value, null, 2));

export function groupPath(group: string): string {
  return `/docs/api/${slugOf(group)}`;
}

const CALLERS: Readonly<Record<string, string>> = {
  people: 'Called by the people of a tenant on the dashboard; no key reaches it.',
  vendors: "Called by a vendor; no tenant's backend does.",
};

function fieldTable(fields: readonly Field[], caption: string) {
  if (fields.length === 0) return nothing;
  return html`<details><summary>${caption}</summary><div class="wide" tabindex="0"><table><thead><tr><th scope="col">Field</th><th scope="col">Type</th><th scope="col">Meaning</th></tr></thead><tbody>${fields.map(
    ({ name, type, required, description }) =>
      html`<tr><td><code>${name}</code>${required && html` <small>required</small>`}</td><td>${type}</td><td>${renderInline(description)}</td></tr>`,
  )}</tbody></table></div></details>`;
}

function code(text: string, label: string) {
  return html`<figure class="code"><figcaption>${label}</figcaption><pre tabindex="0"><code>${text}</code></pre></figure>`;
}

function tryForm(operation: Described) {
  if (operation.calledBy !== undefined) return nothing;
  const { body, method, operationId, parameters, path } = operation;
  const isJson = body?.type === 'application/json';
  const id = `try-${operationId}`;
  return html`<details class="try"><summary>Try it</summary><form data-try="" data-method="${method}" data-path="${path}" data-type="${body?.type}"><p>The key stays in this tab's memory and is gone with the page.</p><label>Key <input name="key" type="password" autocomplete="off" placeholder="svc_sandbox_…"></label>${parameters.map(
    ({ name, in: place, required }) =>
      html`<label>${name} <input name="${place}.${name}" autocomplete="off"${required === true && html` required`}></label>`,
  )}${body && html`<label for="${id}">Body</label><textarea id="${id}" name="body" rows="8" spellcheck="false">${jsonText(body.example ?? (isJson ? {} : ''))}</textarea>`}<button type="submit">Send</button><output aria-live="polite"></output></form></details>`;
}

function operationArticle(operation: Described, document: ReadDocument, errors: Readonly<Record<string, CodeRow>>) {
  const parameters = operation.parameters.map((one) => ({
    name: one.name,
    type: `${one.in}, ${typeOf(one.schema, document.resolve)}`,
    required: one.required === true,
    description: one.description ?? textOf(document.resolve(one.schema)['description']),
  }));
  const typescript = typescriptOf(operation);
  const [answer] = operation.answers;
  return html`<article id="${operation.operationId}"><h2><a href="#${operation.operationId}">${operation.summary}</a></h2><p class="way"><span class="method">${operation.method}</span> <code>${operation.path}</code></p>${renderPiece(operation.description)}${operation.calledBy !== undefined && html`<p>${CALLERS[operation.calledBy] ?? ''}</p>`}${fieldTable(parameters, 'Parameters')}${operation.body && fieldTable(fieldsOf(operation.body.schema, document), 'Body')}${code(curlOf(operation), 'curl')}${typescript !== undefined && code(typescript, 'TypeScript')}${operation.answers.map(
    ({ status, description, media, others }) =>
      html`<p><strong>${status}</strong> ${renderInline(description)}${others.length > 0 && html`; for <code>Accept: ${others.join(', ')}</code> all rows as a file`}</p>${media && fieldTable(fieldsOf(media.schema, document), `Answer ${status}`)}`,
  )}${answer?.media?.example !== undefined && code(jsonText(answer.media.example), `Answer ${answer.status}`)}<details><summary>Errors</summary><ul>${operation.errors.flatMap(
    ({ codes }) =>
      codes.map(
        (one) =>
          html`<li><a href="/docs/errors#${one}"><code>${one}</code></a> ${errors[one]?.status ?? ''}: ${renderInline(errors[one]?.meaning ?? '')}</li>`,
      ),
  )}</ul></details>${tryForm(operation)}</article>`;
}

export function groupPages(document: ReadDocument, errors: Readonly<Record<string, CodeRow>>): DocsPage[] {
  return document.groups.map(({ name, description }) => {
    const operations = document.operations.filter(({ group }) => group === name);
    return {
      path: groupPath(name),
      title: name,
      description,
      section: 'Reference',
      body: html`<h1>${name}</h1><p>${description}</p><ul class="toc">${operations.map(
        ({ operationId, method, path, summary }) =>
          html`<li><a href="#${operationId}">${summary}</a> <span class="method">${method}</span> <code>${path}</code></li>`,
      )}</ul>${operations.map((operation) => operationArticle(operation, document, errors))}`,
      markdown: `# ${name}\n\n${description}\n\n${operations.map((operation) => operationMarkdown(operation, document)).join('\n')}`,
      entries: operations.map((operation) => ({
        title: operation.summary,
        words: `${operation.method} ${operation.path} ${operation.operationId}`,
        further: fieldNamesOf(operation, document),
        anchor: `#${operation.operationId}`,
        kind: 'operation' as const,
      })),
    };
  });
}

/** Of its parameters, its body and its answers, each once. */
function fieldNamesOf({ parameters, body, answers }: Described, document: ReadDocument): string {
  const schemas = [body?.schema, ...answers.map(({ media }) => media?.schema)];
  const fields = schemas.flatMap((schema) => (schema ? fieldsOf(schema, document) : []));
  return [...new Set([...parameters, ...fields].map(({ name }) => name))].join(' ');
}

function fieldLines(fields: readonly Field[]): string {
  return fields
    .map(({ name, type, required, description }) => `- \`${name}\` (${type}${required ? ', required' : ''}): ${description}\n`)
    .join('');
}

function operationMarkdown(operation: Described, document: ReadDocument): string {
  const { operationId, method, path, summary, description, scopes, body, answers, errors } = operation;
  const parameters = operation.parameters.map((one) => `- \`${one.name}\` (${one.in}): ${one.description ?? ''}\n`).join('');
  return [
    `## ${summary}\n\n\`${method} ${path}\` (${operationId})${scopes.length > 0 ? `, scope ${scopes.map((scope) => `\`${scope}\``).join(', ')}` : ''}\n\n${description}\n`,
    parameters && `Parameters:\n\n${parameters}`,
    body && `Body:\n\n${fieldLines(fieldsOf(body.schema, document))}`,
    `\`\`\`sh\n${curlOf(operation)}\n\`\`\`\n`,
    ...answers.map(
      ({ status, description: meaning, media, others }) =>
        `${status}: ${meaning}${others.length > 0 ? `; for \`Accept: ${others.join(', ')}\` all rows as a file` : ''}\n${media?.example === undefined ? '' : `\n\`\`\`json\n${jsonText(media.example)}\n\`\`\`\n`}`,
    ),
    `Errors: ${errors
      .flatMap(({ codes }) => codes)
      .map((one) => `\`${one}\``)
      .join(', ')}\n`,
  ]
    .filter((part) => part !== '' && part !== undefined)
    .join('\n');
}

export function eventsPage(document: ReadDocument): DocsPage {
  const { events } = document;
  return {
    path: '/docs/api/webhook-events',
    title: 'Events by webhook',
    description: 'Every event that is sent to a tenant, with its body',
    section: 'Reference',
    body: html`<h1>Events by webhook</h1><p>What endpoints are sent, in signed POSTs: <a href="/docs/webhooks">how</a>. Every body has these fields beside its own <code>data</code>.</p>${events.map(
      ({ type, meaning, media }) =>
        html`<article id="${type}"><h2><a href="#${type}">${type}</a></h2>${renderPiece(meaning)}${fieldTable(fieldsOf(media.schema, document), 'Body')}${code(jsonText(media.example), 'Example')}</article>`,
    )}`,
    markdown: `# Events by webhook\n\n${events.map(({ type, meaning, media }) => `## ${type}\n\n${meaning}\n\n\`\`\`json\n${jsonText(media.example)}\n\`\`\`\n`).join('\n')}`,
    entries: events.map(({ type, meaning }) => ({ title: type, words: meaning, anchor: `#${type}`, kind: 'event' as const })),
  };
}

export function errorsPage(document: ReadDocument, errors: Readonly<Record<string, CodeRow>>): DocsPage {
  const rows = Object.entries(errors).map(([name, { status, meaning }]) => ({
    name,
    status,
    meaning,
    example: document.examples[name]?.value,
    by: document.operations.filter((operation) => operation.errors.some(({ codes }) => codes.includes(name))),
  }));
  return {
    path: '/docs/errors',
    title: 'Error codes',
    description: 'Every code that the service answers, what it means, an example, and which operations answer it',
    section: 'Reference',
    body: html`<h1>Error codes</h1><p>An error is <code>{error, code, details}</code>: <code>error</code> for a person, <code>code</code> for a program. What to do with each class of them: <a href="/docs/guides/errors">the guide</a>.</p>${rows.map(
      ({ name, status, meaning, example, by }) =>
        html`<article id="${name}"><h2><a href="#${name}"><code>${name}</code></a></h2><p><strong>${status}</strong> ${renderInline(meaning)}</p>${example !== undefined && code(jsonText(example), 'Example')}${
          by.length > 0 && by.length <= 40
            ? html`<p>Of ${by.map(({ operationId, group }, index) => html`${index > 0 && ', '}<a href="${groupPath(group)}#${operationId}">${operationId}</a>`)}.</p>`
            : by.length > 40 && html`<p>Of ${by.length} operations.</p>`
        }</article>`,
    )}`,
    markdown: `# Error codes\n\n| Status | Code | Meaning |\n|---|---|---|\n${rows.map(({ name, status, meaning }) => `| ${status} | \`${name}\` | ${meaning} |`).join('\n')}\n`,
    entries: rows.map(({ name, meaning }) => ({ title: name, words: meaning, anchor: `#${name}`, kind: 'code' as const })),
  };
}
