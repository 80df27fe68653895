/** The text of a mail, made of its file and of what it is filled with. */
import { readFileSync } from 'node:fs';
import type { MailKind } from './open/mail-kinds.ts';

export interface WrittenMail {
  subject: string;
  text: string;
}

const PLACE = /\{\{(\w+)\}\}/g;
const MOST_LETTERS = 500;

interface Template {
  subject: string;
  text: string;
}

const templates = new Map<MailKind, Template>();

/** Read once. The first line is `Subject: …`, the second is empty. */
function templateOf(kind: MailKind): Template {
  const known = templates.get(kind);
  if (known) return known;
  const [first = '', , ...lines] = readFileSync(new URL(`./texts/${kind}.txt`, import.meta.url), 'utf8').split('\n');
  const made = { subject: first.replace(/^Subject: /, ''), text: lines.join('\n') };
  templates.set(kind, made);
  return made;
}

/** The names that a kind's text has places for. */
export function placesOf(kind: MailKind): string[] {
  const { subject, text } = templateOf(kind);
  return [...new Set([...`${subject}\n${text}`.matchAll(PLACE)].map(([, name = '']) => name))].toSorted();
}

/** Throws on a place that nothing fills. */
export function writeMail(kind: MailKind, values: Readonly<Record<string, string>>): WrittenMail {
  const { subject, text } = templateOf(kind);
  const filled = (template: string): string =>
    template.replace(PLACE, (_place, name: string) => {
      const value = Object.hasOwn(values, name) ? values[name] : undefined;
      if (value === undefined) throw new Error(`the mail ${kind} has no ${name}`);
      return oneLine(value);
    });
  return { subject: filled(subject), text: filled(text) };
}

/** Names are chosen by others: none adds a line, a header or a page of text. */
function oneLine(value: string): string {
  const plain = value.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim();
  return plain.length > MOST_LETTERS ? `${plain.slice(0, MOST_LETTERS)}…` : plain;
}
