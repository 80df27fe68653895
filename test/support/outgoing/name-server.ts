/** A name server on a local UDP port that answers as a test says, and notes what it is asked. */
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { isIPv4 } from 'node:net';

/** Addresses of the kind that is asked for, a failure, or nothing at all. `to` gives another name, whose addresses follow. */
export type NameAnswer = readonly string[] | { to: string; addresses: readonly string[] } | 'servfail' | 'nxdomain' | 'silent';

export interface NameServer {
  /** `address:port`. */
  address: string;
  /** `A name` and `AAAA name`, in the order they came. */
  asked: string[];
  close(): void;
}

const KINDS: Readonly<Record<number, string>> = { 1: 'A', 28: 'AAAA' };

/** Does not keep the process alive. */
export async function startNameServer(answer: (name: string, kind: string) => NameAnswer): Promise<NameServer> {
  const socket = createSocket('udp4');
  const asked: string[] = [];
  socket.on('message', (query, from) => {
    const { name, kind, question } = readQuestion(query);
    asked.push(`${kind} ${name}`);
    const said = answer(name, kind);
    if (said !== 'silent') socket.send(replyTo(query, question, said, kind), from.port, from.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  socket.unref();
  return { address: `127.0.0.1:${socket.address().port}`, asked, close: () => void socket.close() };
}

function readQuestion(query: Buffer): { name: string; kind: string; question: Buffer } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  const kind = KINDS[query.readUInt16BE(at + 1)] ?? 'other';
  return { name: labels.join('.'), kind, question: query.subarray(12, at + 5) };
}

const FAILURES = { servfail: 2, nxdomain: 3 } as const;
const ASKED_NAME = Buffer.from([0xc0, 12]);

function replyTo(query: Buffer, question: Buffer, said: Exclude<NameAnswer, 'silent'>, kind: string): Buffer {
  const failure = typeof said === 'string' ? FAILURES[said] : 0;
  const records: Buffer[] = [];
  if (typeof said === 'object') {
    const alias = 'to' in said ? nameBytes(said.to) : undefined;
    if (alias) records.push(record(ASKED_NAME, 5, alias));
    const addresses = 'to' in said ? said.addresses : said;
    for (const address of addresses.filter((one) => isIPv4(one) === (kind === 'A'))) {
      records.push(record(alias ?? ASKED_NAME, kind === 'A' ? 1 : 28, addressBytes(address)));
    }
  }
  const head = Buffer.alloc(12);
  query.copy(head, 0, 0, 2);
  head.writeUInt16BE(0x8180 + failure, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(records.length, 6);
  return Buffer.concat([head, question, ...records]);
}

function record(name: Buffer, type: number, data: Buffer): Buffer {
  const fields = Buffer.alloc(10);
  fields.writeUInt16BE(type, 0);
  fields.writeUInt16BE(1, 2);
  fields.writeUInt32BE(60, 4);
  fields.writeUInt16BE(data.length, 8);
  return Buffer.concat([name, fields, data]);
}

function nameBytes(name: string): Buffer {
  const labels = name.split('.').map((label) => Buffer.from([label.length, ...Buffer.from(label, 'latin1')]));
  return Buffer.concat([...labels, Buffer.from([0])]);
}

/** IPv6 in eight groups, or with `::` in front or within. */
function addressBytes(address: string): Buffer {
  if (isIPv4(address)) return Buffer.from(address.split('.').map(Number));
  const plain = URL.parse(`https://[${address}]/`)?.hostname.slice(1, -1) ?? '';
  const [before = '', after] = plain.split('::');
  const groups = (text: string): string[] => (text === '' ? [] : text.split(':'));
  const [front, back] = [groups(before), groups(after ?? '')];
  const zeros = Array.from({ length: 8 - front.length - back.length }, () => '0');
  return Buffer.from([...front, ...zeros, ...back].map((group) => group.padStart(4, '0')).join(''), 'hex');
}
