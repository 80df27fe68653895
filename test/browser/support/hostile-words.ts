/**
 * Words for fields that would do something if a page put them in as they are: markup, code, addresses that are code,
 * formulas, signs that turn the direction of writing, words without an end. An element that one of them makes bears
 * `data-hostile`.
 */
import { type Canaries, newCanaries } from '../../support/database/canaries.ts';
import {
  type JsonSchema,
  listOperations,
  listRequestFields,
  type OpenApiDocument,
} from '../../support/openapi/openapi-document.ts';

/** Each breaks out of another place: of text, of an attribute, of a title or a script, of a comment, of a template. */
export const MARKUP = [
  '"><img src=x data-hostile=1 onerror=alert(1)>',
  "'><svg data-hostile=2 onload=alert(2)>",
  '<script data-hostile=3>alert(3)</script>',
  'javascript:alert(4)//',
  '" autofocus onfocus=alert(5) data-hostile="5',
  '</title></textarea></style></script><b data-hostile=6>',
  '--><i data-hostile=7>',
  '&lt;u data-hostile=8&gt;&#60;s data-hostile=8&#62;',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the text of a template is meant.
  '${alert(9)}{{7*7}}<%= 9 %>',
  '=HYPERLINK("https://evil.example","x")',
  '</template><template shadowrootmode=open><b data-hostile=11>',
  `data:text/html,<script data-hostile=12>alert(12)</script>`,
];

/** Turns what follows it round, if it is not kept to itself. */
export const TURNING = '\u202Etxet eht snrut \u2067';
const LONG = 'Donaudampfschifffahrtsgesellschaft'.repeat(40);
const STACKED = `Z${'\u0335\u0321\u0327'.repeat(12)}\u{1F468}\u200D\u{1F469}\u200D\u{1F467}\u0000`.replace('\u0000', '');

/** Where the planter puts the word into something with a form of its own. */
const WRAPPED = [
  'the header Referer',
  'the header Idempotency-Key',
  "a document's content",
  'createKycUpload body.fileName',
  'recordKycDocument body.fileName',
  'createImport query.fileName',
  'recordClick body.referrer',
  'createReferralLink body.destination_url',
  'updateReferralLink body.destination_url',
];

/** Canaries whose words are hostile wherever the field takes such a text; where it does not, the word is a plain one. */
export function hostileCanaries(document: OpenApiDocument): Canaries & { hostileFields(): string[] } {
  const plain = newCanaries();
  const schemas = new Map<string, JsonSchema>();
  for (const { operation } of listOperations(document)) {
    for (const { path, schema } of listRequestFields(document, operation))
      schemas.set(`${operation.operationId} ${path}`, schema);
  }
  const words = new Map<string, string>();
  const hostile = new Set<string>();
  return {
    in(field, anew = '') {
      const name = anew === '' ? field : `${field}, ${anew}`;
      const before = words.get(name);
      if (before !== undefined) return before;
      const word = plain.in(field, anew);
      const wanted = WRAPPED.some((start) => name.startsWith(start))
        ? undefined
        : hostileFor(name, schemas.get(field), words.size, word);
      if (wanted !== undefined) hostile.add(name);
      words.set(name, wanted ?? word);
      return wanted ?? word;
    },
    as: plain.as,
    planted: () => new Map([...plain.planted(), ...words]),
    hostileFields: () => [...hostile],
  };
}

/** As much of it as the field takes; each field begins with another piece. */
function hostileFor(name: string, schema: JsonSchema | undefined, turn: number, mark: string): string | undefined {
  const inHeader = name.includes('header');
  const inCsv = name.includes('the column');
  if (!inHeader && !inCsv && !schema) return /exchangeToken body\.token, (name|given_name)/.test(name) ? MARKUP[0] : undefined;
  if (schema?.format !== undefined || schema?.enum !== undefined) return undefined;
  const pattern = schema?.pattern === undefined ? /^/u : new RegExp(schema.pattern, 'u');
  if (inCsv && !name.endsWith('name')) return undefined;
  const most = Math.min(schema?.maxLength ?? 200, 1_500);
  const pieces = inHeader ? MARKUP : [...MARKUP.slice(0, 11), TURNING, LONG, STACKED];
  const turned = [...pieces.slice(turn % pieces.length), ...pieces.slice(0, turn % pieces.length)];
  const fitting = inCsv ? turned.filter((piece) => !/[",\n]/.test(piece)) : turned;
  let text = '';
  for (const piece of fitting) {
    const room = most - text.length - mark.length - 1;
    if (piece === LONG ? room > 30 : piece.length <= room) text += piece.slice(0, Math.min(room, 400));
  }
  const word = `${text} ${mark}`;
  return text === '' || !pattern.test(word) ? undefined : word;
}
