import { camelList } from '../../http/pagination.ts';
import { type Route, route } from '../../http/route.ts';
import { linkIdentity, listIdentities, type MemberIdentityAnswer, unlinkIdentity } from './identities-operations.ts';
import type { IdentitiesService } from './identities-service.ts';
import type { MemberIdentity } from './linked-identities-queries.ts';

export function identitiesRoutes(identities: IdentitiesService): Route[] {
  return [
    route(
      linkIdentity,
      ({ params, body, ...context }) => identities.link(context, params.userId, body),
      ({ identity, linked }) => ({ status: linked ? 201 : 200, body: identityBody(identity) }),
    ),
    route(
      listIdentities,
      ({ params, query, ...context }) => identities.list(context, params.userId, query),
      camelList(identityBody),
    ),
    route(
      unlinkIdentity,
      ({ params, ...context }) => identities.unlink(context, params.userId, params.identityId),
      (id) => ({ status: 200, body: { id, deleted: true } }),
    ),
  ];
}

function identityBody({
  memberId: _memberId,
  authProviderId: _authProviderId,
  ...identity
}: MemberIdentity): MemberIdentityAnswer {
  return identity;
}
