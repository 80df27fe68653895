/** The headers of an attempt, as Standard Webhooks has them. Source: docs/specification/webhooks.md#signature. */
import { createHmac } from 'node:crypto';

const PREFIX = 'whsec_';

export interface SignedEvent {
  id: string;
  /** The body, byte for byte. */
  body: Buffer;
  /** Of this attempt, by the real clock. */
  at: Date;
}

/** The current secret and, while it lasts, the old one: each makes a signature. They are `whsec_` and base64. */
export function signatureHeaders({ id, body, at }: SignedEvent, secrets: readonly string[]): Record<string, string> {
  const seconds = String(Math.floor(at.getTime() / 1000));
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${seconds}.`).update(body).digest('base64')}`;
  });
  return { 'webhook-id': id, 'webhook-timestamp': seconds, 'webhook-signature': signatures.join(' ') };
}

/** An endpoint's own headers never stand in for one that the service sends, in whatever case they are written. */
export function withOwnHeaders(ours: Record<string, string>, own: Readonly<Record<string, string>>): Record<string, string> {
  const lower = Object.entries(own).map(([name, value]) => [name.toLowerCase(), value] as const);
  return { ...Object.fromEntries(lower), ...ours };
}
