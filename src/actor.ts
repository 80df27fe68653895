/** Who does something, and in answer to what. Source: docs/specification/conventions.md#actors. */
import type { Scope } from './db/scope.ts';

export const ACTOR_KINDS = ['api_key', 'staff', 'member', 'operator', 'vendor', 'system'] as const;

/**
 * `api_key`: a tenant's backend; `staff`: a person of the tenant's; `member`: by a bearer token; `operator`: by a command
 * of the deployment; `vendor`: by a signed event; `system`: by the clock alone.
 */
export type ActorKind = (typeof ACTOR_KINDS)[number];

export interface Actor {
  kind: ActorKind;
  /** Of the key, the person or the member; the vendor's name. Null where nobody in particular did it. */
  id: string | null;
}

/** An actor as answers show it: the name is looked up when it is read, and stored nowhere beside the act. */
export interface NamedActor extends Actor {
  name: string | null;
}

/** By whom something is done, and where it came from. */
export interface Provenance {
  actor: Actor;
  /** Of the operation; else the command, job or sweep. */
  operationId: string;
  /** X-Request-Id of the answer; null where there was no request. */
  requestId: string | null;
  /** Null where there was no request. */
  ip: string | null;
}

/** A scope in which somebody acts. */
export interface ActingScope extends Scope {
  readonly provenance: Provenance;
}

/** An actor as rows keep it: `kind:id`, or `kind` alone. */
export function actorRef({ kind, id }: Actor): string {
  return id === null ? kind : `${kind}:${id}`;
}

/** Members are told the kind of who else acted on what is theirs, and no more. */
export function shownTo(member: { memberId: string } | undefined, actor: NamedActor): NamedActor {
  return member === undefined || member.memberId === actor.id ? actor : { kind: actor.kind, id: null, name: null };
}

/** Of what the service does by itself: `what` names the job or the sweep. */
export function bySystem(what: string): Provenance {
  return { actor: { kind: 'system', id: null }, operationId: what, requestId: null, ip: null };
}

/** Of what a vendor has told, by an event or by an answer to a question of ours. */
export function byVendor(vendor: 'kycvendor' | 'payvendor', operationId: string): Provenance {
  return { actor: { kind: 'vendor', id: vendor }, operationId, requestId: null, ip: null };
}

/** Of a command of the deployment, as `key revoke`. */
export function byOperator(command: string): Provenance {
  return { actor: { kind: 'operator', id: null }, operationId: command, requestId: null, ip: null };
}
