// Generated from the OpenAPI document by `npm run -w @mcr/sdk generate`. Changes belong there.
export interface paths {
    "/api/v1/admin/audit-logs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Who changed what, newest first
         * @description All filters given must hold. Entries say which fields changed, not to what, save for the hosts that webhooks go to. They are never changed, and are sealed by hash: `GET /admin/ledger/verify` verifies them. `POST /exports` of kind `auditLogs` makes a file of them.
         *
         *     Scope `admin:audit`. People with `audit:kyc` read entries of verifications alone.
         */
        get: operations["listAuditLogs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhook-endpoints": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List endpoints, oldest first
         * @description Scope `webhooks:read`.
         */
        get: operations["listWebhookEndpoints"];
        put?: never;
        /**
         * Create an endpoint
         * @description Events are posted to it from now on, signed by the rules of Standard Webhooks. An environment has at most 50: one more is 409 `STATE_CONFLICT`.
         *
         *     Scope `webhooks:write`.
         *
         *     A repeat with its `Idempotency-Key` has null as `secret`: secrets are not stored.
         */
        post: operations["createWebhookEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhook-endpoints/{endpointId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an endpoint
         * @description Scope `webhooks:read`.
         */
        get: operations["getWebhookEndpoint"];
        put?: never;
        post?: never;
        /**
         * Delete an endpoint
         * @description For good. What waited for it is sent to nobody; its deliveries can be read for 30 days.
         *
         *     Scope `webhooks:write`.
         */
        delete: operations["deleteWebhookEndpoint"];
        options?: never;
        head?: never;
        /**
         * Change an endpoint
         * @description What is sent, and nothing else. Enabled again it gets what waited, and hears of what happens from then on. `headers` replaces all of them; null takes them away. With another address they must be sent again, where there are some. Whoever changes the address, the types or the headers, or enables the endpoint again, gives it their own rights.
         *
         *     Scope `webhooks:write`.
         */
        patch: operations["updateWebhookEndpoint"];
        trace?: never;
    };
    "/api/v1/webhook-endpoints/{endpointId}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give an endpoint a new secret
         * @description During the overlap each event is signed with both secrets, so a receiver that knows either of them takes it. A rotation within an overlap ends it: the secret of before stands beside the new one then.
         *
         *     Scope `webhooks:write`.
         *
         *     A repeat with its `Idempotency-Key` has null as `secret`: secrets are not stored.
         */
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhook-endpoints/{endpointId}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send an example to an endpoint
         * @description An event of that type with the example's object and the object id `test`, to this endpoint alone, whatever it hears otherwise.
         *
         *     Scope `webhooks:write`.
         */
        post: operations["testWebhookEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhook-endpoints/{endpointId}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send events of the log again
         * @description Those that happened from `from` to just before `to`, delivered or not, under their ids; those of a type that the endpoint hears now and, where `types` is sent, that is among these, too. `to` may lie ahead: what happens until then comes anyway. At most 10,000 at once, and none while more than 10,000 wait for the endpoint already; what the log is about to forget is left out.
         *
         *     Scope `webhooks:write`.
         */
        post: operations["replayWebhookEvents"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhook-deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List deliveries, newest first
         * @description Of the last 30 days. A delivery is one event for one endpoint.
         *
         *     Scope `webhooks:read`.
         */
        get: operations["listWebhookDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhook-deliveries/{deliveryId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a delivery, with every attempt
         * @description Scope `webhooks:read`.
         */
        get: operations["getWebhookDelivery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhook-deliveries/{deliveryId}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send an event once more
         * @description At once, delivered or not, under the same event id; when it fails, the attempts begin anew.
         *
         *     Scope `webhooks:write`.
         */
        post: operations["retryWebhookDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhook-events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List events by their sequence
         * @description Of the last 30 days, as they are sent. Ask with `afterSequence`, the last number that was seen, to follow the log; a new event has its number within a second or so. What was written down depends on the setting `webhooks.eventLog` and on the endpoints of then.
         *
         *     Scope `webhooks:read`.
         */
        get: operations["listWebhookEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhook-events/{eventId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an event
         * @description Scope `webhooks:read`.
         */
        get: operations["getWebhookEvent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhook-event-types": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the types of events, with an example of each
         * @description Scope `webhooks:read`.
         */
        get: operations["listWebhookEventTypes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhook-events/snapshot": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make a snapshot of the state as of one number of the log
         * @description A file of JSON objects, one a line. The first is `{"kind":"snapshot","sequence",…}`; each other is one object as the API shows it: `{"kind","objectId","data"}`. With the events of larger numbers it makes the state that the API shows.
         *
         *     The key needs the scope of each kind, too: `members`: `users:read`, `leads`: `leads:read`, `events`: `events:read`, `commissions`: `commissions:read`, `payoutAccounts`: `accounts:read`, `kyc`: `kyc:read`, `payoutRuns`: `payouts:read`, `payouts`: `payouts:read`, `balances`: `ledger:read`.
         *
         *     The file is made in the background: read the snapshot to follow it, and ask for a `download-url` once it is `completed`. At most 5 of an environment may be unfinished: one more is 409 `STATE_CONFLICT`.
         *
         *     Scope `webhooks:write`.
         */
        post: operations["createEventSnapshot"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhook-events/snapshots/{snapshotId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a snapshot
         * @description Scope `webhooks:read`.
         */
        get: operations["getEventSnapshot"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhook-events/snapshots/{snapshotId}/download-url": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * An address to download the file of a snapshot from
         * @description Whoever has the address can download the file, without a key, until it expires. The key needs the scope of each kind in it. Each address is an entry in the audit log. A snapshot that has no file yet, or none any more, is 409 `STATE_CONFLICT`.
         *
         *     Scope `webhooks:read`.
         *
         *     Takes no `Idempotency-Key`: it may be sent again, and hands out anew.
         */
        post: operations["createEventSnapshotDownloadUrl"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/pending-changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List changes that wait for another pair of hands, newest first
         * @description In LIVE with dual control on, a change that weakens a safeguard waits until it is confirmed. A key sees the changes that it could have asked for itself, by its scopes, and those that it has asked for.
         *
         *     Any key may call it; each object needs a key scope of its own. Members' bearer tokens are refused.
         */
        get: operations["listPendingChanges"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/pending-changes/{pendingChangeId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a change that waits for another pair of hands
         * @description A key sees the changes that it could have asked for itself, by its scopes, and those that it has asked for.
         *
         *     Any key may call it; each object needs a key scope of its own. Members' bearer tokens are refused.
         */
        get: operations["getPendingChange"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/pending-changes/{pendingChangeId}/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Confirm a change, which takes effect at once
         * @description Needs the scopes of the request that waits, and another pair of hands than asked for it: a key of another root. With `payments.dualControlBy` = `persons` no key will do. Whoever asked must still have the right to, and the values must still be those that the change was asked of: else it is 409 `STATE_CONFLICT`, and `details.reason` is the code that the request would get now, where it would be refused.
         *
         *     Any key may call it; each object needs a key scope of its own. Members' bearer tokens are refused.
         */
        post: operations["confirmPendingChange"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/pending-changes/{pendingChangeId}/reject": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reject a change, or withdraw it
         * @description Open to whoever could confirm it, and to whoever asked for it. A change that is not open any more is 409 `STATE_CONFLICT`.
         *
         *     Any key may call it; each object needs a key scope of its own. Members' bearer tokens are refused.
         */
        post: operations["rejectPendingChange"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/referrals/codes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List referral codes, oldest first
         * @description Scope `referrals:read`. With a member's bearer token beside the key: that member's own only, whatever is named.
         */
        get: operations["listReferralCodes"];
        put?: never;
        /**
         * Give a member another referral code
         * @description A code is good in any case and is kept in upper case. It is unique in the tenant and environment, also against codes that are retired. A member that is erased gets none. A member may have 100, retired ones among them, unless the deployment says otherwise: one more is 422 `LIMIT_REACHED`.
         *
         *     Scope `referrals:write`. With a member's bearer token beside the key: that member's own only, whatever is named.
         */
        post: operations["createReferralCode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/referrals/codes/{code_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a referral code
         * @description Scope `referrals:read`. With a member's bearer token beside the key: that member's own only, whatever is named.
         */
        get: operations["getReferralCode"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Retire a referral code, or make it the default one
         * @description Retiring is for good. The default code stays that until another one takes its place, and cannot be retired before; a retired code cannot become the default.
         *
         *     Scope `referrals:write`. With a member's bearer token beside the key: that member's own only, whatever is named.
         */
        patch: operations["updateReferralCode"];
        trace?: never;
    };
    "/api/v1/referrals/resolve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whose a referral code is
         * @description For a sign-up page that greets with the name of who referred the visitor. An unknown code and a retired one are both 404.
         *
         *     Scope `referrals:read`.
         */
        get: operations["resolveReferralCode"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/referrals/links": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List links, oldest first unless sorted
         * @description Scope `referrals:read`. With a member's bearer token beside the key: that member's own only, whatever is named.
         */
        get: operations["listReferralLinks"];
        put?: never;
        /**
         * Make a link that credits a member
         * @description `destination_url` is kept as browsers write it. Until the settings name a host, no link can be made. A member that is erased gets none. A member may have 1,000 that are not deleted, unless the deployment says otherwise: one more is 422 `LIMIT_REACHED`.
         *
         *     Scope `referrals:write`. With a member's bearer token beside the key: that member's own only, whatever is named.
         */
        post: operations["createReferralLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/referrals/links/{link_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a link, with its clicks counted
         * @description Scope `referrals:read`. With a member's bearer token beside the key: that member's own only, whatever is named.
         */
        get: operations["getReferralLink"];
        put?: never;
        post?: never;
        /**
         * Delete a link
         * @description For good: its address leads nowhere and is never given to another link. What its clicks have earned stays.
         *
         *     Scope `referrals:write`. With a member's bearer token beside the key: that member's own only, whatever is named.
         */
        delete: operations["deleteReferralLink"];
        options?: never;
        head?: never;
        /**
         * Change a link
         * @description Its address stays: what was printed leads to the new destination. A `disabled` link leads nowhere.
         *
         *     Scope `referrals:write`. With a member's bearer token beside the key: that member's own only, whatever is named.
         */
        patch: operations["updateReferralLink"];
        trace?: never;
    };
    "/api/v1/referrals/links/{link_id}/qr": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The address of a link as a QR code
         * @description An SVG image, dark on white with the margin that readers need; it scales to any size.
         *
         *     Scope `referrals:read`. With a member's bearer token beside the key: that member's own only, whatever is named.
         */
        get: operations["getReferralLinkQr"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/referrals/clicks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Record a click, or say whose one was
         * @description With `link_id`, `slug` or `referral_code` a click is recorded, for tenants whose own servers or apps take the visitors in; without `user_agent` it is taken for a person. With `click_id` the click that a redirect recorded is tied to the customer, once and for all.
         *
         *     Scope `referrals:write`.
         */
        post: operations["recordClick"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/groups": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List groups by key, `default` among them
         * @description Scope `groups:read`.
         */
        get: operations["listGroups"];
        put?: never;
        /**
         * Make a group of members
         * @description A plan names groups in `scope.groups`, and pays sales of their members alone. The key stays for ever, also once the group is archived. Members that are in no other group are in `default`.
         *
         *     Scope `groups:write`.
         */
        post: operations["createGroup"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/groups/{key}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a group
         * @description Scope `groups:read`.
         */
        get: operations["getGroup"];
        put?: never;
        post?: never;
        /**
         * Archive a group that nobody is in
         * @description Its key and its past stay: a sale dated before is paid as it was. 409 while members are in it, or a plan that is in force, or will be, names it; `details` has how many members there are and the plans. `default` cannot be archived.
         *
         *     Scope `groups:write`.
         */
        delete: operations["archiveGroup"];
        options?: never;
        head?: never;
        /**
         * Rename a group, or bring an archived one back
         * @description `default` cannot be changed: 409.
         *
         *     Scope `groups:write`.
         */
        patch: operations["updateGroup"];
        trace?: never;
    };
    "/api/v1/users/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A member's state and commission balance
         * @description Scope `users:read`.
         */
        get: operations["getUserStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List members, oldest first
         * @description Scope `users:read`.
         */
        get: operations["listUsers"];
        put?: never;
        /**
         * Create a member
         * @description `parent_id` names the sponsor and wins over `referral_code`, which wins over `click_id`; one that is unknown is a 400. With none of them the sponsor is the referrer of the open lead with this email, if there is one and it may recruit; else the member is a root. `parent_id: null` is a root whatever lead there is. A click that is too old, or whose member may not recruit, is passed over. The email is unique in the tenant and environment, without regard to case; a 409 names the member who has it, or the external id, in `details.existing_id`. A lead with this email becomes `converted`. Why the member stands where it does is in its receipt: GET /api/v1/referrals/attributions?placed_user_id=.
         *
         *     Scope `users:write` and `groups:write` when it names a `group`.
         */
        post: operations["createUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/users/{user_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a member
         * @description Scope `users:read`.
         */
        get: operations["getUser"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change a member's tier, activity, group or right to recruit, or correct its data
         * @description Tier, activity and group are kept as dated history: a change counts from `effective_at` (default now, never ahead of now) until the next one, so commissions for earlier sales keep the former values.
         *
         *     What else is sent is corrected as of now, and an audit entry names the fields. A new `email` must be free (409); sessions go on, and the vendors of payments and verifications keep the address that they know. `pay_currency` counts for the lines of later sales. `null` clears `name` and `external_id`.
         *
         *     A member whose data was erased cannot be made active, recruit again, or be corrected: 409.
         *
         *     Scope `users:write` and `groups:write` when it names a `group`.
         */
        patch: operations["updateUser"];
        trace?: never;
    };
    "/api/v1/users/by-external-id/{external_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Create or change a member by the tenant's own id
         * @description Without a member of this external id it creates one, as POST /api/v1/users does; `email` is needed then. Of a member that is there it changes what is sent, from now on, and leaves what is not; `null` clears `name` and leaves every other field as it is. What is the same already is not written.
         *
         *     What places a member under its sponsor, and when it joined, counts for the creation alone: `parent_id`, `referral_code` and `joined_at` of a member that is there are not looked at. POST /api/v1/members/{userId}/sponsor moves it.
         *
         *     Of two that come at once one creates the member and the other changes it.
         *
         *     Scope `users:write` and `groups:write` when it names a `group`.
         */
        put: operations["putUser"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/members/{userId}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A member's tiers, activity, sponsors, groups and standings over time
         * @description Oldest first. A value counts from `validFrom` until the next entry does; of entries with the same `validFrom` the last one counts. What has never changed has one entry.
         *
         *     Scope `members:read`.
         */
        get: operations["getMemberHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/members/{userId}/sponsor": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Move a member, with its downline, under another sponsor
         * @description The sponsor is kept as dated history: a move counts from `effectiveAt` (default now, never ahead of now) until the next one, so commissions for earlier sales keep the former upline. A move dated before a later one fills its interval and leaves the present sponsor alone. The tree has no cycle at any time: a move that would close one at any instant it counts for is refused. Without `effectiveAt`, a move to the present sponsor changes nothing.
         *
         *     Scope `members:write`.
         */
        post: operations["moveMember"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/groups/{key}/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List who is in a group now, oldest members first
         * @description `GET /api/v1/users?group=` lists the members themselves.
         *
         *     Scope `groups:read`.
         */
        get: operations["listGroupMembers"];
        put?: never;
        /**
         * Move members into a group
         * @description A member is in one group at a time: it leaves the one that it was in. The move counts from `effectiveAt` on (default now, never ahead of now): sales of before keep the group of before. All are moved, or none: an id that is no member is a 400 that names it. Without `effectiveAt` a member that is in the group already is left as it is.
         *
         *     Scope `groups:write`.
         */
        post: operations["addGroupMembers"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/members/{userId}/groups": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The groups of a member over time
         * @description Oldest first. A value counts from `validFrom` until the next entry does; of entries with the same `validFrom` the last one counts.
         *
         *     Scope `groups:read`.
         */
        get: operations["listMemberGroups"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/referrals/attributions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List receipts of attributions, in the order they were written
         * @description A purchase has one. A lead has one for each capture that named somebody and told something new; `attribution_receipt_id` of the lead is the one by which it has its referrer. A member has one when a code or a click was named as it was made, or its lead had a referrer; whom `parent_id` alone names needs none. With a bearer token: the receipts that credit the member, and of the candidates those that lead to it.
         *
         *     Scope `referrals:read`. With a member's bearer token beside the key: that member's own only, whatever is named.
         */
        get: operations["listAttributions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/referrals/attributions/{receipt_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read why a purchase, a lead or a new member is credited to whom it is
         * @description A receipt never changes: what has happened to a code, a link or a member since is not in it. With a bearer token: one that credits the member, and of the candidates those that lead to it.
         *
         *     Scope `referrals:read`. With a member's bearer token beside the key: that member's own only, whatever is named.
         */
        get: operations["getAttribution"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/commissions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List commission lines, oldest first unless sorted
         * @description Scope `commissions:read`. With a member's bearer token beside the key: that member's own only, whatever is named.
         */
        get: operations["listCommissions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/commissions/{commissionId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a commission line
         * @description Scope `commissions:read`. With a member's bearer token beside the key: that member's own only, whatever is named.
         */
        get: operations["getCommission"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/commissions/{commissionId}/explain": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * How a commission came about and what became of it
         * @description The arithmetic of the line, a verdict on everybody who was considered, the lines linked to it, the actions on it and every posting to its member that moved it. `GET /events/{event_id}/explain` shows the whole event, with everybody who was not paid.
         *
         *     Scope `commissions:read`. With a member's bearer token beside the key: that member's own only, whatever is named.
         */
        get: operations["explainCommission"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/commissions/{commissionId}/hold": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Put a pending or cleared commission on hold
         * @description A held line counts as pending and is neither cleared nor paid until it is released. Acts on the line together with everything linked to it. Any other state is 409 `STATE_CONFLICT`.
         *
         *     Scope `commissions:write`.
         */
        post: operations["holdCommission"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/commissions/{commissionId}/release": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Release a held commission
         * @description The line is pending again, or cleared when its time has come. While a dispute of the purchase is open, a line held for another reason stays held, for the dispute. Acts on the line together with everything linked to it. Any other state is 409 `STATE_CONFLICT`.
         *
         *     Scope `commissions:write`.
         */
        post: operations["releaseCommission"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/commissions/{commissionId}/void": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Void an unpaid commission
         * @description What is left of it is taken back by a line of its own, and all of it is `reversed`. Acts on the line together with everything linked to it. Any other state is 409 `STATE_CONFLICT`.
         *
         *     Scope `commissions:write`.
         */
        post: operations["voidCommission"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/commission-plans": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List plans, oldest first
         * @description Scope `plans:read`.
         */
        get: operations["listCommissionPlans"];
        put?: never;
        /**
         * Create a plan as a draft
         * @description A draft may have `problems`; it pays nothing until it is published.
         *
         *     Scope `plans:write`.
         */
        post: operations["createCommissionPlan"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/commission-plans/{planId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A plan with its draft, what is wrong with it, and its published versions
         * @description Scope `plans:read`.
         */
        get: operations["getCommissionPlan"];
        put?: never;
        post?: never;
        /**
         * Delete a plan that was never published
         * @description Scope `plans:write`.
         */
        delete: operations["deleteCommissionPlan"];
        options?: never;
        head?: never;
        /**
         * Change the name or the draft
         * @description A definition replaces the whole draft. Published versions stay as they are.
         *
         *     Scope `plans:write`.
         */
        patch: operations["updateCommissionPlan"];
        trace?: never;
    };
    "/api/v1/commission-plans/lint": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * What is wrong with a definition, with nothing stored
         * @description What a draft of it would show, found by the same rules within the same limits.
         *
         *     Scope `plans:read`.
         */
        post: operations["lintCommissionPlan"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/commission-plans/{planId}/publish": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Publish the draft as a new version
         * @description Sales from `effectiveFrom` on are paid by it, never earlier ones: a sale keeps the version that was in force when it took place. Of several plans that cover a sale the highest `scope.priority` wins.
         *
         *     With the setting `commissions.planPublishSecondPair`, in LIVE with `payments.dualControl` on, the request waits and answers 202, until another pair of hands confirms it. The draft that was asked for is the one that is published: a change of it meanwhile makes the confirmation 409.
         *
         *     Scope `plans:write`.
         */
        post: operations["publishCommissionPlan"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/exchange-rates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List exchange rates in the order they were recorded
         * @description Scope `admin:rates`.
         */
        get: operations["listExchangeRates"];
        put?: never;
        /**
         * Record an exchange rate
         * @description Target minor units = source minor units × `numerator` / `denominator`. Of a pair the latest rate with `effectiveAt` not after the sale counts, of equal ones the last recorded. A rate is never changed: record another.
         *
         *     In LIVE with `payments.dualControl` on, a rate that is backdated, or more than 10 % away from what counts at its time or counted in the 7 days before it, waits and answers 202: another pair of hands confirms it.
         *
         *     Scope `admin:rates`.
         */
        post: operations["createExchangeRate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events/purchase": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Record a purchase and pay its upline
         * @description Commission lines and their balanced journal are stored in the same transaction as the event.
         *
         *     `external_event_id` is unique for ever: the same id with the same content answers 200 with the first answer, with other content 409 `EVENT_ID_REUSED`.
         *
         *     The first of these that leads to somebody is credited: `attribution.user_id`, `referral_code`, `link_id`, the referrer of the customer’s first credited purchase, a lead (`lead_id`, or one with the customer’s email), a click (`click_id`, or those that were recorded for the customer) within the window of the settings. An unknown `user_id` is refused; any other reference that leads nowhere is not, and is in the receipt with the reason.
         *
         *     A member who is credited explicitly, by code or by link is so while inactive, and is then an unqualified level 1; in the other cases inactive members are passed over. A `buyer_user_id` makes it a personal purchase, which the plan alone attributes (default: the sponsor is level 1).
         *
         *     Without a `buyer_user_id`, commissions of the member who has the customer’s email are `held`, and so is the event, until somebody releases or voids them.
         *
         *     The plan in force at `occurred_at` decides; of several that cover the purchase, the one of the highest priority. Upline, tiers and activity are read as of `occurred_at`.
         *
         *     A plan that pays in the members’ currencies needs a stored exchange rate for each, else 422 `EXCHANGE_RATE_MISSING` and nothing is stored.
         *
         *     Scope `events:write`.
         */
        post: operations["recordPurchase"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events/refund": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Refund a purchase, wholly or in part
         * @description Of each commission line the share `refunded / purchase` is taken back, rounded on the total: any split of a refund ends at the same amounts, and a full refund at exactly nothing. Rates and tiers of the sale count, never those of today.
         *
         *     An unpaid line gets a negative line beside it that clears with it; a paid one a negative `clawback` that nets in the next payout.
         *
         *     Where the plan of the sale lets a member owe nothing, or no more, a `write_off` line forgives what goes beyond; the company bears it.
         *
         *     A refund that arrives before its purchase is a 404 and can be sent again later.
         *
         *     Scope `events:write`.
         */
        post: operations["recordRefund"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events/chargeback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Report a stage of a dispute about a purchase
         * @description `opened` puts the unpaid lines of the purchase on hold. `lost` takes back the disputed amount like a refund and releases what is left. `won` releases the lines and, after a `lost`, reinstates exactly what was taken back.
         *
         *     A commission that was paid, clawed back and forgiven is not paid again when it is reinstated: a negative `write_off` recovers first what was forgiven.
         *
         *     Stages: opened, then won or lost; lost, then won. A dispute may be reported as lost at once.
         *
         *     Scope `events:write`.
         */
        post: operations["recordChargeback"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events/{event_id}/reversal-preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * What a refund or chargeback of a purchase would do, with nothing stored
         * @description The event is recorded in full and undone: the amounts, the statuses and the refusals are those that recording it now would have. Times of the new lines are those of the preview.
         *
         *     Scope `events:read`. With `ledger:read`, too: the balances of the members before and after.
         */
        post: operations["previewReversal"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events/commission": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Credit or charge a member by hand
         * @description A positive bonus, adjustment or correction is held as long as the plan in force holds its lines; a negative one counts at once. A `write_off` forgives what the member owes, wholly or in part; more is 409 `STATE_CONFLICT`.
         *
         *     More than the setting `commissions.manualLimitMinor` names is 422 `BALANCE_LIMIT`. More than `commissions.manualSecondPairMinor` names waits, in LIVE with `payments.dualControl` on: the answer is 202, and another pair of hands confirms it.
         *
         *     Scope `commissions:grant`.
         */
        post: operations["recordManualCommission"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Record up to 500 events, each for itself
         * @description Events are taken in order, so a refund may follow its purchase. One that is refused changes nothing and does not stop the others; `results` has one entry each, in order.
         *
         *     What is recorded is recorded together: after a lost answer either all of it is stored or nothing, and the batch can be sent again.
         *
         *     With `validate_only` nothing is stored, and the receipts show what would be.
         *
         *     Scope `events:write` and `commissions:grant` for each event of the kind `commission`, which is 403 in its place without it.
         */
        post: operations["recordEventBatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List events, in the order they were recorded unless sorted
         * @description Scope `events:read`.
         */
        get: operations["listEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events/{event_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an event with its commissions as they stand now
         * @description With a bearer token: an event that the member has a commission of, with those commissions alone, and without the customer, what was bought, notes, breakage, and who else is credited.
         *
         *     Scope `events:read`. With a member's bearer token beside the key: that member's own only, whatever is named.
         */
        get: operations["getEvent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events/{event_id}/explain": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Why an event paid whom how much, and everybody else not
         * @description The document stands on its own: from `plan.definition` and `inputs` alone every amount can be recomputed. `walk_end` says why nobody further up was considered.
         *
         *     Scope `events:read`.
         */
        get: operations["explainEvent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/commission-plans/quote": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * What a purchase would pay, with nothing stored
         * @description By the plans in force at `occurredAt`, or by `definition`, a plan that need not be saved. Caps, recurring limits and exchange rates count as they stand; nothing of them is used up.
         *
         *     Scope `plans:read` and `members:read` when it names a member, a customer or what leads to a member: the answer has the upline, and `referrals:read` when it names a customer: the answer has the referrer.
         */
        post: operations["quotePurchase"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/rate-overrides": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what was agreed, oldest first
         * @description Scope `rates:read`.
         */
        get: operations["listRateOverrides"];
        put?: never;
        /**
         * Agree a rate with a member, for a link or for a code
         * @description For sales dated from `validFrom` on that are recorded from now on, in place of one for the same target, plan, level and products. `overrides` of the plan says how far it counts.
         *
         *     A rate or sum that is higher than what counts, or new, waits in LIVE with `payments.dualControl` on: 202, until another pair of hands confirms it.
         *
         *     Scope `rates:write`.
         */
        post: operations["createRateOverride"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/rate-overrides/{overrideId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what was agreed
         * @description Scope `rates:read`.
         */
        get: operations["getRateOverride"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/rate-overrides/{overrideId}/end": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End what was agreed
         * @description Sales dated from `at` on are paid by the plan again; earlier ones keep it, whenever they are recorded. Nothing that is paid already changes. 409 when it does not count at that time: it was ended before, or replaced.
         *
         *     Scope `rates:write`.
         */
        post: operations["endRateOverride"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/members/{userId}/rates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What a member earns: the plan, why that plan, and each level with its source
         * @description By the plan that pays a one-time sale of no product in particular, or by another one in force. A bearer token does not see other plans and conditions.
         *
         *     Scope `rates:read`. With a member's bearer token beside the key: that member only.
         */
        get: operations["getMemberRates"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/leads/capture": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Capture a lead
         * @description One lead per email, tenant and environment. Capturing it again answers 200: the first attribution stays and only blank fields are filled, whatever its status, which stays too. A lead that is converted, disqualified or expired gets no referrer any more. A member's email is a 200 too: the lead is `converted` to that member, whose sponsor stays, and gets no referrer. The referrer is the owner of `referral_code`, or else of the link or code that `click_id` was clicked on, within the tenant's window. A code or click id that leads to nobody leaves the lead unattributed; the receipt says why each was passed over. The lead expires the settings' `leadExpiryDays` after its capture.
         *
         *     Scope `leads:write`.
         */
        post: operations["captureLead"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/leads": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List leads, in the order they were captured unless sorted
         * @description Scope `leads:read`.
         */
        get: operations["listLeads"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/leads/{lead_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a lead
         * @description Scope `leads:read`.
         */
        get: operations["getLead"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change a lead's details or status
         * @description A captured lead may become `qualified`, and a captured or qualified one `disqualified` or `expired`; those are final, as is `converted`, which only POST /api/v1/leads/{lead_id}/convert or the creation of a member with its email makes it. The status that it has already changes nothing; any other change is a 409. `expired` brings `expires_at` forward to now. A lead whose `expires_at` has passed counts as expired. With a 409 no field is changed.
         *
         *     Scope `leads:write`.
         */
        patch: operations["updateLead"];
        trace?: never;
    };
    "/api/v1/leads/{lead_id}/convert": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make a member of a lead
         * @description The member has the email of the lead and its referrer as sponsor; without a referrer it is a root. Both are written together or not at all. A lead that is converted, disqualified or expired, or becomes so meanwhile, is a 409.
         *
         *     Scope `leads:write` and `users:write`.
         */
        post: operations["convertLead"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/imports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List imports, newest first
         * @description Scope `imports:read`.
         */
        get: operations["listImports"];
        put?: never;
        /**
         * Import members, leads, purchases or agreed rates from a CSV file
         * @description The body is the file: UTF-8, comma-separated, at most 1,000,000 rows of 64 kB, and 200 MB unless the deployment says otherwise. The first line names the columns, in any order; those that every row needs must be there. An empty cell is an absent value.
         *
         *     `members`: `email` (required), `name`, `external_id`, `membership_tier`, `group`, `joined_at`, `is_active`, `can_recruit`, `pay_currency`, `referral_code` (the default code of the member itself, under the rules of `POST /referrals/codes`; without it one is drawn), and for the sponsor one of `sponsor_email`, `sponsor_external_id`, `sponsor_code`, `parent_id` a row. A sponsor named by email, external id or code may be in any row of the file, also a later one, or exist already.
         *
         *     `leads`: `email` (required), `name`, `phone`, `referral_code`, `source`, `utm_source`, `utm_medium`, `utm_campaign`, `click_id`.
         *
         *     `purchases`: `external_event_id`, `amount_minor`, `currency`, `customer_external_id` (required), `type`, `occurred_at`, `tax_minor`, `shipping_minor`, `discount_minor`, `discount_code`, `customer_email`, `customer_name`, `customer_country`, `buyer_user_id`, `attribution_user_id`, `attribution_referral_code`.
         *
         *     `rate_overrides`: `target` (required), one of `target_id`, `email`, `external_id`, `referral_code`, and `plan_id`, `level`, `skus`, `categories` (several with `|`), `rate_bps`, or `flat_minor` with `currency` and `per`, `valid_from`, `reason`.
         *
         *     Each row has the rules and effects of the operation that creates one: what that refuses is a fault of the row, and the other rows are applied. A file that is no CSV, or has other columns, is refused whole. The work begins when the file has arrived; read the import to follow it. With `mode=validate` nothing is applied and the report is the same.
         *
         *     Scope `imports:write` and `users:write` with the kind `members`, and `leads:write` with the kind `leads`, and `events:write` with the kind `purchases`, and `rates:write` with the kind `rate_overrides`, and `referrals:write` with the column `referral_code` of `members`, and `groups:write` with the column `group` of `members`.
         */
        post: operations["createImport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/imports/{importId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an import, with how far it has come
         * @description Scope `imports:read`.
         */
        get: operations["getImport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/imports/{importId}/errors": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the rows of an import that failed, in the order of the file
         * @description Kept for 30 days. Also while the import is running.
         *
         *     Scope `imports:read`.
         */
        get: operations["listImportErrors"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/imports/{importId}/errors.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The rows of an import that failed, as CSV
         * @description UTF-8, a fault a line. Columns `rowNumber`, `field`, `code`, `message`.
         *
         *     Scope `imports:read`.
         */
        get: operations["exportImportErrors"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/imports/{importId}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Stop an import
         * @description What was applied stays. An import that is not queued or running any more is 409 `STATE_CONFLICT`.
         *
         *     Scope `imports:write` and `users:write` for the kind `members`, and `leads:write` for the kind `leads`, and `events:write` for the kind `purchases`, and `rates:write` for the kind `rate_overrides`.
         */
        post: operations["cancelImport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/ledger/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Verify the sealed ledger and the audit log
         * @description Computes every hash of the sealed ledger anew from the rows it was made of, follows the chain of blocks, and compares journals with commission lines. `auditLog` tells the same of the audit log. `ok` is true when nothing is wrong with either. Keep `head` somewhere else: with `fromSeq` and `expectedHash` a later verification proves that the ledger still continues it, with `auditFromSeq` and `auditExpectedHash` that the audit log does.
         *
         *     Scope `ledger:read`.
         */
        get: operations["verifyLedger"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/ledger/trial-balance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Balances of all ledger accounts
         * @description Members' accounts are summed by kind. The accounts of a currency sum to 0.
         *
         *     Scope `ledger:read`.
         */
        get: operations["getTrialBalance"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/members/{userId}/balances": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A member's balances
         * @description Folds of the ledger, by currency: the default currency of the tenant always, others when there are postings.
         *
         *     Scope `ledger:read`. With a member's bearer token beside the key: that member only.
         */
        get: operations["getMemberBalances"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/members/{userId}/ledger": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A member's ledger entries, oldest first
         * @description In one currency, each with the balances after it; after the last entry they are the present balances.
         *
         *     Scope `ledger:read`. With a member's bearer token beside the key: that member only.
         */
        get: operations["listMemberLedger"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/members/{userId}/genealogy": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The tree below a member
         * @description At most 5,000 members, level by level: a level is shown only when all above it are shown in full; the level that the limit falls into is cut at its end, in the order of sponsors and then of joining, and `meta.truncated` is true. Every page of a larger tree: `GET /members/{userId}/downline`.
         *
         *     Scope `members:read`. With a member's bearer token beside the key: that member and its downline.
         */
        get: operations["getGenealogy"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/members/{userId}/downline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A member's downline as a list
         * @description Every member below, at any depth. By `depth` levels are listed whole until 100,000 members have been listed; `truncated` on the last page says that there are more. In a downline of more than 20,000 members, `totalDownline` goes by the counts of about a second ago (those shown are exact), and a page may hold fewer members than `limit`, even none, while `hasMore` is true.
         *
         *     Scope `members:read`. With a member's bearer token beside the key: that member and its downline.
         */
        get: operations["listDownline"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/members/{userId}/children": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A member's own recruits, one level of the tree
         * @description Everybody whose sponsor is the member, active or not. The counts of each are exact. `-totalDownline` goes by the counts of about a second ago. A bearer token that does not see others whole may neither give `q` nor sort by `name`.
         *
         *     Scope `members:read`. With a member's bearer token beside the key: that member and its downline.
         */
        get: operations["listChildren"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/members/roots": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Members without a sponsor, the first level of the tree
         * @description Everybody who has no sponsor, active or not; `depth` is 0. The counts of each are exact. `-totalDownline` goes by the counts of about a second ago.
         *
         *     Scope `members:read`.
         */
        get: operations["listRoots"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/members/{userId}/upline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A member's upline, from its sponsor up
         * @description `depth` is the distance from the member. The last one has no sponsor.
         *
         *     Scope `members:read`.
         */
        get: operations["listUpline"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/members/{userId}/relationship/{targetUserId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * How two members stand to each other
         * @description Seen from `userId`: `upline` says that the target is above. `crossline` members meet in an ancestor, and the path goes through it. `none`: they are in different trees, `distance` is 0 and the path is empty. The path holds both ends and starts at `userId`; its nodes have no children.
         *
         *     Scope `members:read`. With a member's bearer token beside the key: that member only.
         */
        get: operations["getRelationship"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/members/{userId}/commissions/breakdown": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A member's commissions by source, status, level and time
         * @description Of one currency, by the date of the sale. Reversed lines count nowhere.
         *
         *     Scope `members:read`. With a member's bearer token beside the key: that member only.
         */
        get: operations["getCommissionBreakdown"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/members/{userId}/tax-summary/{year}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What a member was paid in a year, month by month
         * @description Of one currency. A payout that is returned is taken off the month it is returned in.
         *
         *     Scope `members:read`. With a member's bearer token beside the key: that member only.
         */
        get: operations["getTaxSummary"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/members/{userId}/referral-stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A member's downline, leads and best recruits
         * @description Amounts are of one currency and of all time.
         *
         *     Scope `members:read`. With a member's bearer token beside the key: that member only.
         */
        get: operations["getReferralStats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/members/{userId}/team-stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A member's team, its growth and what it earned the member
         * @description Commissions are of one currency and count by the date of the sale, new members by the date they joined.
         *
         *     Scope `members:read`. With a member's bearer token beside the key: that member only.
         */
        get: operations["getTeamStats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Search members, oldest first unless sorted
         * @description All filters given must hold. Every character of `email` and `name` means itself; there are no wildcards.
         *
         *     Scope `members:read`.
         */
        get: operations["listMembers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/overview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * How a tenant stands: what waits, commissions and new members by month
         * @description Each part is there for a caller with the scope of its list, and null for others: `commissions:read`, `members:read`, `payouts:read`, `admin:kyc`, `webhooks:read`. Of changes that wait a caller counts those that it could have asked for itself. Amounts are of one currency.
         *
         *     Any key may call it; each object needs a key scope of its own. Members' bearer tokens are refused.
         */
        get: operations["getOverview"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Find a record by its id, or a member by the beginning of a name or an email
         * @description At most 20, those that were named whole first. Members are found by the beginning of the email, of the name, of its second word and of its last, and by two beginnings in either order; also inactive and erased ones. Events go by `external_event_id`, leads by email, links by slug or address, codes by themselves, API keys by their last four characters or a part of the name, and everything by its id. Only kinds that the caller may list are searched, which `kinds` names: `members:read`, `events:read`, `commissions:read`, `leads:read`, `referrals:read`, `payouts:read`, `admin:keys`.
         *
         *     Any key may call it; each object needs a key scope of its own. Members' bearer tokens are refused.
         */
        get: operations["searchAll"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/saved-views": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List saved views, own and shared, by name
         * @description A view opens a page: what the page then shows goes by the rights of whoever opens it.
         *
         *     Any key may call it; each object needs a key scope of its own. Members' bearer tokens are refused.
         */
        get: operations["listSavedViews"];
        put?: never;
        /**
         * Keep a page's filters under a name
         * @description One of the same owner, page and name is replaced. An owner has 100 at most: one more is 422 `LIMIT_REACHED`. What names a member in a view goes with the member when it is erased, and so does the view.
         *
         *     Any key may call it; each object needs a key scope of its own. Members' bearer tokens are refused.
         */
        post: operations["saveView"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/saved-views/{viewId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a saved view
         * @description One of the caller's own; a shared one also with `admin:settings`.
         *
         *     Any key may call it; each object needs a key scope of its own. Members' bearer tokens are refused.
         */
        delete: operations["deleteSavedView"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/members/{userId}/profile": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A member's profile
         * @description The service's own pages may read it by the session of a person who is signed in, in place of a key: its role needs the same scope, and `X-Environment` names the member's.
         *
         *     Scope `members:read`. With a member's bearer token beside the key: that member only.
         */
        get: operations["getProfile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change a member's profile
         * @description What is not sent stays, `null` clears; the address is merged field by field, and `address: null` clears all of it. `idNumber` is stored encrypted and read back masked. When the given name, the surname, the birth date, the ID number or the country of a verified member changes, by more than case or space, the verification becomes `resubmit_required` with the reason `IDENTITY_CHANGED`, and payouts to the member wait until it is approved again. The profile of an erased member is not changed any more: 409.
         *
         *     Scope `members:write` and `admin:kyc` with `keepVerification`. With a member's bearer token beside the key: that member only.
         */
        patch: operations["updateProfile"];
        trace?: never;
    };
    "/api/v1/members/{userId}/erasure": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Erase a member's personal data
         * @description For good: email, name, external id, profile and identities go, sessions end, payout accounts are deactivated and lose their details, leads, and customers with an email that the member has or had, are made nameless, what was attached to their purchases and written of the member is taken away, referral links are deleted without name and destination, referral codes are retired and replaced by random ones, and the documents of a verification are removed with what the vendor told of it; that it was decided, and when, stays. The applicant at the KYC vendor is to be erased there. The member becomes inactive and recruits nobody; its place in the tree, its commissions and the ledger stay, under its id. An erased member cannot be made active again, and its referral codes are not given to others. A member who is owed money is 409 `MONEY_OWED`, with `details.owed[]` {`currency`, `status`, `amountMinor`}, unless `acknowledgeOwed` is true: then the bank details that are needed to pay are kept, sealed, until nothing is owed any more. Repeated, it answers the same and changes nothing.
         *
         *     Scope `members:erase`.
         */
        post: operations["eraseMember"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/members/{userId}/data-export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Everything that is held on a member
         * @description One document, of any size, written as it is read: what changes meanwhile may be in one of its lists and not yet in another. Each list is complete and in a fixed order.
         *
         *     Scope `members:export`. With `identity:read`, too: the ID number in full. With a member's bearer token beside the key: that member only.
         */
        get: operations["exportMemberData"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/members/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The member whose bearer token this is
         * @description Needs a bearer token beside the key: without one 401 `UNAUTHORIZED`.
         *
         *     Scope `members:read`. With a member's bearer token beside the key: that member only.
         */
        get: operations["getMe"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/members/{userId}/kyc/start": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start or continue a member's verification
         * @description A member has one verification for good; its provider is the tenant's at the time, and changes with the settings only while nothing is under review. `manual` answers which documents to upload and where, `kycvendor` a short-lived token for the provider's SDK. It can be called again at any time until the member is approved or rejected: 409 then. No profile is needed; what there is goes to the provider.
         *
         *     In a SANDBOX whose `kycvendor` settings lack the account, a simulated provider stands in. What it does follows from the end of the member's email before the `@`:
         *
         *     | ends in | outcome |
         *     |---|---|
         *     | `+kyc-approve` | `pending`, then `approved` |
         *     | `+kyc-reject` | `pending`, then `rejected` |
         *     | `+kyc-resubmit` | `pending`, then `resubmit_required` |
         *     | `+kyc-pending` | `pending`, and stays so |
         *     | `+kyc-unavailable` | 502 `PROVIDER_UNAVAILABLE` |
         *     | `+kyc-misconfigured` | 502 `PROVIDER_CONFIGURATION` |
         *
         *     Any other waits for `POST /sandbox/vendor-events`. Outcomes come within seconds.
         *
         *     Scope `kyc:write`. With a member's bearer token beside the key: that member only.
         *
         *     Takes no `Idempotency-Key`: it may be sent again, and hands out anew.
         */
        post: operations["startKyc"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/members/{userId}/kyc": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A member's verification
         * @description 404 `NOT_FOUND` as long as none was started.
         *
         *     Scope `kyc:read`. With a member's bearer token beside the key: that member only.
         */
        get: operations["getKyc"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/members/{userId}/kyc/documents/upload-url": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A URL to send the bytes of one document to
         * @description Needs a verification that was started, is done by hand (`provider` is `manual`) and takes documents, else 409; at most 20 uploads are open at a time. Send the bytes to `uploadUrl` with `method` and exactly these `headers`, within `expiresInSeconds`; the length must be `fileSize` where that was said, and never more than 10 MiB. Then record the document with `filePath`. With `documentType` the file type is checked at once: no PDF is taken as a selfie.
         *
         *     Scope `kyc:write`. With a member's bearer token beside the key: that member only.
         *
         *     Takes no `Idempotency-Key`: it may be sent again, and hands out anew.
         */
        post: operations["createKycUpload"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/members/{userId}/kyc/documents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Record a document that was uploaded
         * @description Checks what was sent: that it is there, of the size and type it is said to be, a whole picture or PDF and nothing else, and free of malware where a scanner is set up. `fileName` and `mimeType` must be those of the upload; `documentType` defaults to that of the upload. Where that had none either it is a document that staff has asked for again, else the first required one that is missing or rejected, else the optional one, of those that take the file type; the answer names it. 503 while the storage or the scanner is away: send the request again. A `filePath` is good for one document. A document takes the place of the one of its type before it. Once every required document, and all that staff has asked for again, are recorded the verification becomes `pending`.
         *
         *     Scope `kyc:write`. With a member's bearer token beside the key: that member only.
         */
        post: operations["recordKycDocument"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/kyc": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The queue of verifications, the longest waiting first
         * @description In the order in which they got the status they have; all filters given must hold. `countsByStatus` is of all verifications, whatever the filters.
         *
         *     Scope `admin:kyc`.
         */
        get: operations["listKycReviews"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/kyc/{kycId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A verification with the member, the documents and the log
         * @description Scope `admin:kyc`.
         */
        get: operations["getKycReview"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/kyc/{kycId}/findings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What a member stated beside what was found
         * @description Where the vendor verifies it is asked each time, and nothing of its answer is kept.
         *
         *     Scope `admin:kyc`.
         */
        get: operations["getKycFindings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/kyc/{kycId}/documents/{documentId}/content-url": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Where a document's content can be fetched
         * @description Whoever has the URL can fetch the document, once or more, until it ends; browsers save it and never show it in place. That it was asked for is in the log.
         *
         *     Scope `admin:kyc`.
         */
        get: operations["getKycDocumentUrl"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/kyc/{kycId}/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Approve a pending verification
         * @description Documents that nobody has decided on are accepted with it. 409 when it is not pending, and for documents reviewed here while one that is required is rejected or missing, or one that nobody has decided on was sent in during the review and is not named in `documentIds`: `details.unseenDocumentIds` names those. 409 with `details.reason` `IDENTITY_CHANGED` when the member has become another person since the verification was submitted and `identityVersion` is not the present one. What the vendor says later changes nothing until something is asked for anew.
         *
         *     Scope `admin:kyc`.
         */
        post: operations["approveKyc"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/kyc/{kycId}/reject": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reject a pending verification
         * @description Scope `admin:kyc`.
         */
        post: operations["rejectKyc"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/kyc/{kycId}/request-resubmit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask for something to be sent in again
         * @description Of a pending verification, or of one that was approved or rejected, which is opened again. At the vendor the verification is reset soon after, and `documents` is 409 there: the vendor has them.
         *
         *     Scope `admin:kyc`.
         */
        post: operations["requestKycResubmit"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/kyc/{kycId}/resubmit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask for something to be sent in again, by the other name
         * @description The same as `request-resubmit`; an Idempotency-Key is of the one or the other.
         *
         *     Scope `admin:kyc`.
         */
        post: operations["resubmitKyc"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/kyc/{kycId}/assign": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Say who reviews a verification
         * @description In any status. Others can decide as well: it is a note, and no lock.
         *
         *     Scope `admin:kyc`.
         */
        post: operations["assignKyc"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/kyc/{kycId}/take": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Say that one looks at a verification now
         * @description For 15 minutes of real time, in SANDBOX too; again, for 15 more. 409 while another has it: `details.takenBy`, `details.takenUntil`. A change of its status ends it. Others can decide as well: it keeps two from doing the same work, and is no lock.
         *
         *     Scope `admin:kyc`.
         */
        post: operations["takeKyc"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/kyc/{kycId}/release": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give back a verification that one has taken
         * @description What another has taken stays taken, unless `from` is true.
         *
         *     Scope `admin:kyc`.
         */
        post: operations["releaseKyc"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/kyc/{kycId}/documents/{documentId}/review": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Accept or reject one document
         * @description While the verification is pending, also another time. It decides on the document alone: ask for another with `request-resubmit`.
         *
         *     Scope `admin:kyc`.
         */
        post: operations["reviewKycDocument"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/payout-methods": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * How members in a country can be paid
         * @description A country outside the euro whose banks take payments in euro has two methods. A country that no method is known for has none.
         *
         *     Scope `accounts:read`. With a member's bearer token beside the key: that member only.
         */
        get: operations["listPayoutMethods"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/payout-methods/{methodId}/validate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Check bank details without storing them
         * @description Holds the details against the rules of the method, check digits included. Whether the account exists is not asked. A SANDBOX also takes the numbers that the payment vendor publishes for tests.
         *
         *     Scope `accounts:read`. With a member's bearer token beside the key: that member only.
         */
        post: operations["validateBankDetails"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/payout-accounts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the payout accounts of all members, newest first
         * @description Scope `accounts:read`.
         */
        get: operations["listAllPayoutAccounts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/members/{userId}/payout-accounts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The payout accounts of a member
         * @description The newest first, also those that were deactivated.
         *
         *     Scope `accounts:read`. With a member's bearer token beside the key: that member only.
         */
        get: operations["listPayoutAccounts"];
        put?: never;
        /**
         * Give a member an account to be paid to
         * @description Identity and country are those of the profile; what it lacks is named in one answer. The first account becomes the primary one. With the payment vendor the answer shows the state that was reached: `provisioning` goes on by itself; with `action_required` the vendor wants to know more. The same request again resumes either. The same bank account twice is refused; after a rejection it can be sent again. `details` and `accountHolderName` are deprecated: answers to requests with them have the headers `Deprecation` and `Sunset`.
         *
         *     Scope `accounts:write`. With a member's bearer token beside the key: that member only.
         */
        post: operations["createPayoutAccount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/members/{userId}/payout-accounts/{accountId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A payout account
         * @description Scope `accounts:read`. With a member's bearer token beside the key: that member only.
         */
        get: operations["getPayoutAccount"];
        put?: never;
        post?: never;
        /**
         * Deactivate a payout account
         * @description For good: no later payout goes to it. In the place of a primary account the newest active one becomes primary, if there is one. Repeated, it changes nothing.
         *
         *     Scope `accounts:write`. With a member's bearer token beside the key: that member only.
         */
        delete: operations["deactivatePayoutAccount"];
        options?: never;
        head?: never;
        /**
         * Name a payout account, or make it the primary one
         * @description Bank details are not changed: add another account. The primary account stays that until another one takes its place; one that was rejected or deactivated cannot.
         *
         *     Scope `accounts:write`. With a member's bearer token beside the key: that member only.
         */
        patch: operations["updatePayoutAccount"];
        trace?: never;
    };
    "/api/v1/members/{userId}/payout-accounts/{accountId}/accept-name": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Accept that a payout account is held under another name
         * @description Once for the account, until the verified name, or for a business the business name, is changed. 409 unless `nameMatch` is `mismatch`; repeated, it changes nothing.
         *
         *     Scope `payouts:approve`.
         */
        post: operations["acceptAccountName"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/payout-holds": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the holds in force, newest first
         * @description Scope `payouts:read`.
         */
        get: operations["listPayoutHolds"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/members/{userId}/payout-hold": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the hold on the payouts of a member
         * @description Scope `payouts:read`.
         */
        get: operations["getPayoutHold"];
        /**
         * Hold the payouts of a member
         * @description In the place of the hold that there is. Runs leave the member out (`HELD`), and a payout that is still queued is cancelled at its execution; its commissions stay cleared. Once this has answered, no job takes up a transfer to the member; what the payment vendor has been asked for, or a job has in hand, goes on.
         *
         *     Scope `payouts:write`.
         */
        put: operations["setPayoutHold"];
        post?: never;
        /**
         * Lift the hold on the payouts of a member
         * @description The next run pays what is due. Repeated, it changes nothing.
         *
         *     Scope `payouts:approve`.
         */
        delete: operations["liftPayoutHold"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/payout-runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List payout runs, newest first
         * @description Scope `payouts:read`.
         */
        get: operations["listPayoutRuns"];
        put?: never;
        /**
         * Draft a payout run
         * @description A payout for each member with cleared commissions in the currency that no other payout has taken, of all of them together, and the reason for each member who cannot be paid. Nothing moves before the run is approved and executed. With `dryRun` nothing is stored.
         *
         *     Scope `payouts:write`.
         */
        post: operations["createPayoutRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/payout-runs/{runId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a payout run, with where its payouts are
         * @description Scope `payouts:read`.
         */
        get: operations["getPayoutRun"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/payout-runs/{runId}/blocked": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the members that a run could not pay
         * @description Scope `payouts:read`.
         */
        get: operations["listBlockedMembers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/payout-runs/{runId}/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Approve a drafted run
         * @description Under dual control it takes a second pair of hands: with `keys` a key of another root than that of the key that drafted it, with `persons` another person; else 403 `SECOND_PERSON_REQUIRED`. The stricter counts of the rule that the run was drafted under and that of the settings now. Any other state is 409 `STATE_CONFLICT`.
         *
         *     Scope `payouts:approve`.
         */
        post: operations["approvePayoutRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/payout-runs/{runId}/execute": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Execute an approved run
         * @description Its payouts are carried out in the background, each as it was drafted: one whose commissions, account or member have changed is cancelled. Anybody with the right may. With dual control on, a run that one pair of hands has drafted and approved before is 403 `SECOND_PERSON_REQUIRED`: cancel it and draft it again. Any other state is 409 `STATE_CONFLICT`.
         *
         *     Scope `payouts:execute`.
         */
        post: operations["executePayoutRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/payout-runs/{runId}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Execute the failed payouts of a run once more
         * @description At most 500 a request, each by the rules of `retryPayout`: one that is refused keeps none of the others.
         *
         *     Scope `payouts:execute`.
         */
        post: operations["retryPayoutRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/payout-runs/{runId}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a drafted or approved run
         * @description Its commissions are free for the next one. Any other state is 409 `STATE_CONFLICT`.
         *
         *     Scope `payouts:write`.
         */
        post: operations["cancelPayoutRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/payout-runs/{runId}/blocked-reasons": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Why a run could not pay members, counted by reason
         * @description Scope `payouts:read`.
         */
        get: operations["getBlockedReasons"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/payout-runs/{runId}/review": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What an approver of a run has to see
         * @description All of it at one moment: the books, what differs from the former run, and what has changed since the draft.
         *
         *     Scope `payouts:read`.
         */
        get: operations["reviewPayoutRun"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/members/{userId}/payout-readiness": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What stands between a member and its next payout
         * @description By the rules that a run drafted now would go by. In the default currency of the tenant always, in others where something is due or a payout is on its way.
         *
         *     Scope `payouts:read`. With a member's bearer token beside the key: that member only.
         */
        get: operations["getPayoutReadiness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/payouts/freeze": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whether payouts are frozen, and what is still to be matched
         * @description While frozen nobody is paid: the operator matches what was paid with the vendor's and the bank's records.
         *
         *     Scope `payouts:read`.
         */
        get: operations["getPayoutFreeze"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/payouts/schedule": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * When runs are drafted next, by currency
         * @description It is set by `payments.schedule` of the settings. Drafts are approved and executed as others are.
         *
         *     Scope `payouts:read`.
         */
        get: operations["getPayoutSchedule"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/payouts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List payouts, oldest first unless sorted
         * @description Scope `payouts:read`. With a member's bearer token beside the key: that member's own only, whatever is named.
         */
        get: operations["listPayouts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/payouts/{payoutId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a payout with its executions
         * @description Scope `payouts:read`. With a member's bearer token beside the key: that member's own only, whatever is named.
         */
        get: operations["getPayout"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/payouts/{payoutId}/commissions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the commissions that a payout consumes, oldest first
         * @description They add up to its amount. Those of a payout that was cancelled, has failed or came back are free for another one.
         *
         *     Scope `payouts:read`.
         */
        get: operations["listPayoutCommissions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/payouts/{payoutId}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a payout that is still queued
         * @description Its commissions are free for the next run.
         *
         *     Scope `payouts:write`.
         */
        post: operations["cancelPayout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/payouts/{payoutId}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Execute a failed payout once more
         * @description With the same commissions, to the same account. 409 `STATE_CONFLICT` when another payout has taken one of them meanwhile; when one has changed, the payout is cancelled at its execution. With dual control on, a payout of a run that one pair of hands has drafted and approved before is 403 `SECOND_PERSON_REQUIRED`: its commissions are free for another run.
         *
         *     Scope `payouts:execute`.
         */
        post: operations["retryPayout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/payouts/{payoutId}/settle": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Tell that a payout by hand was made
         * @description Of a payout in processing whose provider is `manual`; the payment vendor tells of its own.
         *
         *     Scope `payouts:execute`.
         */
        post: operations["settlePayout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/payouts/{payoutId}/return": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Tell that a payout by hand did not arrive
         * @description A paid one is `returned`, one that is in processing has `failed`; the commissions are cleared again. Of payouts whose provider is `manual`, settlements among them.
         *
         *     Scope `payouts:execute`.
         */
        post: operations["returnPayout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/members/{userId}/settlements": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the settlements of a member, newest first
         * @description They are among the payouts of `GET /payouts` too.
         *
         *     Scope `payouts:read`.
         */
        get: operations["listSettlements"];
        put?: never;
        /**
         * Enter money that was paid to a member outside the service
         * @description A payout in no run, paid at once: whole cleared commissions of the member are paid, what takes back first and then the oldest first, none of which another payout holds. They must come to the amount exactly: otherwise it is 422 `AMOUNT_NOT_SETTLEABLE` with `details` {`clearedMinor`, `nearestBelowMinor`, `nearestAboveMinor`}. The same reference twice for a member is 409 `STATE_CONFLICT`, with `details.payoutId`; so is a test member in LIVE, who is paid nothing. What came back is told by `POST /payouts/{id}/return`.
         *
         *     Scope `payouts:execute`.
         */
        post: operations["createSettlement"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/payout-runs/{runId}/payouts.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A run's payouts as CSV, with what a bank needs to pay them
         * @description For tenants that pay by themselves; every export is in the audit log. UTF-8, a payout a line, in the order of their ids. Columns `payoutId`, `userId`, `name`, `email`, `status`, `amount` (major units), `currency`, `provider`, `accountId`, `methodType`, `country`, `reference` (of the tenant's own bank, once settled), `failureCode`, `paidAt`, then the bank details. These are filled in only for payouts by hand that are processing: one that is not executed yet may still be cancelled, and one whose member is on hold (`failureCode` `HELD`) is not to be paid; what has no column of its own stands in `otherDetails`.
         *
         *     Scope `payouts:execute`.
         */
        get: operations["exportPayoutRun"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/members/{userId}/tax-documents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The years in which a member was paid
         * @description One document for each year and currency in which something was paid out or came back, the latest first. A payout counts on the day it was paid, one that came back on the day it did, both in the tenant's reporting zone.
         *
         *     Scope `payouts:read`. With a member's bearer token beside the key: that member only.
         */
        get: operations["listTaxDocuments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/members/{userId}/tax-documents/{year}/pdf": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What a member was paid in a year, month by month, as a PDF
         * @description The same bytes for as long as nothing changes. Names in other than Latin letters are left out: the member id is always there. 404 for a year without a payout in the currency.
         *
         *     Scope `payouts:read`. With a member's bearer token beside the key: that member only.
         */
        get: operations["getTaxDocumentPdf"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/members/{userId}/tax-documents/{year}/csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What a member was paid in a year, payout by payout, as CSV
         * @description UTF-8; columns `date` (in the reporting zone), `type` (`paid` or `returned`), `amount` (major units, negative for what came back), `currency`, `payoutId`, `reference`, `occurredAt` (UTC). 404 for a year without a payout in the currency.
         *
         *     Scope `payouts:read`. With a member's bearer token beside the key: that member only.
         */
        get: operations["getTaxDocumentCsv"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/members/{userId}/statements/{period}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A member's month: balances, what changed them, payouts
         * @description Of one currency. A month holds what the ledger recorded in it, in the tenant's reporting zone, so that the closing balances of one month are the opening balances of the next and a month that is over stays as it is; a sale of an earlier day counts in the month it was reported in. The opening balances with all entries are the closing balances. Written as it is read, of any size.
         *
         *     Scope `payouts:read`. With a member's bearer token beside the key: that member only.
         */
        get: operations["getMemberStatement"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/members/{userId}/statements/{period}/pdf": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A member's month as a PDF
         * @description The same bytes for as long as nothing changes. Lists the first 1000 entries; the CSV has them all. Names in other than Latin letters are left out: the member id is always there.
         *
         *     Scope `payouts:read`. With a member's bearer token beside the key: that member only.
         */
        get: operations["getMemberStatementPdf"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/members/{userId}/statements/{period}/csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A member's month as CSV, an entry a line
         * @description UTF-8; columns `recordedAt` and `occurredAt` (UTC), `account`, `amount` (major units), `currency`, `causeType`, `causeId`, `externalEventId`, `payoutId`, `journalId`, `seq`. Four lines with the `causeType` `opening`, one for each account, come first, four with `closing` last.
         *
         *     Scope `payouts:read`. With a member's bearer token beside the key: that member only.
         */
        get: operations["getMemberStatementCsv"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/exports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List exports, newest first
         * @description Of the kinds that the key may read.
         *
         *     Scope `exports:write`.
         */
        get: operations["listExports"];
        put?: never;
        /**
         * Export a list as a file
         * @description The rows of a list that match the filters, all of them, as CSV or as a JSON object a line (`ndjson`). The filters of a kind are the parameters of its list; the rows are its items. `ledger` has the postings of all journals, `trialBalance` the balances of all accounts at one instant, `auditLogs` the audit log.
         *
         *     The key needs the scope of the list, too: `members`: `members:read`, `commissions`: `commissions:read`, `events`: `events:read`, `payouts`: `payouts:read`, `ledger`: `ledger:read`, `trialBalance`: `ledger:read`, `auditLogs`: `admin:audit`.
         *
         *     The file is made in the background: read the export to follow it, and ask for a `download-url` once it is `completed`. At most 5 exports of an environment may be unfinished: one more is 409 `STATE_CONFLICT`.
         *
         *     Scope `exports:write`.
         */
        post: operations["createExport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/exports/{exportId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an export, with how far it has come
         * @description Scope `exports:write`.
         */
        get: operations["getExport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/exports/{exportId}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Stop an export
         * @description There will be no file. An export that is not queued or running any more is 409 `STATE_CONFLICT`.
         *
         *     Scope `exports:write`.
         */
        post: operations["cancelExport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/exports/{exportId}/download-url": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * An address to download the file from
         * @description Whoever has the address can download the file, without a key, until it expires. Each one is an entry in the audit log. An export that has no file yet, or none any more, is 409 `STATE_CONFLICT`.
         *
         *     Scope `exports:write`.
         *
         *     Takes no `Idempotency-Key`: it may be sent again, and hands out anew.
         */
        post: operations["createExportDownloadUrl"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/auth/providers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List external identity providers in the order they were added
         * @description Scope `admin:auth`.
         */
        get: operations["listAuthProviders"];
        put?: never;
        /**
         * Add an external identity provider
         * @description Its discovery document, at `issuerUrl` + `/.well-known/openid-configuration`, must name exactly `issuerUrl` as its issuer, and its key set must hold public keys only. `details.reason` says why a provider cannot be used. The provider is of the environment of the key; `providerId` is unique in the tenant across both.
         *
         *     It is a new way in: in LIVE with `payments.dualControl` on the request waits and answers 202, until another pair of hands confirms it.
         *
         *     Scope `admin:auth`.
         */
        post: operations["createAuthProvider"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/auth/providers/{authProviderId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an external identity provider
         * @description Scope `admin:auth`.
         */
        get: operations["getAuthProvider"];
        put?: never;
        post?: never;
        /**
         * Delete an external identity provider
         * @description Members stay; the links between them and the provider go, and every token that came of it is revoked.
         *
         *     Scope `admin:auth`.
         */
        delete: operations["deleteAuthProvider"];
        options?: never;
        head?: never;
        /**
         * Change an external identity provider
         * @description A new address is checked as on adding. Once members have come through the provider its issuer stays: subjects of another issuer are other people.
         *
         *     In LIVE with `payments.dualControl` on, another `issuerUrl` or `jwksUri`, an audience more, and `autoCreateUsers`, `trustEmail` or `acceptUnverifiedEmail` turned on make the request wait whole: it answers 202, and another pair of hands confirms it.
         *
         *     Scope `admin:auth`.
         */
        patch: operations["updateAuthProvider"];
        trace?: never;
    };
    "/api/v1/admin/auth/providers/{authProviderId}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Check that an external identity provider can be used
         * @description Asks for its discovery document and its key set, as adding it did. Changes nothing.
         *
         *     Scope `admin:auth`.
         */
        post: operations["testAuthProvider"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/members/{userId}/identities": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a member's identities at the providers, oldest first
         * @description Scope `admin:auth`.
         */
        get: operations["listIdentities"];
        put?: never;
        /**
         * Link a member to a person at an identity provider
         * @description What ACCOUNT_LINK_REQUIRED asks for, once the tenant knows that both are one person: from then on an exchange by that subject signs the member in. A member has one identity at each provider. A subject that is linked to another member, a member that has another identity there, and one that is erased are 409. Linking the same again is a 200.
         *
         *     Scope `admin:auth`.
         */
        post: operations["linkIdentity"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/members/{userId}/identities/{identityId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Unlink a member from a person at an identity provider
         * @description Sessions that the member has through that provider end at once. The next exchange by the subject is that of somebody unknown. The email stays: where a member has it, that exchange is 409 ACCOUNT_LINK_REQUIRED, unless the provider is trusted with it.
         *
         *     Scope `admin:auth`.
         */
        delete: operations["unlinkIdentity"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/exchange": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Exchange an external provider's token for a token pair of ours
         * @description The first exchange of a person creates a member, where the provider allows it, from the claims `email`, `name`, `given_name`, `family_name` and `sub` (its `external_id`, unless another member has that one). A member who has this email already is attached only where the provider has `trustEmail` and both addresses are verified; otherwise the answer is ACCOUNT_LINK_REQUIRED. Only a member that is created has a sponsor from `referralCode`, `clickId`, or else the open lead with its email. What leads to nobody is passed over and keeps nobody out; the receipt says so (GET /api/v1/referrals/attributions?placed_user_id=). An email is verified when `email_verified` is true, or is absent and the provider has `trustEmail`. One that is not finds no lead, and nobody is ever joined by it. With `email_verified` false nobody is created at all, unless the provider has `acceptUnverifiedEmail`: USER_NOT_PROVISIONED with `details.reason` `EMAIL_UNVERIFIED`. Later exchanges update the names, not the email. A token begins one session: exchanged again, for an answer that was lost, it gets another pair of that session, five in all, and none once the session was ended.
         *
         *     Needs no key.
         */
        post: operations["exchangeToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/refresh": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Exchange a refresh token for a new token pair
         * @description Each refresh token is good once. A repeat with the same key within 10 seconds gets the same successor, until that has been used itself; any other repeat revokes the whole session.
         *
         *     Scope `auth:tokens`.
         *
         *     Takes no `Idempotency-Key`: it may be sent again, and hands out anew.
         */
        post: operations["refreshTokens"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/validate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Whether an access or refresh token is good now
         * @description Of any token that is not, whatever is wrong with it, nothing is said but `active: false`.
         *
         *     Scope `auth:tokens`.
         */
        post: operations["validateToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End the session of an access or refresh token
         * @description Every token of the session is refused from then on, by every instance within a second. The answer is the same for a token that is unknown, not yours, or revoked already (RFC 7009).
         *
         *     Scope `auth:tokens`.
         */
        post: operations["revokeToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/revoke-all": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End all sessions of a member
         * @description A token of a provider that was issued (`iat`) in the second of the call or before begins no session of the member any more.
         *
         *     Scope `auth:tokens`.
         */
        post: operations["revokeAllTokens"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sandbox/clock": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The SANDBOX's clock
         * @description The tenant's own clock, once it was moved; until then the database's.
         *
         *     Scope `sandbox:write`.
         */
        get: operations["getSandboxClock"];
        put?: never;
        /**
         * Move the SANDBOX's clock forward
         * @description `advanceSeconds` moves the clock ahead, running or frozen as it is; `frozenAt` sets it to an instant and stops it there. One of the two. It never goes backward. What has become due is done before the answer.
         *
         *     Scope `sandbox:write`.
         */
        post: operations["moveSandboxClock"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sandbox/reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Erase the SANDBOX
         * @description Members, leads, events, commissions, plans, rates, ledger and clock are gone for good and the default plan is back. API keys keep working; answers stored for Idempotency-Keys stay.
         *
         *     Scope `sandbox:write`.
         */
        post: operations["resetSandbox"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sandbox/vendor-events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Have a simulated vendor decide, and send its event
         * @description In a SANDBOX without a vendor account. `kyc`: for members whose verification was started with the automated provider. The event goes the way that the real vendor's go, and from then on the simulated vendor stands by it. `on_hold` leaves the record pending; `reset` takes back what was decided, by staff too. What staff has decided is changed by nothing else: `effect` is `held_by_staff` then. `payout` ends a payout that the simulated vendor is sending, and `payout_account` says how a member's account stands there.
         *
         *     Scope `sandbox:write` and `admin:kyc` for the kind `kyc`, and `payouts:execute` for the kind `payout`, and `accounts:write` for the kind `payout_account`.
         */
        post: operations["sendVendorEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/api-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the API keys of this environment, oldest first
         * @description Expired, disabled and revoked ones too; the keys themselves are not shown.
         *
         *     Scope `admin:keys`.
         */
        get: operations["listApiKeys"];
        put?: never;
        /**
         * Create an API key
         * @description Of the environment of the calling key. No key grants a scope, an address or a rate limit beyond its own: 403 `FORBIDDEN` names the scopes that are missing.
         *
         *     Scope `admin:keys`.
         *
         *     A repeat with its `Idempotency-Key` has null as `apiKey`: secrets are not stored.
         */
        post: operations["createApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/api-keys/{keyId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke an API key
         * @description It stops working on every instance within a second, for good; revoking it again changes nothing. Only a key that has all scopes of the other may revoke it: else 403 `FORBIDDEN`. A key cannot revoke itself: roll it with no overlap, or use another key.
         *
         *     Scope `admin:keys`.
         */
        delete: operations["revokeApiKey"];
        options?: never;
        head?: never;
        /**
         * Change an API key
         * @description What is not sent stays. It holds on every instance within a second. Only a key that has all scopes of the other may change it, and it grants no scope or address beyond its own: else 403 `FORBIDDEN`. 409 `STATE_CONFLICT` for a revoked key, for a key that would disable itself or shut out the address that it calls from, and for enabling a key that the operator has disabled.
         *
         *     Scope `admin:keys`.
         */
        patch: operations["updateApiKey"];
        trace?: never;
    };
    "/api/v1/admin/api-keys/{keyId}/roll": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace an API key by a new one, with a time in which both work
         * @description The new key has the name, scopes, rate limit and addresses of the old one, which expires after the overlap, or earlier if it would have anyway. A key may roll itself, and any other whose scopes it has and which is bound to the same addresses or fewer: else 403 `FORBIDDEN`. Until the old one has expired it can be rolled again.
         *
         *     Scope `admin:keys`.
         *
         *     A repeat with its `Idempotency-Key` has null as `apiKey`: secrets are not stored.
         */
        post: operations["rollApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The tenant's settings
         * @description Currency and time zone are the same in both environments; `kyc`, `payments`, `referrals`, `webhooks`, `mail`, `commissions`, `members` and `staffProvider` are the key's environment's. Secrets are not shown.
         *
         *     Scope `admin:settings`.
         */
        get: operations["getSettings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change the tenant's settings
         * @description Currency and time zone change in both environments together, so only a LIVE key may do it; `kyc`, `payments`, `referrals`, `webhooks`, `mail`, `commissions`, `members` and `staffProvider` change in the environment of the key. Summaries follow a new time zone at once. What was recorded stays: the currency of a member or a commission, and when a commission clears. A verification keeps its provider until it starts anew, a payout account for good.
         *
         *     In LIVE with `payments.dualControl` on, a change that weakens a safeguard waits whole, and answers 202: another pair of hands confirms it by `POST /admin/pending-changes/{pendingChangeId}/confirm`. What only tightens takes effect at once.
         *
         *     Scope `admin:settings`.
         */
        patch: operations["updateSettings"];
        trace?: never;
    };
    "/api/v1/widget/tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begin a session of the widget for a member
         * @description The member's own pages in a frame on the tenant's. The session lasts 12 hours at most, and ends with the member's erasure or deactivation. An Idempotency-Key is ignored: each call begins a session of its own.
         *
         *     Scope `widget:write`.
         *
         *     Takes no `Idempotency-Key`: it may be sent again, and hands out anew.
         */
        post: operations["createWidgetToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/widget/tokens/refresh": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Another token of a session
         * @description Those before stay good until they expire. None is good for longer than the session.
         *
         *     Scope `widget:write`.
         *
         *     Takes no `Idempotency-Key`: it may be sent again, and hands out anew.
         */
        post: operations["refreshWidgetToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/widget/tokens/{sessionId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * End a session of the widget
         * @description No token of it opens anything any more, on every instance within a second. Of one that has ended: once more 200.
         *
         *     Scope `widget:write`.
         */
        delete: operations["endWidgetSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    "webhook_endpoint.disabled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * webhook_endpoint.disabled
         * @description An endpoint is sent nothing any more, for it answered 410 or failed for five days.
         */
        post: operations["onWebhookEndpointDisabled"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "member.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * member.created
         * @description A member was created: by a key, by a sign-in, of a lead or by an import.
         */
        post: operations["onMemberCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "member.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * member.updated
         * @description Something of a member changed that no other event tells of.
         */
        post: operations["onMemberUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "member.email_changed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * member.email_changed
         * @description A member has another email.
         */
        post: operations["onMemberEmailChanged"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "member.moved": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * member.moved
         * @description A member stands under another sponsor.
         */
        post: operations["onMemberMoved"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "member.deactivated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * member.deactivated
         * @description A member is not active any more.
         */
        post: operations["onMemberDeactivated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "group.changed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * group.changed
         * @description A member is in another group, or was at a time that has passed.
         */
        post: operations["onGroupChanged"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "member.erased": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * member.erased
         * @description A member was erased: the object is what is left.
         */
        post: operations["onMemberErased"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "commissions.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * commissions.created
         * @description An event paid commissions: all its lines together. One with more than 100 is told in parts.
         */
        post: operations["onCommissionsCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "commissions.cleared": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * commissions.cleared
         * @description Commissions of a member became payable: one for each member and batch, and for each 500 lines of it.
         */
        post: operations["onCommissionsCleared"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "commissions.reversed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * commissions.reversed
         * @description A refund, a lost dispute or a void took commissions back: the lines taken back, and those that take back. Nothing is said of other lines.
         */
        post: operations["onCommissionsReversed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "commission.held": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * commission.held
         * @description A commission was put on hold, by a person or for a dispute.
         */
        post: operations["onCommissionHeld"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "commission.released": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * commission.released
         * @description A commission is on hold no more.
         */
        post: operations["onCommissionReleased"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "commission.voided": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * commission.voided
         * @description A commission was taken back whole, by a person.
         */
        post: operations["onCommissionVoided"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "event.purchase_recorded": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * event.purchase_recorded
         * @description A purchase was recorded, with what it pays.
         */
        post: operations["onEventPurchaseRecorded"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "event.refunded": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * event.refunded
         * @description A purchase was refunded, in part or whole; the object is the refund.
         */
        post: operations["onEventRefunded"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "event.disputed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * event.disputed
         * @description A dispute of a purchase was opened, won or lost; the object is that stage of it.
         */
        post: operations["onEventDisputed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "ladder.settled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * ladder.settled
         * @description A member got the difference for a whole period of a ladder; the object is the event with the top-ups.
         */
        post: operations["onLadderSettled"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "event.commission_recorded": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * event.commission_recorded
         * @description A commission was recorded by hand, or a debt was written off; the object is that event.
         */
        post: operations["onEventCommissionRecorded"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "rate_override.changed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * rate_override.changed
         * @description A rate was agreed with a member, for itself, a link or a code, or what was agreed has an end.
         */
        post: operations["onRateOverrideChanged"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "lead.captured": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * lead.captured
         * @description A lead was captured for the first time.
         */
        post: operations["onLeadCaptured"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "lead.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * lead.updated
         * @description Something of a lead changed that no other event tells of.
         */
        post: operations["onLeadUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "lead.converted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * lead.converted
         * @description A lead has become a member, or was one from the start.
         */
        post: operations["onLeadConverted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "lead.expired": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * lead.expired
         * @description A lead was not converted in time.
         */
        post: operations["onLeadExpired"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "import.completed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * import.completed
         * @description Every row of an import was applied or refused.
         */
        post: operations["onImportCompleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "import.failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * import.failed
         * @description An import ended early: what was applied stays.
         */
        post: operations["onImportFailed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "ledger.fault_found": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * ledger.fault_found
         * @description The daily check found that the ledger does not verify.
         */
        post: operations["onLedgerFaultFound"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "kyc.started": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * kyc.started
         * @description The verification of a member was started for the first time.
         */
        post: operations["onKycStarted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "kyc.submitted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * kyc.submitted
         * @description A verification waits for a review.
         */
        post: operations["onKycSubmitted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "kyc.approved": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * kyc.approved
         * @description A verification was approved.
         */
        post: operations["onKycApproved"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "kyc.rejected": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * kyc.rejected
         * @description A verification was rejected.
         */
        post: operations["onKycRejected"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "kyc.resubmit_required": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * kyc.resubmit_required
         * @description Something of a verification is to be sent in again, also where an approval fell by it.
         */
        post: operations["onKycResubmitRequired"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "kyc.expired": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * kyc.expired
         * @description An approval was given for a time, which has ended: what was shown for it is to be sent in again.
         */
        post: operations["onKycExpired"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "kyc.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * kyc.updated
         * @description Something of a verification changed that no other event tells of: its documents, its provider, or that it was reset.
         */
        post: operations["onKycUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "payout_run.drafted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * payout_run.drafted
         * @description A payout run was drafted.
         */
        post: operations["onPayoutRunDrafted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "payout_run.approved": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * payout_run.approved
         * @description A payout run was approved.
         */
        post: operations["onPayoutRunApproved"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "payout_run.executed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * payout_run.executed
         * @description A payout run is executed: each of its payouts is told of when it begins.
         */
        post: operations["onPayoutRunExecuted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "payout_run.completed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * payout_run.completed
         * @description A payout run has come to its end: no payout of it is queued or processing, and its status says whether one has failed.
         */
        post: operations["onPayoutRunCompleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "payout_run.cancelled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * payout_run.cancelled
         * @description A payout run was cancelled before it was executed.
         */
        post: operations["onPayoutRunCancelled"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "payout_run.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * payout_run.updated
         * @description A payout run is executing again for a payout that is tried again, or has one more payout, which a reconciliation has found.
         */
        post: operations["onPayoutRunUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "payouts.drafted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * payouts.drafted
         * @description The payouts of a run were drafted. At most 100 are in one event. They come behind the event of what has happened, as they stand by then.
         */
        post: operations["onPayoutsDrafted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "payouts.cancelled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * payouts.cancelled
         * @description Payouts of a run were cancelled together. All cancelled ones of the run are told. At most 100 are in one event. They come behind the event of what has happened, as they stand by then.
         */
        post: operations["onPayoutsCancelled"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "payouts.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * payouts.updated
         * @description The payouts of a run are due, for it is executed; or what was written of those of a member went, for it was erased. At most 100 are in one event. They come behind the event of what has happened, as they stand by then.
         */
        post: operations["onPayoutsUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "payout.processing": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * payout.processing
         * @description A payout is carried out: its commissions are on their way.
         */
        post: operations["onPayoutProcessing"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "payout.paid": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * payout.paid
         * @description A payout was paid. A settlement is from the start.
         */
        post: operations["onPayoutPaid"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "payout.failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * payout.failed
         * @description A payout has failed; its commissions are cleared again.
         */
        post: operations["onPayoutFailed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "payout.returned": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * payout.returned
         * @description A payout came back after it was paid; its commissions are cleared again.
         */
        post: operations["onPayoutReturned"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "payout.cancelled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * payout.cancelled
         * @description A payout was cancelled before it was carried out, by a person or for what had changed since.
         */
        post: operations["onPayoutCancelled"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "payout.queued": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * payout.queued
         * @description A payout that has failed is tried again.
         */
        post: operations["onPayoutQueued"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "payout.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * payout.updated
         * @description What holds up a payout in processing is another thing than before, or nothing any more.
         */
        post: operations["onPayoutUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "payout_account.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * payout_account.created
         * @description A member has another payout account.
         */
        post: operations["onPayoutAccountCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "payout_account.activated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * payout_account.activated
         * @description A payout account can be paid to; one that is paid by hand can from the start.
         */
        post: operations["onPayoutAccountActivated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "payout_account.action_required": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * payout_account.action_required
         * @description The payment provider wants to know more before it pays to an account.
         */
        post: operations["onPayoutAccountActionRequired"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "payout_account.rejected": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * payout_account.rejected
         * @description A payout account was rejected by the payment provider.
         */
        post: operations["onPayoutAccountRejected"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "payout_account.primary_changed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * payout_account.primary_changed
         * @description A payout account has become the primary one of its member in place of another, or is that no more: both are told.
         */
        post: operations["onPayoutAccountPrimaryChanged"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "payout_account.deactivated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * payout_account.deactivated
         * @description A payout account was deactivated, for good.
         */
        post: operations["onPayoutAccountDeactivated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "payout_account.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * payout_account.updated
         * @description Something of a payout account changed that no other event tells of.
         */
        post: operations["onPayoutAccountUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "settings.changed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * settings.changed
         * @description Settings changed: which, and all of them as they are read. Secrets are in neither.
         */
        post: operations["onSettingsChanged"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "api_key.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * api_key.created
         * @description A key was made or rolled. The key itself is not told.
         */
        post: operations["onApiKeyCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "api_key.revoked": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * api_key.revoked
         * @description A key was revoked.
         */
        post: operations["onApiKeyRevoked"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        /**
         * @description `api_key`: a key of the tenant; `staff`: a person of the tenant; `member`; `operator`: of the deployment; `vendor`: of verification or payment; `system`: the service by itself
         * @enum {string}
         */
        ActorKind: "api_key" | "staff" | "member" | "operator" | "vendor" | "system";
        /**
         * @description `waiting`: for its first or next attempt; `delivered`: it arrived; `failed`: not tried again by itself; `cancelled`: its endpoint was deleted
         * @enum {string}
         */
        WebhookDeliveryStatus: "waiting" | "delivered" | "failed" | "cancelled";
        /**
         * @description Objects of one kind, as their events show them: `members`, `leads`, `events`, `commissions`, `payoutRuns`, `payouts` and so on
         * @enum {string}
         */
        EventSnapshotKind: "members" | "leads" | "events" | "commissions" | "payoutAccounts" | "kyc" | "payoutRuns" | "payouts" | "balances";
        /**
         * @description `open`: it waits; `confirmed`, `rejected`: by a second person; `expired`: nobody confirmed it in time; `cancelled`: one of its fields was changed meanwhile, by a change that needed no second pair of hands
         * @enum {string}
         */
        PendingChangeStatus: "open" | "confirmed" | "rejected" | "expired" | "cancelled";
        /**
         * @description `active`; `retired`: it refers nobody and never returns
         * @enum {string}
         */
        ReferralCodeStatus: "active" | "retired";
        /**
         * @description `active`; `disabled`: it leads on and credits nobody
         * @enum {string}
         */
        ReferralLinkStatus: "active" | "disabled";
        /**
         * @description `active`: members may come into it; `archived`: it has none, and plans that name it are of the past
         * @enum {string}
         */
        GroupStatus: "active" | "archived";
        /**
         * @description From the lowest, `ORDINARY`, by `SENIOR` and `MANAGER` to `DIRECTOR`: what a plan pays by
         * @enum {string}
         */
        MembershipTier: "ORDINARY" | "SENIOR" | "MANAGER" | "DIRECTOR";
        /** @description ISO 4217 */
        CurrencyCode: string;
        /**
         * @description `approved`: paid by the plans; `pending`: not decided yet; `rejected`, `banned`: paid for no sale of this time
         * @enum {string}
         */
        MemberStanding: "pending" | "approved" | "rejected" | "banned";
        /**
         * @description `pending`: waits for the holding time; `held`: stopped; `cleared`: can be paid; `processing`: in a payout; `paid`: paid out; `reversed`: taken back before
         * @enum {string}
         */
        CommissionStatus: "pending" | "held" | "cleared" | "processing" | "paid" | "reversed";
        /**
         * @description `commission`: of a sale; `reversal`: takes back before payout, `clawback` after it; `reinstatement`: gives back what was taken; `bonus`, `adjustment`, `correction`: granted by hand, an `adjustment` also for a sale of a period; `write_off`: what a member owed and the company bears
         * @enum {string}
         */
        CommissionKind: "commission" | "reversal" | "clawback" | "reinstatement" | "bonus" | "adjustment" | "correction" | "write_off";
        /** @description Minor units by currency */
        AmountsByCurrencyInput: {
            [key: string]: number;
        };
        /** @description What is asked for */
        RuleFact: string;
        /** @description Of a text: it is one of these */
        RuleTexts: string[];
        /** @description A whole number; of an amount minor units by currency */
        RuleBound: number | {
            [key: string]: number;
        };
        /** @description A condition within another */
        RuleTestsJoined: {
            fact?: components["schemas"]["RuleFact"];
            in?: components["schemas"]["RuleTexts"];
            /** @description It is at least this */
            gte?: components["schemas"]["RuleBound"];
            /** @description It is less than this */
            lt?: components["schemas"]["RuleBound"];
            /**
             * @description It is there
             * @constant
             */
            exists?: true;
            /** @description All of these hold */
            all?: components["schemas"]["RuleTests"][];
            /** @description One of these holds at least */
            any?: components["schemas"]["RuleTests"][];
            /** @description This does not hold */
            not?: components["schemas"]["RuleTests"];
        };
        /** @description A test, or tests joined */
        RuleTests: {
            fact?: components["schemas"]["RuleFact"];
            in?: components["schemas"]["RuleTexts"];
            /** @description It is at least this */
            gte?: components["schemas"]["RuleBound"];
            /** @description It is less than this */
            lt?: components["schemas"]["RuleBound"];
            /**
             * @description It is there
             * @constant
             */
            exists?: true;
            /** @description All of these hold */
            all?: components["schemas"]["RuleTest"][];
            /** @description One of these holds at least */
            any?: components["schemas"]["RuleTest"][];
            /** @description This does not hold */
            not?: components["schemas"]["RuleTest"];
        };
        /** @description One test of one fact */
        RuleTest: {
            fact?: components["schemas"]["RuleFact"];
            in?: components["schemas"]["RuleTexts"];
            /** @description It is at least this */
            gte?: components["schemas"]["RuleBound"];
            /** @description It is less than this */
            lt?: components["schemas"]["RuleBound"];
            /**
             * @description It is there
             * @constant
             */
            exists?: true;
        };
        /** @description A test, or conditions joined, at most three deep */
        RuleCondition: {
            fact?: components["schemas"]["RuleFact"];
            in?: components["schemas"]["RuleTexts"];
            /** @description It is at least this */
            gte?: components["schemas"]["RuleBound"];
            /** @description It is less than this */
            lt?: components["schemas"]["RuleBound"];
            /**
             * @description It is there
             * @constant
             */
            exists?: true;
            /** @description All of these hold */
            all?: components["schemas"]["RuleTestsJoined"][];
            /** @description One of these holds at least */
            any?: components["schemas"]["RuleTestsJoined"][];
            /** @description This does not hold */
            not?: components["schemas"]["RuleTestsJoined"];
        };
        /** @description A rate, a sum or a ladder, exactly one */
        RulePay: {
            /** @description Hundredths of a per cent of the base; 0 pays nothing */
            rateBps?: number;
            /** @description A fixed amount, minor units by currency */
            flatMinor?: {
                [key: string]: number;
            };
            /**
             * @description Of a fixed amount: `sale`: it is paid once; `unit`: for each piece. Default `sale`
             * @enum {string}
             */
            per?: "sale" | "unit";
            /** @description Id of a ladder of the plan */
            ladder?: string;
        };
        PlanDefinitionInput: {
            /**
             * @description `unilevel`: each level its rate; `differential`: each tier what those below have not got
             * @enum {string}
             */
            mode: "unilevel" | "differential";
            /**
             * @description What commissions are worked out on: `gross`: what was paid; `net_of_tax`: less tax; `net_of_tax_shipping`: less shipping too; `line_items`: the sum of the line items that the scope names
             * @enum {string}
             */
            base: "gross" | "net_of_tax" | "net_of_tax_shipping" | "line_items";
            /** @description What each level pays */
            levels: {
                /** @description 1 is the credited member */
                level: number;
                /** @description Hundredths of a per cent of the base */
                rateBps?: number;
                /** @description A fixed amount by currency, in place of a rate */
                flatMinor?: components["schemas"]["AmountsByCurrencyInput"];
                /** @description Id of a ladder of the plan, in place of a rate */
                ladder?: string;
            }[];
            /** @description Rules by tier */
            tierRules: {
                [key: string]: {
                    /**
                     * @description Thousandths; unilevel only
                     * @default 1000
                     */
                    multiplierMilli?: number;
                    /**
                     * @description Deepest level this tier is paid for
                     * @default 256
                     */
                    maxDepth?: number;
                    /** @description Own rate; differential only */
                    rateBps?: number;
                };
            };
            /**
             * @description Who is paid at all
             * @default {}
             */
            qualification?: {
                /**
                 * @description Whether only active members are paid
                 * @default true
                 */
                active?: boolean;
                /**
                 * @description Whether only verified members are paid
                 * @default false
                 */
                kycApproved?: boolean;
                /** @description Purchases credited to the member in the sale's month, by currency; 0 for none */
                minPersonalSalesMinor?: components["schemas"]["AmountsByCurrencyInput"] | 0;
                /**
                 * @description Active recruits that a member needs
                 * @default 0
                 */
                minActiveDirects?: number;
                /**
                 * @description The local month of the sale
                 * @default month
                 * @constant
                 */
                window?: "month";
            };
            /**
             * @description `none`: a place is lost; `roll_up`, `compress`: the next above takes it
             * @enum {string}
             */
            compression: "none" | "roll_up" | "compress";
            /**
             * @description A member's own purchase: `none`: pays nobody; `self_rebate`: the member; `sponsor_first`: from the sponsor up
             * @enum {string}
             */
            personalPurchase: "none" | "self_rebate" | "sponsor_first";
            /**
             * @description How renewals are paid
             * @default {}
             */
            recurring?: {
                /**
                 * @description Whether renewals are paid
                 * @default true
                 */
                enabled?: boolean;
                /**
                 * @description Months that renewals are paid; null: without end
                 * @default null
                 */
                maxMonths?: number | null;
                /**
                 * @description Renewals that are paid; null: all
                 * @default null
                 */
                maxEvents?: number | null;
            };
            /** @description How long lines wait before they clear */
            holding: {
                /** @description Days that a commission is held */
                days: number;
                /**
                 * @description `all_levels` wait, or `level_1` alone
                 * @default all_levels
                 * @enum {string}
                 */
                appliesTo?: "all_levels" | "level_1";
            };
            /**
             * @description Most that is paid
             * @default {}
             */
            caps?: {
                /**
                 * @description Most that one sale pays, in basis points; null: no limit
                 * @default null
                 */
                perEventPayoutBps?: number | null;
                perMemberPeriodMinor?: components["schemas"]["AmountsByCurrencyInput"] | null;
                perCustomerLifetimeMinor?: components["schemas"]["AmountsByCurrencyInput"] | null;
            };
            /**
             * @description How amounts are rounded
             * @default {}
             */
            rounding?: {
                /**
                 * @description Half up, once a line
                 * @default half_up
                 * @constant
                 */
                mode?: "half_up";
                /**
                 * @description Who keeps what rounding leaves
                 * @default company
                 * @constant
                 */
                residual?: "company";
            };
            /**
             * @description Currency that members are paid in
             * @default {}
             */
            fx?: {
                /**
                 * @description In the currency of the `member`, or of the `purchase`
                 * @default purchase
                 * @enum {string}
                 */
                payCurrency?: "member" | "purchase";
                /**
                 * @description The latest rate that is not after the sale
                 * @default occurred_at
                 * @constant
                 */
                rateAt?: "occurred_at";
            };
            /**
             * @description How refunds take back
             * @default {}
             */
            reversal?: {
                /**
                 * @description How refunds take back
                 * @default proportional
                 * @constant
                 */
                policy?: "proportional";
                /**
                 * @description What is taken back after payout: `carry_forward`: the member owes it; `write_off`: the company bears it
                 * @default carry_forward
                 * @enum {string}
                 */
                recoverAfterPayout?: "carry_forward" | "write_off";
                /** @description The most a member can come to owe, by currency; the company bears the rest */
                floorMinor?: components["schemas"]["AmountsByCurrencyInput"] | null;
                /**
                 * @description What a member still owes of a clawback after so many days is written off
                 * @default null
                 */
                writeOffAfterDays?: number | null;
            };
            minimumPayoutMinor?: components["schemas"]["AmountsByCurrencyInput"];
            /** @description On which facts of a sale levels are paid otherwise, in the order asked */
            rules?: {
                /** @description Names the rule in explanations */
                id: string;
                /** @description Paid levels that it is for, or `all` */
                levels: "all" | number[];
                /**
                 * @description Final rules are asked first, and what was agreed with a member does not come before them
                 * @default false
                 */
                final?: boolean;
                /** @description When it holds */
                when: components["schemas"]["RuleCondition"];
                pay: components["schemas"]["RulePay"];
            }[];
            /** @description Rates that rise with what a member has sold */
            ladders?: {
                /** @description Id of a ladder of the plan */
                id: string;
                /**
                 * @description `base`: what commissions were calculated on; `amount`: what was paid; `sales`: how many
                 * @enum {string}
                 */
                measure: "base" | "amount" | "sales";
                /**
                 * @description Whether the member's own purchases count
                 * @default false
                 */
                ownPurchases?: boolean;
                /**
                 * @description `month`, `quarter`, `year` of the sale in the tenant's zone; `lifetime`: all sales before it
                 * @enum {string}
                 */
                period: "month" | "quarter" | "year" | "lifetime";
                /**
                 * @description `next_sale`: a step pays from the next sale on; `whole_period`: afterwards all sales of the period
                 * @default next_sale
                 * @enum {string}
                 */
                settle?: "next_sale" | "whole_period";
                /**
                 * @description Days from the end of a period until it is settled
                 * @default 10
                 */
                settleAfterDays?: number;
                /** @description Rising; the last one that the sum has reached pays */
                steps: {
                    /** @description From so many sales, or from this sum of them by currency; the first step from 0 */
                    from?: number | {
                        [key: string]: number;
                    };
                    /** @description Hundredths of a per cent of the base */
                    rateBps: number;
                }[];
            }[];
            /** @description How far rates that were agreed with members, for links or for codes count; null: not at all */
            overrides?: {
                /**
                 * @description Paid levels for which what was agreed counts
                 * @default [
                 *       1
                 *     ]
                 */
                levels?: number[];
                /** @description The most of it that counts, in basis points: a higher rate is cut to it */
                maxRateBps: number;
                /** @description The same of sums, for a sale or a piece as they are; in other currencies sums do not count */
                maxFlatMinor?: components["schemas"]["AmountsByCurrencyInput"];
            } | null;
            /**
             * @description Sales that the plan is for
             * @default {}
             */
            scope?: {
                /**
                 * @description Of several plans that match, the highest wins
                 * @default 0
                 */
                priority?: number;
                /**
                 * @description Types of sales; null: all
                 * @default null
                 */
                types?: ("one_time" | "subscription_initial" | "subscription_renewal")[] | null;
                /**
                 * @description Article numbers; null: all
                 * @default null
                 */
                skus?: string[] | null;
                /**
                 * @description Keys of groups: sales credited to their members alone, ahead of plans that name none; null: all
                 * @default null
                 */
                groups?: string[] | null;
                /**
                 * @description Categories; null: all
                 * @default null
                 */
                categories?: string[] | null;
            };
        };
        LintCommissionPlanInput: {
            /** @description The draft */
            definition: components["schemas"]["PlanDefinitionInput"];
            /**
             * Format: uuid
             * @description Plan whose draft it is; default a new one
             */
            planId?: string | null;
        };
        /**
         * @description `one_time`; `subscription_initial`: the first of a subscription; `subscription_renewal`: each that follows
         * @enum {string}
         */
        PurchaseType: "one_time" | "subscription_initial" | "subscription_renewal";
        /**
         * @description `opened`: the lines of the purchase are held; `won`: they are released; `lost`: they are taken back
         * @enum {string}
         */
        DisputeStage: "opened" | "won" | "lost";
        /**
         * @description `refund`: the shop gives back; `chargeback`: the customer disputes the payment
         * @enum {string}
         */
        ReversalKind: "refund" | "chargeback";
        /**
         * @description `bonus`: for something else than a sale; `adjustment`, `correction`: changes what was paid; `write_off`: lets a member off what it owes
         * @enum {string}
         */
        ManualCommissionType: "bonus" | "adjustment" | "correction" | "write_off";
        /**
         * @description `purchase`; `refund`, `chargeback`: take a purchase back; `commission`: granted by hand; `period`: by the service, for a period
         * @enum {string}
         */
        EventKind: "purchase" | "refund" | "chargeback" | "commission" | "period";
        /**
         * @description Of a purchase `one_time`, `subscription_initial` or `subscription_renewal`; of a manual commission `bonus`, `adjustment`, `correction` or `write_off`
         * @enum {string}
         */
        EventType: "one_time" | "subscription_initial" | "subscription_renewal" | "bonus" | "adjustment" | "correction" | "write_off";
        /**
         * @description `accepted`; `unattributed`: nobody to credit, nothing was paid; `held`: a commission was held when it was recorded
         * @enum {string}
         */
        EventStatus: "accepted" | "unattributed" | "held";
        AssumedFacts: {
            "sale.source"?: components["schemas"]["AttributionRule"];
            /** @description 1: a member buys */
            "customer.isMember"?: number;
            /** @description 1 is the first purchase */
            "customer.purchaseNumber"?: number;
            /** @description Whole months since the first purchase */
            "customer.monthsSinceFirst"?: number;
            /** @description Tier of the credited member, for rules alone */
            "credited.tier"?: components["schemas"]["MembershipTier"];
            /** @description Days since the credited member joined */
            "credited.ageDays"?: number;
        };
        /**
         * @description What credited the member: `explicit_user`: the call named it; its `referral_code` or `link`; `first_referrer`: of the customer; `lead`: who referred it; `click`; `personal_purchase`: a member bought; `none`: nobody is credited
         * @enum {string}
         */
        AttributionRule: "explicit_user" | "referral_code" | "link" | "first_referrer" | "lead" | "click" | "personal_purchase" | "none";
        /**
         * @description `link`, `code`: sales that it brought; `member`: sales that the member is paid for
         * @enum {string}
         */
        OverrideTarget: "link" | "code" | "member";
        /** @description Products by article number or category; either will do */
        OverrideItems: {
            /** @description Article numbers */
            skus?: string[];
            /** @description Categories */
            categories?: string[];
        };
        /** @description A rate or a sum, exactly one */
        RatePay: {
            /** @description Hundredths of a per cent of the base; 0 pays nothing */
            rateBps?: number;
            /** @description A fixed amount, minor units by currency */
            flatMinor?: {
                [key: string]: number;
            };
            /**
             * @description Of a fixed amount: `sale`: it is paid once; `unit`: for each piece. Default `sale`
             * @enum {string}
             */
            per?: "sale" | "unit";
        };
        /**
         * @description `captured`; `qualified`: found worth pursuing; `converted`: became a member; `disqualified`: found not to be; `expired`: not converted in time
         * @enum {string}
         */
        LeadStatus: "captured" | "qualified" | "converted" | "disqualified" | "expired";
        /**
         * @description What the rows are: `members`, `leads`, `purchases` or `rate_overrides`
         * @enum {string}
         */
        ImportKind: "members" | "leads" | "purchases" | "rate_overrides";
        /**
         * @description `receiving`: while the file is being sent; `queued`: waits for its turn; `running`; `completed`: all rows were tried; `failed`: ended before; `cancelled`: by a request
         * @enum {string}
         */
        ImportStatus: "receiving" | "queued" | "running" | "completed" | "failed" | "cancelled";
        /**
         * @description `residential`: where the person lives; `mailing`: where letters go; `business`: where the person works
         * @enum {string}
         */
        AddressType: "residential" | "mailing" | "business";
        /**
         * @description A picture, `image/jpeg` or `image/png`, or `application/pdf`; selfies are no PDF
         * @enum {string}
         */
        KycDocumentFormat: "image/jpeg" | "image/png" | "application/pdf";
        /**
         * @description `government_id_front`, `government_id_back`: of one identity document; `selfie`: the face; `proof_of_address`: optional
         * @enum {string}
         */
        KycDocumentType: "government_id_front" | "government_id_back" | "selfie" | "proof_of_address";
        /**
         * @description `not_started`: no documents yet; `pending`: waits for a review; `approved`, `rejected`: by the reviewer or the vendor; `resubmit_required`: something is to be sent in again, `rejectionReason` says what
         * @enum {string}
         */
        KycStatus: "not_started" | "pending" | "approved" | "rejected" | "resubmit_required";
        /**
         * @description `manual`: staff reviews documents; `kycvendor`: the KYC vendor verifies
         * @enum {string}
         */
        KycProvider: "manual" | "kycvendor";
        /**
         * @description `provisioning`: being set up at the vendor; `active`: is paid to; `action_required`: the vendor wants to know more; `rejected`: by the vendor, for good; `deactivated`: by a request
         * @enum {string}
         */
        PayoutAccountStatus: "provisioning" | "active" | "action_required" | "rejected" | "deactivated";
        /**
         * @description As stored: `matched`, `mismatch`, `accepted`, `not_compared`; a draft compares what is not compared yet
         * @enum {string}
         */
        NameMatchFilter: "matched" | "mismatch" | "accepted" | "not_compared";
        /**
         * @description `draft`; `approved`: may be executed; `executing`: payouts are on their way; `completed`: none failed; `partially_failed`: ended, with failed ones; `cancelled`
         * @enum {string}
         */
        PayoutRunStatus: "draft" | "approved" | "executing" | "completed" | "partially_failed" | "cancelled";
        /**
         * @description The first that applies, in this order. `TEST_USER`: a member for trying out. `HELD`: a hold is on it. `BELOW_MINIMUM`: too little is due. `NO_MINIMUM`: the currency has none. `NO_ACCOUNT`: no active one in the currency. `KYC_REQUIRED`: it is not verified. `NEGATIVE_BALANCE`: it owes more than it earned. `ACCOUNT_COOLDOWN`: the account is too new. `NAME_MISMATCH`: the account is held under another name. `AMOUNT_NOT_PAYABLE`: the payment vendor pays out the currency in whole units only, such as HUF; the commissions stay cleared, and a manual commission of the difference makes the amount whole. `INACTIVE`: of runs drafted before holds
         * @enum {string}
         */
        BlockReason: "TEST_USER" | "HELD" | "BELOW_MINIMUM" | "NO_MINIMUM" | "NO_ACCOUNT" | "KYC_REQUIRED" | "NEGATIVE_BALANCE" | "ACCOUNT_COOLDOWN" | "NAME_MISMATCH" | "AMOUNT_NOT_PAYABLE" | "INACTIVE";
        /**
         * @description `queued`: not sent yet; `processing`: on its way; `paid`; `failed`: not paid, and can be tried again; `returned`: paid and came back; `cancelled`: never sent
         * @enum {string}
         */
        PayoutStatus: "queued" | "processing" | "paid" | "failed" | "returned" | "cancelled";
        /**
         * @description The list that is exported: `members` and so on; `ledger`: all postings; `trialBalance`: all accounts; `auditLogs`: the audit log
         * @enum {string}
         */
        ExportKind: "members" | "commissions" | "events" | "ledger" | "payouts" | "trialBalance" | "auditLogs";
        /**
         * @description `queued`: waits for its turn; `running`; `completed`: the file is there; `failed`; `cancelled`: by a request; `expired`: the file is gone, after 7 days or because a person in it was erased
         * @enum {string}
         */
        ExportStatus: "queued" | "running" | "completed" | "failed" | "cancelled" | "expired";
        /**
         * @description `owner`: all, people too; `admin`: all but people, approving payments and money by hand; `finance`: money; `reviewer`: verifications; `developer`: keys and webhooks
         * @enum {string}
         */
        StaffRole: "owner" | "admin" | "finance" | "reviewer" | "developer" | "read-only";
        SimulatedKycEventBody: {
            /**
             * @description A verification's event (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            kind: "kyc";
            /**
             * Format: uuid
             * @description A member whose verification the simulated vendor has
             */
            userId: string;
            /**
             * @description What the vendor finds: `approved`, `rejected`, `resubmit_required`; `pending`, `on_hold`: nothing yet; `reset`: takes back what was decided
             * @enum {string}
             */
            outcome: "pending" | "on_hold" | "approved" | "rejected" | "resubmit_required" | "reset";
            /** @description Of `rejected` and `resubmit_required`: what the member is shown */
            reason?: string;
        };
        SimulatedPayoutEventBody: {
            /**
             * @description A payout's event (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            kind: "payout";
            /**
             * Format: uuid
             * @description A payout that the simulated vendor is sending
             */
            payoutId: string;
            /**
             * @description `failed` before it was paid, `returned` after: its commissions are cleared again
             * @enum {string}
             */
            outcome: "paid" | "failed" | "returned";
        };
        SimulatedPayoutAccountEventBody: {
            /**
             * @description A payout account's event (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            kind: "payout_account";
            /**
             * Format: uuid
             * @description One of the member's accounts
             */
            accountId: string;
            /**
             * @description Of all accounts of the member in the country: `active`, `action_required`, or `rejected` for good
             * @enum {string}
             */
            outcome: "active" | "action_required" | "rejected";
        };
        PayoutScheduleBody: {
            currency: components["schemas"]["CurrencyCode"];
            cadence: components["schemas"]["PayoutCadence"];
            /** @description One, or two of `twice_a_month`. Of `weekly` 1 (Monday) to 7; else 1 to 28, or `last` for the last day of the month */
            days: (number | "last")[];
            /**
             * @description In the tenant's zone; default 06:00
             * @default 06:00
             */
            localTime?: string;
            /** @default now */
            cutoff?: components["schemas"]["PayoutCutoff"];
        };
        /**
         * @description `weekly`: on a day of the week; `twice_a_month`: on two days of the month; `monthly`: on one
         * @enum {string}
         */
        PayoutCadence: "weekly" | "twice_a_month" | "monthly";
        /**
         * @description `now`: what had cleared at the draft; `end_of_previous_month`: what had cleared when the month began
         * @enum {string}
         */
        PayoutCutoff: "now" | "end_of_previous_month";
        /**
         * @description Which of several clicks counts: `last_click`, the latest, or `first_click`, the earliest
         * @enum {string}
         */
        AttributionModel: "last_click" | "first_click";
        WidgetTheme: {
            /** @description Of links, buttons and bars. Where text in it could not be read it is made darker or lighter */
            accent?: string;
            /** @description Radius of corners in pixels */
            corner?: number;
            /** @description Of fonts that are installed; no font is loaded */
            fontFamily?: string;
            /**
             * @description `light`, `dark`, or `system`: as the browser is set, the default
             * @enum {string}
             */
            mode?: "light" | "dark" | "system";
        };
        AuditLogEntry: {
            /**
             * Format: uuid
             * @description Id
             */
            id: string;
            /** @description What was done to what kind of object, as `member_profile.updated` */
            action: string;
            actor: components["schemas"]["Actor"];
            /** @description What it was done to */
            target: {
                /** @description What kind it is */
                kind: string | null;
                /** @description Id */
                id: string | null;
            } | null;
            /** @description Of the operation that did it; else the command, job or sweep. Null of entries from before it was kept */
            operationId: string | null;
            /** @description `X-Request-Id` of the answer */
            requestId: string | null;
            /** @description The address that the request came from, for as long as the deployment keeps it */
            ip: string | null;
            /**
             * @deprecated
             * @description `target.kind`
             */
            objectKind: string | null;
            /**
             * @deprecated
             * @description `target.id`
             */
            objectId: string | null;
            /** @description Names of changed fields and the like; no personal data */
            details: {
                [key: string]: unknown;
            };
            /**
             * Format: date-time
             * @description When it was made
             */
            createdAt: string;
        };
        /** @description Who did it */
        Actor: {
            kind: components["schemas"]["ActorKind"];
            /** @description Of the API key, the person or the member; the name of the vendor */
            id: string | null;
            /** @description Of the key or the person; null: not known */
            name: string | null;
        };
        /** @description Whether more rows follow */
        HasMore: boolean;
        /** @description To be sent as `cursor` for the next page; null: this is the last */
        NextCursor: string | null;
        WebhookEndpointWithSecret: {
            /**
             * Format: uuid
             * @description Of the endpoint
             */
            id: string;
            /** @description Where events are posted to */
            url: string;
            /** @description What it hears: types, first words as `payout.*`, or `*` */
            eventTypes: string[];
            /** @description To tell endpoints apart; null: none */
            description: string | null;
            /** @description Whether events are sent to it */
            enabled: boolean;
            /**
             * @description `by_hand`: by a request. `gone`: it answered 410. `failing`: nothing arrived for five days. Null: it is enabled
             * @enum {string|null}
             */
            disabledReason: "by_hand" | "gone" | "failing" | null;
            /**
             * Format: date-time
             * @description Since when it is disabled; null: it is not
             */
            disabledAt: string | null;
            /** @description Of the headers of its own; their values are shown to nobody */
            headerNames: string[];
            /** @description Types that it hears and whose objects it is not sent, for who made it, or last changed its address, types or headers or enabled it, may not read them: `data` is null, and `leftOut` names it */
            hiddenTypes: string[];
            /**
             * Format: date-time
             * @description The first failure since the last success; null while it is well
             */
            failingSince: string | null;
            /**
             * Format: date-time
             * @description Until then two secrets sign, behind a rotation; null: one does
             */
            oldSecretUntil: string | null;
            /** @description Who made it */
            createdBy: components["schemas"]["Actor"];
            /** @description Whose rights it has: of who made it, or last changed its address, types or headers or enabled it */
            rightsOf: components["schemas"]["Actor"];
            /**
             * Format: date-time
             * @description When it was made
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it was last changed
             */
            updatedAt: string;
            /** @description With `with=hours`: the last 24, by the real clock, the oldest first */
            hours?: components["schemas"]["WebhookHour"][];
            /** @description Signs what is sent, as `whsec_…`. Shown this once: null in the repeat of a request with an Idempotency-Key */
            secret: string | null;
        };
        WebhookHour: {
            /**
             * Format: date-time
             * @description Begin of the hour
             */
            from: string;
            /** @description Attempts that arrived */
            delivered: number;
            /** @description Attempts that failed */
            failed: number;
        };
        WebhookEndpoint: {
            /**
             * Format: uuid
             * @description Of the endpoint
             */
            id: string;
            /** @description Where events are posted to */
            url: string;
            /** @description What it hears: types, first words as `payout.*`, or `*` */
            eventTypes: string[];
            /** @description To tell endpoints apart; null: none */
            description: string | null;
            /** @description Whether events are sent to it */
            enabled: boolean;
            /**
             * @description `by_hand`: by a request. `gone`: it answered 410. `failing`: nothing arrived for five days. Null: it is enabled
             * @enum {string|null}
             */
            disabledReason: "by_hand" | "gone" | "failing" | null;
            /**
             * Format: date-time
             * @description Since when it is disabled; null: it is not
             */
            disabledAt: string | null;
            /** @description Of the headers of its own; their values are shown to nobody */
            headerNames: string[];
            /** @description Types that it hears and whose objects it is not sent, for who made it, or last changed its address, types or headers or enabled it, may not read them: `data` is null, and `leftOut` names it */
            hiddenTypes: string[];
            /**
             * Format: date-time
             * @description The first failure since the last success; null while it is well
             */
            failingSince: string | null;
            /**
             * Format: date-time
             * @description Until then two secrets sign, behind a rotation; null: one does
             */
            oldSecretUntil: string | null;
            /** @description Who made it */
            createdBy: components["schemas"]["Actor"];
            /** @description Whose rights it has: of who made it, or last changed its address, types or headers or enabled it */
            rightsOf: components["schemas"]["Actor"];
            /**
             * Format: date-time
             * @description When it was made
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it was last changed
             */
            updatedAt: string;
            /** @description With `with=hours`: the last 24, by the real clock, the oldest first */
            hours?: components["schemas"]["WebhookHour"][];
        };
        WebhookDelivery: {
            /**
             * Format: uuid
             * @description Of the delivery
             */
            id: string;
            /**
             * Format: uuid
             * @description Where it goes
             */
            endpointId: string;
            /**
             * Format: uuid
             * @description What is sent
             */
            eventId: string;
            /** @description As `payout.paid` */
            eventType: string;
            /** @description Of the object that the event happened to */
            objectId: string;
            /** @description Number of the event in the environment */
            sequence: number;
            status: components["schemas"]["WebhookDeliveryStatus"];
            /** @description Attempts so far */
            attemptCount: number;
            /**
             * Format: date-time
             * @description While it waits, by the environment's clock; null: there is none to come
             */
            nextAttemptAt: string | null;
            /**
             * Format: date-time
             * @description When it was queued
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it was delivered, failed or cancelled; null: it waits
             */
            settledAt: string | null;
            lastAttempt: components["schemas"]["LastWebhookAttempt"];
        };
        /** @description The latest attempt, without the answer; null: none yet */
        LastWebhookAttempt: {
            /** @description Of the attempt, from 1 */
            number: number;
            /**
             * Format: date-time
             * @description When it was made
             */
            at: string;
            /** @description How many milliseconds it took */
            ms: number;
            /** @description Of the answer; null where there was none */
            status: number | null;
            /** @description Why there was no answer, or none that counts; null where the status tells */
            fault: string | null;
        } | null;
        WebhookDeliveryWithAttempts: {
            /**
             * Format: uuid
             * @description Of the delivery
             */
            id: string;
            /**
             * Format: uuid
             * @description Where it goes
             */
            endpointId: string;
            /**
             * Format: uuid
             * @description What is sent
             */
            eventId: string;
            /** @description As `payout.paid` */
            eventType: string;
            /** @description Of the object that the event happened to */
            objectId: string;
            /** @description Number of the event in the environment */
            sequence: number;
            status: components["schemas"]["WebhookDeliveryStatus"];
            /** @description Attempts so far */
            attemptCount: number;
            /**
             * Format: date-time
             * @description While it waits, by the environment's clock; null: there is none to come
             */
            nextAttemptAt: string | null;
            /**
             * Format: date-time
             * @description When it was queued
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it was delivered, failed or cancelled; null: it waits
             */
            settledAt: string | null;
            lastAttempt: components["schemas"]["LastWebhookAttempt"];
            /** @description The first one first */
            attempts: components["schemas"]["WebhookAttempt"][];
            /** @description The event, as it is sent */
            body: components["schemas"]["WebhookEvent"];
        };
        WebhookAttempt: {
            /** @description Of the attempt, from 1 */
            number: number;
            /**
             * Format: date-time
             * @description When it was made
             */
            at: string;
            /** @description How many milliseconds it took */
            ms: number;
            /** @description Of the answer; null where there was none */
            status: number | null;
            /** @description Why there was no answer, or none that counts; null where the status tells */
            fault: string | null;
            /** @description The first 1,024 bytes of the answer; null: none, or not for you to read */
            answer: string | null;
        };
        /**
         * @description `LIVE`, or `SANDBOX` for trying out
         * @enum {string}
         */
        Environment: "LIVE" | "SANDBOX";
        WebhookEvent: {
            /**
             * Format: uuid
             * @description The same as the header webhook-id, in every attempt
             */
            id: string;
            /** @description What has happened, as `member.created` */
            type: string;
            /** @description Its number among the events of the environment: dense, in the order of commits */
            sequence: number;
            /**
             * Format: date-time
             * @description When it happened, by the environment's clock
             */
            occurredAt: string;
            /** @description Where it happened */
            environment: components["schemas"]["Environment"];
            /** @description Of the object that it happened to */
            objectId: string;
            /** @description Of two states of one object the later has the larger; nothing else is told by it */
            objectVersion: number;
            /** @description Who did it */
            actor: {
                /**
                 * @description `staff`: a person of the tenant; `operator`: of the deployment; `system`: the service by itself
                 * @enum {string}
                 */
                kind: "api_key" | "staff" | "member" | "operator" | "vendor" | "system";
                /** @description Of the key, the person or the member; null where nobody in particular did it */
                id: string | null;
            };
            /** @description Fields of `data` that were too large, or `data` itself, where a person in it was erased or where the right to read it is missing; absent where nothing is missing */
            leftOut?: string[];
            /** @description The object as the API shows it; the type says which */
            data: unknown;
        };
        EventSnapshot: {
            /**
             * Format: uuid
             * @description Of the snapshot
             */
            id: string;
            /** @description The kinds of objects in the file */
            kinds: components["schemas"]["EventSnapshotKind"][];
            /**
             * @description `queued`: waits for its turn; `running`; `completed`: the file is there; `failed`; `expired`: the file is gone, after a day, or because a member was erased or the SANDBOX reset
             * @enum {string}
             */
            status: "queued" | "running" | "completed" | "failed" | "expired";
            /** @description Events behind this number are not in it; null before it is complete */
            sequence: number | null;
            /** @description Objects in the file */
            rowCount: number;
            /** @description Of the file; null before it is complete */
            byteCount: number | null;
            /** @description Why there is no file */
            failure: string | null;
            /** @description Who asked for it */
            createdBy: components["schemas"]["Actor"];
            /**
             * Format: date-time
             * @description When it was asked for
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it was completed or failed; null: not yet
             */
            finishedAt: string | null;
            /**
             * Format: date-time
             * @description Until then, by the real clock, the file can be downloaded
             */
            expiresAt: string;
        };
        PendingChange: {
            /**
             * Format: uuid
             * @description Of the change that waits
             */
            id: string;
            /** @description Of the request that waits */
            operationId: string;
            status: components["schemas"]["PendingChangeStatus"];
            /** @description All that the request would change */
            fields: components["schemas"]["PendingChangeField"][];
            /** @description Who asked for it */
            createdBy: components["schemas"]["Actor"];
            /**
             * Format: date-time
             * @description When it was asked for
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description From then on it cannot be confirmed
             */
            expiresAt: string;
            /** @description Who confirmed, rejected or cancelled it, or `system`; null: it waits */
            decidedBy: components["schemas"]["Actor"] | null;
            /**
             * Format: date-time
             * @description When it stopped waiting; null: it waits
             */
            decidedAt: string | null;
            /** @description Why it was rejected; null: nothing was said */
            reason: string | null;
        };
        PendingChangeField: {
            /** @description As `payments.dualControl` */
            field: string;
            /**
             * @description What it does to a safeguard: `tightens`, `weakens`, or `neutral`: nothing
             * @enum {string}
             */
            direction: "tightens" | "weakens" | "neutral";
            /** @description Of a secret, whether it is set; null where the value is not shown */
            from: unknown;
            /** @description Of a secret, whether it is set; null where the value is not shown */
            to: unknown;
        };
        ReferralCode: {
            /**
             * Format: uuid
             * @description Id
             */
            id: string;
            /**
             * Format: uuid
             * @description The member whose it is
             */
            user_id: string;
            /** @description Upper case */
            code: string;
            /** @description A `retired` code refers nobody and never returns */
            status: components["schemas"]["ReferralCodeStatus"];
            /** @description Every member has one default code, the `referral_code` of the member */
            is_default: boolean;
            /**
             * Format: date-time
             * @description When it was made
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it last changed
             */
            updated_at: string;
        };
        ResolvedReferralCode: {
            /** @description The code, as it is stored */
            referral_code: string;
            /**
             * Format: uuid
             * @description The code
             */
            code_id: string;
            /**
             * Format: uuid
             * @description The member whose code it is
             */
            user_id: string;
            /** @description Name of the member; null: not given */
            name: string | null;
            /** @description Whether it credits anybody now */
            is_active: boolean;
            /** @description When false, nobody can become a member under it */
            can_recruit: boolean;
        };
        ReferralLink: {
            /**
             * Format: uuid
             * @description Id
             */
            id: string;
            /** @description Last part of the link */
            slug: string;
            /** @description What the member hands out: it leads to `destination_url` */
            url: string;
            /**
             * Format: uuid
             * @description The member whose it is
             */
            user_id: string;
            /** @description Where the link leads */
            destination_url: string;
            /** @description Name for the member's own list; null: none */
            name: string | null;
            /** @description `active`, or `disabled`: it leads on and credits nobody */
            status: components["schemas"]["ReferralLinkStatus"];
            /**
             * Format: date-time
             * @description From then on it leads nowhere; null: never
             */
            expires_at: string | null;
            /**
             * Format: date-time
             * @description When it was made
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it last changed
             */
            updated_at: string;
        };
        ListedReferralLink: {
            /**
             * Format: uuid
             * @description Id
             */
            id: string;
            /** @description Last part of the link */
            slug: string;
            /** @description What the member hands out: it leads to `destination_url` */
            url: string;
            /**
             * Format: uuid
             * @description The member whose it is
             */
            user_id: string;
            /** @description Where the link leads */
            destination_url: string;
            /** @description Name for the member's own list; null: none */
            name: string | null;
            /** @description `active`, or `disabled`: it leads on and credits nobody */
            status: components["schemas"]["ReferralLinkStatus"];
            /**
             * Format: date-time
             * @description From then on it leads nowhere; null: never
             */
            expires_at: string | null;
            /**
             * Format: date-time
             * @description When it was made
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it last changed
             */
            updated_at: string;
            /** @description With `with=clicks`, as in the link alone; 10,000 stands for as many or more */
            click_count?: number;
            /**
             * Format: date-time
             * @description With `with=clicks`
             */
            last_clicked_at?: string | null;
        };
        CountedReferralLink: {
            /**
             * Format: uuid
             * @description Id
             */
            id: string;
            /** @description Last part of the link */
            slug: string;
            /** @description What the member hands out: it leads to `destination_url` */
            url: string;
            /**
             * Format: uuid
             * @description The member whose it is
             */
            user_id: string;
            /** @description Where the link leads */
            destination_url: string;
            /** @description Name for the member's own list; null: none */
            name: string | null;
            /** @description `active`, or `disabled`: it leads on and credits nobody */
            status: components["schemas"]["ReferralLinkStatus"];
            /**
             * Format: date-time
             * @description From then on it leads nowhere; null: never
             */
            expires_at: string | null;
            /**
             * Format: date-time
             * @description When it was made
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it last changed
             */
            updated_at: string;
            /** @description Without bots, and without pages that a browser fetched ahead; 1,000,000 stands for as many or more */
            click_count: number;
            /**
             * Format: date-time
             * @description Last click that counted; null: none yet
             */
            last_clicked_at: string | null;
        };
        Click: {
            /** @description Signed, for `attribution` and leads; null: not recorded */
            click_id: string | null;
            /**
             * Format: uuid
             * @description The link; null: none
             */
            link_id: string | null;
            /** @description Of a click by a code */
            referral_code: string | null;
            /**
             * Format: uuid
             * @description The member that the link or code was of
             */
            user_id: string;
            /**
             * Format: date-time
             * @description When it was clicked; null: not known
             */
            clicked_at: string | null;
            /** @description The customer's id in the tenant's system */
            customer_external_id: string | null;
        };
        Group: {
            /** @description What plans name it by, for ever */
            key: string;
            /** @description Name of the group, for people */
            name: string;
            status: components["schemas"]["GroupStatus"];
            /** @description Who made it; null of `default`, which is always there */
            createdBy: components["schemas"]["Actor"] | null;
            /**
             * Format: date-time
             * @description When it was made
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it last changed
             */
            updatedAt: string;
        };
        UserStatusResponse: {
            /**
             * Format: uuid
             * @description The member
             */
            user_id: string;
            /**
             * Format: email
             * @description The member's address
             */
            email: string;
            /** @description Tier of the member now */
            membership_tier: components["schemas"]["MembershipTier"];
            /** @description Whether the member is active */
            is_active: boolean;
            /** @description Whether the member may have recruits */
            can_recruit: boolean;
            /** @description Folds of the ledger in `currency`. `total` = pending + cleared + processing + paid, so `total` minus the three shown is what is processing. */
            commission_balance: {
                /** @description Major units; null where it is too large: see `pendingExact` */
                pending: number | null;
                /** @description `pending` in digits, where that is null */
                pendingExact?: string;
                /** @description Major units; null where it is too large: see `clearedExact` */
                cleared: number | null;
                /** @description `cleared` in digits, where that is null */
                clearedExact?: string;
                /** @description Major units; null where it is too large: see `paidExact` */
                paid: number | null;
                /** @description `paid` in digits, where that is null */
                paidExact?: string;
                /** @description Major units; null where it is too large: see `totalExact` */
                total: number | null;
                /** @description `total` in digits, where that is null */
                totalExact?: string;
            };
            /** @description The tenant's default currency; balances in others are in the breakdown */
            currency: components["schemas"]["Currency"];
        };
        Member: {
            /**
             * Format: uuid
             * @description Id
             */
            id: string;
            /**
             * Format: uuid
             * @description The tenant
             */
            tenant_id: string;
            /**
             * Format: email
             * @description Address, as it was typed
             */
            email: string;
            /** @description Tier of the member */
            membership_tier: components["schemas"]["MembershipTier"];
            /**
             * Format: uuid
             * @description Sponsor; null for a root member
             */
            parent_id: string | null;
            /** @description Whether the member is active */
            is_active: boolean;
            /** @description Whether the member may have recruits */
            can_recruit: boolean;
            /** @description Whether it is a test member, which is never paid */
            is_test_user: boolean;
            /** @description Key of its group, now */
            group: string;
            standing: components["schemas"]["MemberStanding"];
            /**
             * Format: date-time
             * @description When it came to the tenant
             */
            joined_at: string;
            /** @description Full name; null: not given */
            name: string | null;
            /** @description The member's id in the tenant's own system */
            external_id: string | null;
            pay_currency: components["schemas"]["Currency"];
            /** @description The member's default referral code */
            referral_code: string;
            /** @description Null of a member from before it was kept */
            created_by: components["schemas"]["Actor"] | null;
            /**
             * Format: date-time
             * @description When it was made
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it last changed
             */
            updated_at: string;
        };
        /** @description ISO 4217 */
        Currency: string;
        MemberHistory: {
            /**
             * Format: uuid
             * @description The member
             */
            userId: string;
            /** @description Tiers over time */
            tier: {
                membershipTier: components["schemas"]["MembershipTier"];
                /**
                 * Format: date-time
                 * @description From when the value counts; null: since always
                 */
                validFrom: string | null;
                /**
                 * Format: date-time
                 * @description When the service recorded it
                 */
                recordedAt: string;
                /** @description Why, as whoever did it wrote; null: not given */
                reason: string | null;
            }[];
            /** @description Activity over time */
            activity: {
                /** @description Whether the member is active */
                isActive: boolean;
                /**
                 * Format: date-time
                 * @description From when the value counts; null: since always
                 */
                validFrom: string | null;
                /**
                 * Format: date-time
                 * @description When the service recorded it
                 */
                recordedAt: string;
                /** @description Why, as whoever did it wrote; null: not given */
                reason: string | null;
            }[];
            /** @description Sponsors over time */
            sponsor: {
                /**
                 * Format: uuid
                 * @description The sponsor; null: a root
                 */
                sponsorId: string | null;
                /**
                 * Format: date-time
                 * @description From when the value counts; null: since always
                 */
                validFrom: string | null;
                /**
                 * Format: date-time
                 * @description When the service recorded it
                 */
                recordedAt: string;
                /** @description Why, as whoever did it wrote; null: not given */
                reason: string | null;
            }[];
            /** @description Keys of groups over time */
            group: {
                /** @description Key of the group */
                group: string;
                /**
                 * Format: date-time
                 * @description From when the value counts; null: since always
                 */
                validFrom: string | null;
                /**
                 * Format: date-time
                 * @description When the service recorded it
                 */
                recordedAt: string;
                /** @description Why, as whoever did it wrote; null: not given */
                reason: string | null;
            }[];
            /** @description Standings over time */
            standing: {
                standing: components["schemas"]["MemberStanding"];
                /**
                 * Format: date-time
                 * @description From when the value counts; null: since always
                 */
                validFrom: string | null;
                /**
                 * Format: date-time
                 * @description When the service recorded it
                 */
                recordedAt: string;
                /** @description Why, as whoever did it wrote; null: not given */
                reason: string | null;
            }[];
        };
        SponsorMove: {
            /**
             * Format: uuid
             * @description The member
             */
            userId: string;
            /**
             * Format: uuid
             * @description As asked for; a later change may hold at present
             */
            sponsorId: string | null;
            /**
             * Format: uuid
             * @description The sponsor that held at effectiveAt until this move
             */
            formerSponsorId: string | null;
            /**
             * Format: date-time
             * @description When the sponsor begins to count; null: it has been the sponsor since always, and nothing changed
             */
            effectiveAt: string | null;
            /** @description Why the member moves */
            reason: string | null;
            /** @description Members below the moved one that have moved along; 0 when the present sponsor stays */
            downlineMoved: number;
        };
        GroupMember: {
            /**
             * Format: uuid
             * @description The member
             */
            userId: string;
            /** @description The member's id in the tenant's own system */
            externalId: string | null;
            /**
             * Format: date-time
             * @description From when it is in the group; null: since always
             */
            since: string | null;
        };
        MemberGroupEntry: {
            /** @description Key of the group */
            group: string;
            /**
             * Format: date-time
             * @description From when it counts; null: since always
             */
            validFrom: string | null;
            /**
             * Format: date-time
             * @description When the service recorded it
             */
            recordedAt: string;
            /** @description Why, as whoever did it wrote; null: not given */
            reason: string | null;
            /** @description Who moved the member; null of the group since always */
            createdBy: components["schemas"]["Actor"] | null;
        };
        AttributionReceipt: {
            /**
             * Format: uuid
             * @description Id
             */
            id: string;
            /**
             * Format: uuid
             * @description Of a purchase
             */
            event_id: string | null;
            /**
             * Format: uuid
             * @description Of the capture of a lead
             */
            lead_id: string | null;
            /**
             * Format: uuid
             * @description Of the sign-up of a member, who was placed under `user_id`
             */
            placed_user_id: string | null;
            /**
             * @description What won: the source of the candidate, such as `explicit_user`, `referral_code`, `link` or `click`; `personal_purchase`: a member bought; `none`: nobody is credited
             * @enum {string}
             */
            rule: "standing" | "explicit_user" | "referral_code" | "link" | "first_referrer" | "lead" | "click" | "personal_purchase" | "none";
            /**
             * Format: uuid
             * @description The member that is credited
             */
            user_id: string | null;
            /** @description Which of several clicks counted */
            model: components["schemas"]["AttributionModel"];
            /** @description Days back that clicks count */
            window_days: number;
            /**
             * Format: date-time
             * @description Time of the sale, capture or sign-up: what the window is counted back from
             */
            as_of: string;
            /**
             * Format: date-time
             * @description When it was made
             */
            created_at: string;
            /** @description Everybody who was considered, in the order of attribution, each with exactly one outcome */
            candidates: components["schemas"]["AttributionCandidate"][];
            /** @description Whether the rule, run again on what the receipt keeps, comes to the same */
            decided_again: boolean;
        };
        AttributionCandidate: {
            source: components["schemas"]["CandidateSource"];
            /** @description What was named: a code, or the id of a member, link, lead, click or customer */
            reference: string;
            /**
             * Format: uuid
             * @description Whom it leads to
             */
            user_id: string | null;
            /** @description Whether that member was active then */
            active: boolean | null;
            state: components["schemas"]["CandidateState"];
            /**
             * Format: date-time
             * @description When the click was, the lead got its referrer, or the first purchase was credited
             */
            at: string | null;
            /**
             * @description `won`: it is credited; `lost`: another is, or it could not be
             * @enum {string}
             */
            outcome: "won" | "lost";
            /** @description Why it lost */
            reason: string | null;
            /** @description The same, for a person */
            message: string | null;
        };
        /**
         * @description `standing`: the referrer that a lead has already; `explicit_user`: named by the call; `referral_code`, `link`, `click`: what was sent; `first_referrer`: of the customer; `lead`: who referred it
         * @enum {string}
         */
        CandidateSource: "standing" | "explicit_user" | "referral_code" | "link" | "first_referrer" | "lead" | "click";
        /**
         * @description How it was found; only what is `usable` can win. `unknown`, `invalid`: there is none, or it was not made here; `other_environment`: of LIVE or SANDBOX; `retired`, `disabled`, `expired`, `disqualified`: a code, link, click or lead that no longer counts; `unattributed`: leads to nobody; `not_recruiting`: its member may not recruit; `set_aside`: a buyer was named
         * @enum {string}
         */
        CandidateState: "usable" | "unknown" | "invalid" | "other_environment" | "retired" | "disabled" | "expired" | "disqualified" | "unattributed" | "not_recruiting" | "set_aside";
        Commission: {
            /**
             * Format: uuid
             * @description Id
             */
            id: string;
            /**
             * Format: uuid
             * @description The member it belongs to
             */
            userId: string;
            /**
             * Format: uuid
             * @description The event that made it
             */
            eventId: string;
            /** @description The event's id in the tenant's system */
            externalEventId: string;
            kind: components["schemas"]["CommissionKind"];
            /**
             * @description `sales`: a single sale; `subscription`: one of a subscription; `manual`: granted by hand
             * @enum {string}
             */
            source: "sales" | "subscription" | "manual";
            /** @description Real distance from the sale; 0 for a manual commission */
            level: number;
            /** @description Level that the plan pays, after compression */
            paidLevel: number;
            /** @description Rate in basis points: 1000 is 10 %; 0 of a flat sum */
            rateBps: number;
            /** @description Minor units */
            flatMinor: number | null;
            /** @description Multiplier of the member's tier in thousandths */
            multiplierMilli: number;
            /** @description Minor units */
            baseMinor: number;
            /** @description Minor units */
            amountMinor: number;
            currency: components["schemas"]["Currency"];
            /** @description Before conversion; null when it was not converted */
            sourceAmountMinor: number | null;
            sourceCurrency: components["schemas"]["Currency"] | null;
            /**
             * Format: uuid
             * @description Rate that it was converted by; null: not converted
             */
            exchangeRateId: string | null;
            /** @description Minor units */
            cappedMinor: number;
            /** @description Name of the cap that cut it; null: none */
            cap: string | null;
            status: components["schemas"]["CommissionStatus"];
            holdCause: components["schemas"]["HoldCause"] | null;
            /** @description As whoever put it on hold wrote; null for a bearer token */
            holdReason: string | null;
            /**
             * Format: date-time
             * @description When the holding time ends
             */
            clearsAt: string;
            /**
             * Format: date-time
             * @description Of the sale, also for what takes it back
             */
            occurredAt: string;
            /**
             * Format: date-time
             * @description When it was made
             */
            createdAt: string;
            /** @description What the rate is of; null of plans that have but levels, and of lines that no sale made */
            paySource: components["schemas"]["PaySource"] | null;
            /**
             * Format: uuid
             * @description Version of the plan that paid it; null: none
             */
            planVersionId: string | null;
            /**
             * Format: uuid
             * @description The line that it takes back; null: none
             */
            reversesCommissionId: string | null;
            /**
             * Format: uuid
             * @description The sale that it tops up; null: none
             */
            aboutEventId: string | null;
        };
        /**
         * @description `manual`: by hand; `dispute`: of the purchase is open; `self_purchase`: the customer has the email of the member, and no buyer was named
         * @enum {string}
         */
        HoldCause: "manual" | "dispute" | "self_purchase";
        /**
         * @description `final_rule`, `rule`: a rule of the plan; `link`, `code`, `member`: what was agreed for it; `ladder`: the ladder of the level; `level`: its rate or sum; `mixed`: several of them, for parts of the sale
         * @enum {string}
         */
        PaySource: "final_rule" | "link" | "code" | "member" | "rule" | "ladder" | "level" | "mixed";
        CommissionExplanation: {
            /** @description The line */
            commission: components["schemas"]["Commission"];
            /** @description Null for a line that was set by hand or follows from another line */
            calculation: {
                /** @description Base x rate x multiplier, before rounding, ceiling, caps and conversion; integers as text */
                exact: {
                    /** @description Above the line */
                    numerator: string;
                    /** @description Below the line */
                    denominator: string;
                };
                /** @description The same for a person */
                steps: string[];
            } | null;
            /** @description How the amount follows from the sale; null where `calculation` is. Of other members it has verdicts alone */
            derivation: components["schemas"]["CommissionDerivation"] | null;
            /** @description The line with everything linked to it */
            netMinor: number;
            /** @description Lines that belong to it */
            linked: {
                /**
                 * Format: uuid
                 * @description Id
                 */
                id: string;
                /**
                 * Format: uuid
                 * @description The event that made it
                 */
                eventId: string;
                /** @description The event's id in the tenant's system */
                externalEventId: string;
                kind: components["schemas"]["CommissionKind"];
                /** @description Minor units */
                amountMinor: number;
                status: components["schemas"]["CommissionStatus"];
                /**
                 * Format: date-time
                 * @description When it was made
                 */
                createdAt: string;
            }[];
            /** @description What was done to it, oldest first */
            actions: {
                /**
                 * Format: uuid
                 * @description Id
                 */
                id: string;
                /**
                 * @description `hold`, `release` or `void`
                 * @enum {string}
                 */
                action: "hold" | "release" | "void";
                /** @description Where the line stood */
                fromStatus: components["schemas"]["CommissionStatus"];
                /** @description Where the line stands since */
                toStatus: components["schemas"]["CommissionStatus"];
                /** @description Null for a bearer token */
                reason: string | null;
                /** @description Who did it; null where it was not kept */
                createdBy: components["schemas"]["Actor"] | null;
                /**
                 * Format: uuid
                 * @description The API key that did it; null for a bearer token, and where it was nobody with a key
                 */
                keyId: string | null;
                /**
                 * Format: date-time
                 * @description When the service recorded it
                 */
                recordedAt: string;
            }[];
            /** @description Postings to the member; a clearing posts the member's sum over all lines it cleared */
            ledger: {
                /**
                 * Format: uuid
                 * @description The journal
                 */
                journalId: string;
                /** @description What the journal was posted for */
                causeType: string;
                /**
                 * Format: uuid
                 * @description Id of what it was posted for
                 */
                causeId: string;
                /**
                 * Format: date-time
                 * @description When the service recorded it
                 */
                recordedAt: string;
                /** @description Ledger account */
                account: string;
                currency: components["schemas"]["Currency"];
                /** @description Minor units */
                amountMinor: number;
            }[];
        };
        CommissionDerivation: {
            /** @description The plan */
            plan: {
                /**
                 * Format: uuid
                 * @description The plan
                 */
                planId: string;
                /**
                 * Format: uuid
                 * @description The version
                 */
                versionId: string;
                /** @description Number of the version */
                version: number;
                /** @description `unilevel` or `differential` */
                mode: string;
                /** @description What happens to a place that is not paid */
                compression: string;
            };
            /** @description What commissions of the sale are calculated on */
            baseMinor: number;
            /** @description Of the sale */
            currency: components["schemas"]["Currency"];
            /** @description One for everybody who was considered, level 1 first */
            verdicts: {
                /** @description Distance from the sale */
                level: number;
                /** @description Whether this is the line's own member */
                own: boolean;
                /** @description Whether the member there took a level of the plan */
                qualified: boolean;
                /** @description Why nothing was paid there; null when something was */
                reason: string | null;
                /** @description Levels of the plan that the member there used up */
                usedLevels: number[];
            }[];
            /** @description The member's own, one for each level it used up */
            shares: {
                /** @description Level that the plan pays, after compression */
                paidLevel: number;
                /** @description Rate in basis points: 1000 is 10 %; 0 of a flat sum */
                rateBps: number;
                /** @description Minor units */
                flatMinor: number | null;
                /** @description Multiplier of the member's tier in thousandths */
                multiplierMilli: number;
                /** @description Of a share that goes by parts of the sale: what each source of its rates pays */
                parts?: components["schemas"]["PaidPart"][];
                /** @description Amount before it was rounded, as a fraction */
                exact: {
                    /** @description Above the line */
                    numerator: string;
                    /** @description Below the line */
                    denominator: string;
                };
                /** @description Minor units */
                roundedMinor: number;
                /** @description What the ceiling of the event leaves; null when it does not bind */
                ceilingLeavesMinor: number | null;
                /** @description What caps leave of that; null when none binds */
                capsLeaveMinor: number | null;
                /** @description Of the conversion; null without one */
                rate: {
                    /** @description Minor units of `currency` */
                    numerator: number;
                    /** @description for this many of the currency of the sale */
                    denominator: number;
                } | null;
                /** @description Minor units */
                amountMinor: number;
                currency: components["schemas"]["Currency"];
            }[];
            /** @description Whether the calculation comes to the amount of the line */
            recomputed: boolean;
        };
        PaidPart: {
            /** @description What of the base it pays for */
            baseMinor: number;
            /** @description Rate in basis points: 1000 is 10 %; 0 of a flat sum */
            rateBps: number;
            /** @description For all pieces, or for the sale; null: a rate */
            flatMinor: number | null;
            /** @description Pieces that the flat sum is for; null: one for the sale, or a rate */
            units: number | null;
            /** @description Multiplier in thousandths: 1000 of what was agreed */
            multiplierMilli: number;
        };
        CommissionPlan: {
            /**
             * Format: uuid
             * @description The plan
             */
            id: string;
            /** @description Name of the plan */
            name: string;
            /** @description What would be published now */
            draft: components["schemas"]["PlanDefinition"] | null;
            /** @description Why the draft cannot be published; empty when it can */
            problems: components["schemas"]["PlanProblem"][];
            /** @description What the draft leaves to the service: it can be published all the same */
            warnings: components["schemas"]["PlanProblem"][];
            /** @description Newest first; a published version never changes */
            versions: components["schemas"]["PlanVersion"][];
            /**
             * Format: date-time
             * @description When it was made
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it last changed
             */
            updatedAt: string;
        };
        PlanProblem: {
            /** @description What is wrong, as `RULE_UNREACHABLE` */
            rule: string;
            severity: components["schemas"]["PlanProblemSeverity"];
            /** @description Where in the definition, as `rules[2].when` */
            path: string;
            /** @description The same in words */
            message: string;
            witness?: components["schemas"]["PlanWitness"];
        };
        /**
         * @description `error`: the draft cannot be published; `warning`: it can all the same
         * @enum {string}
         */
        PlanProblemSeverity: "error" | "warning";
        /** @description A sale, and who would be paid for it, that show what a problem says */
        PlanWitness: {
            /** @description What the rules in question ask for */
            facts: {
                /** @description What a rule asks for */
                fact: string;
                /** @description Its value; null: it is absent */
                value: (string | number) | null;
            }[];
            /** @description Currency of the sale; null: any */
            currency: string | null;
            /** @description Paid level */
            level: number;
        };
        PlanVersion: {
            /**
             * Format: uuid
             * @description The version
             */
            id: string;
            /** @description Counts from 1 in each plan */
            version: number;
            /**
             * Format: date-time
             * @description First sale it is for; null for all before the next version
             */
            effectiveFrom: string | null;
            /**
             * Format: date-time
             * @description First sale it is no longer for
             */
            effectiveTo: string | null;
            /**
             * Format: date-time
             * @description When it was published
             */
            publishedAt: string;
            /** @description Who published it; null of those from before this was kept */
            createdBy: components["schemas"]["Actor"] | null;
            /** @description The plan itself */
            definition: components["schemas"]["PlanDefinition"];
        };
        PlanFindings: {
            /** @description Why the draft cannot be published; empty when it can */
            problems: components["schemas"]["PlanProblem"][];
            /** @description What the draft leaves to the service: it can be published all the same */
            warnings: components["schemas"]["PlanProblem"][];
        };
        ExchangeRate: {
            /**
             * Format: uuid
             * @description Id
             */
            id: string;
            sourceCurrency: components["schemas"]["Currency"];
            targetCurrency: components["schemas"]["Currency"];
            /** @description Target minor units */
            numerator: number;
            /** @description for this many source minor units */
            denominator: number;
            /**
             * Format: date-time
             * @description From when it counts
             */
            effectiveAt: string;
            /** @description Who says so */
            source: string;
            /**
             * Format: date-time
             * @description When the service recorded it
             */
            recordedAt: string;
            /** @description Who recorded it; null of those from before this was kept */
            createdBy: components["schemas"]["Actor"] | null;
        };
        PurchaseReceipt: {
            /**
             * Format: uuid
             * @description The event
             */
            event_id: string;
            /** @description The event's id in the tenant's system */
            external_event_id: string;
            status: components["schemas"]["EventStatus"];
            /** @description Who is credited, and why */
            attribution: components["schemas"]["Attribution"];
            /** @description Commission lines that it made */
            commissions: components["schemas"]["EventCommission"][];
        };
        Attribution: {
            /**
             * Format: uuid
             * @description The member credited as level 1
             */
            user_id: string | null;
            rule: components["schemas"]["AttributionRule"];
            /**
             * Format: uuid
             * @description Who was considered, and why each won or lost; null for events before receipts
             */
            receipt_id: string | null;
        };
        EventCommission: {
            /**
             * Format: uuid
             * @description Id
             */
            id: string;
            /**
             * Format: uuid
             * @description The member
             */
            user_id: string;
            kind: components["schemas"]["CommissionKind"];
            /** @description Real distance from the sale; 1 is the attributed member, 0 is no sale */
            level: number;
            /** @description Plan level paid; below `level` when somebody in between did not qualify */
            paid_level: number;
            /** @description Hundredths of a per cent */
            rate_bps: number;
            /** @description The fixed amount of a level that has one in place of a rate */
            flat_minor: number | null;
            /** @description Tier multiplier in thousandths */
            multiplier_milli: number;
            /** @description Minor units */
            base_minor: number;
            /** @description Minor units */
            amount_minor: number;
            currency: components["schemas"]["Currency"];
            /** @description Before conversion; null when it was not converted */
            source_amount_minor: number | null;
            source_currency: components["schemas"]["Currency"] | null;
            /**
             * Format: uuid
             * @description Rate that it was converted by; null: not converted
             */
            exchange_rate_id: string | null;
            /** @description What a cap took off, in the currency of the purchase */
            capped_minor: number;
            /** @description member_period, customer_lifetime, or both joined by + */
            cap: string | null;
            /** @description What the rate is of; null of plans that have but levels, and of lines that no sale made */
            pay_source: components["schemas"]["PaySource"] | null;
            status: components["schemas"]["CommissionStatus"];
            /**
             * Format: date-time
             * @description When the holding time ends
             */
            clears_at: string;
            /**
             * Format: uuid
             * @description The line that this one takes back or reinstates
             */
            reverses_commission_id: string | null;
            /**
             * Format: uuid
             * @description The purchase that it tops up
             */
            about_event_id?: string;
        };
        ReversalReceipt: {
            /**
             * Format: uuid
             * @description The event
             */
            event_id: string;
            /** @description The refund's or dispute's id in the tenant's system: the same id counts once, for ever */
            external_event_id: string;
            kind: components["schemas"]["ReversalKind"];
            status: components["schemas"]["EventStatus"];
            purchase: components["schemas"]["ReversedPurchase"];
            /** @description The dispute's id at the payment provider; null: none */
            dispute_id: string | null;
            /** @description Stage of the dispute */
            stage: components["schemas"]["DisputeStage"] | null;
            /** @description Minor units */
            amount_minor: number;
            currency: components["schemas"]["Currency"];
            /** @description Taken back of the purchase in all, after this event */
            refunded_minor: number;
            /** @description What can still be taken back */
            remaining_minor: number;
            /** @description The lines that take back, claw back, reinstate, write off or recover */
            commissions: components["schemas"]["EventCommission"][];
            /** @description Lines that the dispute put on hold or released */
            moved_commission_ids: string[];
        };
        /** @description The purchase that is taken back */
        ReversedPurchase: {
            /**
             * Format: uuid
             * @description The event
             */
            event_id: string;
            /** @description The event's id in the tenant's system */
            external_event_id: string;
        };
        ReversalPreview: {
            kind: components["schemas"]["ReversalKind"];
            purchase: components["schemas"]["ReversedPurchase"];
            /** @description The dispute's id at the payment provider; null: none */
            dispute_id: string | null;
            /** @description Stage of the dispute; null: no dispute */
            stage: components["schemas"]["DisputeStage"] | null;
            /** @description Minor units */
            amount_minor: number;
            currency: components["schemas"]["Currency"];
            /** @description Taken back of the purchase in all, after this event */
            refunded_minor: number;
            /** @description What could still be taken back */
            remaining_minor: number;
            /** @description What the event does to the breakage of the sale, in `currency` */
            breakage_minor: number;
            /** @description Every line of the sale, also those that keep all */
            lines: components["schemas"]["ReversedLine"][];
            /** @description The lines that the event would record, as its answer has them */
            commissions: {
                /**
                 * Format: uuid
                 * @description The member
                 */
                user_id: string;
                kind: components["schemas"]["CommissionKind"];
                /** @description Real distance from the sale; 1 is the attributed member, 0 is no sale */
                level: number;
                /** @description Plan level paid; below `level` when somebody in between did not qualify */
                paid_level: number;
                /** @description Hundredths of a per cent */
                rate_bps: number;
                /** @description The fixed amount of a level that has one in place of a rate */
                flat_minor: number | null;
                /** @description Tier multiplier in thousandths */
                multiplier_milli: number;
                /** @description Minor units */
                base_minor: number;
                /** @description Minor units */
                amount_minor: number;
                currency: components["schemas"]["Currency"];
                /** @description Before conversion; null when it was not converted */
                source_amount_minor: number | null;
                source_currency: components["schemas"]["Currency"] | null;
                /**
                 * Format: uuid
                 * @description Rate that it was converted by; null: not converted
                 */
                exchange_rate_id: string | null;
                /** @description What a cap took off, in the currency of the purchase */
                capped_minor: number;
                /** @description member_period, customer_lifetime, or both joined by + */
                cap: string | null;
                /** @description What the rate is of; null of plans that have but levels, and of lines that no sale made */
                pay_source: components["schemas"]["PaySource"] | null;
                status: components["schemas"]["CommissionStatus"];
                /**
                 * Format: date-time
                 * @description When the holding time ends
                 */
                clears_at: string;
                /**
                 * Format: uuid
                 * @description The line that this one takes back or reinstates
                 */
                reverses_commission_id: string | null;
                /**
                 * Format: uuid
                 * @description The purchase that it tops up
                 */
                about_event_id?: string;
            }[];
            /** @description Lines that the dispute would put on hold or release */
            moved_commission_ids: string[];
            /** @description Sums of `lines` by currency */
            totals: {
                currency: components["schemas"]["Currency"];
                /** @description What the lines of the sale are worth now. Minor units; null where it is too large: see `before_minor_exact` */
                before_minor: number | null;
                /** @description `before_minor` in digits, where that is null */
                before_minor_exact?: string;
                /** @description Minor units; null where it is too large: see `change_minor_exact` */
                change_minor: number | null;
                /** @description `change_minor` in digits, where that is null */
                change_minor_exact?: string;
                /** @description Minor units; null where it is too large: see `remaining_minor_exact` */
                remaining_minor: number | null;
                /** @description `remaining_minor` in digits, where that is null */
                remaining_minor_exact?: string;
                /** @description Minor units; null where it is too large: see `written_off_minor_exact` */
                written_off_minor: number | null;
                /** @description `written_off_minor` in digits, where that is null */
                written_off_minor_exact?: string;
            }[];
            /** @description Of the members whose balance the event changes; null without `ledger:read` */
            balances: {
                /**
                 * Format: uuid
                 * @description The member
                 */
                user_id: string;
                currency: components["schemas"]["Currency"];
                /** @description Minor units; null where it is too large: see `pending_before_minor_exact` */
                pending_before_minor: number | null;
                /** @description `pending_before_minor` in digits, where that is null */
                pending_before_minor_exact?: string;
                /** @description Minor units; null where it is too large: see `pending_after_minor_exact` */
                pending_after_minor: number | null;
                /** @description `pending_after_minor` in digits, where that is null */
                pending_after_minor_exact?: string;
                /** @description Minor units; null where it is too large: see `cleared_before_minor_exact` */
                cleared_before_minor: number | null;
                /** @description `cleared_before_minor` in digits, where that is null */
                cleared_before_minor_exact?: string;
                /** @description Below zero the member owes it. Minor units; null where it is too large: see `cleared_after_minor_exact` */
                cleared_after_minor: number | null;
                /** @description `cleared_after_minor` in digits, where that is null */
                cleared_after_minor_exact?: string;
                /** @description The cleared balance is below zero after the event and was not before */
                becomes_negative: boolean;
            }[] | null;
        };
        ReversedLine: {
            /**
             * Format: uuid
             * @description The commission line
             */
            commission_id: string;
            /**
             * Format: uuid
             * @description The member
             */
            user_id: string;
            kind: components["schemas"]["CommissionKind"];
            /** @description Level above the sale: 1 is the credited member */
            level: number;
            /** @description Level that the plan pays, after compression */
            paid_level: number;
            currency: components["schemas"]["Currency"];
            /** @description What the sale paid */
            amount_minor: number;
            /** @description Taken back of it by earlier events */
            taken_before_minor: number;
            /** @description What this event adds: negative takes back, positive reinstates */
            change_minor: number;
            /** @description What would be left of it */
            remaining_minor: number;
            /** @description Of a clawback what the company bears; negative where it is recovered first */
            written_off_minor: number;
            /**
             * @description What the event would record for it, a `reversal`, `clawback` or `reinstatement`; null where no cent of it moves
             * @enum {string|null}
             */
            entry: "reversal" | "clawback" | "reinstatement" | null;
            /** @description Where the line stood */
            status_before: components["schemas"]["CommissionStatus"];
            /** @description Where the line would stand */
            status_after: components["schemas"]["CommissionStatus"];
            /** @description Voided: no refund can lessen it, nothing reinstates it */
            is_void: boolean;
        };
        ManualCommissionReceipt: {
            /**
             * Format: uuid
             * @description The event
             */
            event_id: string;
            /** @description The grant's id in the tenant's system: the same id pays once, for ever */
            external_event_id: string;
            /**
             * @description What kind it is
             * @constant
             */
            kind: "commission";
            type: components["schemas"]["ManualCommissionType"];
            status: components["schemas"]["EventStatus"];
            /**
             * Format: uuid
             * @description The member who gets it
             */
            user_id: string;
            /** @description Minor units */
            amount_minor: number;
            currency: components["schemas"]["Currency"];
            /** @description What it is for */
            description: string;
            /** @description Who granted it, as the tenant writes */
            actor: string;
            /** @description Who recorded it; null of events recorded before this was kept */
            created_by: components["schemas"]["Actor"] | null;
            /** @description Commission lines that it made */
            commissions: components["schemas"]["EventCommission"][];
        };
        PendingChangeSnake: {
            /**
             * Format: uuid
             * @description Of the change that waits
             */
            id: string;
            /** @description Of the request that waits */
            operation_id: string;
            status: components["schemas"]["PendingChangeStatus"];
            /** @description All that the request would change */
            fields: components["schemas"]["PendingChangeField"][];
            /** @description Who asked for it */
            created_by: components["schemas"]["Actor"];
            /**
             * Format: date-time
             * @description When it was asked for
             */
            created_at: string;
            /**
             * Format: date-time
             * @description From then on it cannot be confirmed
             */
            expires_at: string;
            /** @description Who confirmed, rejected or cancelled it, or `system`; null: it waits */
            decided_by: components["schemas"]["Actor"] | null;
            /**
             * Format: date-time
             * @description When it stopped waiting; null: it waits
             */
            decided_at: string | null;
            /** @description Why it was rejected; null: nothing was said */
            reason: string | null;
        };
        BatchReceipt: {
            /** @description Events recorded by this batch */
            recorded: number;
            /** @description Known before, with the same content */
            repeated: number;
            /** @description Events that were refused */
            failed: number;
            /** @description Event by event, in the order sent */
            results: {
                /** @description Position in `events`, from 0 */
                index: number;
                /** @description The event's id in the tenant's system */
                external_event_id: string | null;
                /** @description The HTTP status the event would have had alone */
                status: number;
                /** @description The receipt it would have had alone, or the error */
                body: {
                    [key: string]: unknown;
                } | components["schemas"]["ErrorResponse"];
            }[];
        };
        Event: {
            /**
             * Format: uuid
             * @description The event
             */
            event_id: string;
            /** @description The event's id in the tenant's system */
            external_event_id: string;
            kind: components["schemas"]["EventKind"];
            /** @description Type of the sale */
            type: components["schemas"]["EventType"] | null;
            status: components["schemas"]["EventStatus"];
            /**
             * Format: date-time
             * @description When it took place
             */
            occurred_at: string;
            /**
             * Format: date-time
             * @description When the service recorded it
             */
            recorded_at: string;
            /** @description Minor units */
            amount_minor: number;
            currency: components["schemas"]["Currency"];
            /** @description Minor units */
            tax_minor: number;
            /** @description Minor units */
            shipping_minor: number;
            /** @description Minor units */
            discount_minor: number;
            /** @description Code of the discount; null: not sent */
            discount_code: string | null;
            /** @description What commissions were calculated on */
            base_minor: number;
            /** @description Levels that nobody qualified for, kept by the company; null for a bearer token */
            breakage_minor: number | null;
            /** @description Of a purchase */
            customer: {
                /** @description Id in the tenant's own system */
                external_id: string;
                /**
                 * Format: email
                 * @description Address
                 */
                email: string | null;
                /** @description Name */
                name: string | null;
                /** @description ISO 3166-1 alpha-2, as the purchase had it; null: not sent */
                country: string | null;
            } | null;
            /**
             * Format: uuid
             * @description The member who bought; null: nobody of the tree
             */
            buyer_user_id: string | null;
            /** @description Who is credited, and why */
            attribution: {
                /**
                 * Format: uuid
                 * @description The member credited as level 1
                 */
                user_id: string | null;
                /** @description Name of the rule */
                rule: components["schemas"]["AttributionRule"] | null;
                /**
                 * Format: uuid
                 * @description Who was considered, and why each won or lost; null for events before receipts
                 */
                receipt_id: string | null;
            };
            /**
             * Format: uuid
             * @description Version of the plan that paid it; null: none
             */
            plan_version_id: string | null;
            purchase: components["schemas"]["ReversedPurchase"] | null;
            /** @description The dispute's id at the payment provider; null: none */
            dispute_id: string | null;
            /** @description Stage of the dispute; null: no dispute */
            stage: components["schemas"]["DisputeStage"] | null;
            /** @description Why, as whoever did it wrote; null: not given */
            reason: string | null;
            /** @description What it is for; null: not given */
            description: string | null;
            /** @description Who granted it, as the tenant wrote; null: not given */
            actor: string | null;
            /** @description Who recorded it; null of events recorded before this was kept */
            created_by: components["schemas"]["Actor"] | null;
            /** @description Commission lines that it made */
            commissions: components["schemas"]["EventCommission"][];
            /** @description What was bought; null: not sent */
            line_items: {
                [key: string]: unknown;
            }[] | null;
            /** @description The tenant's own data; null: none */
            metadata: {
                [key: string]: unknown;
            } | null;
        };
        EventExplanation: {
            /**
             * Format: uuid
             * @description The event
             */
            event_id: string;
            /** @description The event's id in the tenant's system */
            external_event_id: string;
            kind: components["schemas"]["EventKind"];
            status: components["schemas"]["EventStatus"];
            /**
             * Format: date-time
             * @description When it took place
             */
            occurred_at: string;
            /**
             * Format: date-time
             * @description When the service recorded it
             */
            recorded_at: string;
            /** @description Minor units */
            amount_minor: number;
            currency: components["schemas"]["Currency"];
            /** @description Who is credited, and why */
            attribution: {
                /**
                 * Format: uuid
                 * @description The member credited as level 1
                 */
                user_id: string | null;
                /** @description Name of the rule */
                rule: components["schemas"]["AttributionRule"] | null;
                /**
                 * Format: uuid
                 * @description Who was considered, and why each won or lost; null for events before receipts
                 */
                receipt_id: string | null;
            };
            /** @description Of a purchase with a receipt: whom it could be credited to */
            credit: {
                /** @description How purchases are attributed */
                model: components["schemas"]["AttributionModel"];
                /** @description Days back that clicks count */
                window_days: number;
                /**
                 * Format: date-time
                 * @description What the window is counted back from
                 */
                as_of: string;
                /** @description Everybody who was considered, in the order of attribution, each with exactly one outcome */
                candidates: components["schemas"]["AttributionCandidate"][];
            } | null;
            /** @description The plan */
            plan: {
                /**
                 * Format: uuid
                 * @description The plan
                 */
                plan_id: string;
                /**
                 * Format: uuid
                 * @description The version
                 */
                version_id: string;
                /** @description Number of the version */
                version: number;
                /**
                 * Format: date-time
                 * @description Null: since always
                 */
                effective_from: string | null;
                /** @description As published, defaults filled in */
                definition: {
                    [key: string]: unknown;
                };
            } | null;
            /** @description Where a plan in force named groups: why the others do not pay */
            plan_choice: {
                /** @description Group of the credited member at the sale; null: nobody is credited */
                group: string | null;
                /** @description Plans that cover the sale too, and do not pay it */
                passed_over: {
                    /**
                     * Format: uuid
                     * @description A plan that covers the sale too
                     */
                    plan_id: string;
                    /**
                     * Format: uuid
                     * @description Its version in force at the sale
                     */
                    version_id: string;
                    /** @description Name of the plan now */
                    name: string;
                    reason: components["schemas"]["PlanPassedOver"];
                    /** @description The same in words */
                    message: string;
                }[];
            } | null;
            /** @description Of a purchase: what was read as of the sale, when it was recorded */
            inputs: {
                /** @description Type of the sale */
                type: components["schemas"]["PurchaseType"] | string;
                /** @description Minor units */
                base_minor: number;
                /** @description Minor units */
                amount_minor: number;
                /** @description Minor units */
                tax_minor: number;
                /** @description Minor units */
                shipping_minor: number;
                /** @description What was bought */
                line_items: {
                    /** @description Article number */
                    sku: string;
                    /** @description Category of goods */
                    category: string | null;
                    /** @description Minor units */
                    amount_minor: number;
                }[] | null;
                /**
                 * Format: uuid
                 * @description The member who bought; null: nobody of the tree
                 */
                buyer_user_id: string | null;
                /** @description Members above, nearest first */
                upline: {
                    /**
                     * Format: uuid
                     * @description The member
                     */
                    user_id: string;
                    /** @description Level above the sale: 1 is the credited member */
                    level: number;
                    /** @description Tier at the sale */
                    tier: components["schemas"]["MembershipTier"];
                    /** @description Whether the member is active */
                    is_active: boolean;
                    /** @description Standing at the sale; absent of an approved member */
                    standing?: components["schemas"]["MemberStanding"];
                    /** @description True of a test member; absent of others */
                    is_test_user?: boolean;
                    pay_currency: components["schemas"]["Currency"] | null;
                    /** @description Whether verified; null: not asked */
                    kyc_approved: boolean | null;
                    /** @description Minor units; null where it is too large: see `personal_sales_minor_exact` */
                    personal_sales_minor: number | null;
                    /** @description `personal_sales_minor` in digits, where that is null */
                    personal_sales_minor_exact?: string;
                    /** @description Active recruits; null: not asked */
                    active_directs: number | null;
                    /** @description Group at the sale, where a rule asks for it */
                    group?: string;
                    /** @description Local days since the member joined, where a rule asks for it; absent of a sale from before */
                    age_days?: number;
                    /** @description In the local month before the sale, without own purchases; where a rule asks for it */
                    sales?: {
                        /** @description Gross less refunds; an integer as text */
                        amount_minor: string;
                        /** @description Purchases */
                        count: number;
                    };
                    /** @description What the member had sold before the sale, by ladder; integers as text */
                    ladder_sums?: {
                        [key: string]: string;
                    };
                    /** @description What was agreed and may count for the sale, the latest first; absent: nothing */
                    overrides?: components["schemas"]["ExplainedOverride"][];
                }[];
                /** @description Of a plan with rules: what they ask for of the sale, the customer and the credited member; absent: not there */
                facts?: {
                    /** @description What rules ask for */
                    fact: string;
                    /** @description As of the sale; integers as text */
                    value: string;
                }[];
                /** @description Where products are asked for: line items of one product each, with their part of the base */
                parts?: {
                    /** @description Article number; null: unknown, or erased */
                    sku: string | null;
                    /** @description Category; null: none, or erased */
                    category: string | null;
                    /** @description What of the base is of this part */
                    base_minor: number;
                    /** @description Pieces */
                    quantity: number;
                }[];
                /** @description Of a plan with rules: its tests of what is not kept of a sale, each once, in the order written: `sale.metadata`, `sale.discountCode` and `customer.country`, then those of products */
                verdicts?: {
                    /** @description As the plan has it */
                    test: {
                        [key: string]: unknown;
                    };
                    /** @description Whether it held, of a test of products for one part at least */
                    holds: boolean;
                    /** @description Of a test of products: the parts that it held for, numbered from 0 */
                    parts?: number[];
                }[];
                /** @description Why the event pays nobody */
                block: string | null;
                /** @description What caps left to each member */
                member_rooms: {
                    /**
                     * Format: uuid
                     * @description The member
                     */
                    user_id: string;
                    /** @description Minor units; null where it is too large: see `room_minor_exact` */
                    room_minor: number | null;
                    /** @description `room_minor` in digits, where that is null */
                    room_minor_exact?: string;
                }[];
                /** @description Minor units; null where it is too large: see `customer_room_minor_exact` */
                customer_room_minor: number | null;
                /** @description `customer_room_minor` in digits, where that is null */
                customer_room_minor_exact?: string;
                /** @description Exchange rates that were read */
                rates: {
                    /**
                     * Format: uuid
                     * @description Id
                     */
                    id: string;
                    target_currency: components["schemas"]["Currency"];
                    /** @description Minor units */
                    numerator: number;
                    /** @description Minor units */
                    denominator: number;
                }[];
            } | null;
            /** @description Exactly one for every member that was considered, level 1 first */
            outcomes: {
                /**
                 * Format: uuid
                 * @description The member
                 */
                user_id: string;
                /** @description Level above the sale: 1 is the credited member */
                level: number;
                /**
                 * @description `paid` or `not_paid`
                 * @enum {string}
                 */
                outcome: "paid" | "not_paid";
                /** @description Why, as whoever did it wrote; null: not given */
                reason: string | null;
                /** @description In words */
                message: string | null;
                /** @description What each member got, level by level */
                shares: components["schemas"]["ExplainedShare"][];
            }[];
            /** @description Minor units; negative for what takes back */
            breakage_minor: number;
            /** @description Why the walk up the tree ended */
            walk_end: {
                /** @description Why */
                reason: string;
                /** @description In words */
                message: string;
            } | null;
            /** @description Of a refund or chargeback */
            reversal: {
                /** @description Minor units */
                purchase_minor: number;
                /** @description Minor units */
                refunded_before_minor: number;
                /** @description Minor units */
                refunded_after_minor: number;
                /** @description Line by line */
                lines: {
                    /**
                     * Format: uuid
                     * @description The commission line
                     */
                    commission_id: string;
                    /** @description Minor units */
                    amount_minor: number;
                    /** @description Amount before it was rounded, as a fraction */
                    exact: components["schemas"]["Fraction"];
                    /** @description Minor units; negative for what takes back */
                    reversed_in_all_minor: number;
                    /** @description Minor units; negative for what takes back */
                    reversed_before_minor: number;
                    /** @description Minor units; negative for what takes back */
                    posted_minor: number;
                }[];
                /** @description Lines that it moved */
                moved_commission_ids: string[];
                /** @description Clawbacks that the company bears, wholly or in part, by the plan of the sale */
                forgiven: {
                    /**
                     * Format: uuid
                     * @description The commission line
                     */
                    commission_id: string;
                    /**
                     * Format: uuid
                     * @description The member
                     */
                    user_id: string;
                    currency: components["schemas"]["Currency"];
                    /** @description Minor units */
                    clawed_back_minor: number;
                    /** @description Minor units; null where it is too large: see `balance_before_minor_exact` */
                    balance_before_minor: number | null;
                    /** @description `balance_before_minor` in digits, where that is null */
                    balance_before_minor_exact?: string;
                    /** @description Null: the plan lets nobody owe anything */
                    floor_minor: number | null;
                    /** @description Minor units */
                    amount_minor: number;
                }[];
                /** @description What was forgiven before, taken back of what is reinstated */
                recovered: {
                    /**
                     * Format: uuid
                     * @description The commission line
                     */
                    commission_id: string;
                    /**
                     * Format: uuid
                     * @description The member
                     */
                    user_id: string;
                    currency: components["schemas"]["Currency"];
                    /** @description Minor units */
                    reinstated_minor: number;
                    /** @description Minor units; null where it is too large: see `forgiven_before_minor_exact` */
                    forgiven_before_minor: number | null;
                    /** @description `forgiven_before_minor` in digits, where that is null */
                    forgiven_before_minor_exact?: string;
                    /** @description Minor units */
                    amount_minor: number;
                }[];
            } | null;
            /** @description Of a period: what its top-ups come from */
            period: {
                [key: string]: unknown;
            } | null;
            /** @description Commission lines */
            commissions: {
                /**
                 * Format: uuid
                 * @description Id
                 */
                id: string;
                /**
                 * Format: uuid
                 * @description The event
                 */
                event_id: string;
                /** @description The event's id in the tenant's system */
                external_event_id: string;
                kind: components["schemas"]["CommissionKind"];
                status: components["schemas"]["CommissionStatus"];
                /** @description Minor units */
                amount_minor: number;
                /** @description Why it is held; null: it is not */
                hold_cause: components["schemas"]["HoldCause"] | null;
                /**
                 * Format: uuid
                 * @description The line that it takes back; null: none
                 */
                reverses_commission_id: string | null;
                /**
                 * Format: uuid
                 * @description The purchase that it tops up; null: none
                 */
                about_event_id: string | null;
                /**
                 * Format: uuid
                 * @description The journal that cleared it; null: not cleared
                 */
                cleared_by_journal_id: string | null;
            }[];
            /** @description What was posted; null: nothing */
            journal: {
                /**
                 * Format: uuid
                 * @description Id
                 */
                id: string;
                /**
                 * Format: date-time
                 * @description When the service recorded it
                 */
                recorded_at: string;
                /** @description Postings of the journal */
                postings: {
                    /** @description Its number among the others: of a posting in its journal, of a block in the ledger */
                    seq: number;
                    /** @description Ledger account */
                    account: string;
                    /**
                     * Format: uuid
                     * @description The member
                     */
                    user_id: string | null;
                    currency: components["schemas"]["Currency"];
                    /** @description Minor units; negative for what takes back */
                    amount_minor: number;
                }[];
            } | null;
            /** @description Whether evaluating the inputs again gives the stored amounts; null for other than a purchase */
            recomputed: boolean | null;
        };
        /**
         * @description `GROUP_NOT_NAMED`: it does not name the group of the credited member; `PRIORITY`: it has a lower one; `OLDER`: it has the same, and was published earlier
         * @enum {string}
         */
        PlanPassedOver: "GROUP_NOT_NAMED" | "PRIORITY" | "OLDER";
        ExplainedOverride: {
            /**
             * Format: uuid
             * @description Of the rate override
             */
            id: string;
            target: components["schemas"]["OverrideTarget"];
            /** @description Paid level that it is for */
            level: number;
            /** @description Whether it is for this plan alone */
            for_plan: boolean;
            pay: components["schemas"]["RatePayOutput"];
            /** @description Of one that names products: the parts of the sale with them, numbered from 0 */
            parts?: number[];
        };
        ExplainedShare: {
            /**
             * Format: uuid
             * @description Null when the share came to nothing
             */
            commission_id: string | null;
            /** @description Level that the plan pays, after compression */
            paid_level: number;
            /** @description Rate in basis points: 1000 is 10 %; 0 of a flat sum */
            rate_bps: number;
            /** @description Minor units */
            flat_minor: number | null;
            /** @description Multiplier of the member's tier in thousandths */
            multiplier_milli: number;
            /** @description Amount before it was rounded, as a fraction */
            exact: components["schemas"]["Fraction"];
            /** @description Minor units */
            rounded_minor: number;
            /** @description Minor units */
            after_ceiling_minor: number;
            /** @description Minor units */
            capped_minor: number;
            /** @description Name of the cap that cut it; null: none */
            cap: string | null;
            /** @description Payable, in the currency of the purchase */
            source_amount_minor: number;
            /** @description Payable, in `currency` */
            amount_minor: number;
            currency: components["schemas"]["Currency"];
            /**
             * Format: uuid
             * @description Rate that it was converted by; null: not converted
             */
            exchange_rate_id: string | null;
            /** @description Why it comes to nothing; null: it does not */
            nothing_because: string | null;
            /**
             * Format: date-time
             * @description When the holding time ends
             */
            clears_at: string | null;
            /** @description Now */
            status: components["schemas"]["CommissionStatus"] | null;
            /** @description Why it is held now */
            hold: {
                cause: components["schemas"]["HoldCause"];
                /** @description In words */
                message: string;
            } | null;
            /** @description What is left of it now, after reversals */
            net_minor: number;
            chosen?: components["schemas"]["RateChoice"];
            /** @description Of a share that goes by parts of the sale: what each is paid by */
            rate_parts?: components["schemas"]["RatePart"][];
        };
        /** @description Exact, before rounding; integers as text */
        Fraction: {
            /** @description Above the line */
            numerator: string;
            /** @description Below the line */
            denominator: string;
        };
        /** @description Of a plan with more than levels: what the rate is of, and why nothing else pays. Absent where it goes by parts */
        RateChoice: {
            source: components["schemas"]["RateSource"];
            /** @description Id of the rule or ladder in the plan, or of what was agreed; null: the level, or nothing was agreed */
            id: string | null;
            /** @description Of what was agreed and is more than the plan lets count */
            cut?: components["schemas"]["RateCut"];
            /** @description Where a ladder pays: which step of it, and why */
            ladder?: components["schemas"]["LadderStep"];
            /** @description The other sources, in the order in which they are asked */
            considered: components["schemas"]["RateConsidered"][];
        };
        /**
         * @description `final_rule`, `rule`: a rule of the plan; `link`, `code`, `member`: what was agreed for it; `ladder`: the ladder of the level; `level`: its rate or sum, or of the tier in a differential plan
         * @enum {string}
         */
        RateSource: "final_rule" | "link" | "code" | "member" | "rule" | "ladder" | "level";
        RateCut: {
            /**
             * @description The plan lets no more count
             * @constant
             */
            reason: "CUT_TO_PLAN_MAXIMUM";
            /** @description What was agreed: basis points, or minor units */
            from: number;
        };
        LadderStep: {
            /** @description Id of the ladder in the plan */
            id: string;
            /** @description Number of the step that pays, from 0 */
            step: number;
            /** @description What the member had sold before the sale, as text; null of a level that nobody takes */
            sum: string | null;
        };
        RateConsidered: {
            source: components["schemas"]["RateSource"];
            /** @description Id of the rule or ladder in the plan, or of what was agreed; null: the level, or nothing was agreed */
            id: string | null;
            reason: components["schemas"]["RatePassedOver"];
            /** @description Part of the condition that decides it, as `when.all[1]`; null: none */
            at: string | null;
            /** @description The same in words */
            message: string;
        };
        /**
         * @description `LEVEL_NOT_NAMED`: it is not for this level; `FALSE`: its condition does not hold; `NO_OVERRIDE`: nothing was agreed; `PRODUCT_NOT_NAMED`: it names other products; `SUM_NOT_ALLOWED`, `CURRENCY_NOT_NAMED`: the plan lets no such sum count, or it names none in the currency; `OUTRANKED`: it is asked later
         * @enum {string}
         */
        RatePassedOver: "LEVEL_NOT_NAMED" | "FALSE" | "NO_OVERRIDE" | "PRODUCT_NOT_NAMED" | "SUM_NOT_ALLOWED" | "CURRENCY_NOT_NAMED" | "OUTRANKED";
        RatePart: {
            /** @description Number of the part in `inputs.parts`, from 0 */
            part: number;
            /** @description What of the base is of this part */
            base_minor: number;
            /** @description Rate in basis points: 1000 is 10 %; 0 of a flat sum */
            rate_bps: number;
            /** @description For all pieces, or for the sale; null: a rate */
            flat_minor: number | null;
            /** @description Pieces that the flat sum is for; null: one for the sale, or a rate */
            units: number | null;
            /** @description Multiplier in thousandths: 1000 of what was agreed */
            multiplier_milli: number;
            source: components["schemas"]["RateSource"];
            /** @description Id of the rule or ladder in the plan, or of what was agreed; null: the level, or nothing was agreed */
            id: string | null;
            /** @description Of what was agreed and is more than the plan lets count */
            cut?: components["schemas"]["RateCut"];
            /** @description Where a ladder pays: which step of it, and why */
            ladder?: components["schemas"]["LadderStep"];
            /** @description The other sources, in the order in which they are asked */
            considered: components["schemas"]["RateConsidered"][];
        };
        Quote: {
            /**
             * Format: uuid
             * @description Null for a given definition, or when no plan covers the purchase
             */
            planVersionId: string | null;
            /** @description Where a plan in force names groups: why the others do not pay */
            planChoice: {
                /** @description Group of the credited member at the sale; null: nobody is credited */
                group: string | null;
                /** @description Plans that cover the sale too, and do not pay it */
                passedOver: {
                    /**
                     * Format: uuid
                     * @description A plan that covers the sale too
                     */
                    planId: string;
                    /**
                     * Format: uuid
                     * @description Its version in force
                     */
                    versionId: string;
                    reason: components["schemas"]["PlanPassedOver"];
                    /** @description The same in words */
                    message: string;
                }[];
            } | null;
            status: components["schemas"]["EventStatus"];
            /** @description Who is credited, and why */
            attribution: {
                /**
                 * Format: uuid
                 * @description The member
                 */
                userId: string | null;
                rule: components["schemas"]["AttributionRule"];
            };
            /** @description Minor units */
            baseMinor: number;
            /** @description Minor units */
            breakageMinor: number;
            /** @description Commission lines */
            commissions: {
                /**
                 * Format: uuid
                 * @description The member
                 */
                userId: string;
                /** @description Level above the sale: 1 is the credited member */
                level: number;
                /** @description Level that the plan pays, after compression */
                paidLevel: number;
                /** @description Rate in basis points: 1000 is 10 %; 0 of a flat sum */
                rateBps: number;
                /** @description Minor units */
                flatMinor: number | null;
                /** @description Multiplier of the member's tier in thousandths */
                multiplierMilli: number;
                /** @description Minor units */
                amountMinor: number;
                currency: components["schemas"]["Currency"];
                /** @description Minor units */
                sourceAmountMinor: number | null;
                sourceCurrency: components["schemas"]["Currency"] | null;
                /** @description Minor units */
                cappedMinor: number;
                /** @description Name of the cap that cut it; null: none */
                cap: string | null;
                /** @description Why it would be held */
                holdCause: components["schemas"]["HoldCause"] | null;
                /**
                 * Format: date-time
                 * @description When the holding time ends
                 */
                clearsAt: string;
                chosen?: components["schemas"]["RateChoice"];
                /** @description Of a commission that goes by parts of the sale: what each is paid by */
                rateParts?: components["schemas"]["QuotedPart"][];
            }[];
            /** @description Everybody who was considered */
            outcomes: {
                /**
                 * Format: uuid
                 * @description The member
                 */
                userId: string;
                /** @description Level above the sale: 1 is the credited member */
                level: number;
                /**
                 * @description `paid` or `not_paid`
                 * @enum {string}
                 */
                outcome: "paid" | "not_paid";
                /** @description Why not; null: paid */
                reason: string | null;
                /** @description The same in words; null: paid */
                message: string | null;
            }[];
            /** @description Why the purchase would pay nobody */
            block: string | null;
            /** @description Why the walk up the tree ended */
            walkEnd: {
                /** @description Why */
                reason: string;
                /** @description In words */
                message: string;
            };
        };
        QuotedPart: {
            /** @description Article number; null: the sale names none */
            sku: string | null;
            /** @description Category; null: none */
            category: string | null;
            /** @description What of the base is of this part */
            baseMinor: number;
            /** @description Rate in basis points: 1000 is 10 %; 0 of a flat sum */
            rateBps: number;
            /** @description For all pieces, or for the sale; null: a rate */
            flatMinor: number | null;
            /** @description Pieces that the flat sum is for; null: one for the sale, or a rate */
            units: number | null;
            /** @description Multiplier in thousandths: 1000 of what was agreed */
            multiplierMilli: number;
            source: components["schemas"]["RateSource"];
            /** @description Id of the rule or ladder in the plan, or of what was agreed; null: the level, or nothing was agreed */
            id: string | null;
            /** @description Of what was agreed and is more than the plan lets count */
            cut?: components["schemas"]["RateCut"];
            /** @description Where a ladder pays: which step of it, and why */
            ladder?: components["schemas"]["LadderStep"];
            /** @description The other sources, in the order in which they are asked */
            considered: components["schemas"]["RateConsidered"][];
        };
        RateOverride: {
            /**
             * Format: uuid
             * @description Of the override
             */
            id: string;
            target: components["schemas"]["OverrideTarget"];
            /**
             * Format: uuid
             * @description The link, the code or the member
             */
            targetId: string;
            /**
             * Format: uuid
             * @description Whom it was agreed with: the member, or the owner of the link or code
             */
            userId: string;
            /**
             * Format: uuid
             * @description The plan that it is for; null: whichever plan pays
             */
            planId: string | null;
            /** @description Paid level that it is for */
            level: number;
            /** @description Products that it is for; null: all */
            items: {
                /** @description Article numbers */
                skus?: string[];
                /** @description Categories */
                categories?: string[];
            } | null;
            pay: components["schemas"]["RatePayOutput"];
            /**
             * Format: date-time
             * @description From when it counts
             */
            validFrom: string;
            /**
             * Format: date-time
             * @description Until when: it was ended, or replaced by a later one for the same; null: without end
             */
            validTo: string | null;
            /**
             * Format: date-time
             * @description When the service recorded it
             */
            recordedAt: string;
            /** @description Why, as whoever did it wrote; null: not given */
            reason: string | null;
            /** @description Who agreed it */
            createdBy: components["schemas"]["Actor"];
        };
        RateWarning: {
            /**
             * @description `NO_PLAN_LETS_IT_COUNT`: for this level, plan or kind of pay no plan in force does; `CUT_TO_PLAN_MAXIMUM`: a plan lets less count
             * @enum {string}
             */
            code: "NO_PLAN_LETS_IT_COUNT" | "CUT_TO_PLAN_MAXIMUM";
            /** @description In words */
            message: string;
        };
        MemberRates: {
            /**
             * Format: uuid
             * @description The member
             */
            userId: string;
            /**
             * Format: date-time
             * @description When
             */
            at: string;
            currency: components["schemas"]["Currency"];
            /** @description Group of the member then */
            group: string;
            /** @description Tier of the member then */
            tier: components["schemas"]["MembershipTier"];
            /** @description Local days since it joined; null: before it */
            ageDays: number | null;
            /** @description The plan that pays; null: none covers such a sale */
            plan: {
                /**
                 * Format: uuid
                 * @description The plan
                 */
                planId: string;
                /**
                 * Format: uuid
                 * @description Its version in force
                 */
                versionId: string;
                /** @description Number of the version */
                version: number;
                /** @description Name of the plan */
                name: string;
                /** @description `unilevel` or `differential` */
                mode: string;
            } | null;
            /** @description Plans that cover the same sale and do not pay it */
            passedOver: {
                /**
                 * Format: uuid
                 * @description A plan in force too
                 */
                planId: string;
                /**
                 * Format: uuid
                 * @description Its version in force
                 */
                versionId: string;
                /** @description Name of the plan */
                name: string;
                reason: components["schemas"]["PlanPassedOver"];
            }[];
            /** @description Levels that the tier of the member is paid */
            levels: components["schemas"]["MemberLevelRate"][];
        };
        MemberLevelRate: {
            /** @description Paid level; 1 for the own rate in a differential plan */
            level: number;
            source: components["schemas"]["RateSource"];
            /** @description Id of the rule or of the override; null: the level */
            id: string | null;
            /** @description What is paid now where nothing in `insteadOn` comes first */
            pay: components["schemas"]["RatePayOutput"];
            /** @description Multiplier in thousandths: of the tier, 1000 of an override */
            multiplierMilli: number;
            /** @description Of an override that is more than the plan lets count: what was agreed */
            cutFrom?: number;
            /** @description Where a ladder pays: where the member stands on it */
            ladder?: {
                /** @description Id of the ladder in the plan */
                id: string;
                /** @description `base` or `amount`, in minor units; `sales`: their number */
                measure: string;
                /** @description `month`, `quarter`, `year` or `lifetime` */
                period: string;
                /** @description What the member has sold in the period so far. Minor units; null where it is too large: see `sumExact` */
                sum: number | null;
                /** @description `sum` in digits, where that is null */
                sumExact?: string;
                /** @description Number of the step that pays, from 0 */
                step: number;
                /** @description Null on the last step */
                next: {
                    /** @description Where the next step begins */
                    from: number;
                    /** @description What it pays */
                    rateBps: number;
                    /** @description What is missing to it. Minor units; null where it is too large: see `missingExact` */
                    missing: number | null;
                    /** @description `missing` in digits, where that is null */
                    missingExact?: string;
                } | null;
            };
            /** @description What comes first on some sales, in the order in which it is asked */
            insteadOn: {
                source: components["schemas"]["RateSource"];
                /** @description Id of the rule in the plan, or of the override */
                id: string;
                pay: components["schemas"]["RatePayOutput"];
                /** @description Condition of the rule; null: the link, the code or the products decide, or the caller is a member */
                when: {
                    [key: string]: unknown;
                } | null;
            }[];
        };
        Lead: {
            /**
             * Format: uuid
             * @description Id
             */
            id: string;
            /**
             * Format: email
             * @description Lower case
             */
            email: string;
            /** @description Full name; null: not given */
            name: string | null;
            /** @description Phone number; null: none */
            phone: string | null;
            /**
             * Format: uuid
             * @description Member that the lead is credited to
             */
            referrer_user_id: string | null;
            /** @description What found the referrer, such as `referral_code` or `click`; null of a lead without a receipt */
            attribution_rule: string | null;
            /**
             * Format: uuid
             * @description The receipt by which it has its referrer: GET /api/v1/referrals/attributions/{receipt_id}
             */
            attribution_receipt_id: string | null;
            conversion_status: components["schemas"]["LeadStatus"];
            /**
             * Format: uuid
             * @description The member that the lead has become
             */
            converted_user_id: string | null;
            /** @description Where it came from, as the tenant writes */
            source: string | null;
            /** @description UTM source; null: none */
            utm_source: string | null;
            /** @description UTM medium; null: none */
            utm_medium: string | null;
            /** @description UTM campaign; null: none */
            utm_campaign: string | null;
            /** @description The click that led here; null: none */
            click_id: string | null;
            /**
             * Format: date-time
             * @description When it expires, or did, unless it was converted or disqualified before; null: never
             */
            expires_at: string | null;
            /** @description Null of a lead from before it was kept */
            created_by: components["schemas"]["Actor"] | null;
            /** @description Of the last change, should there have been one */
            updated_by: components["schemas"]["Actor"] | null;
            /**
             * Format: date-time
             * @description When it was made
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Of the last change; a capture that fills no blank is none
             */
            updated_at: string;
        };
        Import: {
            /**
             * Format: uuid
             * @description Id
             */
            id: string;
            kind: components["schemas"]["ImportKind"];
            /**
             * @description `validate`: checks alone; `apply`: writes too
             * @enum {string}
             */
            mode: "validate" | "apply";
            status: components["schemas"]["ImportStatus"];
            /** @description Name of the file as it was sent; null: none */
            fileName: string | null;
            /** @description Bytes of the file */
            byteCount: number;
            /** @description Without the header line */
            rowCount: number;
            /** @description In mode `validate`: rows that would be applied */
            appliedCount: number;
            /** @description Rows that failed */
            failedCount: number;
            /** @description Share of the rows that are decided */
            progress: number;
            /** @description Whoever sent the file; what its rows make names the same */
            createdBy: components["schemas"]["Actor"];
            /**
             * Format: date-time
             * @description When it was made
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When the work began; null: not yet
             */
            startedAt: string | null;
            /**
             * Format: date-time
             * @description When it ended; null: not yet
             */
            finishedAt: string | null;
            /** @description Why the import as a whole failed */
            failure: string | null;
        };
        LedgerVerification: {
            /** @description Whether nothing is wrong */
            ok: boolean;
            /** @description The block of the ledger that it began at; null: the whole was verified */
            fromSeq: number | null;
            /** @description What the daily check has found sound; null before the first */
            lastCheck: {
                /** @description The last block that it has found sound */
                seq: number;
                /**
                 * Format: date-time
                 * @description When
                 */
                checkedAt: string;
                /**
                 * Format: date-time
                 * @description When the whole ledger was checked last
                 */
                wholeAt: string;
            } | null;
            /** @description Sealed blocks checked */
            blocks: number;
            /** @description Journals checked, sealed or not */
            journals: number;
            /** @description Postings checked */
            postings: number;
            /** @description Journals among them that no block holds yet: they have no hash to check */
            unsealed: number;
            /** @description The last block */
            head: {
                /** @description Its number among the others: of a posting in its journal, of a block in the ledger */
                seq: number;
                /** @description Hexadecimal */
                hash: string;
            } | null;
            /** @description What is wrong; empty in a whole ledger */
            faults: {
                kind: components["schemas"]["LedgerFaultKind"];
                /**
                 * Format: uuid
                 * @description The journal
                 */
                journalId?: string;
                /** @description The block, where it is one */
                blockSeq?: number;
                /** @description In words */
                message: string;
            }[];
            /** @description Whether there are more than the 100 shown */
            faultsTruncated: boolean;
            /** @description The audit log, which is sealed likewise */
            auditLog: {
                /** @description Whether nothing is wrong */
                ok: boolean;
                /** @description Sealed blocks checked */
                blocks: number;
                /** @description Entries checked, sealed or not */
                entries: number;
                /** @description Entries among them that no block holds yet */
                unsealed: number;
                /** @description The last block */
                head: {
                    /** @description Its number among the others: of a posting in its journal, of a block in the ledger */
                    seq: number;
                    /** @description Hexadecimal */
                    hash: string;
                } | null;
                /** @description What the deployment keeps no longer: up to which block, and how many entries */
                dropped: {
                    /** @description Number of the block */
                    seq: number;
                    /** @description Hexadecimal */
                    hash: string;
                    /** @description Number of entries */
                    entries: number;
                    /**
                     * Format: date-time
                     * @description When the newest of them was written
                     */
                    until: string;
                } | null;
                /** @description What is wrong; empty where nothing is */
                faults: {
                    /**
                     * @description `ENTRY_ALTERED`, `ENTRY_MISSING`, `BLOCK_ALTERED`: what is sealed was changed or taken away; `ENTRY_UNSEALED_LOST`: neither sealed nor waiting to be; `BLOCK_INCOMPLETE`: not as many entries as it says; `CHAIN_BROKEN`: a block is gone or does not follow the one before; `HEAD_FORGED`: the signature of the last block is none of ours
                     * @enum {string}
                     */
                    kind: "ENTRY_ALTERED" | "ENTRY_MISSING" | "ENTRY_UNSEALED_LOST" | "BLOCK_INCOMPLETE" | "BLOCK_ALTERED" | "CHAIN_BROKEN" | "HEAD_FORGED";
                    /**
                     * Format: uuid
                     * @description The entry, where it is one
                     */
                    entryId?: string;
                    /** @description The block, where it is one */
                    blockSeq?: number;
                    /** @description In words */
                    message: string;
                }[];
                /** @description Whether there are more faults than shown */
                faultsTruncated: boolean;
            };
        };
        /**
         * @description `JOURNAL_ALTERED`, `JOURNAL_MISSING`, `ENTRY_MISSING`, `BLOCK_ALTERED`: what is sealed was changed or taken away; `JOURNAL_UNSEALED_LOST`: neither sealed nor waiting to be; `CHAIN_BROKEN`: a block is gone or does not follow the one before; `UNBALANCED`: postings that do not sum to zero; `LINES_DISAGREE`: commissions and postings differ
         * @enum {string}
         */
        LedgerFaultKind: "JOURNAL_ALTERED" | "JOURNAL_MISSING" | "JOURNAL_UNSEALED_LOST" | "ENTRY_MISSING" | "BLOCK_ALTERED" | "CHAIN_BROKEN" | "UNBALANCED" | "LINES_DISAGREE";
        TrialBalance: {
            /**
             * Format: date-time
             * @description The instant that the answer is of
             */
            asOf: string;
            /** @description Account by account */
            accounts: {
                /** @description `company:commission_expense`, `member:pending`, … */
                account: string;
                currency: components["schemas"]["Currency"];
                /** @description Minor units; null where it is too large: see `balanceMinorExact` */
                balanceMinor: number | null;
                /** @description `balanceMinor` in digits, where that is null */
                balanceMinorExact?: string;
                /** @description Number of postings */
                postings: number;
            }[];
            /** @description Sums by currency */
            totals: {
                currency: components["schemas"]["Currency"];
                /** @description 0 in a whole ledger. Minor units; null where it is too large: see `balanceMinorExact` */
                balanceMinor: number | null;
                /** @description `balanceMinor` in digits, where that is null */
                balanceMinorExact?: string;
            }[];
        };
        MemberBalances: {
            /**
             * Format: uuid
             * @description The member
             */
            userId: string;
            /**
             * Format: date-time
             * @description The instant that the answer is of
             */
            asOf: string;
            /** @description Currency by currency */
            balances: {
                currency: components["schemas"]["Currency"];
                /** @description Minor units; null where it is too large: see `pendingMinorExact` */
                pendingMinor: number | null;
                /** @description `pendingMinor` in digits, where that is null */
                pendingMinorExact?: string;
                /** @description Minor units; null where it is too large: see `clearedMinorExact` */
                clearedMinor: number | null;
                /** @description `clearedMinor` in digits, where that is null */
                clearedMinorExact?: string;
                /** @description Minor units; null where it is too large: see `processingMinorExact` */
                processingMinor: number | null;
                /** @description `processingMinor` in digits, where that is null */
                processingMinorExact?: string;
                /** @description Minor units; null where it is too large: see `paidMinorExact` */
                paidMinor: number | null;
                /** @description `paidMinor` in digits, where that is null */
                paidMinorExact?: string;
                /** @description The sum of the four. Minor units; null where it is too large: see `totalMinorExact` */
                totalMinor: number | null;
                /** @description `totalMinor` in digits, where that is null */
                totalMinorExact?: string;
                /** @description How far `clearedMinor` is below zero, else 0. Minor units; null where it is too large: see `owedMinorExact` */
                owedMinor: number | null;
                /** @description `owedMinor` in digits, where that is null */
                owedMinorExact?: string;
            }[];
        };
        MemberLedgerEntry: {
            /**
             * Format: uuid
             * @description The journal
             */
            journalId: string;
            /** @description Of the posting in its journal */
            seq: number;
            /** @description What the journal was posted for: `event`, `clearing`, … */
            causeType: string;
            /**
             * Format: uuid
             * @description Id of what it was posted for
             */
            causeId: string;
            /**
             * @description The member's account: `pending`: earned; `cleared`: due; `processing`: being paid; `paid`
             * @enum {string}
             */
            account: "pending" | "cleared" | "processing" | "paid";
            /** @description Minor units; null where it is too large: see `amountMinorExact` */
            amountMinor: number | null;
            /** @description `amountMinor` in digits, where that is null */
            amountMinorExact?: string;
            currency: components["schemas"]["Currency"];
            /**
             * Format: date-time
             * @description When it took place
             */
            occurredAt: string;
            /**
             * Format: date-time
             * @description When the service recorded it
             */
            recordedAt: string;
            /** @description Of this account, after this entry. Minor units; null where it is too large: see `accountBalanceMinorExact` */
            accountBalanceMinor: number | null;
            /** @description `accountBalanceMinor` in digits, where that is null */
            accountBalanceMinorExact?: string;
            /** @description Of all four accounts, after this entry. Minor units; null where it is too large: see `totalBalanceMinorExact` */
            totalBalanceMinor: number | null;
            /** @description `totalBalanceMinor` in digits, where that is null */
            totalBalanceMinorExact?: string;
        };
        GenealogyNode: {
            /**
             * Format: uuid
             * @description The member
             */
            userId: string;
            /**
             * Format: email
             * @description Null where a bearer token may not see it
             */
            email: string | null;
            /** @description For most bearer tokens the first name and an initial */
            name: string | null;
            /** @description First name; null: not known */
            givenName: string | null;
            /** @description Family name; null: not known */
            surname: string | null;
            membershipTier: components["schemas"]["MembershipTier"];
            /** @description Whether the member is active */
            isActive: boolean;
            /** @description Levels from where the answer starts; in a path the index */
            depth: number;
            /** @description Exact: all direct recruits, shown or not, active or not */
            directReferrals: number;
            /** @description Exact: the whole downline, shown or not, active or not */
            totalDownline: number;
            /**
             * Format: date-time
             * @description When the member joined
             */
            joinedAt: string;
            /** @description Those directly below, down to the depth asked for */
            children: components["schemas"]["GenealogyNode"][];
        };
        DownlineMember: {
            /**
             * Format: uuid
             * @description The member
             */
            userId: string;
            /**
             * Format: email
             * @description Null where a bearer token may not see it
             */
            email: string | null;
            /** @description For most bearer tokens the first name and an initial */
            name: string | null;
            /** @description First name; null: not known */
            givenName: string | null;
            /** @description Family name; null: not known */
            surname: string | null;
            membershipTier: components["schemas"]["MembershipTier"];
            /** @description Whether the member is active */
            isActive: boolean;
            /** @description Levels from where the answer starts; in a path the index */
            depth: number;
            /** @description Exact: all direct recruits, shown or not, active or not */
            directReferrals: number;
            /** @description Exact: the whole downline, shown or not, active or not */
            totalDownline: number;
            /**
             * Format: date-time
             * @description When the member joined
             */
            joinedAt: string;
            /**
             * Format: uuid
             * @description The sponsor; null: a root
             */
            sponsorId: string | null;
        };
        TreeLevelMember: {
            /**
             * Format: uuid
             * @description The member
             */
            userId: string;
            /**
             * Format: email
             * @description Null where a bearer token may not see it
             */
            email: string | null;
            /** @description For most bearer tokens the first name and an initial */
            name: string | null;
            /** @description First name; null: not known */
            givenName: string | null;
            /** @description Family name; null: not known */
            surname: string | null;
            membershipTier: components["schemas"]["MembershipTier"];
            /** @description Whether the member is active */
            isActive: boolean;
            /** @description Levels from where the answer starts; in a path the index */
            depth: number;
            /** @description Exact: all direct recruits, shown or not, active or not */
            directReferrals: number;
            /** @description Exact: the whole downline, shown or not, active or not */
            totalDownline: number;
            /**
             * Format: date-time
             * @description When the member joined
             */
            joinedAt: string;
            /**
             * Format: uuid
             * @description The sponsor; null: a root
             */
            sponsorId: string | null;
            /** @description Exact: of the whole downline those who are active */
            activeDownline: number;
            /** @description With `with=commissions`: the member's own lines of sales of the present local month, in the tenant's currency; reversed ones count nowhere. Null for a key or role without `commissions:read`, and for a bearer token */
            commissionsThisMonth?: {
                /** @description YYYY-MM */
                month: string;
                currency: components["schemas"]["Currency"];
                /** @description Major units; null where it is too large: see `totalAmountExact` */
                totalAmount: number | null;
                /** @description `totalAmount` in digits, where that is null */
                totalAmountExact?: string;
            } | null;
        };
        CommissionBreakdown: {
            /** @description Major units; null where it is too large: see `totalAmountExact` */
            totalAmount: number | null;
            /** @description `totalAmount` in digits, where that is null */
            totalAmountExact?: string;
            /** @description By what was sold */
            bySource: {
                /** @description Major units; null where it is too large: see `salesExact` */
                sales: number | null;
                /** @description `sales` in digits, where that is null */
                salesExact?: string;
                /** @description Major units; null where it is too large: see `subscriptionExact` */
                subscription: number | null;
                /** @description `subscription` in digits, where that is null */
                subscriptionExact?: string;
                /** @description Major units; null where it is too large: see `manualExact` */
                manual: number | null;
                /** @description `manual` in digits, where that is null */
                manualExact?: string;
            };
            /** @description Held lines count as pending */
            byStatus: {
                /** @description Major units; null where it is too large: see `pendingExact` */
                pending: number | null;
                /** @description `pending` in digits, where that is null */
                pendingExact?: string;
                /** @description Major units; null where it is too large: see `clearedExact` */
                cleared: number | null;
                /** @description `cleared` in digits, where that is null */
                clearedExact?: string;
                /** @description Major units; null where it is too large: see `processingExact` */
                processing: number | null;
                /** @description `processing` in digits, where that is null */
                processingExact?: string;
                /** @description Major units; null where it is too large: see `paidExact` */
                paid: number | null;
                /** @description `paid` in digits, where that is null */
                paidExact?: string;
            };
            /** @description Level by level */
            byLevel: {
                /** @description Real distance from the sale */
                level: number;
                /** @description Major units; null where it is too large: see `amountExact` */
                amount: number | null;
                /** @description `amount` in digits, where that is null */
                amountExact?: string;
                /** @description How many */
                count: number;
                /** @description Share of the total to two decimals; the shares sum to 100, or are 0 when there is none */
                percentage: number;
            }[];
            /** @description Month by month */
            trend: {
                /** @description YYYY-MM for `all`, YYYY-MM-DD for one month */
                period: string;
                /** @description Major units; null where it is too large: see `amountExact` */
                amount: number | null;
                /** @description `amount` in digits, where that is null */
                amountExact?: string;
                /** @description How many */
                count: number;
            }[];
            /** @description The month, YYYY-MM */
            period: string;
            currency: components["schemas"]["Currency"];
            /** @description The tenant's reporting zone, in which sales fall into months and days */
            timeZone: string;
        };
        TaxSummary: {
            /** @description The year */
            year: number;
            /** @description Paid out in the year, less what was returned in it. Major units; null where it is too large: see `totalPaidExact` */
            totalPaid: number | null;
            /** @description `totalPaid` in digits, where that is null */
            totalPaidExact?: string;
            /** @description Commissions of the year's sales that are not paid out yet: pending, held, cleared and processing. Major units; null where it is too large: see `totalPendingExact` */
            totalPending: number | null;
            /** @description `totalPending` in digits, where that is null */
            totalPendingExact?: string;
            /** @description Whether the tax document of the year is final: the year is over, and something was paid out or came back in it */
            taxDocumentsAvailable: boolean;
            /** @description All twelve months, by the date of the payout */
            monthlyBreakdown: {
                /** @description 1 to 12 */
                month: number;
                /** @description Major units; null where it is too large: see `amountExact` */
                amount: number | null;
                /** @description `amount` in digits, where that is null */
                amountExact?: string;
                /** @description Payouts to the member; one that is returned is not taken off */
                transactionCount: number;
            }[];
            currency: components["schemas"]["Currency"];
            /** @description The tenant's reporting zone, in which payouts and sales fall into months */
            timeZone: string;
        };
        ReferralStatistics: {
            /** @description Everybody below the member, inactive members included */
            totalReferrals: number;
            /** @description Members whose sponsor is this member */
            directReferrals: number;
            /** @description Those below the member who joined in the present month */
            referralsThisMonth: number;
            /** @description Converted leads among those credited to the member, 0 to 1 with four decimals; 0 when there is none */
            conversionRate: number;
            /** @description What the member earned from sales credited to its downline (level 2 and above), less what was taken back. Major units; null where it is too large: see `totalCommissionFromReferralsExact` */
            totalCommissionFromReferrals: number | null;
            /** @description `totalCommissionFromReferrals` in digits, where that is null */
            totalCommissionFromReferralsExact?: string;
            /** @description Up to ten present direct recruits, highest `commissionGenerated` first, then by id */
            topPerformers: {
                /**
                 * Format: uuid
                 * @description The member
                 */
                userId: string;
                /**
                 * Format: email
                 * @description Null where a bearer token may not see it
                 */
                email: string | null;
                /** @description Name; null: none given */
                name: string | null;
                /** @description First name; null: not known */
                givenName: string | null;
                /** @description Family name; null: not known */
                surname: string | null;
                /** @description The recruit's own direct recruits */
                referralCount: number;
                /** @description What the member earned from sales that came through the recruit. Major units; null where it is too large: see `commissionGeneratedExact` */
                commissionGenerated: number | null;
                /** @description `commissionGenerated` in digits, where that is null */
                commissionGeneratedExact?: string;
            }[];
            currency: components["schemas"]["Currency"];
            /** @description The tenant's reporting zone, in which months begin and end */
            timeZone: string;
        };
        TeamStatistics: {
            /** @description Everybody below the member today, inactive members included; whatever the period */
            teamSize: number;
            /** @description Of them those whose sponsor is this member */
            directReferrals: number;
            /** @description Of them the active ones */
            activeMembers: number;
            /** @description Of them those who joined in the period; for `all` everybody */
            newMembers: number;
            /** @description What the member earned from its downline's sales of the period (level 2 and above), less what was taken back. Major units; null where it is too large: see `commissionExact` */
            commission: number | null;
            /** @description `commission` in digits, where that is null */
            commissionExact?: string;
            /** @description Number of commission lines that make up `commission`; reversed ones count nowhere */
            commissions: number;
            /** @description A level without commissions is left out */
            byLevel: {
                /** @description Real distance from the sale, 2 or more */
                level: number;
                /** @description Major units; null where it is too large: see `amountExact` */
                amount: number | null;
                /** @description `amount` in digits, where that is null */
                amountExact?: string;
                /** @description How many */
                count: number;
            }[];
            /** @description The period asked for */
            period: string;
            currency: components["schemas"]["Currency"];
            /** @description The tenant's reporting zone, in which months begin and end */
            timeZone: string;
        };
        ListedMember: {
            /**
             * Format: uuid
             * @description Id
             */
            id: string;
            /**
             * Format: email
             * @description Address, as it was typed
             */
            email: string;
            /** @description Name; null: none given */
            name: string | null;
            /** @description The member's id in the tenant's own system */
            externalId: string | null;
            membershipTier: components["schemas"]["MembershipTier"];
            /**
             * Format: uuid
             * @description Null for a root member
             */
            sponsorId: string | null;
            /** @description Whether the member is active */
            isActive: boolean;
            /** @description Whether the member may have recruits */
            canRecruit: boolean;
            /** @description Whether it is a test member, which is never paid */
            isTestUser: boolean;
            /** @description Currency that the member is paid in */
            payCurrency: components["schemas"]["Currency"];
            /** @description The member's default referral code */
            referralCode: string;
            /**
             * Format: date-time
             * @description When the member joined
             */
            joinedAt: string;
            /**
             * Format: date-time
             * @description When it last changed
             */
            updatedAt: string;
        };
        Overview: {
            /** @description The first month of the answer, YYYY-MM */
            from: string;
            /** @description The last month of the answer, YYYY-MM */
            to: string;
            currency: components["schemas"]["Currency"];
            /** @description The tenant's reporting zone, in which months begin and end */
            timeZone: string;
            /** @description By the month of the sale and the status of today; held ones are pending, reversed ones left out */
            commissions: {
                /** @description Major units; null where it is too large: see `pendingExact` */
                pending: number | null;
                /** @description `pending` in digits, where that is null */
                pendingExact?: string;
                /** @description Major units; null where it is too large: see `clearedExact` */
                cleared: number | null;
                /** @description `cleared` in digits, where that is null */
                clearedExact?: string;
                /** @description Major units; null where it is too large: see `processingExact` */
                processing: number | null;
                /** @description `processing` in digits, where that is null */
                processingExact?: string;
                /** @description Major units; null where it is too large: see `paidExact` */
                paid: number | null;
                /** @description `paid` in digits, where that is null */
                paidExact?: string;
                /** @description Month by month */
                months: {
                    /** @description YYYY-MM */
                    month: string;
                    /** @description Major units; null where it is too large: see `pendingExact` */
                    pending: number | null;
                    /** @description `pending` in digits, where that is null */
                    pendingExact?: string;
                    /** @description Major units; null where it is too large: see `clearedExact` */
                    cleared: number | null;
                    /** @description `cleared` in digits, where that is null */
                    clearedExact?: string;
                    /** @description Major units; null where it is too large: see `processingExact` */
                    processing: number | null;
                    /** @description `processing` in digits, where that is null */
                    processingExact?: string;
                    /** @description Major units; null where it is too large: see `paidExact` */
                    paid: number | null;
                    /** @description `paid` in digits, where that is null */
                    paidExact?: string;
                }[];
            } | null;
            /** @description Who joined, test members and inactive ones among them */
            members: {
                /** @description Members who joined */
                joined: number;
                /** @description Month by month */
                months: {
                    /** @description YYYY-MM */
                    month: string;
                    /** @description Members who joined */
                    joined: number;
                }[];
            } | null;
            /** @description Whatever the months asked for */
            waiting: {
                /** @description Verifications that staff has to decide */
                kycReviews: number | null;
                /** @description Commission lines on hold */
                heldCommissions: number | null;
                /** @description Members that the last run of each currency could not pay */
                blockedPayouts: number | null;
                /** @description Payouts that failed and were not tried again */
                failedPayouts: number | null;
                /** @description Drafted payout runs */
                runsToApprove: number | null;
                /** @description Approved payout runs */
                runsToExecute: number | null;
                /** @description Changes that wait for another pair of hands */
                pendingChanges: number | null;
                /** @description Webhook endpoints that fail, or were disabled because they failed or answered 410 */
                failingEndpoints: number | null;
            };
        };
        SearchResult: {
            kind: components["schemas"]["SearchResultKind"];
            /**
             * Format: uuid
             * @description Its id
             */
            id: string;
            /** @description What it is called: a name, an email, the id of an order, a code, a slug */
            title: string;
            /** @description What tells it from others of the same title */
            subtitle: string | null;
            /** @description Of a member or a key active, inactive, erased, expired, disabled or revoked; of all else its `status` */
            state: string;
            /**
             * Format: uuid
             * @description The member that it is about
             */
            userId: string | null;
            /**
             * Format: uuid
             * @description Of a commission: the event that made it
             */
            eventId: string | null;
            /** @description It was named whole: by an id, an email, a code, a slug or an id of the tenant */
            exact: boolean;
        };
        /**
         * @description What was found: a `member`, `event`, `commission`, `lead`, `referral_code`, `referral_link`, `payout_run`, `payout` or `api_key`
         * @enum {string}
         */
        SearchResultKind: "member" | "event" | "commission" | "lead" | "referral_code" | "referral_link" | "payout_run" | "payout" | "api_key";
        SavedView: {
            /**
             * Format: uuid
             * @description Id
             */
            id: string;
            /** @description Name of the view */
            name: string;
            /** @description The path of the page, without tenant and environment */
            page: string;
            /** @description What the page is asked with */
            query: {
                [key: string]: string;
            };
            /** @description Seen by all who may call this */
            shared: boolean;
            /** @description Saved by the caller, by a key that comes from it, or by the person it comes from */
            own: boolean;
            /** @description Who made it */
            createdBy: components["schemas"]["Actor"];
            /**
             * Format: date-time
             * @description When it was made
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it last changed
             */
            updatedAt: string;
        };
        MemberProfile: {
            /**
             * Format: uuid
             * @description The member
             */
            id: string;
            /** @description Name shown for the member; null: none */
            name: string | null;
            /** @description As in the identity document; null: not given */
            givenName: string | null;
            /** @description As in the identity document; null: not given */
            surname: string | null;
            /**
             * Format: date
             * @description A calendar date; null: not given
             */
            dateOfBirth: string | null;
            /** @description Masked: at most its last four characters, as `•••• 6789`; null: not given */
            idNumber: string | null;
            /**
             * Format: email
             * @description The member's address
             */
            email: string;
            /** @description ISO 3166-1 alpha-3; null: not given */
            countryCode: string | null;
            /** @description Null: no field of it was given */
            address: components["schemas"]["Address"] | null;
            /** @description Of the business that the member is paid as; accounts with the `holderType` business are held under it; null: none */
            businessName: string | null;
            /**
             * Format: date-time
             * @description When the member was created
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When member or profile were last changed
             */
            updatedAt: string;
        };
        /** @description A field that was not given is null */
        Address: {
            /** @description ISO 3166-1 alpha-3 */
            countryCode: string | null;
            /** @description Street and number */
            addressLine1: string | null;
            /** @description What the first line has no room for */
            addressLine2: string | null;
            /** @description Town or city */
            city: string | null;
            /** @description State, province or region */
            state: string | null;
            /** @description As the country writes it */
            postalCode: string | null;
            /** @description Part of the city */
            district: string | null;
            /** @description Part of the district */
            neighborhood: string | null;
            addressType: components["schemas"]["AddressType"] | null;
        };
        MemberErasure: {
            /**
             * Format: uuid
             * @description The member
             */
            userId: string;
            /**
             * Format: email
             * @description What stands in the place of the address: it reaches nobody
             */
            email: string;
            /**
             * Format: date-time
             * @description When it was erased, at the first time
             */
            erasedAt: string;
            /** @description As it was given at the first time; null: none was */
            reason: string | null;
        };
        MemberDataExport: {
            /**
             * Format: date-time
             * @description When this document was begun
             */
            exportedAt: string;
            /** @description The member */
            member: {
                /**
                 * Format: uuid
                 * @description Id
                 */
                id: string;
                /**
                 * Format: email
                 * @description Address
                 */
                email: string;
                /** @description Name */
                name: string | null;
                /** @description Id in the tenant's own system */
                externalId: string | null;
                /** @description Tier of the member */
                membershipTier: string;
                /**
                 * Format: uuid
                 * @description The sponsor; null: a root
                 */
                parentId: string | null;
                /** @description Whether the member is active */
                isActive: boolean;
                /** @description Whether recruits are allowed */
                canRecruit: boolean;
                /** @description Whether it is a test member, never paid */
                isTestUser: boolean;
                /** @description Key of the group */
                group: string;
                standing: components["schemas"]["MemberStanding"];
                /**
                 * Format: date-time
                 * @description When it came to the tenant
                 */
                joinedAt: string;
                payCurrency: components["schemas"]["Currency"];
                /** @description The kind of who made the member */
                createdBy: string | null;
                /**
                 * Format: date-time
                 * @description When it was made
                 */
                createdAt: string;
                /**
                 * Format: date-time
                 * @description When it last changed
                 */
                updatedAt: string;
                /**
                 * Format: date-time
                 * @description When it was erased; null: it was not
                 */
                erasedAt: string | null;
                /** @description Why it was erased */
                erasureReason: string | null;
            };
            /** @description Beside what `member` has */
            profile: {
                /** @description As in the identity document; null: not given */
                givenName: string | null;
                /** @description As in the identity document; null: not given */
                surname: string | null;
                /** @description A calendar date; null: not given */
                dateOfBirth: string | null;
                /** @description In full for a key with the scope `identity:read`, masked for any other; null: not given */
                idNumber: string | null;
                /** @description ISO 3166-1 alpha-3; null: not given */
                countryCode: string | null;
                /** @description The fields that were given; null: none */
                address: {
                    [key: string]: string;
                } | null;
                /** @description Of the business that the member is paid as; null: not given */
                businessName: string | null;
            };
            /** @description Codes of the member */
            referralCodes: {
                /** @description The code */
                code: string;
                /** @description Where it stands */
                status: string;
                /**
                 * Format: date-time
                 * @description When it was made
                 */
                createdAt: string;
            }[];
            /** @description The verification; null: never started */
            kyc: {
                /**
                 * Format: uuid
                 * @description Of the verification
                 */
                id: string;
                /** @description `manual` or `kycvendor` */
                provider: string;
                /** @description The member at the vendor; null: not there */
                providerApplicantId: string | null;
                /** @description As in `GET /members/{userId}/kyc` */
                status: string;
                /** @description Why it was rejected or what to send again; null: neither */
                rejectionReason: string | null;
                /**
                 * Format: date-time
                 * @description When it was approved; null: it is not
                 */
                verifiedAt: string | null;
                /**
                 * Format: date-time
                 * @description When the approval ends; null: never, or there is none
                 */
                expiresAt: string | null;
                /**
                 * Format: date-time
                 * @description When it was first started
                 */
                createdAt: string;
                /**
                 * Format: date-time
                 * @description When it was last changed
                 */
                updatedAt: string;
            } | null;
            /** @description As `GET /members/{userId}/history` has it */
            history: {
                [key: string]: unknown;
            };
            /** @description What was captured of the member itself */
            leads: {
                /**
                 * Format: uuid
                 * @description Id
                 */
                id: string;
                /**
                 * Format: email
                 * @description Address
                 */
                email: string;
                /** @description Name */
                name: string | null;
                /** @description Phone number */
                phone: string | null;
                /** @description Where it came from */
                source: string | null;
                /** @description UTM source */
                utmSource: string | null;
                /** @description UTM medium */
                utmMedium: string | null;
                /** @description UTM campaign */
                utmCampaign: string | null;
                /** @description The click that led here */
                clickId: string | null;
                /** @description Where the lead stands */
                conversionStatus: string;
                /**
                 * Format: date-time
                 * @description When it was made
                 */
                createdAt: string;
            }[];
            /** @description Customers with the member's email, and of purchases that it made */
            customers: {
                /**
                 * Format: uuid
                 * @description Id
                 */
                id: string;
                /** @description Id in the tenant's own system */
                externalId: string;
                /**
                 * Format: email
                 * @description Address
                 */
                email: string | null;
                /** @description Name */
                name: string | null;
                /**
                 * Format: date-time
                 * @description When it was made
                 */
                createdAt: string;
            }[];
            /** @description Others' data is theirs */
            leadsReferred: {
                /**
                 * Format: uuid
                 * @description Id
                 */
                id: string;
                /**
                 * Format: date-time
                 * @description When it was made
                 */
                createdAt: string;
            }[];
            /** @description With those that were deleted */
            referralLinks: {
                /**
                 * Format: uuid
                 * @description Id
                 */
                id: string;
                /** @description Last part of the link */
                slug: string;
                /** @description Where the link leads */
                destinationUrl: string;
                /** @description Name */
                name: string | null;
                /** @description Where it stands */
                status: string;
                /**
                 * Format: date-time
                 * @description When it ends; null: never
                 */
                expiresAt: string | null;
                /**
                 * Format: date-time
                 * @description When it was made
                 */
                createdAt: string;
            }[];
            /** @description Commission lines */
            commissions: {
                /**
                 * Format: uuid
                 * @description Id
                 */
                id: string;
                /**
                 * Format: uuid
                 * @description The event
                 */
                eventId: string;
                /** @description What kind it is */
                kind: string;
                /** @description Where it stands */
                status: string;
                /** @description Level: 1 is the credited member */
                level: number;
                /** @description Minor units */
                amountMinor: number;
                currency: components["schemas"]["Currency"];
                /**
                 * Format: date-time
                 * @description When it took place
                 */
                occurredAt: string;
            }[];
            /** @description Entries of the member's accounts */
            ledgerEntries: {
                /**
                 * Format: uuid
                 * @description The journal
                 */
                journalId: string;
                /** @description Its number among the others: of a posting in its journal, of a block in the ledger */
                seq: number;
                /** @description Ledger account */
                account: string;
                /** @description Minor units; null where it is too large: see `amountMinorExact` */
                amountMinor: number | null;
                /** @description The digits of `amountMinor` where that is null */
                amountMinorExact: string | null;
                currency: components["schemas"]["Currency"];
                /** @description What it was posted for */
                causeType: string;
                /**
                 * Format: uuid
                 * @description Id of what it was posted for
                 */
                causeId: string;
                /**
                 * Format: date-time
                 * @description When it was recorded
                 */
                recordedAt: string;
            }[];
            /** @description Without the numbers, of which only the end is shown */
            payoutAccounts: {
                /**
                 * Format: uuid
                 * @description Of the account
                 */
                id: string;
                /** @description Who pays to it: `manual` or `payvendor` */
                providerType: string;
                /** @description The payout method */
                methodType: string;
                /** @description With the end of the number alone */
                displayName: string;
                /** @description Name of the bank; null: not known */
                bankName: string | null;
                /** @description ISO 3166-1 alpha-2, of the bank */
                country: string;
                currency: components["schemas"]["Currency"];
                /** @description Whether payouts prefer it */
                isPrimary: boolean;
                /** @description As in `GET /members/{userId}/payout-accounts` */
                status: string;
                /** @description What the provider said of it; null: nothing */
                statusReason: string | null;
                /** @description When and where the provider's terms were agreed to; null: not */
                tosAcceptance: {
                    [key: string]: unknown;
                } | null;
                /**
                 * Format: date-time
                 * @description When it was added
                 */
                createdAt: string;
            }[];
            /** @description Persons at identity providers that the member is linked to */
            identities: {
                /**
                 * Format: uuid
                 * @description Of the link
                 */
                id: string;
                /** @description The provider, as the exchange calls it */
                providerId: string;
                /** @description The `sub` of its tokens */
                subject: string;
                /**
                 * Format: date-time
                 * @description When it was linked
                 */
                createdAt: string;
            }[];
            /** @description What came of exchanges */
            sessions: {
                /**
                 * Format: uuid
                 * @description Of the session
                 */
                id: string;
                /**
                 * Format: date-time
                 * @description When it was begun
                 */
                createdAt: string;
                /**
                 * Format: date-time
                 * @description When it was ended; null: it was not
                 */
                revokedAt: string | null;
            }[];
            /** @description Without their contents, which reviewers can fetch */
            kycDocuments: {
                /**
                 * Format: uuid
                 * @description Of the document
                 */
                id: string;
                /** @description What it is, as `selfie` */
                documentType: string;
                /** @description As it was uploaded */
                fileName: string;
                /** @description As `image/jpeg` */
                mimeType: string;
                /** @description Bytes */
                fileSize: number;
                /** @description `uploaded`, `accepted` or `rejected` */
                status: string;
                /** @description Shown to the member; null unless rejected */
                rejectionReason: string | null;
                /**
                 * Format: date-time
                 * @description When it was decided on; null: not yet
                 */
                reviewedAt: string | null;
                /**
                 * Format: date-time
                 * @description When it was recorded
                 */
                createdAt: string;
            }[];
            /** @description What reviewers wrote; `remarkId` in the details of an audit entry names it */
            kycRemarks: {
                /**
                 * Format: uuid
                 * @description Of the remark
                 */
                id: string;
                /** @description Shown to the member; null: none */
                reason: string | null;
                /** @description Shown to staff beside the log; null: none */
                note: string | null;
                /**
                 * Format: date-time
                 * @description When it was written
                 */
                createdAt: string;
            }[];
            /** @description What the KYC vendor has told, and when */
            kycEvents: {
                /**
                 * Format: uuid
                 * @description Of the event here
                 */
                id: string;
                /** @description The vendor's type */
                type: string;
                /**
                 * Format: date-time
                 * @description By the vendor's clock; null: not said
                 */
                vendorCreatedAt: string | null;
                /**
                 * Format: date-time
                 * @description When it arrived
                 */
                receivedAt: string;
            }[];
            /** @description On the member and on its verification */
            auditEntries: {
                /**
                 * Format: uuid
                 * @description Id
                 */
                id: string;
                /** @description What was done */
                action: string;
                /** @description Who did it */
                actor: {
                    /** @description What kind it is */
                    kind: string;
                    /** @description Null but for the member itself */
                    id: string | null;
                };
                /** @description By which operation */
                operationId: string | null;
                /** @description What changed */
                details: {
                    [key: string]: unknown;
                };
                /**
                 * Format: date-time
                 * @description When it was made
                 */
                createdAt: string;
            }[];
            /** @description Where the member's own calls came from that the audit log tells of, while it is kept */
            auditAddresses: {
                /**
                 * Format: uuid
                 * @description The entry
                 */
                entryId: string;
                /** @description What was done */
                action: string;
                /** @description Address that it came from */
                ip: string;
                /**
                 * Format: date-time
                 * @description When it was made
                 */
                createdAt: string;
            }[];
            /** @description Addresses before this one */
            formerEmails: {
                /**
                 * Format: email
                 * @description Address
                 */
                email: string;
                /**
                 * Format: date-time
                 * @description When another took its place
                 */
                replacedAt: string;
            }[];
            /** @description Those of these customers, and those that name the member as the buyer */
            purchases: {
                /**
                 * Format: uuid
                 * @description Id
                 */
                id: string;
                /** @description The event's id in the tenant's system */
                externalEventId: string;
                /**
                 * Format: date-time
                 * @description When it took place
                 */
                occurredAt: string;
                /** @description Minor units */
                amountMinor: number;
                currency: components["schemas"]["Currency"];
                /** @description The tenant's own data, as JSON */
                metadata: unknown;
                /** @description What was bought */
                lineItems: unknown;
                /** @description Code of the discount */
                discountCode: string | null;
                /** @description Country of the customer */
                customerCountry: string | null;
            }[];
            /** @description Rates that were agreed; one without `pay` ends what was agreed before */
            rateOverrides: {
                /**
                 * Format: uuid
                 * @description Id
                 */
                id: string;
                /** @description `link`, `code` or `member` */
                target: string;
                /**
                 * Format: uuid
                 * @description The link, the code or the member
                 */
                targetId: string;
                /** @description Level: 1 is the credited member */
                level: number;
                /** @description Products that it is for; null: all */
                items: unknown;
                /** @description What is paid; null: it ends */
                pay: unknown;
                /**
                 * Format: date-time
                 * @description From when it counts
                 */
                validFrom: string;
                /**
                 * Format: date-time
                 * @description When it was recorded
                 */
                recordedAt: string;
                /** @description Why */
                reason: string | null;
            }[];
            /** @description Also one that has ended; null: none */
            payoutHold: {
                /** @description Why, for the staff of the tenant */
                reason: string;
                /**
                 * Format: date-time
                 * @description When it ends by itself; null: when it is lifted
                 */
                until: string | null;
                /**
                 * Format: date-time
                 * @description When it was set
                 */
                createdAt: string;
            } | null;
            /** @description Provider tokens that were exchanged, without the tokens */
            exchangedTokens: {
                /**
                 * Format: uuid
                 * @description What the token has begun
                 */
                sessionId: string;
                /** @description How often the token was exchanged */
                exchanges: number;
                /**
                 * Format: date-time
                 * @description When the token ends
                 */
                expiresAt: string;
            }[];
            /**
             * Format: date-time
             * @description Provider tokens issued by then begin no session; null: none were cut off
             */
            sessionsEndedAt: string | null;
            /** @description Sessions of the widget that were begun for the member */
            widgetSessions: {
                /**
                 * Format: uuid
                 * @description Of the session
                 */
                id: string;
                /**
                 * Format: date-time
                 * @description When it was begun
                 */
                createdAt: string;
                /**
                 * Format: date-time
                 * @description When it ends at the latest
                 */
                endsAt: string;
                /**
                 * Format: date-time
                 * @description When it was ended before that; null: it was not
                 */
                endedAt: string | null;
            }[];
        };
        MemberSelf: {
            /**
             * Format: uuid
             * @description The member
             */
            id: string;
            /** @description Name shown for the member; null: none */
            name: string | null;
            /** @description As in the identity document; null: not given */
            givenName: string | null;
            /** @description As in the identity document; null: not given */
            surname: string | null;
            /**
             * Format: date
             * @description A calendar date; null: not given
             */
            dateOfBirth: string | null;
            /** @description Masked: at most its last four characters, as `•••• 6789`; null: not given */
            idNumber: string | null;
            /**
             * Format: email
             * @description The member's address
             */
            email: string;
            /** @description ISO 3166-1 alpha-3; null: not given */
            countryCode: string | null;
            /** @description Null: no field of it was given */
            address: components["schemas"]["Address"] | null;
            /** @description Of the business that the member is paid as; accounts with the `holderType` business are held under it; null: none */
            businessName: string | null;
            /**
             * Format: date-time
             * @description When the member was created
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When member or profile were last changed
             */
            updatedAt: string;
            /** @description The member's present tier */
            membershipTier: components["schemas"]["MembershipTier"];
            /** @description False once the member was deactivated */
            isActive: boolean;
            /**
             * Format: uuid
             * @description The sponsor; null for a root member
             */
            parentId: string | null;
            /** @description Where the member lives */
            environment: components["schemas"]["Environment"];
        };
        KycStart: {
            /**
             * Format: uuid
             * @description The verification
             */
            kycRecordId: string;
            provider: components["schemas"]["KycProvider"];
            status: components["schemas"]["KycStatus"];
            /** @description Where each document gets its upload URL; null unless `manual` */
            uploadUrl: string | null;
            /** @description What may be sent in; null unless `manual` */
            requiredDocuments: {
                documentType: components["schemas"]["KycDocumentType"];
                /** @description For the member to read */
                label: string;
                /** @description What it must show, for the member to read */
                description: string;
                /** @description Whether it must be sent in */
                required: boolean;
                /** @description File types that are taken */
                acceptedFormats: components["schemas"]["KycDocumentFormat"][];
            }[] | null;
            /** @description For the provider's SDK; null unless `kycvendor` */
            sdkConfig: {
                /** @description For the provider's SDK in the member's browser or app */
                accessToken: string;
                /**
                 * Format: date-time
                 * @description Another start gives a new token
                 */
                expiresAt: string;
                /** @description The checks to be made, by the vendor's name */
                flowName: string;
                /** @description The member at the vendor */
                applicantId: string;
            } | null;
            /** @description What is to be done next, for a person */
            message: string;
        };
        KycRecord: {
            /**
             * Format: uuid
             * @description Of the verification
             */
            id: string;
            /**
             * Format: uuid
             * @description The member
             */
            userId: string;
            provider: components["schemas"]["KycProvider"];
            /** @description The member at the vendor; null: not there */
            providerApplicantId: string | null;
            status: components["schemas"]["KycStatus"];
            /**
             * Format: date-time
             * @description When it was approved; null unless `approved`
             */
            verifiedAt: string | null;
            /**
             * Format: date-time
             * @description When the approval ends, by the setting `kyc.approvalValidDays` as it was when it was given; null: never, or there is none
             */
            expiresAt: string | null;
            /** @description Why it was rejected or what to send again; null: neither */
            rejectionReason: string | null;
            /** @description While it is `resubmit_required`: the documents that must still come again. Empty: `rejectionReason` says what */
            requestedDocuments: components["schemas"]["KycDocumentType"][];
            /**
             * Format: date-time
             * @description When it was first started
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it was last changed
             */
            updatedAt: string;
            /** @description Sent in so far, in the order they came */
            documents: components["schemas"]["KycDocument"][];
        };
        KycDocument: {
            /**
             * Format: uuid
             * @description Of the document
             */
            id: string;
            documentType: components["schemas"]["KycDocumentType"];
            /** @description As it was uploaded */
            fileName: string;
            mimeType: components["schemas"]["KycDocumentFormat"];
            /** @description Bytes */
            fileSize: number;
            status: components["schemas"]["KycDocumentStatus"];
            /** @description What the reviewer wrote for the member; null unless rejected */
            rejectionReason: string | null;
            /**
             * Format: date-time
             * @description When it was decided on; null: not yet
             */
            reviewedAt: string | null;
            /** @description A later document of its type has taken its place */
            superseded: boolean;
            /**
             * Format: date-time
             * @description When it was recorded
             */
            createdAt: string;
        };
        /**
         * @description `uploaded`: nobody has decided on it yet; `accepted`, `rejected`: by the reviewer
         * @enum {string}
         */
        KycDocumentStatus: "uploaded" | "accepted" | "rejected";
        KycUpload: {
            /** @description Good for this one document; no key is sent there */
            uploadUrl: string;
            /** @description Names the upload when the document is recorded */
            filePath: string;
            /** @description Seconds that the URL is good for */
            expiresInSeconds: number;
            /**
             * @description To send the bytes with
             * @enum {string}
             */
            method: "PUT";
            /** @description To be sent with the bytes, exactly so */
            headers: {
                [key: string]: string;
            };
        };
        KycQueueItem: {
            /**
             * Format: uuid
             * @description Of the verification
             */
            id: string;
            /**
             * Format: uuid
             * @description The member
             */
            userId: string;
            status: components["schemas"]["KycStatus"];
            provider: components["schemas"]["KycProvider"];
            /** @description The member at the vendor; null: not there */
            providerApplicantId: string | null;
            /** @description Why it was rejected or what to send again; null: neither */
            rejectionReason: string | null;
            /**
             * Format: date-time
             * @description When it was approved; null unless `approved`
             */
            verifiedAt: string | null;
            /**
             * Format: date-time
             * @description When the approval ends, by the setting `kyc.approvalValidDays` as it was when it was given; null: never, or there is none
             */
            expiresAt: string | null;
            /**
             * Format: date-time
             * @description When it was first started
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it was last changed
             */
            updatedAt: string;
            /** @description The reviewer, by whatever name the tenant has for one; null: nobody */
            assignedTo: string | null;
            /** @description Who looks at it now; null: nobody */
            takenBy: components["schemas"]["Actor"] | null;
            /**
             * Format: date-time
             * @description When that ends by itself; null: nobody has taken it
             */
            takenUntil: string | null;
            /** @description Since when it has its status, in seconds */
            waitingSeconds: number;
            /** @description Who the member is */
            user: {
                /**
                 * Format: email
                 * @description The member's address
                 */
                email: string;
                /** @description Name shown for the member; null: none */
                name: string | null;
            };
        };
        KycReview: {
            /**
             * Format: uuid
             * @description Of the verification
             */
            id: string;
            /**
             * Format: uuid
             * @description The member
             */
            userId: string;
            status: components["schemas"]["KycStatus"];
            provider: components["schemas"]["KycProvider"];
            /** @description The member at the vendor; null: not there */
            providerApplicantId: string | null;
            /** @description Why it was rejected or what to send again; null: neither */
            rejectionReason: string | null;
            /**
             * Format: date-time
             * @description When it was approved; null unless `approved`
             */
            verifiedAt: string | null;
            /**
             * Format: date-time
             * @description When the approval ends, by the setting `kyc.approvalValidDays` as it was when it was given; null: never, or there is none
             */
            expiresAt: string | null;
            /**
             * Format: date-time
             * @description When it was first started
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it was last changed
             */
            updatedAt: string;
            /** @description The reviewer, by whatever name the tenant has for one; null: nobody */
            assignedTo: string | null;
            /** @description Who looks at it now; null: nobody */
            takenBy: components["schemas"]["Actor"] | null;
            /**
             * Format: date-time
             * @description When that ends by itself; null: nobody has taken it
             */
            takenUntil: string | null;
            /** @description Since when it has its status, in seconds */
            waitingSeconds: number;
            /** @description What the documents are compared with */
            user: {
                /**
                 * Format: uuid
                 * @description The member
                 */
                id: string;
                /**
                 * Format: email
                 * @description The member's address
                 */
                email: string;
                /** @description Name shown for the member; null: none */
                name: string | null;
                /** @description Of the profile; null: not given */
                givenName: string | null;
                /** @description Of the profile; null: not given */
                surname: string | null;
                /**
                 * Format: date
                 * @description Of the profile; null: not given
                 */
                dateOfBirth: string | null;
                /** @description ISO 3166-1 alpha-3; null: not given */
                countryCode: string | null;
                /** @description The end of the ID number; null: not given */
                idNumberLastFour: string | null;
                /** @description Of the profile; null: not given */
                businessName: string | null;
                /** @description What a proof of address is compared with; null: not given */
                address: {
                    /** @description Of the profile; null: not given */
                    line: string | null;
                    /** @description Of the profile; null: not given */
                    city: string | null;
                    /** @description Of the profile; null: not given */
                    postalCode: string | null;
                } | null;
                /** @description The member's present tier */
                membershipTier: components["schemas"]["MembershipTier"];
                /** @description False once the member was deactivated */
                isActive: boolean;
            };
            /** @description What to look into first, at most one of a kind */
            flags: components["schemas"]["KycFlag"][];
            /** @description Rises when who the member is is changed; for `approve` */
            identityVersion: number;
            /** @description Whether it was changed since the verification was submitted */
            identityChanged: boolean;
            /** @description While it is `resubmit_required`: the documents that must still come again. Empty: `rejectionReason` says what */
            requestedDocuments: components["schemas"]["KycDocumentType"][];
            /** @description Sent in so far, in the order they came */
            documents: {
                /**
                 * Format: uuid
                 * @description Of the document
                 */
                id: string;
                documentType: components["schemas"]["KycDocumentType"];
                /** @description As it was uploaded */
                fileName: string;
                mimeType: components["schemas"]["KycDocumentFormat"];
                /** @description Bytes */
                fileSize: number;
                status: components["schemas"]["KycDocumentStatus"];
                /** @description What the reviewer wrote for the member; null unless rejected */
                rejectionReason: string | null;
                /**
                 * Format: date-time
                 * @description When it was decided on; null: not yet
                 */
                reviewedAt: string | null;
                /** @description A later document of its type has taken its place */
                superseded: boolean;
                /**
                 * Format: date-time
                 * @description When it was recorded
                 */
                createdAt: string;
                /**
                 * @description `not_scanned`: the deployment has no scanner
                 * @enum {string}
                 */
                malwareScan: "clean" | "not_scanned";
            }[];
            /** @description The latest 100, newest first; all of them: `GET /admin/audit-logs?objectId=` */
            auditLogs: {
                /**
                 * Format: uuid
                 * @description Of the entry in the audit log
                 */
                id: string;
                /** @description What was done, as `kyc_record.approved` */
                action: string;
                /** @description Of the API key or the member; `kycvendor` for what the vendor brought about; null: nobody in particular */
                actorId: string | null;
                /** @description Depends on the action */
                details: {
                    [key: string]: unknown;
                };
                /**
                 * Format: date-time
                 * @description When it was done
                 */
                createdAt: string;
            }[];
        };
        KycFlag: {
            kind: components["schemas"]["KycFlagKind"];
            /** @description The other members, 10 at most */
            userIds: string[];
            /** @description Whether there are others beside these */
            more: boolean;
            /**
             * Format: uuid
             * @description The member's newest payout account that it is about; null: about none
             */
            accountId: string | null;
            /** @description The other name; null where it is not shown */
            found: string | null;
        };
        /**
         * @description `ID_NUMBER_SHARED`: other members of the country have the same ID number; `ACCOUNT_SHARED`: others are paid to the same account; `NAME_MISMATCH`: an active account is held under another name than the stated one
         * @enum {string}
         */
        KycFlagKind: "ID_NUMBER_SHARED" | "ACCOUNT_SHARED" | "NAME_MISMATCH";
        KycFindings: {
            source: components["schemas"]["KycFindingsSource"];
            /** @description In this order, each once */
            fields: {
                field: components["schemas"]["KycFindingsField"];
                /** @description By the profile, an ID number by its end; null: not given */
                stated: string | null;
                /** @description The same of what was found; null: nothing */
                found: string | null;
                /** @description By more than case and space; null: not compared */
                matches: boolean | null;
            }[];
            /** @description The steps at the vendor */
            documents: {
                /** @description By the vendor's name, as `PASSPORT` */
                documentType: string;
                verdict: components["schemas"]["KycFindingsVerdict"];
                /** @description The vendor's words for the member; null: none */
                words: string | null;
            }[];
            /** @description The vendor's words on the whole; null: none */
            words: string | null;
            /** @description The vendor's reasons, as `FORGERY` */
            rejectLabels: string[];
        };
        /**
         * @description `kycvendor`: read at the vendor now; `accounts`: the holder names of payout accounts, which were compared and are not shown; `none`: nothing was found
         * @enum {string}
         */
        KycFindingsSource: "kycvendor" | "accounts" | "none";
        /**
         * @description As the profile: `givenName`, `surname`, `dateOfBirth`, `countryCode`, `idNumber`
         * @enum {string}
         */
        KycFindingsField: "givenName" | "surname" | "dateOfBirth" | "countryCode" | "idNumber";
        /**
         * @description `accepted` or `rejected` by the vendor; `pending`: neither yet
         * @enum {string}
         */
        KycFindingsVerdict: "accepted" | "rejected" | "pending";
        PayoutMethods: {
            /** @description ISO 3166-1 alpha-2, as asked for */
            country: string;
            /** @description Empty where no method is known */
            methods: components["schemas"]["PayoutMethod"][];
        };
        PayoutMethod: {
            /** @description The `methodType` of an account */
            id: string;
            /** @description For a person, as `SEPA bank transfer, Germany` */
            name: string;
            /**
             * @description The kind of method
             * @enum {string}
             */
            category: "bank_transfer";
            /**
             * @description Who would pay: `manual`: the tenant by itself; `payvendor`: the payment vendor
             * @enum {string}
             */
            provider: "manual" | "payvendor";
            /** @description ISO 4217 */
            currency: string;
            /** @description Whether members of the tenant can have such an account in the country */
            enabled: boolean;
            /** @description What `bankAccount` takes */
            fields: components["schemas"]["PayoutField"][];
        };
        PayoutField: {
            /** @description The key in `bankAccount` */
            key: string;
            /** @description Name of the field, for a form */
            label: string;
            /**
             * @description The kind of input
             * @enum {string}
             */
            type: "text";
            /** @description An example of a value, for a form */
            placeholder: string;
            /** @description What to enter, for a form */
            helpText: string;
            /** @description What a value must fulfil */
            validation: {
                /** @description Whether it must be sent */
                required: boolean;
                /** @description In characters, of the value that `pattern` is for */
                minLength: number;
                /** @description In characters, of the value that `pattern` is for */
                maxLength: number;
                /** @description A JavaScript pattern with the flag `u`, of the value without spaces and hyphens and in capital letters */
                pattern: string;
            };
            /** @description The values to choose from; empty: any text */
            options: {
                /** @description What is sent */
                value: string;
                /** @description What a form shows for it */
                label: string;
            }[];
        };
        BankDetailsCheck: {
            /** @description Whether the details fulfil the rules of the method */
            valid: boolean;
            /** @description As `bankAccount.iban` */
            errors: {
                /** @description Name of the field at fault, as `bankAccount.iban` */
                field: string;
                /** @description What is wrong, without the value */
                message: string;
            }[];
            /** @description The details as they would be used, the number of the account masked; null when they are not valid */
            normalised: {
                [key: string]: string;
            } | null;
        };
        PayoutAccountOfMember: {
            /**
             * Format: uuid
             * @description The member
             */
            userId: string;
            /** @description Whether payouts to the member are on hold now */
            onHold: boolean;
            /**
             * Format: uuid
             * @description Of the account
             */
            id: string;
            /** @description The payout method, as `sepa_bank_transfer` */
            methodType: string;
            /**
             * @description The kind of method
             * @enum {string}
             */
            category: "bank_transfer";
            /** @description As `HSBC •••• 6789`; the full number is never shown */
            displayName: string;
            /** @description ISO 3166-1 alpha-2, of the bank */
            countryCode: string;
            currency: components["schemas"]["Currency"];
            /**
             * @description Who pays to it. `manual`: the tenant by itself; `payvendor`: the payment vendor
             * @enum {string}
             */
            providerType: "manual" | "payvendor";
            /** @description Whether payouts prefer it to the other accounts */
            isPrimary: boolean;
            /** @description False once it was deactivated */
            isActive: boolean;
            status: components["schemas"]["PayoutAccountStatus"];
            /** @description What the provider wants, or why it rejected it; null: nothing to say */
            statusReason: string | null;
            /**
             * Format: date-time
             * @description The end of the cool-down, which runs from the later of becoming active and of becoming the account that the money goes to: nothing is paid to it before; null unless `active`
             */
            usableFrom: string | null;
            /** @description Whether another member has the same bank account; null to a bearer token */
            sharedWithOthers: boolean | null;
            /**
             * @description `individual`: held under the member's own name; `business`: under the profile's `businessName`
             * @enum {string}
             */
            holderType: "individual" | "business";
            /**
             * @description Whether it is held under the verified name of the member, or the business name of the profile. `mismatch`: nothing is paid to it until somebody accepts the name. `not_compared`: the member is not verified, was verified without a name, or the account was made before names were kept
             * @enum {string}
             */
            nameMatch: "matched" | "mismatch" | "accepted" | "not_compared";
            /** @description Who accepted the other name; null to a bearer token */
            nameAcceptedBy: components["schemas"]["Actor"] | null;
            /**
             * Format: date-time
             * @description When it was added
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it was last changed
             */
            updatedAt: string;
        };
        PayoutAccount: {
            /**
             * Format: uuid
             * @description Of the account
             */
            id: string;
            /** @description The payout method, as `sepa_bank_transfer` */
            methodType: string;
            /**
             * @description The kind of method
             * @enum {string}
             */
            category: "bank_transfer";
            /** @description As `HSBC •••• 6789`; the full number is never shown */
            displayName: string;
            /** @description ISO 3166-1 alpha-2, of the bank */
            countryCode: string;
            currency: components["schemas"]["Currency"];
            /**
             * @description Who pays to it. `manual`: the tenant by itself; `payvendor`: the payment vendor
             * @enum {string}
             */
            providerType: "manual" | "payvendor";
            /** @description Whether payouts prefer it to the other accounts */
            isPrimary: boolean;
            /** @description False once it was deactivated */
            isActive: boolean;
            status: components["schemas"]["PayoutAccountStatus"];
            /** @description What the provider wants, or why it rejected it; null: nothing to say */
            statusReason: string | null;
            /**
             * Format: date-time
             * @description The end of the cool-down, which runs from the later of becoming active and of becoming the account that the money goes to: nothing is paid to it before; null unless `active`
             */
            usableFrom: string | null;
            /** @description Whether another member has the same bank account; null to a bearer token */
            sharedWithOthers: boolean | null;
            /**
             * @description `individual`: held under the member's own name; `business`: under the profile's `businessName`
             * @enum {string}
             */
            holderType: "individual" | "business";
            /**
             * @description Whether it is held under the verified name of the member, or the business name of the profile. `mismatch`: nothing is paid to it until somebody accepts the name. `not_compared`: the member is not verified, was verified without a name, or the account was made before names were kept
             * @enum {string}
             */
            nameMatch: "matched" | "mismatch" | "accepted" | "not_compared";
            /** @description Who accepted the other name; null to a bearer token */
            nameAcceptedBy: components["schemas"]["Actor"] | null;
            /**
             * Format: date-time
             * @description When it was added
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it was last changed
             */
            updatedAt: string;
        };
        PayoutAccounts: {
            /** @description The page, the newest first */
            accounts: components["schemas"]["PayoutAccount"][];
            hasMore: components["schemas"]["HasMore"];
            nextCursor: components["schemas"]["NextCursor"];
        };
        PayoutHoldInForce: {
            /**
             * Format: uuid
             * @description The member
             */
            userId: string;
            /** @description Why, for the staff of the tenant */
            reason: string;
            /**
             * Format: date-time
             * @description When it ends by itself; null: when it is lifted
             */
            until: string | null;
            /** @description Who set it; null for members that were inactive when holds were introduced */
            createdBy: components["schemas"]["Actor"] | null;
            /**
             * Format: date-time
             * @description When it was set
             */
            createdAt: string;
        };
        PayoutHoldOfMember: {
            /**
             * Format: uuid
             * @description The member
             */
            userId: string;
            /** @description Null where there is none, or none any more */
            payoutHold: components["schemas"]["PayoutHold"] | null;
        };
        PayoutHold: {
            /** @description Why, for the staff of the tenant */
            reason: string;
            /**
             * Format: date-time
             * @description When it ends by itself; null: when it is lifted
             */
            until: string | null;
            /** @description Who set it; null for members that were inactive when holds were introduced */
            createdBy: components["schemas"]["Actor"] | null;
            /**
             * Format: date-time
             * @description When it was set
             */
            createdAt: string;
        };
        PayoutRunDryRun: {
            /** @description Null: nothing was stored */
            id: null;
            currency: components["schemas"]["Currency"];
            /**
             * Format: date-time
             * @description Commissions count that had cleared by then; what takes money back counts always
             */
            cutoffAt: string;
            status: components["schemas"]["PayoutRunStatus"];
            /** @description As drafted */
            payoutCount: number;
            /** @description As drafted. Minor units; null where it is too large: see `totalMinorExact` */
            totalMinor: number | null;
            /** @description `totalMinor` in digits, where that is null */
            totalMinorExact?: string;
            /** @description Members who cannot be paid, as drafted */
            blockedCount: number;
            /** @description Which minimum the draft went by. Null where there was none (`NO_MINIMUM`), or the run was drafted before this was kept */
            minimumPayout: components["schemas"]["MinimumPayout"] | null;
            /** @description Rule of the draft; at the approval the stricter of it and the setting counts. Null of runs from before it was kept */
            dualControl: components["schemas"]["TwoHandsRule"] | null;
            /** @description Who drafted it */
            createdBy: components["schemas"]["Actor"];
            /** @description Who approved it; null: nobody yet */
            approvedBy: components["schemas"]["Actor"] | null;
            /**
             * Format: date-time
             * @description When it was approved; null: not yet
             */
            approvedAt: string | null;
            /** @description Who executed it; null: nobody yet */
            executedBy: components["schemas"]["Actor"] | null;
            /**
             * Format: date-time
             * @description When it was executed; null: not yet
             */
            executedAt: string | null;
            /**
             * Format: date-time
             * @description When it was drafted
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it was last changed
             */
            updatedAt: string;
            /** @description The first 100; the others: `GET /payouts?runId=` */
            payouts: components["schemas"]["PlannedPayout"][];
            /** @description Whether there are more payouts than shown */
            hasMorePayouts: boolean;
            /** @description The first 100; the others: `GET /payout-runs/{runId}/blocked` */
            blocked: components["schemas"]["BlockedMember"][];
            /** @description Whether there are more blocked members than shown */
            hasMoreBlocked: boolean;
        };
        MinimumPayout: {
            /** @description Minor units */
            amountMinor: number;
            /**
             * @description `built_in`: the plan names none for the currency
             * @enum {string}
             */
            source: "plan" | "built_in";
        };
        /**
         * @description Who must confirm: `none`: nobody; `keys`: another key or person; `persons`: another person
         * @enum {string}
         */
        TwoHandsRule: "none" | "keys" | "persons";
        /** @description A payout that a dry run would draft: it has no id */
        PlannedPayout: {
            /** @description Null: not stored */
            id: null;
            /** @description Null: not stored */
            runId: null;
            /**
             * Format: uuid
             * @description The member who is paid
             */
            userId: string;
            /**
             * Format: uuid
             * @description Null of a settlement
             */
            payoutAccountId: string | null;
            /**
             * @description `manual`: the tenant pays by itself; `payvendor`: the payment vendor pays
             * @enum {string}
             */
            provider: "manual" | "payvendor";
            currency: components["schemas"]["Currency"];
            /** @description Minor units; null where it is too large: see `amountMinorExact` */
            amountMinor: number | null;
            /** @description `amountMinor` in digits, where that is null */
            amountMinorExact?: string;
            /** @description Commissions that it consumes */
            commissionCount: number;
            /** @description `queued`: waits for its run; `processing`: on its way; `returned`: came back after it was paid */
            status: components["schemas"]["PayoutStatus"];
            /** @description Executions so far */
            attempt: number;
            /** @description Why it was not paid; null: nothing is wrong. `CHANGED`, or a reason of a blocked member: found at its execution, and the payout is cancelled; else what the provider said. Of a payout in processing: what holds it up, such as `PROVIDER_CONFIGURATION` or `unauthorized` (the settings), `funds_not_arrived`, `reversal_refused` */
            failureCode: string | null;
            /** @description The same in words, or the reason of a return; null: none */
            failureMessage: string | null;
            /** @description Of the tenant's own bank, where the tenant pays; null: none yet */
            reference: string | null;
            /**
             * Format: date-time
             * @description When it was paid; null: not yet
             */
            paidAt: string | null;
            /** @description Who drafted it; null of those from before this was kept */
            createdBy: components["schemas"]["Actor"] | null;
            /**
             * Format: date-time
             * @description When it was drafted
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it was last changed
             */
            updatedAt: string;
        };
        BlockedMember: {
            /**
             * Format: uuid
             * @description The member
             */
            userId: string;
            reason: components["schemas"]["BlockReason"];
            /** @description What would be due; negative when the member owes it. Minor units; null where it is too large: see `amountMinorExact` */
            amountMinor: number | null;
            /** @description `amountMinor` in digits, where that is null */
            amountMinorExact?: string;
            /** @description Of a member that is `HELD`: the hold as it is now; null once it is lifted */
            payoutHold: components["schemas"]["PayoutHold"] | null;
        };
        PayoutRunDraft: {
            /**
             * Format: uuid
             * @description Of the run
             */
            id: string;
            currency: components["schemas"]["Currency"];
            /**
             * Format: date-time
             * @description Commissions count that had cleared by then; what takes money back counts always
             */
            cutoffAt: string;
            status: components["schemas"]["PayoutRunStatus"];
            /** @description As drafted */
            payoutCount: number;
            /** @description As drafted. Minor units; null where it is too large: see `totalMinorExact` */
            totalMinor: number | null;
            /** @description `totalMinor` in digits, where that is null */
            totalMinorExact?: string;
            /** @description Members who cannot be paid, as drafted */
            blockedCount: number;
            /** @description Which minimum the draft went by. Null where there was none (`NO_MINIMUM`), or the run was drafted before this was kept */
            minimumPayout: components["schemas"]["MinimumPayout"] | null;
            /** @description Rule of the draft; at the approval the stricter of it and the setting counts. Null of runs from before it was kept */
            dualControl: components["schemas"]["TwoHandsRule"] | null;
            /** @description Who drafted it */
            createdBy: components["schemas"]["Actor"];
            /** @description Who approved it; null: nobody yet */
            approvedBy: components["schemas"]["Actor"] | null;
            /**
             * Format: date-time
             * @description When it was approved; null: not yet
             */
            approvedAt: string | null;
            /** @description Who executed it; null: nobody yet */
            executedBy: components["schemas"]["Actor"] | null;
            /**
             * Format: date-time
             * @description When it was executed; null: not yet
             */
            executedAt: string | null;
            /**
             * Format: date-time
             * @description When it was drafted
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it was last changed
             */
            updatedAt: string;
            /** @description The first 100; the others: `GET /payouts?runId=` */
            payouts: components["schemas"]["Payout"][];
            /** @description Whether there are more payouts than shown */
            hasMorePayouts: boolean;
            /** @description The first 100; the others: `GET /payout-runs/{runId}/blocked` */
            blocked: components["schemas"]["BlockedMember"][];
            /** @description Whether there are more blocked members than shown */
            hasMoreBlocked: boolean;
        };
        Payout: {
            /**
             * Format: uuid
             * @description Of the payout
             */
            id: string;
            /**
             * Format: uuid
             * @description Null of a settlement: money that was paid outside the service
             */
            runId: string | null;
            /**
             * Format: uuid
             * @description The member who is paid
             */
            userId: string;
            /**
             * Format: uuid
             * @description Null of a settlement
             */
            payoutAccountId: string | null;
            /**
             * @description `manual`: the tenant pays by itself; `payvendor`: the payment vendor pays
             * @enum {string}
             */
            provider: "manual" | "payvendor";
            currency: components["schemas"]["Currency"];
            /** @description Minor units; null where it is too large: see `amountMinorExact` */
            amountMinor: number | null;
            /** @description `amountMinor` in digits, where that is null */
            amountMinorExact?: string;
            /** @description Commissions that it consumes */
            commissionCount: number;
            /** @description `queued`: waits for its run; `processing`: on its way; `returned`: came back after it was paid */
            status: components["schemas"]["PayoutStatus"];
            /** @description Executions so far */
            attempt: number;
            /** @description Why it was not paid; null: nothing is wrong. `CHANGED`, or a reason of a blocked member: found at its execution, and the payout is cancelled; else what the provider said. Of a payout in processing: what holds it up, such as `PROVIDER_CONFIGURATION` or `unauthorized` (the settings), `funds_not_arrived`, `reversal_refused` */
            failureCode: string | null;
            /** @description The same in words, or the reason of a return; null: none */
            failureMessage: string | null;
            /** @description Of the tenant's own bank, where the tenant pays; null: none yet */
            reference: string | null;
            /**
             * Format: date-time
             * @description When it was paid; null: not yet
             */
            paidAt: string | null;
            /** @description Who drafted it; null of those from before this was kept */
            createdBy: components["schemas"]["Actor"] | null;
            /**
             * Format: date-time
             * @description When it was drafted
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it was last changed
             */
            updatedAt: string;
        };
        ListedPayoutRun: {
            /**
             * Format: uuid
             * @description Of the run
             */
            id: string;
            currency: components["schemas"]["Currency"];
            /**
             * Format: date-time
             * @description Commissions count that had cleared by then; what takes money back counts always
             */
            cutoffAt: string;
            status: components["schemas"]["PayoutRunStatus"];
            /** @description As drafted */
            payoutCount: number;
            /** @description As drafted. Minor units; null where it is too large: see `totalMinorExact` */
            totalMinor: number | null;
            /** @description `totalMinor` in digits, where that is null */
            totalMinorExact?: string;
            /** @description Members who cannot be paid, as drafted */
            blockedCount: number;
            /** @description Which minimum the draft went by. Null where there was none (`NO_MINIMUM`), or the run was drafted before this was kept */
            minimumPayout: components["schemas"]["MinimumPayout"] | null;
            /** @description Rule of the draft; at the approval the stricter of it and the setting counts. Null of runs from before it was kept */
            dualControl: components["schemas"]["TwoHandsRule"] | null;
            /** @description Who drafted it */
            createdBy: components["schemas"]["Actor"];
            /** @description Who approved it; null: nobody yet */
            approvedBy: components["schemas"]["Actor"] | null;
            /**
             * Format: date-time
             * @description When it was approved; null: not yet
             */
            approvedAt: string | null;
            /** @description Who executed it; null: nobody yet */
            executedBy: components["schemas"]["Actor"] | null;
            /**
             * Format: date-time
             * @description When it was executed; null: not yet
             */
            executedAt: string | null;
            /**
             * Format: date-time
             * @description When it was drafted
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it was last changed
             */
            updatedAt: string;
            /** @description Who counts as its drafter under dual control: of a draft by schedule whoever set the schedule, of a key its root, else `createdBy` */
            firstHands: components["schemas"]["Actor"];
        };
        PayoutRunDetail: {
            /**
             * Format: uuid
             * @description Of the run
             */
            id: string;
            currency: components["schemas"]["Currency"];
            /**
             * Format: date-time
             * @description Commissions count that had cleared by then; what takes money back counts always
             */
            cutoffAt: string;
            status: components["schemas"]["PayoutRunStatus"];
            /** @description As drafted */
            payoutCount: number;
            /** @description As drafted. Minor units; null where it is too large: see `totalMinorExact` */
            totalMinor: number | null;
            /** @description `totalMinor` in digits, where that is null */
            totalMinorExact?: string;
            /** @description Members who cannot be paid, as drafted */
            blockedCount: number;
            /** @description Which minimum the draft went by. Null where there was none (`NO_MINIMUM`), or the run was drafted before this was kept */
            minimumPayout: components["schemas"]["MinimumPayout"] | null;
            /** @description Rule of the draft; at the approval the stricter of it and the setting counts. Null of runs from before it was kept */
            dualControl: components["schemas"]["TwoHandsRule"] | null;
            /** @description Who drafted it */
            createdBy: components["schemas"]["Actor"];
            /** @description Who approved it; null: nobody yet */
            approvedBy: components["schemas"]["Actor"] | null;
            /**
             * Format: date-time
             * @description When it was approved; null: not yet
             */
            approvedAt: string | null;
            /** @description Who executed it; null: nobody yet */
            executedBy: components["schemas"]["Actor"] | null;
            /**
             * Format: date-time
             * @description When it was executed; null: not yet
             */
            executedAt: string | null;
            /**
             * Format: date-time
             * @description When it was drafted
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it was last changed
             */
            updatedAt: string;
            /** @description Who counts as its drafter under dual control: of a draft by schedule whoever set the schedule, of a key its root, else `createdBy` */
            firstHands: components["schemas"]["Actor"];
            /** @description Where its payouts are now */
            byStatus: {
                /** @description Of the payouts counted here */
                status: components["schemas"]["PayoutStatus"];
                /** @description Payouts in this status */
                count: number;
                /** @description Minor units; null where it is too large: see `totalMinorExact` */
                totalMinor: number | null;
                /** @description `totalMinor` in digits, where that is null */
                totalMinorExact?: string;
            }[];
        };
        PayoutRun: {
            /**
             * Format: uuid
             * @description Of the run
             */
            id: string;
            currency: components["schemas"]["Currency"];
            /**
             * Format: date-time
             * @description Commissions count that had cleared by then; what takes money back counts always
             */
            cutoffAt: string;
            status: components["schemas"]["PayoutRunStatus"];
            /** @description As drafted */
            payoutCount: number;
            /** @description As drafted. Minor units; null where it is too large: see `totalMinorExact` */
            totalMinor: number | null;
            /** @description `totalMinor` in digits, where that is null */
            totalMinorExact?: string;
            /** @description Members who cannot be paid, as drafted */
            blockedCount: number;
            /** @description Which minimum the draft went by. Null where there was none (`NO_MINIMUM`), or the run was drafted before this was kept */
            minimumPayout: components["schemas"]["MinimumPayout"] | null;
            /** @description Rule of the draft; at the approval the stricter of it and the setting counts. Null of runs from before it was kept */
            dualControl: components["schemas"]["TwoHandsRule"] | null;
            /** @description Who drafted it */
            createdBy: components["schemas"]["Actor"];
            /** @description Who approved it; null: nobody yet */
            approvedBy: components["schemas"]["Actor"] | null;
            /**
             * Format: date-time
             * @description When it was approved; null: not yet
             */
            approvedAt: string | null;
            /** @description Who executed it; null: nobody yet */
            executedBy: components["schemas"]["Actor"] | null;
            /**
             * Format: date-time
             * @description When it was executed; null: not yet
             */
            executedAt: string | null;
            /**
             * Format: date-time
             * @description When it was drafted
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it was last changed
             */
            updatedAt: string;
        };
        RetriedPayouts: {
            /** @description Payouts that are queued again */
            retried: number;
            /** @description Payouts that cannot be retried */
            refused: {
                /**
                 * Format: uuid
                 * @description Stays failed
                 */
                payoutId: string;
                /** @description As `retryPayout` would answer */
                code: string;
                /** @description Why */
                message: string;
            }[];
            /** @description Failed payouts behind these */
            remaining: number;
            /**
             * Format: uuid
             * @description The last that was looked at; null: none
             */
            lastPayoutId: string | null;
        };
        PayoutRunReview: {
            /**
             * Format: date-time
             * @description By the clock of the environment
             */
            asOf: string;
            /** @description Whether it is a draft that is older than a day */
            stale: boolean;
            /** @description Whether what is cleared is all told, by the books of now */
            ledger: {
                /** @description Queued payouts of the run. Minor units; null where it is too large: see `runMinorExact` */
                runMinor: number | null;
                /** @description `runMinor` in digits, where that is null */
                runMinorExact?: string;
                /** @description Members that the run could not pay, as drafted. Minor units; null where it is too large: see `blockedMinorExact` */
                blockedMinor: number | null;
                /** @description `blockedMinor` in digits, where that is null */
                blockedMinorExact?: string;
                /** @description Queued payouts of other runs. Minor units; null where it is too large: see `elsewhereMinorExact` */
                elsewhereMinor: number | null;
                /** @description `elsewhereMinor` in digits, where that is null */
                elsewhereMinorExact?: string;
                /** @description Free commissions that cleared after the cutoff. Minor units; null where it is too large: see `laterMinorExact` */
                laterMinor: number | null;
                /** @description `laterMinor` in digits, where that is null */
                laterMinorExact?: string;
                /** @description What came or went since the draft, as a refund; 0 of a fresh draft. Minor units; null where it is too large: see `changedMinorExact` */
                changedMinor: number | null;
                /** @description `changedMinor` in digits, where that is null */
                changedMinorExact?: string;
                /** @description What the ledger owes members as cleared. Minor units; null where it is too large: see `ledgerMinorExact` */
                ledgerMinor: number | null;
                /** @description `ledgerMinor` in digits, where that is null */
                ledgerMinorExact?: string;
                /** @description `ledgerMinor` less the five others. Minor units; null where it is too large: see `differenceMinorExact` */
                differenceMinor: number | null;
                /** @description `differenceMinor` in digits, where that is null */
                differenceMinorExact?: string;
                /** @description Whether there is no difference; `false`: do not approve */
                equal: boolean;
            };
            /** @description The run of the currency that was executed last before it, and has paid somebody; null: none */
            previous: {
                /**
                 * Format: uuid
                 * @description Of the run
                 */
                runId: string;
                /**
                 * Format: date-time
                 * @description When it was drafted
                 */
                createdAt: string;
                /** @description As drafted */
                payouts: components["schemas"]["CountedSum"];
            } | null;
            /** @description From `previous`; null without one */
            difference: {
                /** @description Payouts to members whom the former run did not pay */
                joined: components["schemas"]["CountedSum"];
                /** @description Payouts of the former run to members whom this one does not pay */
                gone: components["schemas"]["CountedSum"];
                /** @description Members who get more than before */
                more: number;
                /** @description Members who get less than before */
                less: number;
                /** @description The ten largest */
                largestChanges: {
                    /**
                     * Format: uuid
                     * @description The member
                     */
                    userId: string;
                    /** @description 0: not paid. Minor units; null where it is too large: see `beforeMinorExact` */
                    beforeMinor: number | null;
                    /** @description `beforeMinor` in digits, where that is null */
                    beforeMinorExact?: string;
                    /** @description 0: not paid. Minor units; null where it is too large: see `nowMinorExact` */
                    nowMinor: number | null;
                    /** @description `nowMinor` in digits, where that is null */
                    nowMinorExact?: string;
                }[];
            } | null;
            /** @description The ten largest payouts */
            largest: {
                /**
                 * Format: uuid
                 * @description The payout
                 */
                payoutId: string;
                /**
                 * Format: uuid
                 * @description The member
                 */
                userId: string;
                /** @description Minor units; null where it is too large: see `amountMinorExact` */
                amountMinor: number | null;
                /** @description `amountMinor` in digits, where that is null */
                amountMinorExact?: string;
            }[];
            /** @description Queued payouts that would be cancelled if they were executed now */
            changedSinceDraft: {
                /** @description How many */
                count: number;
                /** @description Minor units; null where it is too large: see `totalMinorExact` */
                totalMinor: number | null;
                /** @description `totalMinor` in digits, where that is null */
                totalMinorExact?: string;
                /** @description The first ten */
                first: {
                    /**
                     * Format: uuid
                     * @description The payout
                     */
                    payoutId: string;
                    /**
                     * Format: uuid
                     * @description The member
                     */
                    userId: string;
                    reason: components["schemas"]["RefusalReason"];
                }[];
            };
        };
        CountedSum: {
            /** @description How many */
            count: number;
            /** @description Minor units; null where it is too large: see `totalMinorExact` */
            totalMinor: number | null;
            /** @description `totalMinor` in digits, where that is null */
            totalMinorExact?: string;
        };
        /**
         * @description `TEST_USER`, `HELD`, `NO_ACCOUNT`, `KYC_REQUIRED`, `NAME_MISMATCH`: as `BlockReason`; `CHANGED`: its commissions are others
         * @enum {string}
         */
        RefusalReason: "TEST_USER" | "HELD" | "NO_ACCOUNT" | "KYC_REQUIRED" | "NAME_MISMATCH" | "CHANGED";
        PayoutReadiness: {
            /**
             * Format: uuid
             * @description The member
             */
            userId: string;
            /**
             * Format: date-time
             * @description By the clock of the environment
             */
            asOf: string;
            /** @description By currency */
            requirements: {
                currency: components["schemas"]["Currency"];
                /** @description What a run would take now: cleared, and in no live payout. Negative when the member owes it. Minor units; null where it is too large: see `dueMinorExact` */
                dueMinor: number | null;
                /** @description `dueMinor` in digits, where that is null */
                dueMinorExact?: string;
                /** @description The least that is paid out; null: nothing is paid (`NO_MINIMUM`) */
                minimumMinor: number | null;
                /**
                 * @description `ready`: a run would pay `dueMinor`. `blocked`: it would not, by the first of `missing`. Where nothing is due: `in_payout` while a payout is on its way, else `nothing_due`
                 * @enum {string}
                 */
                state: "nothing_due" | "blocked" | "ready" | "in_payout";
                /** @description What stands in the way, as in `blocked` of a run, in the order of its precedence. Where nothing is due: what would stand in the way of any amount */
                missing: components["schemas"]["PresentBlockReason"][];
                /** @description The oldest payout that is on its way, beside what is due; null: none */
                payout: {
                    /**
                     * Format: uuid
                     * @description Of the payout
                     */
                    id: string;
                    /**
                     * Format: uuid
                     * @description Its run; null where it is in none
                     */
                    runId: string | null;
                    /** @description Minor units; null where it is too large: see `amountMinorExact` */
                    amountMinor: number | null;
                    /** @description `amountMinor` in digits, where that is null */
                    amountMinorExact?: string;
                    currency: components["schemas"]["Currency"];
                    /** @description `queued` or `processing` */
                    status: components["schemas"]["PayoutStatus"];
                    /**
                     * Format: date-time
                     * @description When it was drafted
                     */
                    createdAt: string;
                } | null;
            }[];
            /** @description The latest payout that was paid and has not come back; null: none */
            lastPaid: {
                /** @description Minor units; null where it is too large: see `amountMinorExact` */
                amountMinor: number | null;
                /** @description `amountMinor` in digits, where that is null */
                amountMinorExact?: string;
                currency: components["schemas"]["Currency"];
                /**
                 * Format: date-time
                 * @description When it was paid
                 */
                paidAt: string;
            } | null;
        };
        /**
         * @description As `BlockReason`: `TEST_USER`, `HELD`, `BELOW_MINIMUM`, `NO_MINIMUM`, `NO_ACCOUNT`, `KYC_REQUIRED`, `NEGATIVE_BALANCE` and so on
         * @enum {string}
         */
        PresentBlockReason: "TEST_USER" | "HELD" | "BELOW_MINIMUM" | "NO_MINIMUM" | "NO_ACCOUNT" | "KYC_REQUIRED" | "NEGATIVE_BALANCE" | "ACCOUNT_COOLDOWN" | "NAME_MISMATCH" | "AMOUNT_NOT_PAYABLE";
        PayoutFreeze: {
            /** @description Whether executing and retrying are `PAYOUTS_FROZEN` */
            frozen: boolean;
            /**
             * @description `by_hand`: by the operator; `other_server`: the database is on another server; `other_timeline`: it was restored, or a replica took over; null: not frozen
             * @enum {string|null}
             */
            reason: "by_hand" | "other_server" | "other_timeline" | null;
            /** @description The same in words; null: not frozen */
            message: string | null;
            /**
             * @description Transfers of the vendor. `none`: there are none to match; `open`: to be matched; `matched`
             * @enum {string}
             */
            vendor: "none" | "open" | "matched";
            /**
             * @description The tenant's own bank. `none`: nothing to match; `open`: to be matched; `matched`
             * @enum {string}
             */
            bank: "none" | "open" | "matched";
            /** @description Payouts begun of which no transfer is known; they go on by themselves */
            unanswered: number;
            /** @description Payments that could not be matched and that a person has judged */
            accepted: number;
        };
        PayoutSchedules: {
            /** @description By currency */
            data: {
                currency: components["schemas"]["Currency"];
                cadence: components["schemas"]["PayoutCadence"];
                /** @description One, or two of `twice_a_month`. Of `weekly` 1 (Monday) to 7; else 1 to 28, or `last` for the last day of the month */
                days: (number | "last")[];
                /** @description In the tenant's `reportingTimeZone` */
                localTime: string;
                cutoff: components["schemas"]["PayoutCutoff"];
                /**
                 * Format: date-time
                 * @description When the next one is drafted
                 */
                nextAt: string;
                /** @description The latest; null: none yet */
                last: {
                    /** @description The local date that it was due, YYYY-MM-DD */
                    date: string;
                    outcome: components["schemas"]["ScheduleOutcome"];
                    /**
                     * Format: uuid
                     * @description The draft; null: none was made
                     */
                    runId: string | null;
                    /**
                     * Format: date-time
                     * @description When that was
                     */
                    at: string;
                } | null;
            }[];
        };
        /**
         * @description `DRAFTED`; `SKIPPED_OPEN_DRAFT`: a run of the currency was in draft; `NOTHING_DUE`: nobody was owed anything
         * @enum {string}
         */
        ScheduleOutcome: "DRAFTED" | "SKIPPED_OPEN_DRAFT" | "NOTHING_DUE";
        PayoutDetail: {
            /**
             * Format: uuid
             * @description Of the payout
             */
            id: string;
            /**
             * Format: uuid
             * @description Null of a settlement: money that was paid outside the service
             */
            runId: string | null;
            /**
             * Format: uuid
             * @description The member who is paid
             */
            userId: string;
            /**
             * Format: uuid
             * @description Null of a settlement
             */
            payoutAccountId: string | null;
            /**
             * @description `manual`: the tenant pays by itself; `payvendor`: the payment vendor pays
             * @enum {string}
             */
            provider: "manual" | "payvendor";
            currency: components["schemas"]["Currency"];
            /** @description Minor units; null where it is too large: see `amountMinorExact` */
            amountMinor: number | null;
            /** @description `amountMinor` in digits, where that is null */
            amountMinorExact?: string;
            /** @description Commissions that it consumes */
            commissionCount: number;
            /** @description `queued`: waits for its run; `processing`: on its way; `returned`: came back after it was paid */
            status: components["schemas"]["PayoutStatus"];
            /** @description Executions so far */
            attempt: number;
            /** @description Why it was not paid; null: nothing is wrong. `CHANGED`, or a reason of a blocked member: found at its execution, and the payout is cancelled; else what the provider said. Of a payout in processing: what holds it up, such as `PROVIDER_CONFIGURATION` or `unauthorized` (the settings), `funds_not_arrived`, `reversal_refused` */
            failureCode: string | null;
            /** @description The same in words, or the reason of a return; null: none */
            failureMessage: string | null;
            /** @description Of the tenant's own bank, where the tenant pays; null: none yet */
            reference: string | null;
            /**
             * Format: date-time
             * @description When it was paid; null: not yet
             */
            paidAt: string | null;
            /** @description Who drafted it; null of those from before this was kept */
            createdBy: components["schemas"]["Actor"] | null;
            /**
             * Format: date-time
             * @description When it was drafted
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it was last changed
             */
            updatedAt: string;
            /** @description Executions, the first one first */
            attempts: {
                /** @description Number of the execution, from 1 */
                attempt: number;
                /** @description The vendor's transfer to the member's account; null: none */
                transferId: string | null;
                /** @description The vendor's payout to the bank; null: none */
                providerPayoutId: string | null;
                /** @description What took the transfer back; null: nothing */
                reversalId: string | null;
                /**
                 * @description How it ended: `paid`, `failed`, or `returned` after it was paid; null: not yet
                 * @enum {string|null}
                 */
                outcome: "paid" | "failed" | "returned" | null;
                /** @description Who asked for it: whoever executed the run, or retried the payout; null of those from before this was kept */
                createdBy: components["schemas"]["Actor"] | null;
                /**
                 * Format: date-time
                 * @description When it was begun
                 */
                startedAt: string;
                /**
                 * Format: date-time
                 * @description When it ended; null: not yet
                 */
                endedAt: string | null;
            }[];
        };
        TaxDocument: {
            /** @description Calendar year, in the reporting zone */
            year: number;
            currency: components["schemas"]["Currency"];
            /** @description Paid out in the year, less what came back in it. Minor units; null where it is too large: see `totalPaidMinorExact` */
            totalPaidMinor: number | null;
            /** @description `totalPaidMinor` in digits, where that is null */
            totalPaidMinorExact?: string;
            /** @description Payouts; one that came back is not taken off */
            transactionCount: number;
            /**
             * @description `final` once the year is over in the tenant's reporting zone; until then the document grows
             * @enum {string}
             */
            status: "final" | "preliminary";
        };
        MemberStatement: {
            /**
             * Format: uuid
             * @description The member
             */
            userId: string;
            /** @description The month, as `2026-01` */
            period: string;
            currency: components["schemas"]["Currency"];
            /** @description IANA, of the reporting zone that the month is in */
            timeZone: string;
            /**
             * Format: date-time
             * @description The first instant of the month
             */
            from: string;
            /**
             * Format: date-time
             * @description Not part of the month
             */
            to: string;
            /**
             * @description `final` once the month is over
             * @enum {string}
             */
            status: "final" | "preliminary";
            /** @description Balances at the beginning of the month */
            opening: components["schemas"]["StatementBalances"];
            /** @description All that changed them, the earliest first */
            entries: components["schemas"]["StatementEntry"][];
            /** @description Payouts of the month, and what came back in it */
            payouts: {
                /**
                 * Format: uuid
                 * @description The journal that it was recorded by
                 */
                journalId: string;
                /**
                 * Format: uuid
                 * @description Null where no payout is known of it
                 */
                payoutId: string | null;
                /**
                 * @description `returned`: it came back
                 * @enum {string}
                 */
                type: "paid" | "returned";
                /** @description Negative for one that came back. Minor units; null where it is too large: see `amountMinorExact` */
                amountMinor: number | null;
                /** @description `amountMinor` in digits, where that is null */
                amountMinorExact?: string;
                /**
                 * Format: date-time
                 * @description When the ledger recorded it
                 */
                recordedAt: string;
            }[];
            /** @description Balances at the end of the month, or up to now */
            closing: components["schemas"]["StatementBalances"];
        };
        StatementBalances: {
            /** @description Minor units; null where it is too large: see `pendingMinorExact` */
            pendingMinor: number | null;
            /** @description `pendingMinor` in digits, where that is null */
            pendingMinorExact?: string;
            /** @description Minor units; null where it is too large: see `clearedMinorExact` */
            clearedMinor: number | null;
            /** @description `clearedMinor` in digits, where that is null */
            clearedMinorExact?: string;
            /** @description Minor units; null where it is too large: see `processingMinorExact` */
            processingMinor: number | null;
            /** @description `processingMinor` in digits, where that is null */
            processingMinorExact?: string;
            /** @description Paid out in all, less what came back. Minor units; null where it is too large: see `paidMinorExact` */
            paidMinor: number | null;
            /** @description `paidMinor` in digits, where that is null */
            paidMinorExact?: string;
            /** @description The sum of the four. Minor units; null where it is too large: see `totalMinorExact` */
            totalMinor: number | null;
            /** @description `totalMinor` in digits, where that is null */
            totalMinorExact?: string;
        };
        StatementEntry: {
            /**
             * Format: uuid
             * @description The journal that the posting is of
             */
            journalId: string;
            /** @description Of the posting in its journal */
            seq: number;
            /**
             * @description The balance that changed. `cleared`: can be paid out; `processing`: in a payout on its way
             * @enum {string}
             */
            account: "pending" | "cleared" | "processing" | "paid";
            /** @description Minor units; null where it is too large: see `amountMinorExact` */
            amountMinor: number | null;
            /** @description `amountMinor` in digits, where that is null */
            amountMinorExact?: string;
            /** @description What the journal was posted for: `event`, `clearing`, `payout_paid`, … */
            causeType: string;
            /**
             * Format: uuid
             * @description Id of the event, payout or other object of that type
             */
            causeId: string;
            /** @description Of the event that caused it; null: another cause */
            externalEventId: string | null;
            /**
             * Format: uuid
             * @description Of the payout that caused it; null: another cause
             */
            payoutId: string | null;
            /**
             * Format: date-time
             * @description When the cause happened
             */
            occurredAt: string;
            /**
             * Format: date-time
             * @description When the ledger recorded it: this decides the month
             */
            recordedAt: string;
        };
        Export: {
            /**
             * Format: uuid
             * @description Id
             */
            id: string;
            kind: components["schemas"]["ExportKind"];
            /**
             * @description `csv`, or `ndjson`: an object a line
             * @enum {string}
             */
            format: "csv" | "ndjson";
            /** @description As they were sent */
            filters: {
                [key: string]: unknown;
            };
            status: components["schemas"]["ExportStatus"];
            /** @description Rows written so far */
            rowCount: number;
            /** @description Of the file; null before it is complete */
            byteCount: number | null;
            /** @description Why there is no file */
            failure: string | null;
            /** @description Who made it */
            createdBy: components["schemas"]["Actor"];
            /**
             * Format: date-time
             * @description When it was made
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description What came into being later is not in the file
             */
            startedAt: string | null;
            /**
             * Format: date-time
             * @description When it ended; null: not yet
             */
            finishedAt: string | null;
            /**
             * Format: date-time
             * @description Until then the file can be downloaded
             */
            expiresAt: string | null;
        };
        AuthProvider: {
            /**
             * Format: uuid
             * @description Of the provider here
             */
            id: string;
            /** @description What the exchange calls it */
            providerId: string;
            /** @description The `iss` of its tokens */
            issuerUrl: string;
            /** @description Where its keys are fetched */
            jwksUri: string;
            /** @description The `aud` values that tokens may have */
            allowedAudiences: string[];
            /** @description Whether a person who comes for the first time becomes a member */
            autoCreateUsers: boolean;
            /** @description Whether its addresses count as verified where the token does not say */
            trustEmail: boolean;
            /** @description Whether persons with an unverified address become members */
            acceptUnverifiedEmail: boolean;
            /** @description Where its members live */
            environment: components["schemas"]["Environment"];
            /**
             * Format: date-time
             * @description When it was added
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it was last changed
             */
            updatedAt: string;
        };
        MemberIdentity: {
            /**
             * Format: uuid
             * @description Of the link
             */
            id: string;
            /** @description The provider, by the id that the exchange calls it */
            providerId: string;
            /** @description The `sub` of its tokens, compared byte by byte */
            subject: string;
            /**
             * Format: date-time
             * @description When it was linked
             */
            createdAt: string;
        };
        TokenPair: {
            /** @description JWT; sent as `Authorization: Bearer` beside the key */
            accessToken: string;
            /** @description Good for one refresh, for 30 days, and for 90 days after the exchange at most */
            refreshToken: string;
            /** @description Seconds the access token is good for */
            expiresIn: number;
            /**
             * @description The scheme of `Authorization`
             * @constant
             */
            tokenType?: "Bearer";
        };
        TokenState: {
            /** @description Whether it is good now */
            active: boolean;
            /**
             * Format: uuid
             * @description The member
             */
            sub?: string;
            /**
             * Format: uuid
             * @description The tenant of the member
             */
            tenantId?: string;
            /** @description Where the member lives */
            environment?: components["schemas"]["Environment"];
            /** @description When it ends, in seconds since 1970 */
            exp?: number;
            /** @description When it was issued, in seconds since 1970 */
            iat?: number;
            /**
             * Format: uuid
             * @description The session: what came of one exchange
             */
            sid?: string;
            /**
             * @description An `access_token` or a `refresh_token`
             * @enum {string}
             */
            tokenType?: "access_token" | "refresh_token";
        };
        StaffMember: {
            /**
             * Format: uuid
             * @description Of the person
             */
            id: string;
            /** @description Null until the person has joined */
            name: string | null;
            /**
             * Format: email
             * @description Null once the person is removed
             */
            email: string | null;
            /** @description What the person may do */
            role: components["schemas"]["StaffRole"];
            /**
             * @description `invited`: has not joined; `disabled`: can be enabled again; `removed`: gone for good
             * @enum {string}
             */
            state: "invited" | "active" | "disabled" | "removed";
            /** @description The kinds of second factors that the person has; `totp`: an authenticator app */
            factors: ("passkey" | "totp")[];
            /** @description Whether the person has a password */
            hasPassword: boolean;
            /**
             * Format: date-time
             * @description When the person was first invited
             */
            createdAt: string;
            /** @description Who invited the person, or made the welcome link */
            createdBy: components["schemas"]["Actor"];
            /**
             * Format: date-time
             * @description When the person joined; null: not yet
             */
            joinedAt: string | null;
            /**
             * Format: date-time
             * @description Null: never
             */
            lastSignedInAt: string | null;
        };
        StaffInvite: {
            /**
             * Format: uuid
             * @description Of the invitation
             */
            id: string;
            /**
             * @description `welcome`: made by the operator or a start, for an owner
             * @enum {string}
             */
            kind: "invite" | "welcome";
            /**
             * @description `open`: the link can be used; `revoked`: taken back or replaced
             * @enum {string}
             */
            status: "open" | "used" | "revoked" | "expired";
            /** @description That the person gets */
            role: components["schemas"]["StaffRole"];
            /**
             * Format: email
             * @description Null of a welcome link that nobody has used
             */
            email: string | null;
            /**
             * Format: uuid
             * @description The person; null: of a welcome link that nobody has used
             */
            staffId: string | null;
            /**
             * Format: date-time
             * @description When the link was made
             */
            createdAt: string;
            /** @description Who made it */
            createdBy: components["schemas"]["Actor"];
            /**
             * Format: date-time
             * @description When the link stops working
             */
            expiresAt: string;
            /**
             * Format: date-time
             * @description When it was used; null: it was not
             */
            usedAt: string | null;
            /**
             * Format: date-time
             * @description When it was revoked; null: it was not
             */
            revokedAt: string | null;
        };
        CreatedStaffInvite: {
            /**
             * Format: uuid
             * @description Of the invitation
             */
            id: string;
            /**
             * @description `welcome`: made by the operator or a start, for an owner
             * @enum {string}
             */
            kind: "invite" | "welcome";
            /**
             * @description `open`: the link can be used; `revoked`: taken back or replaced
             * @enum {string}
             */
            status: "open" | "used" | "revoked" | "expired";
            /** @description That the person gets */
            role: components["schemas"]["StaffRole"];
            /**
             * Format: email
             * @description Null of a welcome link that nobody has used
             */
            email: string | null;
            /**
             * Format: uuid
             * @description The person; null: of a welcome link that nobody has used
             */
            staffId: string | null;
            /**
             * Format: date-time
             * @description When the link was made
             */
            createdAt: string;
            /** @description Who made it */
            createdBy: components["schemas"]["Actor"];
            /**
             * Format: date-time
             * @description When the link stops working
             */
            expiresAt: string;
            /**
             * Format: date-time
             * @description When it was used; null: it was not
             */
            usedAt: string | null;
            /**
             * Format: date-time
             * @description When it was revoked; null: it was not
             */
            revokedAt: string | null;
            /** @description To be handed to the person. It is used once and shown once: null in the repeat of a request */
            link: string | null;
            /** @description Whether the link was mailed to the person too */
            mailed: boolean;
        };
        StaffTie: {
            /**
             * Format: uuid
             * @description Of the tie
             */
            id: string;
            /** @description Who counts as somebody else */
            subject: components["schemas"]["Actor"];
            /** @description As whom */
            countsAs: components["schemas"]["Actor"];
            /**
             * @description What the other did: `made_approver`: gave a role that approves payments; `factor_given`: a way to sign in
             * @enum {string}
             */
            reason: "invited" | "made_approver" | "factor_given";
            /**
             * Format: date-time
             * @description Since when it counts
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it ends, unless confirmed before
             */
            until: string;
        };
        StaffPasswordLink: {
            /**
             * Format: uuid
             * @description Of the person
             */
            id: string;
            /** @description To be handed to the person. It is used once and shown once: null in the repeat of a request */
            link: string | null;
            /** @description Whether the link was mailed to the person too */
            mailed: boolean;
            /**
             * Format: date-time
             * @description When the link stops working
             */
            expiresAt: string;
        };
        StaffSession: {
            /**
             * Format: uuid
             * @description Of the session
             */
            id: string;
            /**
             * @description `expired`: its time was over; `ended`: somebody ended it
             * @enum {string}
             */
            status: "open" | "expired" | "ended";
            /**
             * Format: date-time
             * @description When the person signed in
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description To a minute
             */
            lastSeenAt: string;
            /**
             * Format: date-time
             * @description When a second factor was last given; null: none was
             */
            factorAt: string | null;
            /** @description Address that it was begun from; null: not known */
            ip: string | null;
            /** @description The User-Agent of the browser that signed in; null: it sent none */
            agent: string | null;
            /**
             * Format: date-time
             * @description When it was ended; null: it was not
             */
            endedAt: string | null;
            /** @description Who ended it; null: nobody */
            endedBy: components["schemas"]["Actor"] | null;
            /**
             * @description `signed_out`; `ended`: by a person; `not_me`: the person did not know a sign-in; `password_changed`, `role_changed`, `disabled`, `removed`: of the person; null: not ended
             * @enum {string|null}
             */
            endedReason: "signed_out" | "ended" | "not_me" | "password_changed" | "role_changed" | "disabled" | "removed" | null;
            /** @description Whether the request came by it */
            isThis: boolean;
        };
        EndedStaffSessions: {
            /** @description How many were open */
            ended: number;
        };
        EndedOwnStaffSessions: {
            /** @description How many were open */
            ended: number;
            /** @description To be handed to the person. It is used once and shown once: null in the repeat of a request */
            link: string | null;
        };
        SecondFactors: {
            /** @description All that the person has */
            passkeys: components["schemas"]["Passkey"][];
            /** @description The app that shows codes; null: none */
            authenticator: {
                /**
                 * Format: date-time
                 * @description When its first code was given
                 */
                confirmedAt: string;
            } | null;
            /** @description Recovery codes that were not used yet */
            recoveryCodesLeft: number;
            /** @description Whether the role may write in LIVE only with a second factor */
            required: boolean;
        };
        Passkey: {
            /**
             * Format: uuid
             * @description Of the passkey
             */
            id: string;
            /** @description To tell it from others */
            name: string;
            /** @description How the browser reaches it, in words of WebAuthn */
            transports: string[];
            /** @description Whether it is kept by the maker of the device too, and on other devices */
            backedUp: boolean;
            /**
             * Format: date-time
             * @description When it was added
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description Null: never
             */
            lastUsedAt: string | null;
        };
        PasskeyQuestion: {
            /** @description Options for the browser, by WebAuthn */
            publicKey: {
                /** @description What the passkey is to sign, base64url */
                challenge: string;
            } & {
                [key: string]: unknown;
            };
        };
        SandboxClock: {
            /**
             * Format: date-time
             * @description The instant that money goes by in this tenant's SANDBOX
             */
            now: string;
            /** @description Whether the clock stands still until it is moved again */
            frozen: boolean;
        };
        SandboxErasure: {
            /** @description How many events are gone */
            eventsErased: number;
            /** @description How many members are gone */
            membersErased: number;
            /**
             * Format: date-time
             * @description The clock's reading, which is the database's again
             */
            now: string;
        };
        SimulatedKycEvent: {
            /**
             * @description As asked for (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            kind: "kyc";
            /**
             * Format: uuid
             * @description The member
             */
            userId: string;
            /**
             * Format: uuid
             * @description The verification
             */
            kycRecordId: string;
            status: components["schemas"]["KycStatus"];
            /**
             * @description `no_change`: the record stood so already; `held_by_staff`: staff has decided otherwise
             * @enum {string}
             */
            effect: "applied" | "no_change" | "held_by_staff";
        };
        SimulatedPayoutEvent: {
            /**
             * @description As asked for (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            kind: "payout";
            /**
             * Format: uuid
             * @description The payout
             */
            payoutId: string;
            /** @description How the payout stands now */
            status: components["schemas"]["PayoutStatus"];
            /**
             * @description `no_change`: it does not follow from how it stands
             * @enum {string}
             */
            effect: "applied" | "no_change";
        };
        SimulatedPayoutAccountEvent: {
            /**
             * @description As asked for (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            kind: "payout_account";
            /**
             * Format: uuid
             * @description The account
             */
            accountId: string;
            /** @description How the account stands now */
            status: components["schemas"]["PayoutAccountStatus"];
            /**
             * @description `no_change`: it does not follow from how it stands
             * @enum {string}
             */
            effect: "applied" | "no_change";
        };
        CreatedApiKey: {
            /**
             * Format: uuid
             * @description Of the key, which is no secret
             */
            id: string;
            /** @description To tell keys apart; null: none */
            name: string | null;
            /** @description The last four characters of the key */
            lastFour: string;
            /** @description `*` stands for all, also for those added later */
            scopes: string[];
            /** @description Requests per window; null for the deployment's limit */
            rateLimit: number | null;
            /** @description From where it may be used, as ranges of addresses; null: from anywhere */
            allowedIps: string[] | null;
            /**
             * Format: date-time
             * @description When it was made
             */
            createdAt: string;
            /** @description Null of keys made before this was kept */
            createdBy: components["schemas"]["Actor"] | null;
            /** @description In whose hands it is: the key that the operator made and this one comes from, by creating and rolling, or the person who made it. Under dual control keys of one root count as one */
            root: components["schemas"]["Actor"];
            /**
             * Format: date-time
             * @description When it stops working; null: never
             */
            expiresAt: string | null;
            /**
             * Format: date-time
             * @description To a minute or two; null when it was never used
             */
            lastUsedAt: string | null;
            /**
             * Format: date-time
             * @description When it was revoked, for good; null: it was not
             */
            revokedAt: string | null;
            /**
             * Format: date-time
             * @description Since when it is disabled; null: it is not
             */
            disabledAt: string | null;
            /**
             * Format: uuid
             * @description The key this one was rolled from; null: it was made anew
             */
            replacesKeyId: string | null;
            /**
             * @description Only an `active` key works; a `disabled` one can be enabled again
             * @enum {string}
             */
            status: "active" | "expired" | "disabled" | "revoked";
            /** @description The key itself. It is stored as a hash and never shown again: null in the repeat of a request with an Idempotency-Key */
            apiKey: string | null;
        };
        ApiKey: {
            /**
             * Format: uuid
             * @description Of the key, which is no secret
             */
            id: string;
            /** @description To tell keys apart; null: none */
            name: string | null;
            /** @description The last four characters of the key */
            lastFour: string;
            /** @description `*` stands for all, also for those added later */
            scopes: string[];
            /** @description Requests per window; null for the deployment's limit */
            rateLimit: number | null;
            /** @description From where it may be used, as ranges of addresses; null: from anywhere */
            allowedIps: string[] | null;
            /**
             * Format: date-time
             * @description When it was made
             */
            createdAt: string;
            /** @description Null of keys made before this was kept */
            createdBy: components["schemas"]["Actor"] | null;
            /** @description In whose hands it is: the key that the operator made and this one comes from, by creating and rolling, or the person who made it. Under dual control keys of one root count as one */
            root: components["schemas"]["Actor"];
            /**
             * Format: date-time
             * @description When it stops working; null: never
             */
            expiresAt: string | null;
            /**
             * Format: date-time
             * @description To a minute or two; null when it was never used
             */
            lastUsedAt: string | null;
            /**
             * Format: date-time
             * @description When it was revoked, for good; null: it was not
             */
            revokedAt: string | null;
            /**
             * Format: date-time
             * @description Since when it is disabled; null: it is not
             */
            disabledAt: string | null;
            /**
             * Format: uuid
             * @description The key this one was rolled from; null: it was made anew
             */
            replacesKeyId: string | null;
            /**
             * @description Only an `active` key works; a `disabled` one can be enabled again
             * @enum {string}
             */
            status: "active" | "expired" | "disabled" | "revoked";
        };
        RolledApiKey: {
            /**
             * Format: uuid
             * @description Of the key, which is no secret
             */
            id: string;
            /** @description To tell keys apart; null: none */
            name: string | null;
            /** @description The last four characters of the key */
            lastFour: string;
            /** @description `*` stands for all, also for those added later */
            scopes: string[];
            /** @description Requests per window; null for the deployment's limit */
            rateLimit: number | null;
            /** @description From where it may be used, as ranges of addresses; null: from anywhere */
            allowedIps: string[] | null;
            /**
             * Format: date-time
             * @description When it was made
             */
            createdAt: string;
            /** @description Null of keys made before this was kept */
            createdBy: components["schemas"]["Actor"] | null;
            /** @description In whose hands it is: the key that the operator made and this one comes from, by creating and rolling, or the person who made it. Under dual control keys of one root count as one */
            root: components["schemas"]["Actor"];
            /**
             * Format: date-time
             * @description When it stops working; null: never
             */
            expiresAt: string | null;
            /**
             * Format: date-time
             * @description To a minute or two; null when it was never used
             */
            lastUsedAt: string | null;
            /**
             * Format: date-time
             * @description When it was revoked, for good; null: it was not
             */
            revokedAt: string | null;
            /**
             * Format: date-time
             * @description Since when it is disabled; null: it is not
             */
            disabledAt: string | null;
            /**
             * Format: uuid
             * @description The key this one was rolled from; null: it was made anew
             */
            replacesKeyId: string | null;
            /**
             * @description Only an `active` key works; a `disabled` one can be enabled again
             * @enum {string}
             */
            status: "active" | "expired" | "disabled" | "revoked";
            /** @description The key itself. It is stored as a hash and never shown again: null in the repeat of a request with an Idempotency-Key */
            apiKey: string | null;
            /**
             * Format: date-time
             * @description When the old key stops working
             */
            replacedKeyExpiresAt: string;
        };
        Settings: {
            /** @description Of members' status and of summaries that name no other */
            defaultCurrency: components["schemas"]["Currency"];
            /** @description IANA; days and months of summaries, plans and holding begin by it */
            reportingTimeZone: string;
            /**
             * Format: date-time
             * @description Of what both environments share
             */
            updatedAt: string;
            kyc: components["schemas"]["KycSettings"];
            payments: components["schemas"]["PaymentSettings"];
            referrals: components["schemas"]["ReferralSettings"];
            webhooks: components["schemas"]["WebhookSettings"];
            mail: components["schemas"]["MailSettings"];
            commissions: components["schemas"]["CommissionSettings"];
            members: components["schemas"]["MemberSettings"];
            staffProvider: components["schemas"]["StaffProviderSettings"];
        };
        /** @description Of the key's environment alone */
        KycSettings: {
            /** @description Who verifies members that start from now on */
            provider: components["schemas"]["KycProvider"];
            /** @description For so many days an approval is good; null: for good */
            approvalValidDays: number | null;
            /** @description The account at the KYC vendor */
            kycvendor: {
                appToken: components["schemas"]["SecretState"];
                secretKey: components["schemas"]["SecretState"];
                webhookSecret: components["schemas"]["SecretState"];
                previousWebhookSecret: components["schemas"]["SecretState"];
                /** @description The vendor's name of the checks to be made; null: not set */
                levelName: string | null;
                /** @description The client whose events alone are taken; null: any */
                clientId: string | null;
                /** @description How the vendor may sign its events, as `HMAC_SHA256_HEX`, `HMAC_SHA512_HEX` or the weaker `HMAC_SHA1_HEX` */
                allowedDigestAlgs: ("HMAC_SHA256_HEX" | "HMAC_SHA512_HEX" | "HMAC_SHA1_HEX")[];
                /** @description Seconds that the token of the vendor's SDK is good for */
                ttlInSecs: number;
                /** @description null: the vendor's own address */
                baseUrl: string | null;
            };
        };
        /** @description Whether a secret is stored; it is never shown */
        SecretState: {
            /** @description False: none */
            set: boolean;
        };
        /** @description Of the key's environment alone */
        PaymentSettings: {
            /**
             * @description Who pays to accounts that members add from now on: `manual`: the tenant by itself; `payvendor`: the payment vendor
             * @enum {string}
             */
            provider: "manual" | "payvendor";
            /** @description The account at the payment vendor */
            payvendor: {
                /** @description The key for the vendor; never shown */
                secretKey: {
                    /** @description Whether one is stored */
                    set: boolean;
                };
                /** @description What the vendor signs events with; never shown */
                webhookSecrets: {
                    /** @description How many are stored */
                    count: number;
                };
                /** @description ISO 3166-1 alpha-2, of the tenant's account at the vendor; null: not set */
                platformCountry: string | null;
                /** @description What is asked for with a member's account */
                capabilities: string[];
                /** @description ISO 3166-1 alpha-2: where else the vendor lets the tenant pay to */
                approvedRecipientCountries: string[];
                /** @description null: the vendor's own address */
                baseUrl: string | null;
            };
            /** @description Whether only members with an approved verification are paid */
            requireKyc: boolean;
            /** @description Whether a run is approved, and what weakens a safeguard confirmed, by another pair of hands */
            dualControl: boolean;
            /**
             * @description Who the other pair of hands is: `keys`, a key of another root; `persons`, a person of the tenant's staff
             * @enum {string}
             */
            dualControlBy: "keys" | "persons";
            /** @description For so long nothing is paid to a new account */
            accountCooldownHours: number;
            /** @description When runs are drafted by themselves, one for a currency; null: never */
            schedule: components["schemas"]["PayoutSchedule"][] | null;
        };
        PayoutSchedule: {
            currency: components["schemas"]["Currency"];
            cadence: components["schemas"]["PayoutCadence"];
            /** @description One, or two of `twice_a_month`. Of `weekly` 1 (Monday) to 7; else 1 to 28, or `last` for the last day of the month */
            days: (number | "last")[];
            /** @description In the tenant's `reportingTimeZone` */
            localTime: string;
            cutoff: components["schemas"]["PayoutCutoff"];
        };
        /** @description Of the key's environment alone */
        ReferralSettings: {
            /** @description Which of several clicks counts */
            attributionModel: components["schemas"]["AttributionModel"];
            /** @description An older click credits nobody */
            attributionWindowDays: number;
            /** @description Where links may lead: host names, or `*.name` for every host below it */
            allowedDestinationHosts: string[];
            /** @description After its capture, when a lead expires; null: never */
            leadExpiryDays: number | null;
        };
        /** @description Of the key's environment alone */
        WebhookSettings: {
            /** @description Whether the log has all events, also those that no endpoint hears of */
            eventLog: boolean;
        };
        /** @description Of the key's environment alone; a SANDBOX mails no member */
        MailSettings: {
            /** @description Whether members are mailed when a payout was paid or failed, where the deployment sends mail. Default false */
            payouts: boolean;
        };
        /** @description Of the key's environment alone */
        CommissionSettings: {
            /** @description The most that is credited or charged by hand at once; a currency that is not named has 1,000,000 major units */
            manualLimitMinor: {
                [key: string]: number;
            };
            /** @description Above it a commission by hand waits for another pair of hands, in LIVE with dual control; a currency that is not named has no such limit */
            manualSecondPairMinor: {
                [key: string]: number;
            };
            /** @description Whether publishing a plan waits for another pair of hands, in LIVE with dual control */
            planPublishSecondPair: boolean;
        };
        /** @description Of the key's environment alone */
        MemberSettings: {
            /**
             * @description What bearer tokens see of other members in trees, lists, relationships and statistics: `masked`, the first name and an initial and no email; `full`; `counts`, numbers alone. Keys see all
             * @enum {string}
             */
            downlineVisibility: "full" | "masked" | "counts";
        };
        /** @description Of the tenant: changed in LIVE alone, by an owner alone; off in SANDBOX */
        StaffProviderSettings: {
            /** @description Whether people may sign in by it */
            isOn: boolean;
            /** @description The `iss` of its tokens; null: not set */
            issuerUrl: string | null;
            /** @description Of this service at the provider; null: not set */
            clientId: string | null;
            /** @description Never shown */
            clientSecret: {
                /** @description Whether one is stored */
                set: boolean;
            };
            /** @description Whether passwords are switched off */
            ssoOnly: boolean;
        };
        WidgetToken: {
            /** @description For the page that frames the widget. It is shown once */
            widgetToken: string;
            /**
             * Format: date-time
             * @description Of the token
             */
            expiresAt: string;
            /**
             * Format: uuid
             * @description Of the widget, for refreshing and ending it
             */
            sessionId: string;
            /** @description The address of the frame. It opens nothing by itself */
            embedUrl: string;
        };
        ManyPayouts: {
            /**
             * Format: uuid
             * @description Of the run; null of those of a member that was erased
             */
            runId: string | null;
            /** @description As they stand when they are told of */
            payouts: components["schemas"]["Payout"][];
        };
        ErrorResponse: {
            /** @description What is wrong, for a person */
            error: string;
            /**
             * @description What is wrong, for a program
             * @enum {string}
             */
            code: "VALIDATION_ERROR" | "UNAUTHORIZED" | "INVALID_API_KEY" | "INVALID_TOKEN" | "INVALID_SIGNATURE" | "FORBIDDEN" | "IP_NOT_ALLOWED" | "USER_NOT_PROVISIONED" | "RECRUITING_DISABLED" | "ENVIRONMENT_MISMATCH" | "STEP_UP_REQUIRED" | "SECOND_FACTOR_REQUIRED" | "SECOND_PERSON_REQUIRED" | "WRONG_PASSWORD" | "FACTOR_REFUSED" | "NOT_FOUND" | "USER_NOT_FOUND" | "METHOD_NOT_ALLOWED" | "REQUEST_TIMEOUT" | "EMAIL_EXISTS" | "EXTERNAL_ID_EXISTS" | "EVENT_ID_REUSED" | "CODE_TAKEN" | "CYCLE_DETECTED" | "ACCOUNT_LINK_REQUIRED" | "STATE_CONFLICT" | "IDEMPOTENCY_IN_PROGRESS" | "ENDPOINT_DISABLED" | "CHANGE_PENDING" | "GROUP_EXISTS" | "PLAN_CHANGED" | "MONEY_OWED" | "STAFF_EXISTS" | "LAST_OWNER" | "LAST_FACTOR" | "BODY_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "EXPECTATION_FAILED" | "LIMIT_REACHED" | "IDEMPOTENCY_KEY_REUSED" | "PROFILE_INCOMPLETE" | "METHOD_NOT_SUPPORTED" | "CURRENCY_MISMATCH" | "REFUND_EXCEEDS_PURCHASE" | "EXCHANGE_RATE_MISSING" | "BALANCE_LIMIT" | "PLAN_INVALID" | "EVENTS_FORGOTTEN" | "TOO_MANY_EVENTS" | "AMOUNT_NOT_SETTLEABLE" | "RATE_LIMITED" | "HEADERS_TOO_LARGE" | "INTERNAL_ERROR" | "PROVIDER_CONFIGURATION" | "PROVIDER_UNAVAILABLE" | "SERVICE_UNAVAILABLE" | "PAYOUTS_FROZEN";
            /** @description `fields`: an array of {field, message} on VALIDATION_ERROR; `reasons`: an array of {rule, path, message} on PLAN_INVALID; `existing_id`: the member that has it, on EMAIL_EXISTS and EXTERNAL_ID_EXISTS; `reason` and `at` where a provider cannot be used; `requestId` on a 500 */
            details?: {
                [key: string]: unknown;
            };
        };
        PlanDefinition: {
            /**
             * @description `unilevel`: each level its rate; `differential`: each tier what those below have not got
             * @enum {string}
             */
            mode: "unilevel" | "differential";
            /**
             * @description What commissions are worked out on: `gross`: what was paid; `net_of_tax`: less tax; `net_of_tax_shipping`: less shipping too; `line_items`: the sum of the line items that the scope names
             * @enum {string}
             */
            base: "gross" | "net_of_tax" | "net_of_tax_shipping" | "line_items";
            /** @description What each level pays */
            levels: {
                /** @description 1 is the credited member */
                level: number;
                /** @description Hundredths of a per cent of the base */
                rateBps?: number;
                /** @description A fixed amount by currency, in place of a rate */
                flatMinor?: components["schemas"]["AmountsByCurrency"];
                /** @description Id of a ladder of the plan, in place of a rate */
                ladder?: string;
            }[];
            /** @description Rules by tier */
            tierRules: {
                [key: string]: {
                    /**
                     * @description Thousandths; unilevel only
                     * @default 1000
                     */
                    multiplierMilli: number;
                    /**
                     * @description Deepest level this tier is paid for
                     * @default 256
                     */
                    maxDepth: number;
                    /** @description Own rate; differential only */
                    rateBps?: number;
                };
            };
            /** @description Who is paid at all */
            qualification: {
                /**
                 * @description Whether only active members are paid
                 * @default true
                 */
                active: boolean;
                /**
                 * @description Whether only verified members are paid
                 * @default false
                 */
                kycApproved: boolean;
                /**
                 * @description Purchases credited to the member in the sale's month, by currency; 0 for none
                 * @default {}
                 */
                minPersonalSalesMinor: components["schemas"]["AmountsByCurrency"];
                /**
                 * @description Active recruits that a member needs
                 * @default 0
                 */
                minActiveDirects: number;
                /**
                 * @description The local month of the sale
                 * @default month
                 * @constant
                 */
                window: "month";
            };
            /**
             * @description `none`: a place is lost; `roll_up`, `compress`: the next above takes it
             * @enum {string}
             */
            compression: "none" | "roll_up" | "compress";
            /**
             * @description A member's own purchase: `none`: pays nobody; `self_rebate`: the member; `sponsor_first`: from the sponsor up
             * @enum {string}
             */
            personalPurchase: "none" | "self_rebate" | "sponsor_first";
            /** @description How renewals are paid */
            recurring: {
                /**
                 * @description Whether renewals are paid
                 * @default true
                 */
                enabled: boolean;
                /**
                 * @description Months that renewals are paid; null: without end
                 * @default null
                 */
                maxMonths: number | null;
                /**
                 * @description Renewals that are paid; null: all
                 * @default null
                 */
                maxEvents: number | null;
            };
            /** @description How long lines wait before they clear */
            holding: {
                /** @description Days that a commission is held */
                days: number;
                /**
                 * @description `all_levels` wait, or `level_1` alone
                 * @default all_levels
                 * @enum {string}
                 */
                appliesTo: "all_levels" | "level_1";
            };
            /** @description Most that is paid */
            caps: {
                /**
                 * @description Most that one sale pays, in basis points; null: no limit
                 * @default null
                 */
                perEventPayoutBps: number | null;
                /** @default null */
                perMemberPeriodMinor: components["schemas"]["AmountsByCurrency"] | null;
                /** @default null */
                perCustomerLifetimeMinor: components["schemas"]["AmountsByCurrency"] | null;
            };
            /** @description How amounts are rounded */
            rounding: {
                /**
                 * @description Half up, once a line
                 * @default half_up
                 * @constant
                 */
                mode: "half_up";
                /**
                 * @description Who keeps what rounding leaves
                 * @default company
                 * @constant
                 */
                residual: "company";
            };
            /** @description Currency that members are paid in */
            fx: {
                /**
                 * @description In the currency of the `member`, or of the `purchase`
                 * @default purchase
                 * @enum {string}
                 */
                payCurrency: "member" | "purchase";
                /**
                 * @description The latest rate that is not after the sale
                 * @default occurred_at
                 * @constant
                 */
                rateAt: "occurred_at";
            };
            /** @description How refunds take back */
            reversal: {
                /**
                 * @description How refunds take back
                 * @default proportional
                 * @constant
                 */
                policy: "proportional";
                /**
                 * @description What is taken back after payout: `carry_forward`: the member owes it; `write_off`: the company bears it
                 * @default carry_forward
                 * @enum {string}
                 */
                recoverAfterPayout: "carry_forward" | "write_off";
                /**
                 * @description The most a member can come to owe, by currency; the company bears the rest
                 * @default null
                 */
                floorMinor: components["schemas"]["AmountsByCurrency"] | null;
                /**
                 * @description What a member still owes of a clawback after so many days is written off
                 * @default null
                 */
                writeOffAfterDays: number | null;
            };
            /** @default {} */
            minimumPayoutMinor: components["schemas"]["AmountsByCurrency"];
            /**
             * @description On which facts of a sale levels are paid otherwise, in the order asked
             * @default []
             */
            rules: {
                /** @description Names the rule in explanations */
                id: string;
                /** @description Paid levels that it is for, or `all` */
                levels: "all" | number[];
                /**
                 * @description Final rules are asked first, and what was agreed with a member does not come before them
                 * @default false
                 */
                final: boolean;
                /** @description When it holds */
                when: components["schemas"]["RuleConditionOutput"];
                pay: components["schemas"]["RulePayOutput"];
            }[];
            /**
             * @description Rates that rise with what a member has sold
             * @default []
             */
            ladders: {
                /** @description Id of a ladder of the plan */
                id: string;
                /**
                 * @description `base`: what commissions were calculated on; `amount`: what was paid; `sales`: how many
                 * @enum {string}
                 */
                measure: "base" | "amount" | "sales";
                /**
                 * @description Whether the member's own purchases count
                 * @default false
                 */
                ownPurchases: boolean;
                /**
                 * @description `month`, `quarter`, `year` of the sale in the tenant's zone; `lifetime`: all sales before it
                 * @enum {string}
                 */
                period: "month" | "quarter" | "year" | "lifetime";
                /**
                 * @description `next_sale`: a step pays from the next sale on; `whole_period`: afterwards all sales of the period
                 * @default next_sale
                 * @enum {string}
                 */
                settle: "next_sale" | "whole_period";
                /**
                 * @description Days from the end of a period until it is settled
                 * @default 10
                 */
                settleAfterDays: number;
                /** @description Rising; the last one that the sum has reached pays */
                steps: {
                    /** @description From so many sales, or from this sum of them by currency; the first step from 0 */
                    from: number | {
                        [key: string]: number;
                    };
                    /** @description Hundredths of a per cent of the base */
                    rateBps: number;
                }[];
            }[];
            /**
             * @description How far rates that were agreed with members, for links or for codes count; null: not at all
             * @default null
             */
            overrides: {
                /**
                 * @description Paid levels for which what was agreed counts
                 * @default [
                 *       1
                 *     ]
                 */
                levels: number[];
                /** @description The most of it that counts, in basis points: a higher rate is cut to it */
                maxRateBps: number;
                /**
                 * @description The same of sums, for a sale or a piece as they are; in other currencies sums do not count
                 * @default {}
                 */
                maxFlatMinor: components["schemas"]["AmountsByCurrency"];
            } | null;
            /** @description Sales that the plan is for */
            scope: {
                /**
                 * @description Of several plans that match, the highest wins
                 * @default 0
                 */
                priority: number;
                /**
                 * @description Types of sales; null: all
                 * @default null
                 */
                types: ("one_time" | "subscription_initial" | "subscription_renewal")[] | null;
                /**
                 * @description Article numbers; null: all
                 * @default null
                 */
                skus: string[] | null;
                /**
                 * @description Keys of groups: sales credited to their members alone, ahead of plans that name none; null: all
                 * @default null
                 */
                groups: string[] | null;
                /**
                 * @description Categories; null: all
                 * @default null
                 */
                categories: string[] | null;
            };
        };
        /** @description Minor units by currency */
        AmountsByCurrency: {
            [key: string]: number;
        };
        /** @description A whole number; of an amount minor units by currency */
        RuleBoundOutput: number | {
            [key: string]: number;
        };
        /** @description A condition within another */
        RuleTestsJoinedOutput: {
            fact?: components["schemas"]["RuleFact"];
            in?: components["schemas"]["RuleTexts"];
            /** @description It is at least this */
            gte?: components["schemas"]["RuleBoundOutput"];
            /** @description It is less than this */
            lt?: components["schemas"]["RuleBoundOutput"];
            /**
             * @description It is there
             * @constant
             */
            exists?: true;
            /** @description All of these hold */
            all?: components["schemas"]["RuleTestsOutput"][];
            /** @description One of these holds at least */
            any?: components["schemas"]["RuleTestsOutput"][];
            /** @description This does not hold */
            not?: components["schemas"]["RuleTestsOutput"];
        };
        /** @description A test, or tests joined */
        RuleTestsOutput: {
            fact?: components["schemas"]["RuleFact"];
            in?: components["schemas"]["RuleTexts"];
            /** @description It is at least this */
            gte?: components["schemas"]["RuleBoundOutput"];
            /** @description It is less than this */
            lt?: components["schemas"]["RuleBoundOutput"];
            /**
             * @description It is there
             * @constant
             */
            exists?: true;
            /** @description All of these hold */
            all?: components["schemas"]["RuleTestOutput"][];
            /** @description One of these holds at least */
            any?: components["schemas"]["RuleTestOutput"][];
            /** @description This does not hold */
            not?: components["schemas"]["RuleTestOutput"];
        };
        /** @description One test of one fact */
        RuleTestOutput: {
            fact?: components["schemas"]["RuleFact"];
            in?: components["schemas"]["RuleTexts"];
            /** @description It is at least this */
            gte?: components["schemas"]["RuleBoundOutput"];
            /** @description It is less than this */
            lt?: components["schemas"]["RuleBoundOutput"];
            /**
             * @description It is there
             * @constant
             */
            exists?: true;
        };
        /** @description A test, or conditions joined, at most three deep */
        RuleConditionOutput: {
            fact?: components["schemas"]["RuleFact"];
            in?: components["schemas"]["RuleTexts"];
            /** @description It is at least this */
            gte?: components["schemas"]["RuleBoundOutput"];
            /** @description It is less than this */
            lt?: components["schemas"]["RuleBoundOutput"];
            /**
             * @description It is there
             * @constant
             */
            exists?: true;
            /** @description All of these hold */
            all?: components["schemas"]["RuleTestsJoinedOutput"][];
            /** @description One of these holds at least */
            any?: components["schemas"]["RuleTestsJoinedOutput"][];
            /** @description This does not hold */
            not?: components["schemas"]["RuleTestsJoinedOutput"];
        };
        /** @description A rate, a sum or a ladder, exactly one */
        RulePayOutput: {
            /** @description Hundredths of a per cent of the base; 0 pays nothing */
            rateBps?: number;
            /** @description A fixed amount, minor units by currency */
            flatMinor?: {
                [key: string]: number;
            };
            /**
             * @description Of a fixed amount: `sale`: it is paid once; `unit`: for each piece. Default `sale`
             * @enum {string}
             */
            per?: "sale" | "unit";
            /** @description Id of a ladder of the plan */
            ladder?: string;
        };
        /** @description A rate or a sum, exactly one */
        RatePayOutput: {
            /** @description Hundredths of a per cent of the base; 0 pays nothing */
            rateBps?: number;
            /** @description A fixed amount, minor units by currency */
            flatMinor?: {
                [key: string]: number;
            };
            /**
             * @description Of a fixed amount: `sale`: it is paid once; `unit`: for each piece. Default `sale`
             * @enum {string}
             */
            per?: "sale" | "unit";
        };
        /** @description What the body of every event has */
        WebhookEnvelope: {
            /**
             * Format: uuid
             * @description The same as the header webhook-id, in every attempt
             */
            id: string;
            /** @description Its number among the events of the environment: dense, in the order of commits */
            sequence: number;
            /**
             * Format: date-time
             * @description When it happened, by the environment's clock
             */
            occurredAt: string;
            /** @description Where it happened */
            environment: components["schemas"]["Environment"];
            /** @description Of the object that it happened to */
            objectId: string;
            /** @description Of two states of one object the later has the larger; nothing else is told by it */
            objectVersion: number;
            /** @description Who did it */
            actor: {
                /**
                 * @description `staff`: a person of the tenant; `operator`: of the deployment; `system`: the service by itself
                 * @enum {string}
                 */
                kind: "api_key" | "staff" | "member" | "operator" | "vendor" | "system";
                /** @description Of the key, the person or the member; null where nobody in particular did it */
                id: string | null;
            };
            /** @description Fields of `data` that were too large, or `data` itself, where a person in it was erased or where the right to read it is missing; absent where nothing is missing */
            leftOut?: string[];
        };
        WebhookEndpointDisabledEvent: components["schemas"]["WebhookEnvelope"] & {
            /**
             * @description What has happened
             * @constant
             */
            type: "webhook_endpoint.disabled";
            /** @description As the API shows it; null: see `leftOut` */
            data: components["schemas"]["WebhookEndpoint"] | null;
        };
        MemberCreatedEvent: components["schemas"]["WebhookEnvelope"] & {
            /**
             * @description What has happened
             * @constant
             */
            type: "member.created";
            /** @description As the API shows it; null: see `leftOut` */
            data: components["schemas"]["Member"] | null;
        };
        MemberUpdatedEvent: components["schemas"]["WebhookEnvelope"] & {
            /**
             * @description What has happened
             * @constant
             */
            type: "member.updated";
            /** @description As the API shows it; null: see `leftOut` */
            data: components["schemas"]["Member"] | null;
        };
        MemberEmailChangedEvent: components["schemas"]["WebhookEnvelope"] & {
            /**
             * @description What has happened
             * @constant
             */
            type: "member.email_changed";
            /** @description As the API shows it; null: see `leftOut` */
            data: components["schemas"]["Member"] | null;
        };
        MemberMovedEvent: components["schemas"]["WebhookEnvelope"] & {
            /**
             * @description What has happened
             * @constant
             */
            type: "member.moved";
            /** @description As the API shows it; null: see `leftOut` */
            data: components["schemas"]["Member"] | null;
        };
        MemberDeactivatedEvent: components["schemas"]["WebhookEnvelope"] & {
            /**
             * @description What has happened
             * @constant
             */
            type: "member.deactivated";
            /** @description As the API shows it; null: see `leftOut` */
            data: components["schemas"]["Member"] | null;
        };
        GroupChangedEvent: components["schemas"]["WebhookEnvelope"] & {
            /**
             * @description What has happened
             * @constant
             */
            type: "group.changed";
            /** @description As the API shows it; null: see `leftOut` */
            data: components["schemas"]["Member"] | null;
        };
        MemberErasedEvent: components["schemas"]["WebhookEnvelope"] & {
            /**
             * @description What has happened
             * @constant
             */
            type: "member.erased";
            /** @description As the API shows it; null: see `leftOut` */
            data: components["schemas"]["Member"] | null;
        };
        CommissionsCreatedEvent: components["schemas"]["WebhookEnvelope"] & {
            /**
             * @description What has happened
             * @constant
             */
            type: "commissions.created";
            /** @description As the API shows it; null: see `leftOut` */
            data: {
                /**
                 * Format: uuid
                 * @description The event that made or changed them
                 */
                eventId: string;
                /** @description As they stand behind it */
                commissions: components["schemas"]["Commission"][];
            } | null;
        };
        CommissionsClearedEvent: components["schemas"]["WebhookEnvelope"] & {
            /**
             * @description What has happened
             * @constant
             */
            type: "commissions.cleared";
            /** @description As the API shows it; null: see `leftOut` */
            data: {
                /**
                 * Format: uuid
                 * @description The member
                 */
                userId: string;
                /** @description Of the lines named, by currency */
                totals: {
                    currency: components["schemas"]["Currency"];
                    /** @description Minor units */
                    amountMinor: number;
                }[];
                /** @description The lines */
                commissionIds: string[];
            } | null;
        };
        CommissionsReversedEvent: components["schemas"]["WebhookEnvelope"] & {
            /**
             * @description What has happened
             * @constant
             */
            type: "commissions.reversed";
            /** @description As the API shows it; null: see `leftOut` */
            data: {
                /**
                 * Format: uuid
                 * @description The event that made or changed them
                 */
                eventId: string;
                /** @description As they stand behind it */
                commissions: components["schemas"]["Commission"][];
            } | null;
        };
        CommissionHeldEvent: components["schemas"]["WebhookEnvelope"] & {
            /**
             * @description What has happened
             * @constant
             */
            type: "commission.held";
            /** @description As the API shows it; null: see `leftOut` */
            data: components["schemas"]["Commission"] | null;
        };
        CommissionReleasedEvent: components["schemas"]["WebhookEnvelope"] & {
            /**
             * @description What has happened
             * @constant
             */
            type: "commission.released";
            /** @description As the API shows it; null: see `leftOut` */
            data: components["schemas"]["Commission"] | null;
        };
        CommissionVoidedEvent: components["schemas"]["WebhookEnvelope"] & {
            /**
             * @description What has happened
             * @constant
             */
            type: "commission.voided";
            /** @description As the API shows it; null: see `leftOut` */
            data: components["schemas"]["Commission"] | null;
        };
        EventPurchaseRecordedEvent: components["schemas"]["WebhookEnvelope"] & {
            /**
             * @description What has happened
             * @constant
             */
            type: "event.purchase_recorded";
            /** @description As the API shows it; null: see `leftOut` */
            data: components["schemas"]["Event"] | null;
        };
        EventRefundedEvent: components["schemas"]["WebhookEnvelope"] & {
            /**
             * @description What has happened
             * @constant
             */
            type: "event.refunded";
            /** @description As the API shows it; null: see `leftOut` */
            data: components["schemas"]["Event"] | null;
        };
        EventDisputedEvent: components["schemas"]["WebhookEnvelope"] & {
            /**
             * @description What has happened
             * @constant
             */
            type: "event.disputed";
            /** @description As the API shows it; null: see `leftOut` */
            data: components["schemas"]["Event"] | null;
        };
        LadderSettledEvent: components["schemas"]["WebhookEnvelope"] & {
            /**
             * @description What has happened
             * @constant
             */
            type: "ladder.settled";
            /** @description As the API shows it; null: see `leftOut` */
            data: components["schemas"]["Event"] | null;
        };
        EventCommissionRecordedEvent: components["schemas"]["WebhookEnvelope"] & {
            /**
             * @description What has happened
             * @constant
             */
            type: "event.commission_recorded";
            /** @description As the API shows it; null: see `leftOut` */
            data: components["schemas"]["Event"] | null;
        };
        RateOverrideChangedEvent: components["schemas"]["WebhookEnvelope"] & {
            /**
             * @description What has happened
             * @constant
             */
            type: "rate_override.changed";
            /** @description As the API shows it; null: see `leftOut` */
            data: components["schemas"]["RateOverride"] | null;
        };
        LeadCapturedEvent: components["schemas"]["WebhookEnvelope"] & {
            /**
             * @description What has happened
             * @constant
             */
            type: "lead.captured";
            /** @description As the API shows it; null: see `leftOut` */
            data: components["schemas"]["Lead"] | null;
        };
        LeadUpdatedEvent: components["schemas"]["WebhookEnvelope"] & {
            /**
             * @description What has happened
             * @constant
             */
            type: "lead.updated";
            /** @description As the API shows it; null: see `leftOut` */
            data: components["schemas"]["Lead"] | null;
        };
        LeadConvertedEvent: components["schemas"]["WebhookEnvelope"] & {
            /**
             * @description What has happened
             * @constant
             */
            type: "lead.converted";
            /** @description As the API shows it; null: see `leftOut` */
            data: components["schemas"]["Lead"] | null;
        };
        LeadExpiredEvent: components["schemas"]["WebhookEnvelope"] & {
            /**
             * @description What has happened
             * @constant
             */
            type: "lead.expired";
            /** @description As the API shows it; null: see `leftOut` */
            data: components["schemas"]["Lead"] | null;
        };
        ImportCompletedEvent: components["schemas"]["WebhookEnvelope"] & {
            /**
             * @description What has happened
             * @constant
             */
            type: "import.completed";
            /** @description As the API shows it; null: see `leftOut` */
            data: components["schemas"]["Import"] | null;
        };
        ImportFailedEvent: components["schemas"]["WebhookEnvelope"] & {
            /**
             * @description What has happened
             * @constant
             */
            type: "import.failed";
            /** @description As the API shows it; null: see `leftOut` */
            data: components["schemas"]["Import"] | null;
        };
        LedgerFaultFoundEvent: components["schemas"]["WebhookEnvelope"] & {
            /**
             * @description What has happened
             * @constant
             */
            type: "ledger.fault_found";
            /** @description As the API shows it; null: see `leftOut` */
            data: {
                /** @description What is wrong; empty where nothing is */
                faults: {
                    kind: components["schemas"]["LedgerFaultKind"];
                    /**
                     * Format: uuid
                     * @description The journal
                     */
                    journalId?: string;
                    /** @description The block, where it is one */
                    blockSeq?: number;
                    /** @description In words */
                    message: string;
                }[];
            } | null;
        };
        KycStartedEvent: components["schemas"]["WebhookEnvelope"] & {
            /**
             * @description What has happened
             * @constant
             */
            type: "kyc.started";
            /** @description As the API shows it; null: see `leftOut` */
            data: components["schemas"]["KycRecord"] | null;
        };
        KycSubmittedEvent: components["schemas"]["WebhookEnvelope"] & {
            /**
             * @description What has happened
             * @constant
             */
            type: "kyc.submitted";
            /** @description As the API shows it; null: see `leftOut` */
            data: components["schemas"]["KycRecord"] | null;
        };
        KycApprovedEvent: components["schemas"]["WebhookEnvelope"] & {
            /**
             * @description What has happened
             * @constant
             */
            type: "kyc.approved";
            /** @description As the API shows it; null: see `leftOut` */
            data: components["schemas"]["KycRecord"] | null;
        };
        KycRejectedEvent: components["schemas"]["WebhookEnvelope"] & {
            /**
             * @description What has happened
             * @constant
             */
            type: "kyc.rejected";
            /** @description As the API shows it; null: see `leftOut` */
            data: components["schemas"]["KycRecord"] | null;
        };
        KycResubmitRequiredEvent: components["schemas"]["WebhookEnvelope"] & {
            /**
             * @description What has happened
             * @constant
             */
            type: "kyc.resubmit_required";
            /** @description As the API shows it; null: see `leftOut` */
            data: components["schemas"]["KycRecord"] | null;
        };
        KycExpiredEvent: components["schemas"]["WebhookEnvelope"] & {
            /**
             * @description What has happened
             * @constant
             */
            type: "kyc.expired";
            /** @description As the API shows it; null: see `leftOut` */
            data: components["schemas"]["KycRecord"] | null;
        };
        KycUpdatedEvent: components["schemas"]["WebhookEnvelope"] & {
            /**
             * @description What has happened
             * @constant
             */
            type: "kyc.updated";
            /** @description As the API shows it; null: see `leftOut` */
            data: components["schemas"]["KycRecord"] | null;
        };
        PayoutRunDraftedEvent: components["schemas"]["WebhookEnvelope"] & {
            /**
             * @description What has happened
             * @constant
             */
            type: "payout_run.drafted";
            /** @description As the API shows it; null: see `leftOut` */
            data: components["schemas"]["PayoutRunDetail"] | null;
        };
        PayoutRunApprovedEvent: components["schemas"]["WebhookEnvelope"] & {
            /**
             * @description What has happened
             * @constant
             */
            type: "payout_run.approved";
            /** @description As the API shows it; null: see `leftOut` */
            data: components["schemas"]["PayoutRunDetail"] | null;
        };
        PayoutRunExecutedEvent: components["schemas"]["WebhookEnvelope"] & {
            /**
             * @description What has happened
             * @constant
             */
            type: "payout_run.executed";
            /** @description As the API shows it; null: see `leftOut` */
            data: components["schemas"]["PayoutRunDetail"] | null;
        };
        PayoutRunCompletedEvent: components["schemas"]["WebhookEnvelope"] & {
            /**
             * @description What has happened
             * @constant
             */
            type: "payout_run.completed";
            /** @description As the API shows it; null: see `leftOut` */
            data: components["schemas"]["PayoutRunDetail"] | null;
        };
        PayoutRunCancelledEvent: components["schemas"]["WebhookEnvelope"] & {
            /**
             * @description What has happened
             * @constant
             */
            type: "payout_run.cancelled";
            /** @description As the API shows it; null: see `leftOut` */
            data: components["schemas"]["PayoutRunDetail"] | null;
        };
        PayoutRunUpdatedEvent: components["schemas"]["WebhookEnvelope"] & {
            /**
             * @description What has happened
             * @constant
             */
            type: "payout_run.updated";
            /** @description As the API shows it; null: see `leftOut` */
            data: components["schemas"]["PayoutRunDetail"] | null;
        };
        PayoutsDraftedEvent: components["schemas"]["WebhookEnvelope"] & {
            /**
             * @description What has happened
             * @constant
             */
            type: "payouts.drafted";
            /** @description As the API shows it; null: see `leftOut` */
            data: components["schemas"]["ManyPayouts"] | null;
        };
        PayoutsCancelledEvent: components["schemas"]["WebhookEnvelope"] & {
            /**
             * @description What has happened
             * @constant
             */
            type: "payouts.cancelled";
            /** @description As the API shows it; null: see `leftOut` */
            data: components["schemas"]["ManyPayouts"] | null;
        };
        PayoutsUpdatedEvent: components["schemas"]["WebhookEnvelope"] & {
            /**
             * @description What has happened
             * @constant
             */
            type: "payouts.updated";
            /** @description As the API shows it; null: see `leftOut` */
            data: components["schemas"]["ManyPayouts"] | null;
        };
        PayoutProcessingEvent: components["schemas"]["WebhookEnvelope"] & {
            /**
             * @description What has happened
             * @constant
             */
            type: "payout.processing";
            /** @description As the API shows it; null: see `leftOut` */
            data: components["schemas"]["PayoutDetail"] | null;
        };
        PayoutPaidEvent: components["schemas"]["WebhookEnvelope"] & {
            /**
             * @description What has happened
             * @constant
             */
            type: "payout.paid";
            /** @description As the API shows it; null: see `leftOut` */
            data: components["schemas"]["PayoutDetail"] | null;
        };
        PayoutFailedEvent: components["schemas"]["WebhookEnvelope"] & {
            /**
             * @description What has happened
             * @constant
             */
            type: "payout.failed";
            /** @description As the API shows it; null: see `leftOut` */
            data: components["schemas"]["PayoutDetail"] | null;
        };
        PayoutReturnedEvent: components["schemas"]["WebhookEnvelope"] & {
            /**
             * @description What has happened
             * @constant
             */
            type: "payout.returned";
            /** @description As the API shows it; null: see `leftOut` */
            data: components["schemas"]["PayoutDetail"] | null;
        };
        PayoutCancelledEvent: components["schemas"]["WebhookEnvelope"] & {
            /**
             * @description What has happened
             * @constant
             */
            type: "payout.cancelled";
            /** @description As the API shows it; null: see `leftOut` */
            data: components["schemas"]["PayoutDetail"] | null;
        };
        PayoutQueuedEvent: components["schemas"]["WebhookEnvelope"] & {
            /**
             * @description What has happened
             * @constant
             */
            type: "payout.queued";
            /** @description As the API shows it; null: see `leftOut` */
            data: components["schemas"]["PayoutDetail"] | null;
        };
        PayoutUpdatedEvent: components["schemas"]["WebhookEnvelope"] & {
            /**
             * @description What has happened
             * @constant
             */
            type: "payout.updated";
            /** @description As the API shows it; null: see `leftOut` */
            data: components["schemas"]["PayoutDetail"] | null;
        };
        PayoutAccountCreatedEvent: components["schemas"]["WebhookEnvelope"] & {
            /**
             * @description What has happened
             * @constant
             */
            type: "payout_account.created";
            /** @description As the API shows it; null: see `leftOut` */
            data: components["schemas"]["PayoutAccount"] | null;
        };
        PayoutAccountActivatedEvent: components["schemas"]["WebhookEnvelope"] & {
            /**
             * @description What has happened
             * @constant
             */
            type: "payout_account.activated";
            /** @description As the API shows it; null: see `leftOut` */
            data: components["schemas"]["PayoutAccount"] | null;
        };
        PayoutAccountActionRequiredEvent: components["schemas"]["WebhookEnvelope"] & {
            /**
             * @description What has happened
             * @constant
             */
            type: "payout_account.action_required";
            /** @description As the API shows it; null: see `leftOut` */
            data: components["schemas"]["PayoutAccount"] | null;
        };
        PayoutAccountRejectedEvent: components["schemas"]["WebhookEnvelope"] & {
            /**
             * @description What has happened
             * @constant
             */
            type: "payout_account.rejected";
            /** @description As the API shows it; null: see `leftOut` */
            data: components["schemas"]["PayoutAccount"] | null;
        };
        PayoutAccountPrimaryChangedEvent: components["schemas"]["WebhookEnvelope"] & {
            /**
             * @description What has happened
             * @constant
             */
            type: "payout_account.primary_changed";
            /** @description As the API shows it; null: see `leftOut` */
            data: components["schemas"]["PayoutAccount"] | null;
        };
        PayoutAccountDeactivatedEvent: components["schemas"]["WebhookEnvelope"] & {
            /**
             * @description What has happened
             * @constant
             */
            type: "payout_account.deactivated";
            /** @description As the API shows it; null: see `leftOut` */
            data: components["schemas"]["PayoutAccount"] | null;
        };
        PayoutAccountUpdatedEvent: components["schemas"]["WebhookEnvelope"] & {
            /**
             * @description What has happened
             * @constant
             */
            type: "payout_account.updated";
            /** @description As the API shows it; null: see `leftOut` */
            data: components["schemas"]["PayoutAccount"] | null;
        };
        SettingsChangedEvent: components["schemas"]["WebhookEnvelope"] & {
            /**
             * @description What has happened
             * @constant
             */
            type: "settings.changed";
            /** @description As the API shows it; null: see `leftOut` */
            data: {
                /** @description Names as in the document of the settings, as `payments.requireKyc` */
                fields: string[];
                /** @description What GET /admin/settings answers */
                settings: {
                    [key: string]: unknown;
                };
            } | null;
        };
        ApiKeyCreatedEvent: components["schemas"]["WebhookEnvelope"] & {
            /**
             * @description What has happened
             * @constant
             */
            type: "api_key.created";
            /** @description As the API shows it; null: see `leftOut` */
            data: components["schemas"]["ApiKey"] | null;
        };
        ApiKeyRevokedEvent: components["schemas"]["WebhookEnvelope"] & {
            /**
             * @description What has happened
             * @constant
             */
            type: "api_key.revoked";
            /** @description As the API shows it; null: see `leftOut` */
            data: components["schemas"]["ApiKey"] | null;
        };
        WebhookEndpointCreate: {
            /** @description An https:// address of the public internet, which takes a POST */
            url: string;
            /** @description Types of events; `*` stands for all, also for those added later, and `payout.*` for all of payouts */
            eventTypes: string[];
            /** @description To tell endpoints apart */
            description?: string | null;
            /** @description Whether events are sent to it; default `true` */
            enabled?: boolean | null;
            /** @description Sent along, at most 5, as a gateway may ask for; never shown again */
            headers?: {
                [key: string]: string;
            } | null;
        };
        WebhookEndpointUpdate: {
            /** @description An https:// address of the public internet, which takes a POST */
            url?: string;
            /** @description Types of events; `*` stands for all, also for those added later, and `payout.*` for all of payouts */
            eventTypes?: string[];
            /** @description To tell endpoints apart */
            description?: string | null;
            /** @description `false`: what happens meanwhile is not sent */
            enabled?: boolean;
            /** @description Sent along, at most 5, as a gateway may ask for; never shown again */
            headers?: {
                [key: string]: string;
            } | null;
        };
        WebhookSecretRotate: {
            /** @description How long the secret of before signs, too; default 24 */
            overlapHours?: number | null;
        };
        WebhookEndpointTest: {
            /** @description Of the event, as `payout.paid` */
            type: string;
        };
        WebhookEventsReplay: {
            /**
             * Format: date-time
             * @description Happened at this instant or later
             */
            from: string;
            /**
             * Format: date-time
             * @description Happened before this instant
             */
            to: string;
            /** @description Only these types; default all that the endpoint hears */
            types?: string[] | null;
            /** @description Only those that have failed to arrive at this endpoint: for good, or so far. The latter are sent at once, in place of their next attempt */
            onlyFailed?: boolean | null;
        };
        WebhookDeliveryRetry: Record<string, unknown>;
        EventSnapshotCreate: {
            /** @description Kinds of objects to have in it; default all */
            kinds?: components["schemas"]["EventSnapshotKind"][];
        };
        EventSnapshotDownloadUrlCreate: Record<string, unknown>;
        PendingChangeConfirm: Record<string, unknown>;
        PendingChangeReject: {
            /** @description Kept with the change, not in the audit log */
            reason?: string | null;
        };
        ReferralCodeCreate: {
            /**
             * Format: uuid
             * @description The member whose code it is
             */
            user_id: string;
            /** @description Default one that is drawn */
            code?: string | null;
            /** @description In the place of the default code there is. Default false */
            is_default?: boolean | null;
        };
        ReferralCodeUpdate: {
            status?: components["schemas"]["ReferralCodeStatus"];
            /** @description Whether it is the member's own code */
            is_default?: boolean;
        };
        ReferralLinkCreate: {
            /**
             * Format: uuid
             * @description The member whose link it is
             */
            user_id: string;
            /** @description Where the link leads */
            destination_url: string;
            /** @description The last part of the address, of one's own choice: lower-case letters, digits and single hyphens. It is unique among all links of the service, in both environments, and never free again. Default one that is drawn */
            slug?: string | null;
            /** @description For the tenant and the member, not shown to visitors */
            name?: string | null;
            /**
             * Format: date-time
             * @description In the future; default never
             */
            expires_at?: string | null;
        };
        ReferralLinkUpdate: {
            /** @description Where the link leads */
            destination_url?: string;
            /** @description Name for the member's own list; null: none */
            name?: string | null;
            /** @description `active`, or `disabled`: it leads on and credits nobody */
            status?: components["schemas"]["ReferralLinkStatus"];
            /**
             * Format: date-time
             * @description In the future; `null`: never
             */
            expires_at?: string | null;
        };
        ClickCreate: {
            /**
             * Format: uuid
             * @description The link; null: none
             */
            link_id?: string | null;
            /** @description The last part of a link: /r/{slug}, in any case */
            slug?: string | null;
            /** @description Without regard to case */
            referral_code?: string | null;
            /** @description As a redirect gave it to the destination; needs `customer` */
            click_id?: string | null;
            /** @description Whose click it was */
            customer?: {
                /** @description Id in the tenant's own system */
                external_id: string;
            } | null;
            /** @description The visitor's; only a keyed digest of the day is kept */
            ip?: string | null;
            /** @description The visitor's; a bot's click is not recorded */
            user_agent?: string | null;
            /** @description Address of the page that the visitor came from; its host is kept */
            referrer?: string | null;
        };
        GroupCreate: {
            /** @description Small letters, digits and hyphens; plans name the group by it, for ever */
            key: string;
            /** @description Name of the group, for people */
            name: string;
        };
        GroupUpdate: {
            /** @description Name of the group, for people */
            name?: string;
            /**
             * @description `active` brings an archived group back
             * @constant
             */
            status?: "active";
        };
        UserCreate: {
            /**
             * Format: email
             * @description Address
             */
            email: string;
            /** @description Tier of the member; default ORDINARY */
            membership_tier?: components["schemas"]["MembershipTier"] | null;
            /**
             * Format: uuid
             * @description The sponsor; `null`: none, whatever lead there is, unless `referral_code` or `click_id` names one
             */
            parent_id?: string | null;
            /** @description The sponsor's */
            referral_code?: string | null;
            /** @description As the link gave it to the page; the sponsor is whose link it was */
            click_id?: string | null;
            /** @description Whether the member is active; default true */
            is_active?: boolean | null;
            /** @description Whether the member may have recruits; default true */
            can_recruit?: boolean | null;
            /** @description Whether it is a test member, which is never paid; default false */
            is_test_user?: boolean | null;
            /** @description Full name */
            name?: string | null;
            /** @description Key of its group; default `default` */
            group?: string | null;
            /**
             * Format: date-time
             * @description When it came to the tenant, of a member that comes from elsewhere: not ahead of now; default now
             */
            joined_at?: string | null;
            /** @description Id in the tenant's own system */
            external_id?: string | null;
            /** @description Currency that the member is paid in; default the tenant's */
            pay_currency?: components["schemas"]["CurrencyCode"] | null;
        };
        UserUpdate: {
            /** @description Whether the member is active */
            is_active?: boolean;
            /** @description Whether the member may have recruits */
            can_recruit?: boolean;
            /** @description The new tier, from `effective_at` on */
            membership_tier?: components["schemas"]["MembershipTier"];
            /** @description Key of the new group, from `effective_at` on */
            group?: string;
            /**
             * Format: date-time
             * @description Of tier, activity and group
             */
            effective_at?: string | null;
            /** @description Of the change of tier, activity or group */
            reason?: string | null;
            /**
             * Format: email
             * @description A new address
             */
            email?: string;
            /** @description Full name; null: none */
            name?: string | null;
            /** @description Id in the tenant's own system; null: none */
            external_id?: string | null;
            pay_currency?: components["schemas"]["CurrencyCode"];
            /** @description Whether it is a test member, which is never paid */
            is_test_user?: boolean;
        };
        UserPut: {
            /**
             * Format: email
             * @description Needed to create a member
             */
            email?: string;
            /** @description Tier of the member; default ORDINARY */
            membership_tier?: components["schemas"]["MembershipTier"] | null;
            /**
             * Format: uuid
             * @description The sponsor; `null`: none, whatever lead there is, unless `referral_code` or `click_id` names one
             */
            parent_id?: string | null;
            /** @description The sponsor's */
            referral_code?: string | null;
            /** @description As the link gave it to the page; the sponsor is whose link it was */
            click_id?: string | null;
            /** @description Whether the member is active; default true */
            is_active?: boolean | null;
            /** @description Whether the member may have recruits; default true */
            can_recruit?: boolean | null;
            /** @description Whether it is a test member, which is never paid; default false */
            is_test_user?: boolean | null;
            /** @description Full name */
            name?: string | null;
            /** @description Key of its group; default `default` */
            group?: string | null;
            /**
             * Format: date-time
             * @description When it came to the tenant, of a member that comes from elsewhere: not ahead of now; default now
             */
            joined_at?: string | null;
            /** @description The one of the path, if it is sent */
            external_id?: string | null;
            /** @description Currency that the member is paid in; default the tenant's */
            pay_currency?: components["schemas"]["CurrencyCode"] | null;
        };
        MemberMove: {
            /**
             * Format: uuid
             * @description null makes the member a root
             */
            sponsorId: string | null;
            /**
             * Format: date-time
             * @description From when the new sponsor counts; default now
             */
            effectiveAt?: string | null;
            /** @description Why the member moves */
            reason?: string | null;
        };
        GroupMembersAdd: {
            /** @description The members */
            userIds: string[];
            /**
             * Format: date-time
             * @description From when it counts; default now
             */
            effectiveAt?: string | null;
            /** @description Why; it stands in the history of each member */
            reason?: string | null;
        };
        CommissionHold: {
            /** @description Why */
            reason?: string | null;
        };
        CommissionRelease: {
            /** @description Why */
            reason?: string | null;
        };
        CommissionVoid: {
            /** @description Why */
            reason?: string | null;
        };
        CommissionPlanCreate: {
            /** @description Name */
            name: string;
            /** @description The draft */
            definition: components["schemas"]["PlanDefinitionInput"];
        };
        CommissionPlanUpdate: {
            /** @description Name */
            name?: string;
            /** @description The draft */
            definition?: components["schemas"]["PlanDefinitionInput"];
            /**
             * Format: date-time
             * @description `updatedAt` as it was read; 409 `PLAN_CHANGED` when name or draft were changed since
             */
            expectedUpdatedAt?: string;
        };
        CommissionPlanPublish: {
            /**
             * Format: date-time
             * @description Default now, and never before it
             */
            effectiveFrom?: string | null;
            /**
             * Format: date-time
             * @description Default never
             */
            effectiveTo?: string | null;
            /**
             * Format: date-time
             * @description `updatedAt` as it was read; 409 `PLAN_CHANGED` when name or draft were changed since
             */
            expectedUpdatedAt?: string;
            /** @description Number that the version is to have; 409 `PLAN_CHANGED` when it would have another */
            expectedVersion?: number;
        };
        ExchangeRateCreate: {
            sourceCurrency: components["schemas"]["CurrencyCode"];
            targetCurrency: components["schemas"]["CurrencyCode"];
            /** @description Target minor units */
            numerator: number;
            /** @description for this many source minor units */
            denominator: number;
            /**
             * Format: date-time
             * @description Default now; at most a year ahead
             */
            effectiveAt?: string | null;
            /** @description Where the rate is from */
            source: string;
        };
        PurchaseCreate: {
            /** @description The order's id in the tenant's system: the same id pays once, for ever */
            external_event_id: string;
            /** @description Type of the sale; default `one_time` */
            type?: components["schemas"]["PurchaseType"] | null;
            /**
             * Format: date-time
             * @description When the sale took place; default now; at most 10 minutes ahead and 5 years back
             */
            occurred_at?: string | null;
            /** @description Total paid, after discount, with tax and shipping */
            amount_minor: number;
            currency: components["schemas"]["CurrencyCode"];
            /** @description Tax within the amount; default 0 */
            tax_minor?: number | null;
            /** @description Shipping within the amount; default 0 */
            shipping_minor?: number | null;
            /** @description For the record; already taken off amount_minor */
            discount_minor?: number | null;
            /** @description Who bought */
            customer: {
                /** @description Id in the tenant's own system */
                external_id: string;
                /**
                 * Format: email
                 * @description Address
                 */
                email?: string | null;
                /** @description Name */
                name?: string | null;
                /** @description Where the customer is, ISO 3166-1 alpha-2: rules may ask for it */
                country?: string | null;
            };
            /** @description Code of the discount that was given: rules may ask for it */
            discount_code?: string | null;
            /**
             * Format: uuid
             * @description Set when the buyer is a member
             */
            buyer_user_id?: string | null;
            /** @description Who is credited, and why */
            attribution?: {
                /**
                 * Format: uuid
                 * @description Credits this member
                 */
                user_id?: string | null;
                /** @description Code that the customer typed */
                referral_code?: string | null;
                /**
                 * Format: uuid
                 * @description Link that the customer came by
                 */
                link_id?: string | null;
                /** @description Click that the customer came by */
                click_id?: string | null;
                /**
                 * Format: uuid
                 * @description Lead that the customer was
                 */
                lead_id?: string | null;
            } | null;
            /** @description What was bought */
            line_items?: {
                /** @description Article number */
                sku: string;
                /** @description What it is called */
                name?: string | null;
                /** @description Category of goods */
                category?: string | null;
                /** @description Pieces; default 1 */
                quantity?: number | null;
                /** @description Minor units of the currency, for all pieces */
                amount_minor: number;
            }[] | null;
            /** @description The tenant's own data, as JSON */
            metadata?: {
                [key: string]: unknown;
            } | null;
        };
        RefundCreate: {
            /** @description The refund's or dispute's id in the tenant's system: the same id counts once, for ever */
            external_event_id: string;
            /** @description `external_event_id` of the purchase */
            purchase_external_event_id: string;
            /** @description Gross; default what is left of the purchase */
            amount_minor?: number | null;
            /** @description For a check only: must be that of the purchase */
            currency?: components["schemas"]["CurrencyCode"] | null;
            /** @description Why, for the record */
            reason?: string | null;
            /**
             * Format: date-time
             * @description Default now; not before the purchase
             */
            occurred_at?: string | null;
        };
        ChargebackCreate: {
            /** @description The refund's or dispute's id in the tenant's system: the same id counts once, for ever */
            external_event_id: string;
            /** @description `external_event_id` of the purchase */
            purchase_external_event_id: string;
            /** @description Gross; default what is left of the purchase */
            amount_minor?: number | null;
            /** @description For a check only: must be that of the purchase */
            currency?: components["schemas"]["CurrencyCode"] | null;
            /** @description Why, for the record */
            reason?: string | null;
            /**
             * Format: date-time
             * @description Default now; not before the purchase
             */
            occurred_at?: string | null;
            /** @description The dispute's id, the same at each stage */
            dispute_id: string;
            stage: components["schemas"]["DisputeStage"];
        };
        ReversalPreviewBody: {
            kind: components["schemas"]["ReversalKind"];
            /** @description Checked when it is given: 409 where an event of this id is recorded already */
            external_event_id?: string | null;
            /** @description Gross; default what is left of the purchase */
            amount_minor?: number | null;
            /** @description For a check only: must be that of the purchase */
            currency?: components["schemas"]["CurrencyCode"] | null;
            /** @description Why, for the record */
            reason?: string | null;
            /**
             * Format: date-time
             * @description Default now; not before the purchase
             */
            occurred_at?: string | null;
            /** @description Of a chargeback, which needs it */
            dispute_id?: string | null;
            /** @description Of a chargeback, which needs it */
            stage?: components["schemas"]["DisputeStage"] | null;
        };
        ManualCommissionCreate: {
            /** @description The grant's id in the tenant's system: the same id pays once, for ever */
            external_event_id: string;
            type: components["schemas"]["ManualCommissionType"];
            /**
             * Format: uuid
             * @description The member who is credited or charged
             */
            user_id: string;
            /** @description Negative to charge; a bonus and a write_off are positive */
            amount_minor: number;
            currency: components["schemas"]["CurrencyCode"];
            /** @description Why, for the member and the books */
            description: string;
            /** @description A note of who decided it; who recorded it is in `created_by` */
            actor: string;
            /**
             * Format: date-time
             * @description Default now; at most 10 minutes ahead and 5 years back
             */
            occurred_at?: string | null;
        };
        EventBatchCreate: {
            /** @description Check and calculate every event, store none */
            validate_only?: boolean | null;
            /** @description Each with its `kind` and the fields of that operation */
            events: ({
                /**
                 * @description `purchase`, `refund`, `chargeback` or `commission`
                 * @enum {string}
                 */
                kind: "purchase" | "refund" | "chargeback" | "commission";
            } & {
                [key: string]: unknown;
            })[];
        };
        PurchaseQuote: {
            /** @description A definition to try out; default the plans in force */
            definition?: components["schemas"]["PlanDefinitionInput"] | null;
            /** @description Type of the sale; default `one_time` */
            type?: components["schemas"]["PurchaseType"] | null;
            /**
             * Format: date-time
             * @description When the sale would take place; default now
             */
            occurredAt?: string | null;
            /** @description Total paid, after discount, with tax and shipping */
            amountMinor: number;
            currency: components["schemas"]["CurrencyCode"];
            /** @description Tax within the amount, minor units */
            taxMinor?: number | null;
            /** @description Shipping within the amount, minor units */
            shippingMinor?: number | null;
            /** @description Whose caps, limits, email and first referrer count; default a new customer */
            customerExternalId?: string | null;
            /** @description Groups that members are taken to be in, by their ids; default those of the time of the sale */
            groups?: {
                [key: string]: string;
            } | null;
            /**
             * Format: uuid
             * @description The member who buys
             */
            buyerUserId?: string | null;
            /** @description Who is credited, and why */
            attribution?: {
                /**
                 * Format: uuid
                 * @description The member
                 */
                userId?: string | null;
                /** @description Code to buy by */
                referralCode?: string | null;
                /**
                 * Format: uuid
                 * @description Link to buy by
                 */
                linkId?: string | null;
                /** @description Click to buy by */
                clickId?: string | null;
                /**
                 * Format: uuid
                 * @description Lead to buy by
                 */
                leadId?: string | null;
            } | null;
            /** @description Fields of the sale that rules ask for */
            metadata?: {
                [key: string]: unknown;
            } | null;
            /** @description What facts that rules ask for are taken to be */
            facts?: components["schemas"]["AssumedFacts"] | null;
            /** @description Code of the discount, that rules ask for */
            discountCode?: string | null;
            /** @description Country of the customer, that rules ask for */
            customerCountry?: string | null;
            /** @description What was bought */
            lineItems?: {
                /** @description Article number */
                sku: string;
                /** @description Category of goods */
                category?: string | null;
                /** @description Pieces; default 1 */
                quantity?: number | null;
                /** @description Minor units */
                amountMinor: number;
            }[] | null;
        };
        RateOverrideCreate: {
            target: components["schemas"]["OverrideTarget"];
            /**
             * Format: uuid
             * @description The link, the code or the member
             */
            targetId: string;
            /**
             * Format: uuid
             * @description Only where this plan pays; default whichever does
             */
            planId?: string | null;
            /** @description Paid level that it is for; default 1 */
            level?: number | null;
            /** @description Only for these products; default all */
            items?: components["schemas"]["OverrideItems"] | null;
            pay: components["schemas"]["RatePay"];
            /**
             * Format: date-time
             * @description From when it counts; default now; at most a year ahead
             */
            validFrom?: string | null;
            /** @description Why */
            reason?: string | null;
        };
        RateOverrideEnd: {
            /**
             * Format: date-time
             * @description From when it does not count any more; default now
             */
            at?: string | null;
            /** @description Why */
            reason?: string | null;
        };
        LeadCapture: {
            /**
             * Format: email
             * @description Address
             */
            email: string;
            /** @description Full name */
            name?: string | null;
            /** @description Phone number */
            phone?: string | null;
            /** @description Code of who referred the person */
            referral_code?: string | null;
            /** @description Where it came from, as the tenant writes */
            source?: string | null;
            /** @description UTM source */
            utm_source?: string | null;
            /** @description UTM medium */
            utm_medium?: string | null;
            /** @description UTM campaign */
            utm_campaign?: string | null;
            /** @description As the link gave it to the page; any other text is kept and credits nobody */
            click_id?: string | null;
        };
        LeadUpdate: {
            /** @description Full name; null: not given */
            name?: string | null;
            /** @description Phone number; null: none */
            phone?: string | null;
            /** @description Where it came from, as the tenant writes */
            source?: string | null;
            /** @description `qualified`, `disqualified` or `expired`; `captured` and `converted` are a 409, unless the lead is so already */
            conversion_status?: components["schemas"]["LeadStatus"];
        };
        LeadConvert: {
            /** @description Tier of the member; default ORDINARY */
            membership_tier?: components["schemas"]["MembershipTier"] | null;
            /** @description Whether the member is active; default true */
            is_active?: boolean | null;
            /** @description Whether the member may have recruits; default true */
            can_recruit?: boolean | null;
            /** @description Whether it is a test member, which is never paid; default false */
            is_test_user?: boolean | null;
            /** @description Default the lead's */
            name?: string | null;
            /** @description Id in the tenant's own system */
            external_id?: string | null;
            /** @description Currency that the member is paid in; default the tenant's */
            pay_currency?: components["schemas"]["CurrencyCode"] | null;
        };
        ImportCancel: Record<string, unknown>;
        ViewCreate: {
            /** @description Name of the view */
            name: string;
            /** @description The page of the dashboard */
            page: string;
            /** @description Its filters */
            query: {
                [key: string]: string;
            };
            /** @description Default false: for the owner alone */
            shared?: boolean | null;
        };
        ProfileUpdate: {
            /** @description Name shown for the member */
            name?: string | null;
            /** @description As in the identity document */
            givenName?: string | null;
            /** @description As in the identity document */
            surname?: string | null;
            /**
             * Format: date
             * @description A calendar date from 1900 on, not in the future
             */
            dateOfBirth?: string | null;
            /** @description Of the identity document; stored encrypted */
            idNumber?: string | null;
            /** @description ISO 3166-1 alpha-3, of the member */
            countryCode?: string | null;
            /** @description Merged field by field; `null` clears all of it */
            address?: {
                /** @description ISO 3166-1 alpha-3 */
                countryCode?: string | null;
                /** @description Street and number */
                addressLine1?: string | null;
                /** @description What the first line has no room for */
                addressLine2?: string | null;
                /** @description Town or city */
                city?: string | null;
                /** @description State, province or region */
                state?: string | null;
                /** @description As the country writes it */
                postalCode?: string | null;
                /** @description Part of the city */
                district?: string | null;
                /** @description Part of the district */
                neighborhood?: string | null;
                addressType?: components["schemas"]["AddressType"] | null;
            } | null;
            /** @description Not for a bearer token */
            businessName?: string | null;
            /** @description A typing error is corrected: the member stays verified. Needs `admin:kyc`, and is not for a bearer token; without an effect on who is not verified */
            keepVerification?: {
                /** @description For the staff of the tenant; it is erased with the member */
                reason: string;
            };
        };
        MemberErase: {
            /** @description Kept with what is left of the member: write nothing of the person into it */
            reason?: string | null;
            /**
             * @description True: it is known that money is owed to the member, which is paid later
             * @default false
             */
            acknowledgeOwed?: boolean;
        };
        KycStartBody: Record<string, unknown>;
        KycUploadCreate: {
            /** @description The file's name as the member knows it, without a path; where it is stored does not depend on it */
            fileName: string;
            mimeType: components["schemas"]["KycDocumentFormat"];
            /** @description What it is to be; may be said on recording instead */
            documentType?: components["schemas"]["KycDocumentType"] | null;
            /** @description Bytes; left out: whatever is sent, at most 10 MiB */
            fileSize?: number | null;
        };
        KycDocumentCreate: {
            /** @description The file's name as the member knows it, without a path; where it is stored does not depend on it */
            fileName: string;
            mimeType: components["schemas"]["KycDocumentFormat"];
            /** @description Bytes, as uploaded: at most 10 MiB */
            fileSize: number;
            /** @description The `filePath` of the upload */
            filePath: string;
            /** @description Default that of the upload, else what is still asked for */
            documentType?: components["schemas"]["KycDocumentType"] | null;
        };
        KycApprove: {
            /** @description Shown beside the log until the member is erased */
            note?: string | null;
            /** @description 409 when the verification has another status by now */
            expectedStatus?: components["schemas"]["KycStatus"];
            /** @description The documents that were looked at: 409 when there is another one that nobody has decided on. Left out: those that were there when the verification was submitted */
            documentIds?: string[];
            /** @description Of the verification as it was looked at: 409 when who the member is was changed since. Left out: as it was submitted */
            identityVersion?: number;
        };
        KycReject: {
            /** @description Shown to the member, and kept in the audit log for good */
            reason: string;
            /** @description 409 when the verification has another status by now */
            expectedStatus?: components["schemas"]["KycStatus"];
        };
        KycResubmitRequest: {
            /** @description Shown to the member, and kept in the audit log for good */
            reason: string;
            /** @description The documents that must come again, also where they were accepted: the verification is `pending` once all of them have come. Left out: once the next document has come and no required one is rejected or missing */
            documents?: components["schemas"]["KycDocumentType"][] | null;
            /** @description 409 when the verification has another status by now */
            expectedStatus?: components["schemas"]["KycStatus"];
        };
        KycResubmit: {
            /** @description Shown to the member, and kept in the audit log for good */
            reason: string;
            /** @description The documents that must come again, also where they were accepted: the verification is `pending` once all of them have come. Left out: once the next document has come and no required one is rejected or missing */
            documents?: components["schemas"]["KycDocumentType"][] | null;
            /** @description 409 when the verification has another status by now */
            expectedStatus?: components["schemas"]["KycStatus"];
        };
        KycAssign: {
            /** @description The reviewer, by the tenant's name for one; `null`: nobody */
            assignee: string | null;
        };
        KycTake: {
            /** @description Also where another has it */
            from?: boolean;
        };
        KycRelease: {
            /** @description Also where another has it */
            from?: boolean;
        };
        KycDocumentReview: {
            /**
             * @description `accepted`, or `rejected` with a reason
             * @enum {string}
             */
            decision: "accepted" | "rejected";
            /** @description Of a rejection, for which it is required; shown to the member */
            reason?: string | null;
        };
        /** @description The vendor's event. Of its fields `type`, `applicantId`, `externalUserId`, `reviewStatus`, `reviewResult`, `sandboxMode` and `createdAtMs` are gone by. */
        KycEventReceive: {
            [key: string]: unknown;
        };
        BankDetailsValidate: {
            /** @description ISO 3166-1 alpha-2 */
            country: string;
            /** @description Values by the keys of the method's fields */
            bankAccount: {
                [key: string]: string;
            };
        };
        PayoutAccountCreate: {
            /** @description The `id` of a method of `GET /payout-methods` */
            methodType: string;
            /** @description That of the method */
            currency: components["schemas"]["CurrencyCode"];
            /** @description By the keys of the method's fields */
            bankAccount?: {
                [key: string]: string;
            } | null;
            /**
             * @deprecated
             * @description Former name of `bankAccount`
             */
            details?: {
                [key: string]: string;
            } | null;
            /**
             * @deprecated
             * @description Former place of `bankAccount.accountHolderName`
             */
            accountHolderName?: string | null;
            /** @description Whether it becomes the primary one; the first account always does */
            isPrimary?: boolean | null;
            /**
             * @description `business`: held under the `businessName` of the profile. `individual` unless sent
             * @enum {string|null}
             */
            holderType?: "individual" | "business" | null;
            /** @description When and where the member agreed to the payment provider's terms; without it this request is taken for that */
            tosAcceptance?: {
                /**
                 * Format: date-time
                 * @description When the member agreed; from 2010 on, not in the future
                 */
                acceptedAt: string;
                /** @description Of the member */
                ip: string;
                /** @description The User-Agent of the member's browser */
                userAgent?: string | null;
            } | null;
        };
        PayoutAccountUpdate: {
            /** @description `true` makes it the primary one; `false` is refused for the primary one */
            isPrimary?: boolean | null;
            /** @description Shown in place of the masked number */
            displayName?: string | null;
        };
        PayoutHoldSet: {
            /** @description For the staff of the tenant; it is erased with the member */
            reason: string;
            /**
             * Format: date-time
             * @description In the future; left out: until it is lifted
             */
            until?: string | null;
        };
        PayoutRunCreate: {
            currency: components["schemas"]["CurrencyCode"];
            /**
             * Format: date-time
             * @description Default now; not in the future
             */
            cutoffAt?: string;
            /**
             * @description `true`: show the draft, store nothing; default `false`
             * @default false
             */
            dryRun?: boolean;
        };
        PayoutRunApprove: Record<string, unknown>;
        PayoutRunExecute: Record<string, unknown>;
        PayoutRunRetry: {
            /**
             * Format: uuid
             * @description Only failed payouts behind this one, as `lastPayoutId` of an answer
             */
            afterPayoutId?: string;
        };
        PayoutRunCancel: Record<string, unknown>;
        PayoutCancel: Record<string, unknown>;
        PayoutRetry: Record<string, unknown>;
        PayoutSettle: {
            /** @description Under which the bank knows it */
            reference: string;
            /**
             * Format: date-time
             * @description Default now; not in the future, not before the payout was drafted
             */
            paidAt?: string;
        };
        PayoutReturn: {
            /** @description Why it did not arrive; read as `failureMessage` */
            reason: string;
        };
        SettlementCreate: {
            currency: components["schemas"]["CurrencyCode"];
            /** @description What was paid, in minor units */
            amountMinor: number;
            /** @description Under which the bank knows the payment: write nothing of the person into it */
            reference: string;
        };
        /** @description The vendor's event */
        PaymentEventReceive: {
            [key: string]: unknown;
        };
        ExportCreate: {
            /**
             * @description The list that is exported
             * @constant
             */
            kind: "members";
            /**
             * @description `csv`, or `ndjson`: an object a line
             * @enum {string}
             */
            format: "csv" | "ndjson";
            /** @description Default none: every row */
            filters?: {
                /** @description Beginning of the email, without regard to case */
                email?: string;
                /** @description Beginning of the name, without regard to case */
                name?: string;
                /** @description Members of this tier */
                tier?: components["schemas"]["MembershipTier"];
                /** @description Whether the member is active */
                isActive?: boolean;
                /**
                 * Format: uuid
                 * @description The first level of this member
                 */
                sponsorId?: string;
                /**
                 * Format: date-time
                 * @description Joined at this instant or later
                 */
                joinedFrom?: string;
                /**
                 * Format: date-time
                 * @description Joined before this instant
                 */
                joinedTo?: string;
                /** @description Exact */
                externalId?: string;
                /** @description These members, as far as there are such, in this order unless `sort` is given; at most 100, with commas between them */
                ids?: string;
            };
        } | {
            /**
             * @description The list that is exported
             * @constant
             */
            kind: "commissions";
            /**
             * @description `csv`, or `ndjson`: an object a line
             * @enum {string}
             */
            format: "csv" | "ndjson";
            /** @description Default none: every row */
            filters?: {
                /**
                 * Format: uuid
                 * @description The member
                 */
                userId?: string;
                /**
                 * Format: uuid
                 * @description The event that made it
                 */
                eventId?: string;
                /** @description Lines in this status */
                status?: components["schemas"]["CommissionStatus"];
                /** @description Lines of this kind */
                kind?: components["schemas"]["CommissionKind"];
                /** @description Level above the sale: 1 is the credited member */
                level?: number;
                currency?: components["schemas"]["CurrencyCode"];
                /** @description Month of the sale in the tenant's zone, YYYY-MM */
                period?: string;
                /**
                 * Format: date-time
                 * @description Made at this instant or later
                 */
                createdFrom?: string;
                /**
                 * Format: date-time
                 * @description Made before this instant
                 */
                createdTo?: string;
            };
        } | {
            /**
             * @description The list that is exported
             * @constant
             */
            kind: "events";
            /**
             * @description `csv`, or `ndjson`: an object a line
             * @enum {string}
             */
            format: "csv" | "ndjson";
            /** @description Default none: every row */
            filters?: {
                /** @description The one event of this id */
                external_event_id?: string;
                /** @description Events of this kind */
                kind?: components["schemas"]["EventKind"];
                /** @description Events of this type */
                type?: components["schemas"]["EventType"];
                /** @description Events in this status */
                status?: components["schemas"]["EventStatus"];
                /**
                 * Format: uuid
                 * @description The credited member
                 */
                user_id?: string;
                /** @description The customer's id in the tenant's system */
                customer_external_id?: string;
                /**
                 * Format: uuid
                 * @description Refunds and chargebacks of this purchase
                 */
                purchase_event_id?: string;
                currency?: components["schemas"]["CurrencyCode"];
                /**
                 * Format: date-time
                 * @description Took place at this instant or later
                 */
                occurred_from?: string;
                /**
                 * Format: date-time
                 * @description Took place before this instant
                 */
                occurred_to?: string;
            };
        } | {
            /**
             * @description The list that is exported
             * @constant
             */
            kind: "ledger";
            /**
             * @description `csv`, or `ndjson`: an object a line
             * @enum {string}
             */
            format: "csv" | "ndjson";
            /** @description Default none: every row */
            filters?: {
                /**
                 * Format: uuid
                 * @description Postings to this member
                 */
                userId?: string;
                currency?: components["schemas"]["CurrencyCode"];
                /**
                 * Format: date-time
                 * @description Recorded at this instant or later
                 */
                from?: string;
                /**
                 * Format: date-time
                 * @description Recorded before this instant
                 */
                to?: string;
            };
        } | {
            /**
             * @description The list that is exported
             * @constant
             */
            kind: "payouts";
            /**
             * @description `csv`, or `ndjson`: an object a line
             * @enum {string}
             */
            format: "csv" | "ndjson";
            /** @description Default none: every row */
            filters?: {
                /**
                 * Format: uuid
                 * @description Only payouts of this run
                 */
                runId?: string;
                /**
                 * Format: uuid
                 * @description Only payouts of this member
                 */
                userId?: string;
                /** @description Only payouts in this status */
                status?: components["schemas"]["PayoutStatus"];
                currency?: components["schemas"]["CurrencyCode"];
                /**
                 * Format: date-time
                 * @description Drafted at this instant or later
                 */
                createdFrom?: string;
                /**
                 * Format: date-time
                 * @description Drafted before this instant
                 */
                createdTo?: string;
                /**
                 * @description What a reconciliation after a restore made of it. `recorded`: it was paid outside of what the database knew, and is in the books by now; `not_sent`: it was drafted here and not sent, and is cancelled; `unanswered`: it was begun and no transfer is known yet, after a restore or not
                 * @enum {string}
                 */
                reconciled?: "recorded" | "not_sent" | "unanswered";
            };
        } | {
            /**
             * @description The list that is exported
             * @constant
             */
            kind: "trialBalance";
            /**
             * @description `csv`, or `ndjson`: an object a line
             * @enum {string}
             */
            format: "csv" | "ndjson";
            /** @description Default none: every row */
            filters?: {
                /**
                 * Format: date-time
                 * @description Counts what was recorded by then, to the millisecond; default, and at most, the present
                 */
                asOf?: string;
                /** @description Default all */
                currency?: components["schemas"]["CurrencyCode"];
            };
        } | {
            /**
             * @description The list that is exported
             * @constant
             */
            kind: "auditLogs";
            /**
             * @description `csv`, or `ndjson`: an object a line
             * @enum {string}
             */
            format: "csv" | "ndjson";
            /** @description Default none: every row */
            filters?: {
                /** @description Entries of this action */
                action?: string;
                /** @description Entries of this kind of actor */
                actorKind?: components["schemas"]["ActorKind"];
                /** @description Of an API key, a person or a member; the name of a vendor */
                actorId?: string;
                /** @description As `member` or `api_key` */
                targetKind?: string;
                /** @description Entries about this object */
                targetId?: string;
                /** @description Of an operation, a command, a job or a sweep */
                operationId?: string;
                /** @description `targetKind` */
                objectKind?: string;
                /** @description `targetId` */
                objectId?: string;
                /**
                 * Format: date-time
                 * @description Written at this instant or later
                 */
                from?: string;
                /**
                 * Format: date-time
                 * @description Written before this instant
                 */
                to?: string;
            };
        };
        ExportCancel: Record<string, unknown>;
        ExportDownloadUrlCreate: Record<string, unknown>;
        AuthProviderCreate: {
            /** @description What the exchange calls it */
            providerId: string;
            /**
             * Format: uri
             * @description The `iss` of its tokens; its discovery document is found there
             */
            issuerUrl: string;
            /**
             * Format: uri
             * @description Default what the discovery document says
             */
            jwksUri?: string | null;
            /** @description Every `aud` of a token must be one of them, and at least one is needed */
            allowedAudiences: string[];
            /**
             * @description Whether a person who comes for the first time becomes a member
             * @default true
             */
            autoCreateUsers?: boolean;
            /**
             * @description Whether the addresses of the provider count as verified where its token does not say, and may link a person to the member who has one
             * @default false
             */
            trustEmail?: boolean;
            /**
             * @description Whether a person whose token says `email_verified: false` becomes a member all the same. Its address stays unverified, and it is joined to nobody by it
             * @default false
             */
            acceptUnverifiedEmail?: boolean;
        };
        AuthProviderUpdate: {
            /**
             * Format: uri
             * @description The `iss` of its tokens; fixed once members have come
             */
            issuerUrl?: string;
            /**
             * Format: uri
             * @description `null`: what the discovery document says
             */
            jwksUri?: string | null;
            /** @description Every `aud` of a token must be one of them, and at least one is needed */
            allowedAudiences?: string[];
            /** @description Whether a person who comes for the first time becomes a member */
            autoCreateUsers?: boolean;
            /** @description Whether the addresses of the provider count as verified where its token does not say, and may link a person to the member who has one */
            trustEmail?: boolean;
            /** @description Whether a person whose token says `email_verified: false` becomes a member all the same. Its address stays unverified, and it is joined to nobody by it */
            acceptUnverifiedEmail?: boolean;
        };
        AuthProviderTest: Record<string, unknown>;
        IdentityLink: {
            /** @description A provider of this environment, as the exchange calls it */
            providerId: string;
            /** @description The `sub` of the tokens of that provider, exactly */
            subject: string;
        };
        TokenExchange: {
            /** @description The provider id, as configured */
            provider: string;
            /** @description JWT of the provider */
            token: string;
            /** @description Of the sponsor, should the person become a member now */
            referralCode?: string | null;
            /** @description The same by the click that brought the person; the code wins */
            clickId?: string | null;
        };
        TokensRefresh: {
            /** @description Of the last answer of exchange or refresh */
            refreshToken: string;
        };
        TokenValidate: {
            /** @description An access or refresh token */
            token: string;
        };
        TokenRevoke: {
            /** @description An access or refresh token */
            token: string;
        };
        AllTokensRevoke: {
            /**
             * Format: uuid
             * @description The member
             */
            userId: string;
        };
        StaffInviteBody: {
            /**
             * Format: email
             * @description The address that the person signs in with
             */
            email: string;
            role: components["schemas"]["StaffRole"];
        };
        StaffMemberUpdate: {
            /** @description Shown where it says who did something */
            name?: string;
            /** @description What the person may do from now on */
            role?: components["schemas"]["StaffRole"];
            /** @description `true`: the person can sign in no more; `false`: again */
            disabled?: boolean;
        };
        OwnAccountUpdate: {
            /** @description Shown where it says who did something */
            name: string;
        };
        OwnPasswordChange: {
            /** @description The present one */
            password: string;
            /** @description The one to sign in with from now on */
            newPassword: string;
        };
        OwnSessionsEnd: {
            /**
             * @description `others`: all but this one; `not_me`: all, and the password is taken away
             * @enum {string}
             */
            which: "others" | "all" | "not_me";
        };
        PasskeyAdd: {
            /** @description To tell it from others, such as "Laptop" */
            name: string;
            /** @description What the browser answered, as `toJSON` writes it */
            response: {
                /** @description Of the credential, base64url */
                id: string;
                /** @description The same as `id` */
                rawId: string;
                /**
                 * @description The kind of credential
                 * @constant
                 */
                type: "public-key";
                /** @description What the authenticator made */
                response: {
                    /** @description What the browser signed for, base64url */
                    clientDataJSON: string;
                    /** @description The new public key, base64url */
                    attestationObject: string;
                    /** @description How the browser reaches it; left out: not said */
                    transports?: string[];
                };
            };
        };
        PasskeyRename: {
            /** @description To tell it from others, such as "Laptop" */
            name: string;
        };
        AuthenticatorConfirm: {
            /** @description Shown by the app now */
            code: string;
        };
        SandboxClockMove: {
            /** @description Seconds to move ahead by, at most ten years */
            advanceSeconds?: number;
            /**
             * Format: date-time
             * @description Where to stop the clock; not before its reading
             */
            frozenAt?: string;
        };
        SandboxReset: Record<string, unknown>;
        VendorEventSend: components["schemas"]["SimulatedKycEventBody"] | components["schemas"]["SimulatedPayoutEventBody"] | components["schemas"]["SimulatedPayoutAccountEventBody"];
        ApiKeyCreate: {
            /** @description To tell keys apart */
            name?: string | null;
            /**
             * @description A set of scopes by its name, in place of `scopes`. `backend`: what a shop's server needs; `reporting`: reading alone; `full`: `*`. Default `backend`, cut to what the calling key has
             * @enum {string|null}
             */
            preset?: "backend" | "reporting" | "full" | null;
            /** @description `*` stands for all, also for those added later */
            scopes?: ("users:read" | "users:write" | "leads:read" | "leads:write" | "referrals:read" | "referrals:write" | "imports:read" | "imports:write" | "events:read" | "events:write" | "members:read" | "members:write" | "members:export" | "members:erase" | "identity:read" | "commissions:read" | "commissions:write" | "commissions:grant" | "plans:read" | "plans:write" | "ledger:read" | "admin:rates" | "admin:auth" | "admin:keys" | "admin:settings" | "admin:audit" | "admin:kyc" | "kyc:read" | "kyc:write" | "accounts:read" | "accounts:write" | "payouts:read" | "payouts:write" | "payouts:approve" | "payouts:execute" | "auth:tokens" | "sandbox:write" | "webhooks:read" | "webhooks:write" | "groups:read" | "groups:write" | "rates:read" | "rates:write" | "exports:write" | "widget:write" | "*")[] | null;
            /** @description From where the key may be used: IPv4 and IPv6 addresses and ranges (CIDR). Null: from anywhere; default those of the calling key */
            allowedIps?: string[] | null;
            /**
             * Format: date-time
             * @description In the future; default never
             */
            expiresAt?: string | null;
            /** @description Requests per window; default that of the calling key, and at most that */
            rateLimit?: number | null;
        };
        ApiKeyUpdate: {
            /** @description To tell keys apart; `null` clears it */
            name?: string | null;
            /** @description `*` stands for all, also for those added later */
            scopes?: ("users:read" | "users:write" | "leads:read" | "leads:write" | "referrals:read" | "referrals:write" | "imports:read" | "imports:write" | "events:read" | "events:write" | "members:read" | "members:write" | "members:export" | "members:erase" | "identity:read" | "commissions:read" | "commissions:write" | "commissions:grant" | "plans:read" | "plans:write" | "ledger:read" | "admin:rates" | "admin:auth" | "admin:keys" | "admin:settings" | "admin:audit" | "admin:kyc" | "kyc:read" | "kyc:write" | "accounts:read" | "accounts:write" | "payouts:read" | "payouts:write" | "payouts:approve" | "payouts:execute" | "auth:tokens" | "sandbox:write" | "webhooks:read" | "webhooks:write" | "groups:read" | "groups:write" | "rates:read" | "rates:write" | "exports:write" | "widget:write" | "*")[];
            /** @description All ranges anew; null: from anywhere */
            allowedIps?: string[] | null;
            /** @description A disabled key does not work until it is enabled again */
            disabled?: boolean;
        };
        ApiKeyRoll: {
            /** @description How long the old key goes on working; default 86400, a day */
            overlapSeconds?: number | null;
            /**
             * Format: date-time
             * @description In the future; default never
             */
            expiresAt?: string | null;
        };
        SettingsUpdate: {
            defaultCurrency?: components["schemas"]["CurrencyCode"];
            /** @description IANA, as `Europe/Berlin` */
            reportingTimeZone?: string;
            /** @description Of the key's environment alone */
            kyc?: {
                /** @description Who verifies members that start from now on; default `manual` */
                provider?: components["schemas"]["KycProvider"];
                /** @description For so many days an approval is good; `null`: for good, as without it. Of approvals from now on: those that there are end as was said when they were given */
                approvalValidDays?: number | null;
                /** @description Only the fields that are sent change */
                kycvendor?: {
                    /** @description Write-only; `null` clears it. One of the vendor's sandbox begins with `sbx:` and is for SANDBOX alone */
                    appToken?: string | null;
                    /** @description Write-only; what requests to the vendor are signed with. `null` clears it */
                    secretKey?: string | null;
                    /** @description Write-only; what the vendor signs its events with. A new one without `previousWebhookSecret` beside it keeps the former as the previous one, which goes on being accepted. `null` clears it, and the previous one with it unless that is given too */
                    webhookSecret?: string | null;
                    /** @description Write-only; `null` clears it, which ends a change of the secret */
                    previousWebhookSecret?: string | null;
                    /** @description The vendor's name of the checks to be made */
                    levelName?: string | null;
                    /** @description When set, events of another client of the vendor are refused */
                    clientId?: string | null;
                    /** @description How the vendor may sign its events; default `HMAC_SHA256_HEX`, `HMAC_SHA512_HEX` */
                    allowedDigestAlgs?: ("HMAC_SHA256_HEX" | "HMAC_SHA512_HEX" | "HMAC_SHA1_HEX")[];
                    /** @description How long the token of the vendor's SDK is good for; default 600 */
                    ttlInSecs?: number;
                    /** @description Only the vendor's own, or a host that the deployment names in OUTGOING_ALLOWED_HOSTS */
                    baseUrl?: string | null;
                };
            };
            /** @description Of the key's environment alone */
            payments?: {
                /**
                 * @description Who pays to accounts added from now on. `manual`: the tenant by itself; `payvendor`: the payment vendor
                 * @enum {string}
                 */
                provider?: "manual" | "payvendor";
                /** @description Only the fields that are sent change */
                payvendor?: {
                    /** @description Write-only; `null` clears it. One of test mode (`sk_test_`, `rk_test_`) is for SANDBOX alone, one of live mode (`sk_live_`, `rk_live_`) for LIVE. In a SANDBOX without one the vendor is simulated */
                    secretKey?: string | null;
                    /** @description Write-only, as a whole; `null` or an empty list clears them. One for each endpoint at the vendor, and both of an endpoint while its secret is rolled */
                    webhookSecrets?: string[] | null;
                    /** @description Of the tenant's account at the vendor */
                    platformCountry?: string | null;
                    /** @description Asked for with a member's account, of `transfers`, `card_payments`; default transfers */
                    capabilities?: ("transfers" | "card_payments")[];
                    /** @description Beyond its own region, where the vendor lets the tenant pay to */
                    approvedRecipientCountries?: string[];
                    /** @description Only the vendor's own, or a host that the deployment names in OUTGOING_ALLOWED_HOSTS */
                    baseUrl?: string | null;
                };
                /** @description Whether only members with an approved verification are paid; default `true` */
                requireKyc?: boolean;
                /** @description Whether runs, and what weakens a safeguard, need another pair of hands; default `false` */
                dualControl?: boolean;
                /**
                 * @description `keys`: a key of another root; `persons`: another person. Default keys
                 * @enum {string}
                 */
                dualControlBy?: "keys" | "persons";
                /** @description Hours in which nothing is paid to a new account; default 24 */
                accountCooldownHours?: number;
                /** @description When runs are drafted by themselves, as a whole, one for a currency; `null`: never */
                schedule?: components["schemas"]["PayoutScheduleBody"][] | null;
                /** @description The schedule that `schedule` was made of: where it is another by now, 409 `STATE_CONFLICT`, and nothing changes. Left out: whatever it is */
                expectedSchedule?: components["schemas"]["PayoutScheduleBody"][] | null;
            };
            /** @description Of referrals */
            referrals?: {
                /** @description Default `last_click` */
                attributionModel?: components["schemas"]["AttributionModel"];
                /** @description Default 60 */
                attributionWindowDays?: number;
                /** @description As a whole. Links to a host that is taken away lead nowhere from then on */
                allowedDestinationHosts?: string[];
                /** @description Of leads captured from now on; default 180 */
                leadExpiryDays?: number | null;
            };
            /** @description What the log of events has */
            webhooks?: {
                /** @description Default true in SANDBOX, and in LIVE from the first endpoint on. Off, the log has what endpoints hear of */
                eventLog?: boolean;
            };
            /** @description What members are mailed about */
            mail?: {
                /** @description Whether members are mailed when a payout was paid or failed */
                payouts?: boolean;
            };
            /** @description Commission lines */
            commissions?: {
                /** @description As a whole, `null` for none; more than it names is 422 `BALANCE_LIMIT` */
                manualLimitMinor?: {
                    [key: string]: number;
                } | null;
                /** @description As a whole, `null` for none */
                manualSecondPairMinor?: {
                    [key: string]: number;
                } | null;
                /** @description Whether publishing a plan takes a second pair of hands */
                planPublishSecondPair?: boolean;
            };
            /** @description Of members */
            members?: {
                /**
                 * @description What bearer tokens see of other members in trees, lists, relationships and statistics: `masked`, the first name and an initial and no email; `full`; `counts`, numbers alone. Keys see all
                 * @enum {string}
                 */
                downlineVisibility?: "full" | "masked" | "counts";
            };
            /** @description The identity provider of the people; an owner changes it, in LIVE */
            staffProvider?: {
                /** @description Whether people may sign in by it; default `false` */
                isOn?: boolean;
                /** @description As the discovery document of the provider says it, to the character */
                issuerUrl?: string | null;
                /** @description Of this service at the provider; `null` clears it */
                clientId?: string | null;
                /** @description Write-only; `null` clears it */
                clientSecret?: string | null;
                /** @description On, nobody signs in by a password or a passkey alone; the link of `cli staff invite` remains the way back */
                ssoOnly?: boolean;
            };
        };
        WidgetTokenCreate: {
            /**
             * Format: uuid
             * @description Who looks at the widget
             */
            userId: string;
            /** @description Where it may be framed, as `https://shop.example`; in SANDBOX also `http://localhost` and `http://127.0.0.1` with any port, or `*` for all ports */
            allowedOrigins: string[];
            /** @description The pages that it shows: `summary`: the balance; `links`; `earnings`: commissions with their reasons; `team`: the downline. Default all */
            scopes?: ("summary" | "links" | "earnings" | "team")[];
            /** @description How the widget looks; default the built-in look */
            theme?: components["schemas"]["WidgetTheme"];
            /** @description How long the token is good for. Default 900 */
            ttlSeconds?: number;
        };
        WidgetTokenRefresh: {
            /**
             * Format: uuid
             * @description The session to go on with
             */
            sessionId: string;
            /**
             * Format: uuid
             * @description Who asks, where the session's id came from a browser: another's session is 404 `NOT_FOUND`
             */
            userId?: string;
            /** @description How long the token is good for. Default 900 */
            ttlSeconds?: number;
        };
        AuditLogEntryList: {
            /** @description The rows */
            data: components["schemas"]["AuditLogEntry"][];
            hasMore: components["schemas"]["HasMore"];
            nextCursor: components["schemas"]["NextCursor"];
        };
        WebhookEndpointList: {
            /** @description The rows */
            data: components["schemas"]["WebhookEndpoint"][];
            hasMore: components["schemas"]["HasMore"];
            nextCursor: components["schemas"]["NextCursor"];
        };
        Deleted: {
            /**
             * Format: uuid
             * @description Id of the endpoint
             */
            id: string;
            /**
             * @description It is gone
             * @constant
             */
            deleted: true;
        };
        WebhookEndpointTestResult: {
            /**
             * Format: uuid
             * @description The event that is sent
             */
            eventId: string;
        };
        WebhookEventsReplayResult: {
            /** @description Events that are sent again */
            count: number;
        };
        WebhookDeliveryList: {
            /** @description The rows */
            data: components["schemas"]["WebhookDelivery"][];
            hasMore: components["schemas"]["HasMore"];
            nextCursor: components["schemas"]["NextCursor"];
        };
        WebhookEventList: {
            /** @description The rows */
            data: components["schemas"]["WebhookEvent"][];
            hasMore: components["schemas"]["HasMore"];
            nextCursor: components["schemas"]["NextCursor"];
            /** @description The last number that was given; 0 before the first */
            lastSequence: number;
        };
        WebhookEventTypesList: {
            /** @description All types */
            data: {
                /** @description As endpoints name it, as `payout.paid` */
                type: string;
                /** @description What has happened, as a sentence */
                meaning: string;
            }[];
        };
        EventSnapshotDownloadUrl: {
            /** @description Answers GET with the file */
            url: string;
            /**
             * Format: date-time
             * @description Five minutes from now
             */
            expiresAt: string;
        };
        PendingChangeList: {
            /** @description The rows */
            data: components["schemas"]["PendingChange"][];
            hasMore: components["schemas"]["HasMore"];
            nextCursor: components["schemas"]["NextCursor"];
        };
        ReferralCodeList: {
            /** @description The rows */
            data: components["schemas"]["ReferralCode"][];
            has_more: components["schemas"]["HasMore"];
            next_cursor: components["schemas"]["NextCursor"];
        };
        ListedReferralLinkList: {
            /** @description The rows */
            data: components["schemas"]["ListedReferralLink"][];
            has_more: components["schemas"]["HasMore"];
            next_cursor: components["schemas"]["NextCursor"];
        };
        ReferralLinkDeleted: {
            /**
             * Format: uuid
             * @description Id
             */
            id: string;
            /**
             * @description True: it is gone
             * @constant
             */
            deleted: true;
        };
        GroupList: {
            /** @description The rows */
            data: components["schemas"]["Group"][];
            hasMore: components["schemas"]["HasMore"];
            nextCursor: components["schemas"]["NextCursor"];
        };
        MemberList: {
            /** @description The rows */
            data: components["schemas"]["Member"][];
            has_more: components["schemas"]["HasMore"];
            next_cursor: components["schemas"]["NextCursor"];
        };
        GroupMembersAddResult: {
            /** @description Key of the group */
            group: string;
            /** @description How many were moved; the others were there already */
            moved: number;
        };
        GroupMemberList: {
            /** @description The rows */
            data: components["schemas"]["GroupMember"][];
            hasMore: components["schemas"]["HasMore"];
            nextCursor: components["schemas"]["NextCursor"];
        };
        MemberGroupEntryList: {
            /** @description The rows */
            data: components["schemas"]["MemberGroupEntry"][];
        };
        AttributionReceiptList: {
            /** @description The rows */
            data: components["schemas"]["AttributionReceipt"][];
            has_more: components["schemas"]["HasMore"];
            next_cursor: components["schemas"]["NextCursor"];
        };
        CommissionList: {
            /** @description The rows */
            data: components["schemas"]["Commission"][];
            hasMore: components["schemas"]["HasMore"];
            nextCursor: components["schemas"]["NextCursor"];
        };
        CommissionPlansList: {
            /** @description The rows */
            data: {
                /**
                 * Format: uuid
                 * @description The plan
                 */
                id: string;
                /** @description Name of the plan */
                name: string;
                /** @description Whether a draft waits to be published */
                hasDraft: boolean;
                /** @description Null when never published */
                latestVersion: number | null;
                /** @description Versions that pay sales of now or later, the next first */
                covers: {
                    /** @description Number of the version */
                    version: number;
                    /**
                     * Format: date-time
                     * @description First sale it is for; null for all before the next version
                     */
                    effectiveFrom: string | null;
                    /**
                     * Format: date-time
                     * @description First sale it is no longer for
                     */
                    effectiveTo: string | null;
                    /** @description Which sales it is for */
                    scope: {
                        /**
                         * @description Of several plans that match, the highest wins
                         * @default 0
                         */
                        priority: number;
                        /**
                         * @description Types of sales; null: all
                         * @default null
                         */
                        types: ("one_time" | "subscription_initial" | "subscription_renewal")[] | null;
                        /**
                         * @description Article numbers; null: all
                         * @default null
                         */
                        skus: string[] | null;
                        /**
                         * @description Keys of groups: sales credited to their members alone, ahead of plans that name none; null: all
                         * @default null
                         */
                        groups: string[] | null;
                        /**
                         * @description Categories; null: all
                         * @default null
                         */
                        categories: string[] | null;
                    };
                }[];
                /**
                 * Format: date-time
                 * @description When it was made
                 */
                createdAt: string;
                /**
                 * Format: date-time
                 * @description When it last changed
                 */
                updatedAt: string;
            }[];
            hasMore: components["schemas"]["HasMore"];
            nextCursor: components["schemas"]["NextCursor"];
        };
        CommissionPlanDeleted: {
            /**
             * Format: uuid
             * @description Id
             */
            id: string;
            /**
             * @description True: it is gone
             * @constant
             */
            deleted: true;
        };
        ChangeWaiting: {
            /** @description What waits to be confirmed */
            pendingChange: components["schemas"]["PendingChange"];
        };
        ExchangeRateList: {
            /** @description The rows */
            data: components["schemas"]["ExchangeRate"][];
            hasMore: components["schemas"]["HasMore"];
            nextCursor: components["schemas"]["NextCursor"];
        };
        ManualCommissionWaiting: {
            /** @description What waits to be confirmed */
            pending_change: components["schemas"]["PendingChangeSnake"];
        };
        EventList: {
            /** @description The rows */
            data: components["schemas"]["Event"][];
            has_more: components["schemas"]["HasMore"];
            next_cursor: components["schemas"]["NextCursor"];
        };
        RateOverrideCreated: components["schemas"]["RateOverride"] & {
            /** @description Where it does not count, or not in full, by the plans in force at its start */
            warnings: components["schemas"]["RateWarning"][];
        };
        RateOverrideList: {
            /** @description The rows */
            data: components["schemas"]["RateOverride"][];
            hasMore: components["schemas"]["HasMore"];
            nextCursor: components["schemas"]["NextCursor"];
        };
        LeadList: {
            /** @description The rows */
            data: components["schemas"]["Lead"][];
            has_more: components["schemas"]["HasMore"];
            next_cursor: components["schemas"]["NextCursor"];
        };
        LeadConvertResult: {
            /** @description The lead */
            lead: components["schemas"]["Lead"];
            /** @description The member that it became */
            user: components["schemas"]["Member"];
        };
        ImportList: {
            /** @description The rows */
            data: components["schemas"]["Import"][];
            hasMore: components["schemas"]["HasMore"];
            nextCursor: components["schemas"]["NextCursor"];
        };
        ImportErrorsList: {
            /** @description The rows */
            data: {
                /** @description As a spreadsheet counts: the header is row 1, and blank lines count */
                rowNumber: number;
                /** @description What is wrong; empty where nothing is */
                faults: {
                    /** @description The column; empty for the row as a whole */
                    field: string;
                    /** @description A code of the operation, such as EMAIL_EXISTS; SPONSOR_FAILED when the row of the sponsor has failed; absent for a malformed value */
                    code?: string;
                    /** @description What is wrong */
                    message: string;
                }[];
            }[];
            hasMore: components["schemas"]["HasMore"];
            nextCursor: components["schemas"]["NextCursor"];
        };
        MemberLedgerEntryList: {
            /** @description The rows */
            data: components["schemas"]["MemberLedgerEntry"][];
            hasMore: components["schemas"]["HasMore"];
            nextCursor: components["schemas"]["NextCursor"];
        };
        Genealogy: {
            /** @description The member and those below */
            tree: components["schemas"]["GenealogyNode"];
            /** @description How the tree was read */
            meta: {
                /** @description The depth asked for */
                maxDepth: number;
                /** @description Whether inactive members are shown */
                includeInactive: boolean;
                /** @description Nodes in this answer */
                totalNodes: number;
                /** @description More members match than an answer holds */
                truncated: boolean;
            };
        };
        DownlineMemberList: {
            /** @description The rows */
            data: components["schemas"]["DownlineMember"][];
            hasMore: components["schemas"]["HasMore"];
            nextCursor: components["schemas"]["NextCursor"];
            /** @description Whether there is more than shown */
            truncated: boolean;
        };
        TreeLevelMemberList: {
            /** @description The rows */
            data: components["schemas"]["TreeLevelMember"][];
            hasMore: components["schemas"]["HasMore"];
            nextCursor: components["schemas"]["NextCursor"];
        };
        UplineList: {
            /** @description The rows */
            data: components["schemas"]["DownlineMember"][];
            hasMore: components["schemas"]["HasMore"];
            nextCursor: components["schemas"]["NextCursor"];
        };
        Relationship: {
            /** @description Whether one is above the other or both have a common upline */
            connected: boolean;
            /**
             * @description What the second is to the first: its `upline` or `downline`; `crossline`: below a common upline; `self`: the same; `none`: of another tree
             * @enum {string}
             */
            relationship: "self" | "upline" | "downline" | "crossline" | "none";
            /** @description Levels between the two; 0 of the same */
            distance: number;
            /** @description Members on the way from one to the other */
            path: components["schemas"]["GenealogyNode"][];
        };
        ListedMemberList: {
            /** @description The rows */
            data: components["schemas"]["ListedMember"][];
            hasMore: components["schemas"]["HasMore"];
            nextCursor: components["schemas"]["NextCursor"];
        };
        SearchResultList: {
            /** @description The rows */
            data: components["schemas"]["SearchResult"][];
            /** @description Kind by kind */
            kinds: components["schemas"]["SearchResultKind"][];
        };
        SavedViewList: {
            /** @description The rows */
            data: components["schemas"]["SavedView"][];
        };
        SavedViewDeleted: {
            /**
             * Format: uuid
             * @description Id
             */
            id: string;
            /**
             * @description True: it is gone
             * @constant
             */
            deleted: true;
        };
        KycQueueItemList: {
            /** @description The page */
            data: components["schemas"]["KycQueueItem"][];
            /** @description How many verifications have each status */
            countsByStatus: {
                /** @description Started, without documents */
                not_started: number;
                /** @description Waiting for a review */
                pending: number;
                /** @description Approved */
                approved: number;
                /** @description Rejected */
                rejected: number;
                /** @description Waiting for the member to send something in again */
                resubmit_required: number;
            };
            /** @description Whether another page follows */
            hasMore: boolean;
            /** @description The `cursor` of the next page; null: there is none */
            nextCursor: string | null;
        };
        KycDocumentUrl: {
            /** @description Answers GET with the bytes, without a key */
            url: string;
            /** @description Seconds that the URL is good for */
            expiresInSeconds: number;
            /** @description As it was uploaded */
            fileName: string;
            mimeType: components["schemas"]["KycDocumentFormat"];
        };
        KycApproveResult: {
            /**
             * Format: uuid
             * @description Of the verification
             */
            id: string;
            /**
             * Format: uuid
             * @description The member
             */
            userId: string;
            status: components["schemas"]["KycStatus"];
            /** @description What was done, for a person */
            message: string;
            /**
             * Format: date-time
             * @description When it was approved
             */
            verifiedAt: string | null;
            /**
             * Format: date-time
             * @description When the approval ends, by the setting `kyc.approvalValidDays` as it was when it was given; null: never, or there is none
             */
            expiresAt: string | null;
        };
        KycRejectResult: {
            /**
             * Format: uuid
             * @description Of the verification
             */
            id: string;
            /**
             * Format: uuid
             * @description The member
             */
            userId: string;
            status: components["schemas"]["KycStatus"];
            /** @description What was done, for a person */
            message: string;
            /** @description As it was given */
            rejectionReason: string | null;
        };
        KycResubmitRequestResult: {
            /**
             * Format: uuid
             * @description Of the verification
             */
            id: string;
            /**
             * Format: uuid
             * @description The member
             */
            userId: string;
            status: components["schemas"]["KycStatus"];
            /** @description What was done, for a person */
            message: string;
            /** @description As it was given */
            reason: string;
            /** @description While it is `resubmit_required`: the documents that must still come again. Empty: `rejectionReason` says what */
            requestedDocuments: components["schemas"]["KycDocumentType"][];
        };
        KycResubmitResult: {
            /**
             * Format: uuid
             * @description Of the verification
             */
            id: string;
            /**
             * Format: uuid
             * @description The member
             */
            userId: string;
            status: components["schemas"]["KycStatus"];
            /** @description What was done, for a person */
            message: string;
            /** @description As it was given */
            reason: string;
            /** @description While it is `resubmit_required`: the documents that must still come again. Empty: `rejectionReason` says what */
            requestedDocuments: components["schemas"]["KycDocumentType"][];
        };
        KycAssignResult: {
            /**
             * Format: uuid
             * @description Of the verification
             */
            id: string;
            /**
             * Format: uuid
             * @description The member
             */
            userId: string;
            status: components["schemas"]["KycStatus"];
            /** @description What was done, for a person */
            message: string;
            /** @description The reviewer; null: nobody */
            assignedTo: string | null;
        };
        KycTakeResult: {
            /**
             * Format: uuid
             * @description Of the verification
             */
            id: string;
            /**
             * Format: uuid
             * @description The member
             */
            userId: string;
            status: components["schemas"]["KycStatus"];
            /** @description What was done, for a person */
            message: string;
            /** @description Who looks at it now; null: nobody */
            takenBy: components["schemas"]["Actor"] | null;
            /**
             * Format: date-time
             * @description When that ends by itself; null: nobody has taken it
             */
            takenUntil: string | null;
        };
        KycReleaseResult: {
            /**
             * Format: uuid
             * @description Of the verification
             */
            id: string;
            /**
             * Format: uuid
             * @description The member
             */
            userId: string;
            status: components["schemas"]["KycStatus"];
            /** @description What was done, for a person */
            message: string;
            /** @description Who looks at it now; null: nobody */
            takenBy: components["schemas"]["Actor"] | null;
            /**
             * Format: date-time
             * @description When that ends by itself; null: nobody has taken it
             */
            takenUntil: string | null;
        };
        KycEventReceiveResult: {
            /**
             * @description Says that it was kept
             * @constant
             */
            message: "Event received";
        };
        PayoutAccountOfMemberList: {
            /** @description The rows */
            data: components["schemas"]["PayoutAccountOfMember"][];
            hasMore: components["schemas"]["HasMore"];
            nextCursor: components["schemas"]["NextCursor"];
        };
        PayoutHoldInForceList: {
            /** @description The rows */
            data: components["schemas"]["PayoutHoldInForce"][];
            hasMore: components["schemas"]["HasMore"];
            nextCursor: components["schemas"]["NextCursor"];
        };
        ListedPayoutRunList: {
            /** @description The rows */
            data: components["schemas"]["ListedPayoutRun"][];
            hasMore: components["schemas"]["HasMore"];
            nextCursor: components["schemas"]["NextCursor"];
        };
        BlockedMemberList: {
            /** @description The rows */
            data: components["schemas"]["BlockedMember"][];
            hasMore: components["schemas"]["HasMore"];
            nextCursor: components["schemas"]["NextCursor"];
        };
        BlockedReasons: {
            /** @description As drafted */
            data: {
                reason: components["schemas"]["BlockReason"];
                /** @description Members */
                count: number;
                /** @description What would be due to them. Minor units; null where it is too large: see `amountMinorExact` */
                amountMinor: number | null;
                /** @description `amountMinor` in digits, where that is null */
                amountMinorExact?: string;
            }[];
        };
        PayoutList: {
            /** @description The rows */
            data: components["schemas"]["Payout"][];
            hasMore: components["schemas"]["HasMore"];
            nextCursor: components["schemas"]["NextCursor"];
        };
        PayoutCommissionsList: {
            /** @description The page of commissions */
            data: {
                /**
                 * Format: uuid
                 * @description Of the commission
                 */
                id: string;
                /**
                 * Format: uuid
                 * @description The event that it came of
                 */
                eventId: string;
                /** @description The tenant's own id of that event */
                externalEventId: string;
                /** @description Of the commission, as `commission`, `clawback` or `bonus` */
                kind: string;
                /** @description Minor units; negative for what takes back */
                amountMinor: number;
                currency: components["schemas"]["Currency"];
                /** @description As the commission stands now */
                status: string;
                /**
                 * Format: date-time
                 * @description When the event happened
                 */
                occurredAt: string;
            }[];
            hasMore: components["schemas"]["HasMore"];
            nextCursor: components["schemas"]["NextCursor"];
        };
        PaymentEventReceiveResult: {
            /**
             * @description Says that it was kept
             * @constant
             */
            message: "Event received";
        };
        TaxDocumentList: {
            /** @description The latest year first */
            data: components["schemas"]["TaxDocument"][];
            /** @description IANA, of the reporting zone */
            timeZone: string;
        };
        ExportList: {
            /** @description The rows */
            data: components["schemas"]["Export"][];
            hasMore: components["schemas"]["HasMore"];
            nextCursor: components["schemas"]["NextCursor"];
        };
        ExportDownloadUrl: {
            /** @description Answers GET with the file */
            url: string;
            /**
             * Format: date-time
             * @description Five minutes from now
             */
            expiresAt: string;
        };
        AuthProviderList: {
            /** @description The rows */
            data: components["schemas"]["AuthProvider"][];
            hasMore: components["schemas"]["HasMore"];
            nextCursor: components["schemas"]["NextCursor"];
        };
        AuthProviderDeleted: {
            /**
             * Format: uuid
             * @description Of the provider
             */
            id: string;
            /**
             * @description It is gone
             * @constant
             */
            deleted: true;
        };
        AuthProviderTestResult: {
            /**
             * Format: uuid
             * @description Of the provider
             */
            id: string;
            /**
             * @description It can be used
             * @constant
             */
            usable: true;
            /** @description The keys of its key set */
            keys: {
                /** @description Of the key; null: it has none */
                kid: string | null;
                /** @description The `kty`, as `RSA` */
                keyType: string;
                /** @description The `alg`; null: not said */
                algorithm: string | null;
            }[];
        };
        MemberIdentityList: {
            /** @description The rows */
            data: components["schemas"]["MemberIdentity"][];
            hasMore: components["schemas"]["HasMore"];
            nextCursor: components["schemas"]["NextCursor"];
        };
        IdentityUnlinkResult: {
            /**
             * Format: uuid
             * @description Of the link
             */
            id: string;
            /**
             * @description It is gone
             * @constant
             */
            deleted: true;
        };
        TokenRevokeResult: Record<string, unknown>;
        AllTokensRevokeResult: {
            /** @description How many were ended by this call */
            revokedSessions: number;
        };
        StaffMemberList: {
            /** @description The rows */
            data: components["schemas"]["StaffMember"][];
            hasMore: components["schemas"]["HasMore"];
            nextCursor: components["schemas"]["NextCursor"];
        };
        StaffInviteList: {
            /** @description The rows */
            data: components["schemas"]["StaffInvite"][];
            hasMore: components["schemas"]["HasMore"];
            nextCursor: components["schemas"]["NextCursor"];
        };
        StaffTieList: {
            /** @description The rows */
            data: components["schemas"]["StaffTie"][];
            hasMore: components["schemas"]["HasMore"];
            nextCursor: components["schemas"]["NextCursor"];
        };
        StaffTieConfirmResult: {
            /**
             * Format: uuid
             * @description Of the tie
             */
            id: string;
        };
        StaffSessionList: {
            /** @description The rows */
            data: components["schemas"]["StaffSession"][];
            hasMore: components["schemas"]["HasMore"];
            nextCursor: components["schemas"]["NextCursor"];
        };
        AuthenticatorBeginResult: {
            /** @description Base32 */
            secret: string;
            /** @description otpauth://… */
            uri: string;
            /** @description The same as a QR code */
            qrSvg: string;
        };
        RecoveryCodesMakeResult: {
            /** @description Ten of them; null in the repeat of a request */
            codes: string[] | null;
        };
        FactorsResetResult: {
            /**
             * Format: uuid
             * @description The person
             */
            staffId: string;
            /** @description How many passkeys were removed */
            passkeysRemoved: number;
            /** @description Whether there was an authenticator app */
            authenticatorRemoved: boolean;
        };
        VendorEventSendResult: components["schemas"]["SimulatedKycEvent"] | components["schemas"]["SimulatedPayoutEvent"] | components["schemas"]["SimulatedPayoutAccountEvent"];
        ApiKeyList: {
            /** @description The rows */
            data: components["schemas"]["ApiKey"][];
            hasMore: components["schemas"]["HasMore"];
            nextCursor: components["schemas"]["NextCursor"];
        };
        WidgetSessionEndResult: {
            /**
             * Format: uuid
             * @description The session
             */
            sessionId: string;
            /**
             * @description It has ended, now or before
             * @constant
             */
            ended: true;
        };
    };
    responses: never;
    parameters: {
        /** @description The id of the event, the same in every attempt */
        "webhook-id": string;
        /** @description When the attempt was made, in seconds since 1970 */
        "webhook-timestamp": string;
        /** @description `v1,` and a signature in base64; during the overlap of a rotation two, separated by a space */
        "webhook-signature": string;
        /** @description Rows in one answer */
        limit: number;
        /** @description `next_cursor` or `nextCursor` of the answer before; keep the filters the same */
        cursor: string;
        /** @description A repeat with this key within 24 hours gets the first answer and has no second effect */
        "Idempotency-Key": string;
        /** @description `hours`: how the last 24 went */
        with: "hours";
        /** @description Id of the endpoint */
        endpointId: string;
        /** @description Id of the delivery */
        deliveryId: string;
        /** @description Id of the snapshot */
        snapshotId: string;
        /** @description Id of the change */
        pendingChangeId: string;
        /** @description The code */
        code_id: string;
        /** @description `created_at`: the oldest first; `-created_at`: the newest */
        sort: "created_at" | "-created_at";
        /** @description The link */
        link_id: string;
        /** @description Key of the group */
        key: string;
        /** @description Exact, without regard to case */
        email: string;
        /** @description Members of this tier */
        tier: components["schemas"]["MembershipTier"];
        /** @description The member */
        user_id: string;
        /** @description The member */
        userId: string;
        currency: components["schemas"]["CurrencyCode"];
        /** @description The commission line */
        commissionId: string;
        /** @description The plan */
        planId: string;
        /** @description The event */
        event_id: string;
        /** @description The override */
        overrideId: string;
        /** @description The lead */
        lead_id: string;
        /** @description The import */
        importId: string;
        /** @description Counts what was recorded by then, to the millisecond; default, and at most, the present */
        asOf: string;
        /** @description Default all */
        currencyOfTrialBalance: components["schemas"]["CurrencyCode"];
        /** @description The amounts in this currency; default the tenant's */
        currencyOfMemberLedger: components["schemas"]["CurrencyCode"];
        /** @description Without it an inactive member is left out, and everything below it. Counts include inactive members always */
        includeInactive: boolean;
        /** @description `joinedAt`: the oldest first; `-totalDownline`: the largest first, then those without a downline; `name`: those without one last */
        sortOfChildren: "joinedAt" | "-totalDownline" | "name";
        /** @description What the name or the email has in it, without regard to case */
        q: string;
        /** @description Each row with its `commissionsThisMonth` */
        withOfChildren: "commissions";
        /** @description Id of the verification */
        kycId: string;
        /** @description Id of the document */
        documentId: string;
        /** @description Id of the payout account */
        accountId: string;
        /** @description Drafted at this instant or later */
        createdFrom: string;
        /** @description Drafted before this instant */
        createdTo: string;
        /** @description Id of the run */
        runId: string;
        /** @description Id of the payout */
        payoutId: string;
        /** @description Calendar year, in the reporting zone */
        year: number;
        /** @description A month */
        period: string;
        /** @description The export */
        exportId: string;
        /** @description The `id` of the provider */
        authProviderId: string;
        /** @description Id of the person */
        staffId: string;
        /** @description Id of the session */
        sessionId: string;
        /** @description Id of the passkey */
        passkeyId: string;
        /** @description Id of the key */
        keyId: string;
    };
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listAuditLogs: {
        parameters: {
            query?: {
                /** @description Entries of this action */
                action?: string;
                /** @description Entries of this kind of actor */
                actorKind?: components["schemas"]["ActorKind"];
                /** @description Of an API key, a person or a member; the name of a vendor */
                actorId?: string;
                /** @description As `member` or `api_key` */
                targetKind?: string;
                /** @description Entries about this object */
                targetId?: string;
                /** @description Of an operation, a command, a job or a sweep */
                operationId?: string;
                /** @description `targetKind` */
                objectKind?: string;
                /** @description `targetId` */
                objectId?: string;
                /** @description Written at this instant or later */
                from?: string;
                /** @description Written before this instant */
                to?: string;
                /** @description Rows in one answer */
                limit?: components["parameters"]["limit"];
                /** @description `next_cursor` or `nextCursor` of the answer before; keep the filters the same */
                cursor?: components["parameters"]["cursor"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditLogEntryList"];
                };
            };
        };
    };
    listWebhookEndpoints: {
        parameters: {
            query?: {
                /** @description `hours`: how the last 24 went */
                with?: components["parameters"]["with"];
                /** @description Rows in one answer */
                limit?: components["parameters"]["limit"];
                /** @description `next_cursor` or `nextCursor` of the answer before; keep the filters the same */
                cursor?: components["parameters"]["cursor"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpointList"];
                };
            };
        };
    };
    createWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat with this key within 24 hours gets the first answer and has no second effect */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookEndpointCreate"];
            };
        };
        responses: {
            /** @description Created; `secret` is shown this once */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpointWithSecret"];
                };
            };
        };
    };
    getWebhookEndpoint: {
        parameters: {
            query?: {
                /** @description `hours`: how the last 24 went */
                with?: components["parameters"]["with"];
            };
            header?: never;
            path: {
                /** @description Id of the endpoint */
                endpointId: components["parameters"]["endpointId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The endpoint */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpoint"];
                };
            };
        };
    };
    deleteWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat with this key within 24 hours gets the first answer and has no second effect */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description Id of the endpoint */
                endpointId: components["parameters"]["endpointId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Deleted"];
                };
            };
        };
    };
    updateWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat with this key within 24 hours gets the first answer and has no second effect */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description Id of the endpoint */
                endpointId: components["parameters"]["endpointId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookEndpointUpdate"];
            };
        };
        responses: {
            /** @description The endpoint as it is now */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpoint"];
                };
            };
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat with this key within 24 hours gets the first answer and has no second effect */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description Id of the endpoint */
                endpointId: components["parameters"]["endpointId"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["WebhookSecretRotate"];
            };
        };
        responses: {
            /** @description The endpoint; `secret` is the new one, shown this once */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpointWithSecret"];
                };
            };
        };
    };
    testWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat with this key within 24 hours gets the first answer and has no second effect */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description Id of the endpoint */
                endpointId: components["parameters"]["endpointId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookEndpointTest"];
            };
        };
        responses: {
            /** @description Written down, and sent as any other */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpointTestResult"];
                };
            };
        };
    };
    replayWebhookEvents: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat with this key within 24 hours gets the first answer and has no second effect */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description Id of the endpoint */
                endpointId: components["parameters"]["endpointId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookEventsReplay"];
            };
        };
        responses: {
            /** @description They are sent as others are */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEventsReplayResult"];
                };
            };
        };
    };
    listWebhookDeliveries: {
        parameters: {
            query?: {
                /** @description Only to this endpoint */
                endpointId?: string;
                /** @description Only of this event */
                eventId?: string;
                /** @description Of events that happened to this object */
                objectId?: string;
                /** @description Only of this type of event, as `payout.paid` */
                type?: string;
                /** @description Only those in this status */
                status?: components["schemas"]["WebhookDeliveryStatus"];
                /** @description Made at this instant or later */
                from?: string;
                /** @description Made before this instant */
                to?: string;
                /** @description Rows in one answer */
                limit?: components["parameters"]["limit"];
                /** @description `next_cursor` or `nextCursor` of the answer before; keep the filters the same */
                cursor?: components["parameters"]["cursor"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDeliveryList"];
                };
            };
        };
    };
    getWebhookDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the delivery */
                deliveryId: components["parameters"]["deliveryId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The delivery */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDeliveryWithAttempts"];
                };
            };
        };
    };
    retryWebhookDelivery: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat with this key within 24 hours gets the first answer and has no second effect */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description Id of the delivery */
                deliveryId: components["parameters"]["deliveryId"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["WebhookDeliveryRetry"];
            };
        };
        responses: {
            /** @description The delivery, which waits again */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDelivery"];
                };
            };
        };
    };
    listWebhookEvents: {
        parameters: {
            query?: {
                /** @description Only this type, as `payout.paid` */
                type?: string;
                /** @description Only what happened to this object */
                objectId?: string;
                /** @description Happened at this instant or later */
                from?: string;
                /** @description Happened before this instant */
                to?: string;
                /** @description Only events with a larger number */
                afterSequence?: number;
                /** @description Rows in one answer */
                limit?: components["parameters"]["limit"];
                /** @description `next_cursor` or `nextCursor` of the answer before; keep the filters the same */
                cursor?: components["parameters"]["cursor"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEventList"];
                };
            };
        };
    };
    getWebhookEvent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the event */
                eventId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The event, as it is sent */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEvent"];
                };
            };
        };
    };
    listWebhookEventTypes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All of them */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEventTypesList"];
                };
            };
        };
    };
    createEventSnapshot: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat with this key within 24 hours gets the first answer and has no second effect */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["EventSnapshotCreate"];
            };
        };
        responses: {
            /** @description Queued; `Location` names the snapshot */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventSnapshot"];
                };
            };
        };
    };
    getEventSnapshot: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the snapshot */
                snapshotId: components["parameters"]["snapshotId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The snapshot */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventSnapshot"];
                };
            };
        };
    };
    createEventSnapshotDownloadUrl: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the snapshot */
                snapshotId: components["parameters"]["snapshotId"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["EventSnapshotDownloadUrlCreate"];
            };
        };
        responses: {
            /** @description The address */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventSnapshotDownloadUrl"];
                };
            };
        };
    };
    listPendingChanges: {
        parameters: {
            query?: {
                /** @description Only changes in this status */
                status?: components["schemas"]["PendingChangeStatus"];
                /** @description Rows in one answer */
                limit?: components["parameters"]["limit"];
                /** @description `next_cursor` or `nextCursor` of the answer before; keep the filters the same */
                cursor?: components["parameters"]["cursor"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PendingChangeList"];
                };
            };
        };
    };
    getPendingChange: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the change */
                pendingChangeId: components["parameters"]["pendingChangeId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The change */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PendingChange"];
                };
            };
        };
    };
    confirmPendingChange: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat with this key within 24 hours gets the first answer and has no second effect */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description Id of the change */
                pendingChangeId: components["parameters"]["pendingChangeId"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["PendingChangeConfirm"];
            };
        };
        responses: {
            /** @description Confirmed, and in effect */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PendingChange"];
                };
            };
        };
    };
    rejectPendingChange: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat with this key within 24 hours gets the first answer and has no second effect */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description Id of the change */
                pendingChangeId: components["parameters"]["pendingChangeId"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["PendingChangeReject"];
            };
        };
        responses: {
            /** @description Rejected */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PendingChange"];
                };
            };
        };
    };
    listReferralCodes: {
        parameters: {
            query?: {
                /** @description The member */
                user_id?: string;
                status?: components["schemas"]["ReferralCodeStatus"];
                /** @description Rows in one answer */
                limit?: components["parameters"]["limit"];
                /** @description `next_cursor` or `nextCursor` of the answer before; keep the filters the same */
                cursor?: components["parameters"]["cursor"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReferralCodeList"];
                };
            };
        };
    };
    createReferralCode: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat with this key within 24 hours gets the first answer and has no second effect */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReferralCodeCreate"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReferralCode"];
                };
            };
        };
    };
    getReferralCode: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The code */
                code_id: components["parameters"]["code_id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The code */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReferralCode"];
                };
            };
        };
    };
    updateReferralCode: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat with this key within 24 hours gets the first answer and has no second effect */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description The code */
                code_id: components["parameters"]["code_id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReferralCodeUpdate"];
            };
        };
        responses: {
            /** @description The code as it is now */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReferralCode"];
                };
            };
        };
    };
    resolveReferralCode: {
        parameters: {
            query: {
                /** @description In any case */
                referral_code: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The code is active */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResolvedReferralCode"];
                };
            };
        };
    };
    listReferralLinks: {
        parameters: {
            query?: {
                /** @description The member whose link it is */
                user_id?: string;
                /** @description `active`, or `disabled`: it leads on and credits nobody */
                status?: components["schemas"]["ReferralLinkStatus"];
                /** @description `created_at`: the oldest first; `-created_at`: the newest */
                sort?: components["parameters"]["sort"];
                /** @description Each link with its `click_count` and `last_clicked_at` */
                with?: "clicks";
                /** @description Rows in one answer */
                limit?: components["parameters"]["limit"];
                /** @description `next_cursor` or `nextCursor` of the answer before; keep the filters the same */
                cursor?: components["parameters"]["cursor"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListedReferralLinkList"];
                };
            };
        };
    };
    createReferralLink: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat with this key within 24 hours gets the first answer and has no second effect */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReferralLinkCreate"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReferralLink"];
                };
            };
        };
    };
    getReferralLink: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The link */
                link_id: components["parameters"]["link_id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The link */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CountedReferralLink"];
                };
            };
        };
    };
    deleteReferralLink: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat with this key within 24 hours gets the first answer and has no second effect */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description The link */
                link_id: components["parameters"]["link_id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReferralLinkDeleted"];
                };
            };
        };
    };
    updateReferralLink: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat with this key within 24 hours gets the first answer and has no second effect */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description The link */
                link_id: components["parameters"]["link_id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReferralLinkUpdate"];
            };
        };
        responses: {
            /** @description The link as it is now */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReferralLink"];
                };
            };
        };
    };
    getReferralLinkQr: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The link */
                link_id: components["parameters"]["link_id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The image */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/svg+xml": string;
                };
            };
        };
    };
    recordClick: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat with this key within 24 hours gets the first answer and has no second effect */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ClickCreate"];
            };
        };
        responses: {
            /** @description Tied to the customer; or, with `click_id` null, not recorded, for the user agent is a bot */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Click"];
                };
            };
            /** @description Recorded */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Click"];
                };
            };
        };
    };
    listGroups: {
        parameters: {
            query?: {
                /** @description Groups in this status */
                status?: components["schemas"]["GroupStatus"];
                /** @description Rows in one answer */
                limit?: components["parameters"]["limit"];
                /** @description `next_cursor` or `nextCursor` of the answer before; keep the filters the same */
                cursor?: components["parameters"]["cursor"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GroupList"];
                };
            };
        };
    };
    createGroup: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat with this key within 24 hours gets the first answer and has no second effect */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["GroupCreate"];
            };
        };
        responses: {
            /** @description Made; `Location` names it */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Group"];
                };
            };
        };
    };
    getGroup: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Key of the group */
                key: components["parameters"]["key"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The group */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Group"];
                };
            };
        };
    };
    archiveGroup: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat with this key within 24 hours gets the first answer and has no second effect */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description Key of the group */
                key: components["parameters"]["key"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The group, archived */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Group"];
                };
            };
        };
    };
    updateGroup: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat with this key within 24 hours gets the first answer and has no second effect */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description Key of the group */
                key: components["parameters"]["key"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["GroupUpdate"];
            };
        };
        responses: {
            /** @description The group as it is now */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Group"];
                };
            };
        };
    };
    getUserStatus: {
        parameters: {
            query: {
                /** @description The member */
                user_id: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The member exists */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserStatusResponse"];
                };
            };
        };
    };
    listUsers: {
        parameters: {
            query?: {
                /** @description Exact, without regard to case */
                email?: components["parameters"]["email"];
                /** @description Members of this tier */
                tier?: components["parameters"]["tier"];
                /** @description Whether the member is active */
                is_active?: boolean;
                /** @description Members with this sponsor */
                parent_id?: string;
                /** @description Exact */
                external_id?: string;
                /** @description These members, as far as there are such; at most 100, with commas between them */
                ids?: string;
                /** @description Whether it is a test member, which is never paid */
                is_test_user?: boolean;
                /** @description Members in this group */
                group?: string;
                /** @description Members of this standing */
                standing?: components["schemas"]["MemberStanding"];
                /** @description Made at this instant or later */
                created_from?: string;
                /** @description Made before this instant */
                created_to?: string;
                /** @description Rows in one answer */
                limit?: components["parameters"]["limit"];
                /** @description `next_cursor` or `nextCursor` of the answer before; keep the filters the same */
                cursor?: components["parameters"]["cursor"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemberList"];
                };
            };
        };
    };
    createUser: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat with this key within 24 hours gets the first answer and has no second effect */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UserCreate"];
            };
        };
        responses: {
            /** @description Created; `Location` names it */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Member"];
                };
            };
        };
    };
    getUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The member */
                user_id: components["parameters"]["user_id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The member */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Member"];
                };
            };
        };
    };
    updateUser: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat with this key within 24 hours gets the first answer and has no second effect */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description The member */
                user_id: components["parameters"]["user_id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UserUpdate"];
            };
        };
        responses: {
            /** @description The member as it is now */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Member"];
                };
            };
        };
    };
    putUser: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat with this key within 24 hours gets the first answer and has no second effect */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description Id in the tenant's own system */
                external_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UserPut"];
            };
        };
        responses: {
            /** @description The member as it is now */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Member"];
                };
            };
            /** @description Created; `Location` names it */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Member"];
                };
            };
        };
    };
    getMemberHistory: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The member */
                userId: components["parameters"]["userId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The history */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemberHistory"];
                };
            };
        };
    };
    moveMember: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat with this key within 24 hours gets the first answer and has no second effect */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description The member */
                userId: components["parameters"]["userId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MemberMove"];
            };
        };
        responses: {
            /** @description Moved, or under that sponsor already */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SponsorMove"];
                };
            };
        };
    };
    listGroupMembers: {
        parameters: {
            query?: {
                /** @description Rows in one answer */
                limit?: components["parameters"]["limit"];
                /** @description `next_cursor` or `nextCursor` of the answer before; keep the filters the same */
                cursor?: components["parameters"]["cursor"];
            };
            header?: never;
            path: {
                /** @description Key of the group */
                key: components["parameters"]["key"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GroupMemberList"];
                };
            };
        };
    };
    addGroupMembers: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat with this key within 24 hours gets the first answer and has no second effect */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description Key of the group */
                key: components["parameters"]["key"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["GroupMembersAdd"];
            };
        };
        responses: {
            /** @description Moved */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GroupMembersAddResult"];
                };
            };
        };
    };
    listMemberGroups: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The member */
                userId: components["parameters"]["userId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All of them */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemberGroupEntryList"];
                };
            };
        };
    };
    listAttributions: {
        parameters: {
            query?: {
                /** @description The event */
                event_id?: string;
                /** @description The lead */
                lead_id?: string;
                /** @description The member that was placed */
                placed_user_id?: string;
                /** @description The member that is credited */
                user_id?: string;
                /** @description Rows in one answer */
                limit?: components["parameters"]["limit"];
                /** @description `next_cursor` or `nextCursor` of the answer before; keep the filters the same */
                cursor?: components["parameters"]["cursor"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AttributionReceiptList"];
                };
            };
        };
    };
    getAttribution: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The receipt */
                receipt_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The receipt */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AttributionReceipt"];
                };
            };
        };
    };
    listCommissions: {
        parameters: {
            query?: {
                /** @description The member */
                userId?: string;
                /** @description The event that made it */
                eventId?: string;
                /** @description Lines in this status */
                status?: components["schemas"]["CommissionStatus"];
                /** @description Lines of this kind */
                kind?: components["schemas"]["CommissionKind"];
                /** @description Level above the sale: 1 is the credited member */
                level?: number;
                currency?: components["parameters"]["currency"];
                /** @description Month of the sale in the tenant's zone, YYYY-MM */
                period?: string;
                /** @description Made at this instant or later */
                createdFrom?: string;
                /** @description Made before this instant */
                createdTo?: string;
                /** @description `createdAt`, `amount`: the oldest or smallest first; `-createdAt`, `-amount`: the newest or largest. By amount in minor units, whatever the currency */
                sort?: "createdAt" | "-createdAt" | "amount" | "-amount";
                /** @description Rows in one answer */
                limit?: components["parameters"]["limit"];
                /** @description `next_cursor` or `nextCursor` of the answer before; keep the filters the same */
                cursor?: components["parameters"]["cursor"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CommissionList"];
                    "text/csv": string;
                };
            };
        };
    };
    getCommission: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The commission line */
                commissionId: components["parameters"]["commissionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The line */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Commission"];
                };
            };
        };
    };
    explainCommission: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The commission line */
                commissionId: components["parameters"]["commissionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The explanation */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CommissionExplanation"];
                };
            };
        };
    };
    holdCommission: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat with this key within 24 hours gets the first answer and has no second effect */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description The commission line */
                commissionId: components["parameters"]["commissionId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CommissionHold"];
            };
        };
        responses: {
            /** @description The line as it is now */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Commission"];
                };
            };
        };
    };
    releaseCommission: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat with this key within 24 hours gets the first answer and has no second effect */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description The commission line */
                commissionId: components["parameters"]["commissionId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CommissionRelease"];
            };
        };
        responses: {
            /** @description The line as it is now */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Commission"];
                };
            };
        };
    };
    voidCommission: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat with this key within 24 hours gets the first answer and has no second effect */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description The commission line */
                commissionId: components["parameters"]["commissionId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CommissionVoid"];
            };
        };
        responses: {
            /** @description The line as it is now */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Commission"];
                };
            };
        };
    };
    listCommissionPlans: {
        parameters: {
            query?: {
                /** @description Rows in one answer */
                limit?: components["parameters"]["limit"];
                /** @description `next_cursor` or `nextCursor` of the answer before; keep the filters the same */
                cursor?: components["parameters"]["cursor"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CommissionPlansList"];
                };
            };
        };
    };
    createCommissionPlan: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat with this key within 24 hours gets the first answer and has no second effect */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CommissionPlanCreate"];
            };
        };
        responses: {
            /** @description Created; `Location` names it */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CommissionPlan"];
                };
            };
        };
    };
    getCommissionPlan: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The plan */
                planId: components["parameters"]["planId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The plan */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CommissionPlan"];
                };
            };
        };
    };
    deleteCommissionPlan: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat with this key within 24 hours gets the first answer and has no second effect */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description The plan */
                planId: components["parameters"]["planId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Gone */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CommissionPlanDeleted"];
                };
            };
        };
    };
    updateCommissionPlan: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat with this key within 24 hours gets the first answer and has no second effect */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description The plan */
                planId: components["parameters"]["planId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CommissionPlanUpdate"];
            };
        };
        responses: {
            /** @description The plan as it is now */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CommissionPlan"];
                };
            };
        };
    };
    lintCommissionPlan: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat with this key within 24 hours gets the first answer and has no second effect */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LintCommissionPlanInput"];
            };
        };
        responses: {
            /** @description What was found */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlanFindings"];
                };
            };
        };
    };
    publishCommissionPlan: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat with this key within 24 hours gets the first answer and has no second effect */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description The plan */
                planId: components["parameters"]["planId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CommissionPlanPublish"];
            };
        };
        responses: {
            /** @description Published */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlanVersion"];
                };
            };
            /** @description Nothing has changed yet: the request waits for another pair of hands */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangeWaiting"];
                };
            };
        };
    };
    listExchangeRates: {
        parameters: {
            query?: {
                sourceCurrency?: components["schemas"]["CurrencyCode"];
                targetCurrency?: components["schemas"]["CurrencyCode"];
                /** @description Rows in one answer */
                limit?: components["parameters"]["limit"];
                /** @description `next_cursor` or `nextCursor` of the answer before; keep the filters the same */
                cursor?: components["parameters"]["cursor"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExchangeRateList"];
                };
            };
        };
    };
    createExchangeRate: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat with this key within 24 hours gets the first answer and has no second effect */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ExchangeRateCreate"];
            };
        };
        responses: {
            /** @description Recorded */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExchangeRate"];
                };
            };
            /** @description Nothing has changed yet: the request waits for another pair of hands */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangeWaiting"];
                };
            };
        };
    };
    recordPurchase: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat with this key within 24 hours gets the first answer and has no second effect */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PurchaseCreate"];
            };
        };
        responses: {
            /** @description Recorded before with the same content; the first answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PurchaseReceipt"];
                };
            };
            /** @description Recorded */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PurchaseReceipt"];
                };
            };
        };
    };
    recordRefund: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat with this key within 24 hours gets the first answer and has no second effect */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RefundCreate"];
            };
        };
        responses: {
            /** @description Recorded before with the same content; the first answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReversalReceipt"];
                };
            };
            /** @description Recorded */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReversalReceipt"];
                };
            };
        };
    };
    recordChargeback: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat with this key within 24 hours gets the first answer and has no second effect */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChargebackCreate"];
            };
        };
        responses: {
            /** @description Recorded before with the same content; the first answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReversalReceipt"];
                };
            };
            /** @description Recorded */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReversalReceipt"];
                };
            };
        };
    };
    previewReversal: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat with this key within 24 hours gets the first answer and has no second effect */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description The purchase */
                event_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReversalPreviewBody"];
            };
        };
        responses: {
            /** @description The preview */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReversalPreview"];
                };
            };
        };
    };
    recordManualCommission: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat with this key within 24 hours gets the first answer and has no second effect */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ManualCommissionCreate"];
            };
        };
        responses: {
            /** @description Recorded before with the same content; the first answer */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ManualCommissionReceipt"];
                };
            };
            /** @description Recorded */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ManualCommissionReceipt"];
                };
            };
            /** @description Nothing has changed yet: the request waits for another pair of hands */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ManualCommissionWaiting"];
                };
            };
        };
    };
    recordEventBatch: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat with this key within 24 hours gets the first answer and has no second effect */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EventBatchCreate"];
            };
        };
        responses: {
            /** @description Taken; each event has its own status */
            207: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BatchReceipt"];
                };
            };
        };
    };
    listEvents: {
        parameters: {
            query?: {
                /** @description The one event of this id */
                external_event_id?: string;
                /** @description Events of this kind */
                kind?: components["schemas"]["EventKind"];
                /** @description Events of this type */
                type?: components["schemas"]["EventType"];
                /** @description Events in this status */
                status?: components["schemas"]["EventStatus"];
                /** @description The credited member */
                user_id?: string;
                /** @description The customer's id in the tenant's system */
                customer_external_id?: string;
                /** @description Refunds and chargebacks of this purchase */
                purchase_event_id?: string;
                currency?: components["parameters"]["currency"];
                /** @description Took place at this instant or later */
                occurred_from?: string;
                /** @description Took place before this instant */
                occurred_to?: string;
                /** @description `recorded_at`: the first recorded first; `-recorded_at`: the last */
                sort?: "recorded_at" | "-recorded_at";
                /** @description Rows in one answer */
                limit?: components["parameters"]["limit"];
                /** @description `next_cursor` or `nextCursor` of the answer before; keep the filters the same */
                cursor?: components["parameters"]["cursor"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventList"];
                    "text/csv": string;
                };
            };
        };
    };
    getEvent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The event */
                event_id: components["parameters"]["event_id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The event */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Event"];
                };
            };
        };
    };
    explainEvent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The event */
                event_id: components["parameters"]["event_id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The explanation */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventExplanation"];
                };
            };
        };
    };
    quotePurchase: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat with this key within 24 hours gets the first answer and has no second effect */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PurchaseQuote"];
            };
        };
        responses: {
            /** @description The quote */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Quote"];
                };
            };
        };
    };
    listRateOverrides: {
        parameters: {
            query?: {
                /** @description Agreed with this member */
                userId?: string;
                /** @description For links, for codes or for members */
                target?: components["schemas"]["OverrideTarget"];
                /** @description For this link, code or member */
                targetId?: string;
                /** @description For this plan alone */
                planId?: string;
                /** @description Those that count at this instant */
                at?: string;
                /** @description Rows in one answer */
                limit?: components["parameters"]["limit"];
                /** @description `next_cursor` or `nextCursor` of the answer before; keep the filters the same */
                cursor?: components["parameters"]["cursor"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RateOverrideList"];
                };
            };
        };
    };
    createRateOverride: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat with this key within 24 hours gets the first answer and has no second effect */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RateOverrideCreate"];
            };
        };
        responses: {
            /** @description Agreed; `Location` names it */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RateOverrideCreated"];
                };
            };
            /** @description Nothing has changed yet: the request waits for another pair of hands */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangeWaiting"];
                };
            };
        };
    };
    getRateOverride: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The override */
                overrideId: components["parameters"]["overrideId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The override */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RateOverride"];
                };
            };
        };
    };
    endRateOverride: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat with this key within 24 hours gets the first answer and has no second effect */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description The override */
                overrideId: components["parameters"]["overrideId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RateOverrideEnd"];
            };
        };
        responses: {
            /** @description The override, with its end */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RateOverride"];
                };
            };
        };
    };
    getMemberRates: {
        parameters: {
            query?: {
                /** @description Default now */
                at?: string;
                /** @description By this plan; default the one that pays */
                planId?: string;
                /** @description Of the sales: sums are named by currency. Default that of the tenant */
                currency?: components["schemas"]["CurrencyCode"];
            };
            header?: never;
            path: {
                /** @description The member */
                userId: components["parameters"]["userId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The rates */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemberRates"];
                };
            };
        };
    };
    captureLead: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat with this key within 24 hours gets the first answer and has no second effect */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LeadCapture"];
            };
        };
        responses: {
            /** @description This email was captured before, or is a member's */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Lead"];
                };
            };
            /** @description Captured */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Lead"];
                };
            };
        };
    };
    listLeads: {
        parameters: {
            query?: {
                /** @description Exact, without regard to case */
                email?: components["parameters"]["email"];
                /** @description Leads in this status */
                conversion_status?: components["schemas"]["LeadStatus"];
                /** @description Leads of this member */
                referrer_user_id?: string;
                /** @description Where it came from, as the tenant writes */
                source?: string;
                /** @description Captured at this instant or later */
                created_from?: string;
                /** @description Captured before this instant */
                created_to?: string;
                /** @description `created_at`: the oldest first; `-created_at`: the newest */
                sort?: components["parameters"]["sort"];
                /** @description Rows in one answer */
                limit?: components["parameters"]["limit"];
                /** @description `next_cursor` or `nextCursor` of the answer before; keep the filters the same */
                cursor?: components["parameters"]["cursor"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LeadList"];
                };
            };
        };
    };
    getLead: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The lead */
                lead_id: components["parameters"]["lead_id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The lead */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Lead"];
                };
            };
        };
    };
    updateLead: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat with this key within 24 hours gets the first answer and has no second effect */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description The lead */
                lead_id: components["parameters"]["lead_id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LeadUpdate"];
            };
        };
        responses: {
            /** @description The lead as it is now */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Lead"];
                };
            };
        };
    };
    convertLead: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat with this key within 24 hours gets the first answer and has no second effect */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description The lead */
                lead_id: components["parameters"]["lead_id"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["LeadConvert"];
            };
        };
        responses: {
            /** @description Converted; `Location` names the member */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LeadConvertResult"];
                };
            };
        };
    };
    listImports: {
        parameters: {
            query?: {
                /** @description Imports of this kind */
                kind?: components["schemas"]["ImportKind"];
                /** @description Imports in this status */
                status?: components["schemas"]["ImportStatus"];
                /** @description Rows in one answer */
                limit?: components["parameters"]["limit"];
                /** @description `next_cursor` or `nextCursor` of the answer before; keep the filters the same */
                cursor?: components["parameters"]["cursor"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImportList"];
                };
            };
        };
    };
    createImport: {
        parameters: {
            query: {
                /** @description What the rows are: `members`, `leads`, `purchases` or `rate_overrides` */
                kind: components["schemas"]["ImportKind"];
                /** @description `validate`: checks alone; `apply`: writes too */
                mode: "validate" | "apply";
                /** @description To recognise it by */
                fileName?: string;
            };
            header?: {
                /** @description A repeat with this key within 24 hours gets the first answer and has no second effect */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "text/csv": string;
            };
        };
        responses: {
            /** @description The file is stored and queued; `Location` names the import */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Import"];
                };
            };
        };
    };
    getImport: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The import */
                importId: components["parameters"]["importId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The import */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Import"];
                };
            };
        };
    };
    listImportErrors: {
        parameters: {
            query?: {
                /** @description Rows in one answer */
                limit?: components["parameters"]["limit"];
                /** @description `next_cursor` or `nextCursor` of the answer before; keep the filters the same */
                cursor?: components["parameters"]["cursor"];
            };
            header?: never;
            path: {
                /** @description The import */
                importId: components["parameters"]["importId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImportErrorsList"];
                };
            };
        };
    };
    exportImportErrors: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The import */
                importId: components["parameters"]["importId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
        };
    };
    cancelImport: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat with this key within 24 hours gets the first answer and has no second effect */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description The import */
                importId: components["parameters"]["importId"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ImportCancel"];
            };
        };
        responses: {
            /** @description The import as it is now */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Import"];
                };
            };
        };
    };
    verifyLedger: {
        parameters: {
            query?: {
                /** @description `whole`: everything, or from `fromSeq`; `routine`: the ledger from the last block that the daily check has found sound, the whole where it has found none */
                mode?: "whole" | "routine";
                /** @description Verifies this block, those after it and their journals; default all */
                fromSeq?: number;
                /** @description The hash that block `fromSeq` must have */
                expectedHash?: string;
                /** @description Verifies this block of the audit log, those after it and their entries; default all */
                auditFromSeq?: number;
                /** @description The hash that block `auditFromSeq` must have */
                auditExpectedHash?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Both were verified; `ok` tells whether they are whole */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LedgerVerification"];
                };
            };
        };
    };
    getTrialBalance: {
        parameters: {
            query?: {
                /** @description Counts what was recorded by then, to the millisecond; default, and at most, the present */
                asOf?: components["parameters"]["asOf"];
                /** @description Default all */
                currency?: components["parameters"]["currencyOfTrialBalance"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The balances */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TrialBalance"];
                    "text/csv": string;
                };
            };
        };
    };
    getMemberBalances: {
        parameters: {
            query?: {
                /** @description Counts what was recorded by then, to the millisecond; default, and at most, the present */
                asOf?: components["parameters"]["asOf"];
            };
            header?: never;
            path: {
                /** @description The member */
                userId: components["parameters"]["userId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The balances */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemberBalances"];
                };
            };
        };
    };
    listMemberLedger: {
        parameters: {
            query?: {
                /** @description The amounts in this currency; default the tenant's */
                currency?: components["parameters"]["currencyOfMemberLedger"];
                /** @description Rows in one answer */
                limit?: components["parameters"]["limit"];
                /** @description `next_cursor` or `nextCursor` of the answer before; keep the filters the same */
                cursor?: components["parameters"]["cursor"];
            };
            header?: never;
            path: {
                /** @description The member */
                userId: components["parameters"]["userId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemberLedgerEntryList"];
                    "text/csv": string;
                };
            };
        };
    };
    getGenealogy: {
        parameters: {
            query?: {
                /** @description Levels below the member */
                depth?: number;
                /** @description Without it an inactive member is left out, and everything below it. Counts include inactive members always */
                includeInactive?: components["parameters"]["includeInactive"];
            };
            header?: never;
            path: {
                /** @description The member */
                userId: components["parameters"]["userId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The tree */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Genealogy"];
                };
            };
        };
    };
    listDownline: {
        parameters: {
            query?: {
                /** @description `joinedAt`: the oldest first, `-joinedAt`: the newest; `depth`: the nearest; `totalDownline`: the largest */
                sort?: "joinedAt" | "-joinedAt" | "depth" | "totalDownline";
                /** @description Without it an inactive member is left out, and everything below it. Counts include inactive members always */
                includeInactive?: components["parameters"]["includeInactive"];
                /** @description Rows in one answer */
                limit?: components["parameters"]["limit"];
                /** @description `next_cursor` or `nextCursor` of the answer before; keep the filters the same */
                cursor?: components["parameters"]["cursor"];
            };
            header?: never;
            path: {
                /** @description The member */
                userId: components["parameters"]["userId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DownlineMemberList"];
                };
            };
        };
    };
    listChildren: {
        parameters: {
            query?: {
                /** @description `joinedAt`: the oldest first; `-totalDownline`: the largest first, then those without a downline; `name`: those without one last */
                sort?: components["parameters"]["sortOfChildren"];
                /** @description What the name or the email has in it, without regard to case */
                q?: components["parameters"]["q"];
                /** @description Each row with its `commissionsThisMonth` */
                with?: components["parameters"]["withOfChildren"];
                /** @description Rows in one answer */
                limit?: components["parameters"]["limit"];
                /** @description `next_cursor` or `nextCursor` of the answer before; keep the filters the same */
                cursor?: components["parameters"]["cursor"];
            };
            header?: never;
            path: {
                /** @description The member */
                userId: components["parameters"]["userId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TreeLevelMemberList"];
                };
            };
        };
    };
    listRoots: {
        parameters: {
            query?: {
                /** @description `joinedAt`: the oldest first; `-totalDownline`: the largest first, then those without a downline; `name`: those without one last */
                sort?: components["parameters"]["sortOfChildren"];
                /** @description What the name or the email has in it, without regard to case */
                q?: components["parameters"]["q"];
                /** @description Each row with its `commissionsThisMonth` */
                with?: components["parameters"]["withOfChildren"];
                /** @description Rows in one answer */
                limit?: components["parameters"]["limit"];
                /** @description `next_cursor` or `nextCursor` of the answer before; keep the filters the same */
                cursor?: components["parameters"]["cursor"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TreeLevelMemberList"];
                };
            };
        };
    };
    listUpline: {
        parameters: {
            query?: {
                /** @description Rows in one answer */
                limit?: components["parameters"]["limit"];
                /** @description `next_cursor` or `nextCursor` of the answer before; keep the filters the same */
                cursor?: components["parameters"]["cursor"];
            };
            header?: never;
            path: {
                /** @description The member */
                userId: components["parameters"]["userId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UplineList"];
                };
            };
        };
    };
    getRelationship: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The member */
                userId: components["parameters"]["userId"];
                /** @description The other member */
                targetUserId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Both members exist */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Relationship"];
                };
            };
        };
    };
    getCommissionBreakdown: {
        parameters: {
            query?: {
                /** @description A month of sales, or `all` */
                period?: string;
                /** @description The amounts in this currency; default the tenant's */
                currency?: components["parameters"]["currencyOfMemberLedger"];
            };
            header?: never;
            path: {
                /** @description The member */
                userId: components["parameters"]["userId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The breakdown */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CommissionBreakdown"];
                };
            };
        };
    };
    getTaxSummary: {
        parameters: {
            query?: {
                /** @description The amounts in this currency; default the tenant's */
                currency?: components["parameters"]["currencyOfMemberLedger"];
            };
            header?: never;
            path: {
                /** @description The member */
                userId: components["parameters"]["userId"];
                /** @description The year */
                year: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The summary */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TaxSummary"];
                };
            };
        };
    };
    getReferralStats: {
        parameters: {
            query?: {
                /** @description The amounts in this currency; default the tenant's */
                currency?: components["parameters"]["currencyOfMemberLedger"];
            };
            header?: never;
            path: {
                /** @description The member */
                userId: components["parameters"]["userId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The statistics */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReferralStatistics"];
                };
            };
        };
    };
    getTeamStats: {
        parameters: {
            query?: {
                /** @description A month, or `all` */
                period?: string;
                /** @description The amounts in this currency; default the tenant's */
                currency?: components["parameters"]["currencyOfMemberLedger"];
            };
            header?: never;
            path: {
                /** @description The member */
                userId: components["parameters"]["userId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The statistics */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TeamStatistics"];
                };
            };
        };
    };
    listMembers: {
        parameters: {
            query?: {
                /** @description Beginning of the email, without regard to case */
                email?: string;
                /** @description Beginning of the name, without regard to case */
                name?: string;
                /** @description Members of this tier */
                tier?: components["parameters"]["tier"];
                /** @description Whether the member is active */
                isActive?: boolean;
                /** @description The first level of this member */
                sponsorId?: string;
                /** @description Joined at this instant or later */
                joinedFrom?: string;
                /** @description Joined before this instant */
                joinedTo?: string;
                /** @description Exact */
                externalId?: string;
                /** @description These members, as far as there are such, in this order unless `sort` is given; at most 100, with commas between them */
                ids?: string;
                /** @description `joined`: the oldest first; with `-` from the end. `name`: without regard to case, those without a name last in either direction. `downline`: by the number of members below, as it was counted last, some seconds ago. Of a member whose name or downline changes while pages are read it is open on which of them it stands */
                sort?: "joined" | "-joined" | "name" | "-name" | "downline" | "-downline";
                /** @description Rows in one answer */
                limit?: components["parameters"]["limit"];
                /** @description `next_cursor` or `nextCursor` of the answer before; keep the filters the same */
                cursor?: components["parameters"]["cursor"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListedMemberList"];
                    "text/csv": string;
                };
            };
        };
    };
    getOverview: {
        parameters: {
            query?: {
                /** @description The first month; default eleven months before `to`, 1970-01 at the earliest */
                from?: string;
                /** @description The last month; default the present one */
                to?: string;
                /** @description The amounts in this currency; default the tenant's */
                currency?: components["parameters"]["currencyOfMemberLedger"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The overview */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Overview"];
                };
            };
        };
    };
    searchAll: {
        parameters: {
            query: {
                /** @description What to look for */
                q: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was found */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SearchResultList"];
                };
            };
        };
    };
    listSavedViews: {
        parameters: {
            query?: {
                /** @description Of this page alone */
                page?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All of them */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SavedViewList"];
                };
            };
        };
    };
    saveView: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat with this key within 24 hours gets the first answer and has no second effect */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ViewCreate"];
            };
        };
        responses: {
            /** @description Saved */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SavedView"];
                };
            };
        };
    };
    deleteSavedView: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat with this key within 24 hours gets the first answer and has no second effect */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description The view */
                viewId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SavedViewDeleted"];
                };
            };
        };
    };
    getProfile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The member */
                userId: components["parameters"]["userId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The profile */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemberProfile"];
                };
            };
        };
    };
    updateProfile: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat with this key within 24 hours gets the first answer and has no second effect */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description The member */
                userId: components["parameters"]["userId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProfileUpdate"];
            };
        };
        responses: {
            /** @description The profile as it is now */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemberProfile"];
                };
            };
        };
    };
    eraseMember: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat with this key within 24 hours gets the first answer and has no second effect */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description The member */
                userId: components["parameters"]["userId"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["MemberErase"];
            };
        };
        responses: {
            /** @description Erased, now or before */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemberErasure"];
                };
            };
        };
    };
    exportMemberData: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The member */
                userId: components["parameters"]["userId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The document */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemberDataExport"];
                };
            };
        };
    };
    getMe: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Profile and place of the member */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemberSelf"];
                };
            };
        };
    };
    startKyc: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The member */
                userId: components["parameters"]["userId"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["KycStartBody"];
            };
        };
        responses: {
            /** @description What is to be done next */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KycStart"];
                };
            };
        };
    };
    getKyc: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The member */
                userId: components["parameters"]["userId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The record and its documents, in the order they came */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KycRecord"];
                };
            };
        };
    };
    createKycUpload: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The member */
                userId: components["parameters"]["userId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["KycUploadCreate"];
            };
        };
        responses: {
            /** @description Where to send the bytes */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KycUpload"];
                };
            };
        };
    };
    recordKycDocument: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat with this key within 24 hours gets the first answer and has no second effect */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description The member */
                userId: components["parameters"]["userId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["KycDocumentCreate"];
            };
        };
        responses: {
            /** @description The document */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KycDocument"];
                };
            };
        };
    };
    listKycReviews: {
        parameters: {
            query?: {
                status?: components["schemas"]["KycStatus"];
                /** @description Only those done by this provider */
                provider?: components["schemas"]["KycProvider"];
                /** @description Only that of this member */
                userId?: string;
                /** @description Only those assigned to this reviewer */
                assignedTo?: string;
                /** @description `true`: only those that nobody else has taken */
                free?: boolean;
                /** @description Rows in one answer */
                limit?: components["parameters"]["limit"];
                /** @description `next_cursor` or `nextCursor` of the answer before; keep the filters the same */
                cursor?: components["parameters"]["cursor"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KycQueueItemList"];
                };
            };
        };
    };
    getKycReview: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the verification */
                kycId: components["parameters"]["kycId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The verification */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KycReview"];
                };
            };
        };
    };
    getKycFindings: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the verification */
                kycId: components["parameters"]["kycId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Field by field */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KycFindings"];
                };
            };
        };
    };
    getKycDocumentUrl: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the verification */
                kycId: components["parameters"]["kycId"];
                /** @description Id of the document */
                documentId: components["parameters"]["documentId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The URL */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KycDocumentUrl"];
                };
            };
        };
    };
    approveKyc: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat with this key within 24 hours gets the first answer and has no second effect */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description Id of the verification */
                kycId: components["parameters"]["kycId"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["KycApprove"];
            };
        };
        responses: {
            /** @description Approved */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KycApproveResult"];
                };
            };
        };
    };
    rejectKyc: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat with this key within 24 hours gets the first answer and has no second effect */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description Id of the verification */
                kycId: components["parameters"]["kycId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["KycReject"];
            };
        };
        responses: {
            /** @description Rejected */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KycRejectResult"];
                };
            };
        };
    };
    requestKycResubmit: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat with this key within 24 hours gets the first answer and has no second effect */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description Id of the verification */
                kycId: components["parameters"]["kycId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["KycResubmitRequest"];
            };
        };
        responses: {
            /** @description Asked for anew */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KycResubmitRequestResult"];
                };
            };
        };
    };
    resubmitKyc: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat with this key within 24 hours gets the first answer and has no second effect */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description Id of the verification */
                kycId: components["parameters"]["kycId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["KycResubmit"];
            };
        };
        responses: {
            /** @description Asked for anew */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KycResubmitResult"];
                };
            };
        };
    };
    assignKyc: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat with this key within 24 hours gets the first answer and has no second effect */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description Id of the verification */
                kycId: components["parameters"]["kycId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["KycAssign"];
            };
        };
        responses: {
            /** @description Assigned */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KycAssignResult"];
                };
            };
        };
    };
    takeKyc: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat with this key within 24 hours gets the first answer and has no second effect */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description Id of the verification */
                kycId: components["parameters"]["kycId"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["KycTake"];
            };
        };
        responses: {
            /** @description Taken */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KycTakeResult"];
                };
            };
        };
    };
    releaseKyc: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat with this key within 24 hours gets the first answer and has no second effect */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description Id of the verification */
                kycId: components["parameters"]["kycId"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["KycRelease"];
            };
        };
        responses: {
            /** @description As it is now */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KycReleaseResult"];
                };
            };
        };
    };
    reviewKycDocument: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat with this key within 24 hours gets the first answer and has no second effect */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description Id of the verification */
                kycId: components["parameters"]["kycId"];
                /** @description Id of the document */
                documentId: components["parameters"]["documentId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["KycDocumentReview"];
            };
        };
        responses: {
            /** @description The document as it is now */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KycDocument"];
                };
            };
        };
    };
    listPayoutMethods: {
        parameters: {
            query: {
                /** @description ISO 3166-1 alpha-2 */
                country: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The methods of the country */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayoutMethods"];
                };
            };
        };
    };
    validateBankDetails: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat with this key within 24 hours gets the first answer and has no second effect */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description The `id` of a method, as `sepa_bank_transfer` */
                methodId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BankDetailsValidate"];
            };
        };
        responses: {
            /** @description What was found */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BankDetailsCheck"];
                };
            };
        };
    };
    listAllPayoutAccounts: {
        parameters: {
            query?: {
                /** @description Only accounts of this member */
                userId?: string;
                /** @description Only accounts in this status */
                status?: components["schemas"]["PayoutAccountStatus"];
                currency?: components["parameters"]["currency"];
                /** @description As stored: `matched`, `mismatch`, `accepted`, `not_compared`; a draft compares what is not compared yet */
                nameMatch?: components["schemas"]["NameMatchFilter"];
                /** @description Whether another member has the same bank account */
                shared?: boolean;
                /** @description Whether it is the primary one of its member */
                primary?: boolean;
                /** @description Whether payouts to its member are on hold now */
                onHold?: boolean;
                /** @description Rows in one answer */
                limit?: components["parameters"]["limit"];
                /** @description `next_cursor` or `nextCursor` of the answer before; keep the filters the same */
                cursor?: components["parameters"]["cursor"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayoutAccountOfMemberList"];
                };
            };
        };
    };
    listPayoutAccounts: {
        parameters: {
            query?: {
                /** @description Rows in one answer */
                limit?: components["parameters"]["limit"];
                /** @description `next_cursor` or `nextCursor` of the answer before; keep the filters the same */
                cursor?: components["parameters"]["cursor"];
            };
            header?: never;
            path: {
                /** @description The member */
                userId: components["parameters"]["userId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of accounts */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayoutAccounts"];
                };
            };
        };
    };
    createPayoutAccount: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat with this key within 24 hours gets the first answer and has no second effect */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description The member */
                userId: components["parameters"]["userId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PayoutAccountCreate"];
            };
        };
        responses: {
            /** @description The account */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayoutAccount"];
                };
            };
        };
    };
    getPayoutAccount: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The member */
                userId: components["parameters"]["userId"];
                /** @description Id of the payout account */
                accountId: components["parameters"]["accountId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The account */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayoutAccount"];
                };
            };
        };
    };
    deactivatePayoutAccount: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat with this key within 24 hours gets the first answer and has no second effect */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description The member */
                userId: components["parameters"]["userId"];
                /** @description Id of the payout account */
                accountId: components["parameters"]["accountId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The account, deactivated now or before */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayoutAccount"];
                };
            };
        };
    };
    updatePayoutAccount: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat with this key within 24 hours gets the first answer and has no second effect */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description The member */
                userId: components["parameters"]["userId"];
                /** @description Id of the payout account */
                accountId: components["parameters"]["accountId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PayoutAccountUpdate"];
            };
        };
        responses: {
            /** @description The account as it is now */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayoutAccount"];
                };
            };
        };
    };
    acceptAccountName: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat with this key within 24 hours gets the first answer and has no second effect */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description The member */
                userId: components["parameters"]["userId"];
                /** @description Id of the payout account */
                accountId: components["parameters"]["accountId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The account as it is now */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayoutAccount"];
                };
            };
        };
    };
    listPayoutHolds: {
        parameters: {
            query?: {
                /** @description Rows in one answer */
                limit?: components["parameters"]["limit"];
                /** @description `next_cursor` or `nextCursor` of the answer before; keep the filters the same */
                cursor?: components["parameters"]["cursor"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayoutHoldInForceList"];
                };
            };
        };
    };
    getPayoutHold: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The member */
                userId: components["parameters"]["userId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The hold, or null */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayoutHoldOfMember"];
                };
            };
        };
    };
    setPayoutHold: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat with this key within 24 hours gets the first answer and has no second effect */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description The member */
                userId: components["parameters"]["userId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PayoutHoldSet"];
            };
        };
        responses: {
            /** @description The hold */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayoutHoldOfMember"];
                };
            };
        };
    };
    liftPayoutHold: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat with this key within 24 hours gets the first answer and has no second effect */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description The member */
                userId: components["parameters"]["userId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description There is no hold, now or before */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayoutHoldOfMember"];
                };
            };
        };
    };
    listPayoutRuns: {
        parameters: {
            query?: {
                /** @description Only runs in this status */
                status?: components["schemas"]["PayoutRunStatus"];
                currency?: components["parameters"]["currency"];
                /** @description Drafted at this instant or later */
                createdFrom?: components["parameters"]["createdFrom"];
                /** @description Drafted before this instant */
                createdTo?: components["parameters"]["createdTo"];
                /** @description Rows in one answer */
                limit?: components["parameters"]["limit"];
                /** @description `next_cursor` or `nextCursor` of the answer before; keep the filters the same */
                cursor?: components["parameters"]["cursor"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListedPayoutRunList"];
                };
            };
        };
    };
    createPayoutRun: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat with this key within 24 hours gets the first answer and has no second effect */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PayoutRunCreate"];
            };
        };
        responses: {
            /** @description What the draft would be (`dryRun`) */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayoutRunDryRun"];
                };
            };
            /** @description The draft */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayoutRunDraft"];
                };
            };
        };
    };
    getPayoutRun: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the run */
                runId: components["parameters"]["runId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The run */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayoutRunDetail"];
                };
            };
        };
    };
    listBlockedMembers: {
        parameters: {
            query?: {
                /** @description Only members blocked for this reason */
                reason?: components["schemas"]["BlockReason"];
                /** @description `amount`: the smallest first; `-amount`: the largest; default by the ids of the members */
                sort?: "amount" | "-amount";
                /** @description Rows in one answer */
                limit?: components["parameters"]["limit"];
                /** @description `next_cursor` or `nextCursor` of the answer before; keep the filters the same */
                cursor?: components["parameters"]["cursor"];
            };
            header?: never;
            path: {
                /** @description Id of the run */
                runId: components["parameters"]["runId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BlockedMemberList"];
                };
            };
        };
    };
    approvePayoutRun: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat with this key within 24 hours gets the first answer and has no second effect */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description Id of the run */
                runId: components["parameters"]["runId"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["PayoutRunApprove"];
            };
        };
        responses: {
            /** @description The run as it is now */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayoutRun"];
                };
            };
        };
    };
    executePayoutRun: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat with this key within 24 hours gets the first answer and has no second effect */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description Id of the run */
                runId: components["parameters"]["runId"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["PayoutRunExecute"];
            };
        };
        responses: {
            /** @description The run as it is now */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayoutRun"];
                };
            };
        };
    };
    retryPayoutRun: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat with this key within 24 hours gets the first answer and has no second effect */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description Id of the run */
                runId: components["parameters"]["runId"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["PayoutRunRetry"];
            };
        };
        responses: {
            /** @description What is tried again */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RetriedPayouts"];
                };
            };
        };
    };
    cancelPayoutRun: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat with this key within 24 hours gets the first answer and has no second effect */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description Id of the run */
                runId: components["parameters"]["runId"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["PayoutRunCancel"];
            };
        };
        responses: {
            /** @description The run as it is now */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayoutRun"];
                };
            };
        };
    };
    getBlockedReasons: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the run */
                runId: components["parameters"]["runId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description In the order of their precedence; a reason that nobody has is left out */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BlockedReasons"];
                };
            };
        };
    };
    reviewPayoutRun: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the run */
                runId: components["parameters"]["runId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The review */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayoutRunReview"];
                };
            };
        };
    };
    getPayoutReadiness: {
        parameters: {
            query?: {
                /** @description This one alone, also for `lastPaid` */
                currency?: components["schemas"]["CurrencyCode"];
            };
            header?: never;
            path: {
                /** @description The member */
                userId: components["parameters"]["userId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What is due by currency, and what is missing */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayoutReadiness"];
                };
            };
        };
    };
    getPayoutFreeze: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description How it stands */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayoutFreeze"];
                };
            };
        };
    };
    getPayoutSchedule: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Empty without a schedule */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayoutSchedules"];
                };
            };
        };
    };
    listPayouts: {
        parameters: {
            query?: {
                /** @description Only payouts of this run */
                runId?: string;
                /** @description Only payouts of this member */
                userId?: string;
                /** @description Only payouts in this status */
                status?: components["schemas"]["PayoutStatus"];
                currency?: components["parameters"]["currency"];
                /** @description Drafted at this instant or later */
                createdFrom?: components["parameters"]["createdFrom"];
                /** @description Drafted before this instant */
                createdTo?: components["parameters"]["createdTo"];
                /** @description What a reconciliation after a restore made of it. `recorded`: it was paid outside of what the database knew, and is in the books by now; `not_sent`: it was drafted here and not sent, and is cancelled; `unanswered`: it was begun and no transfer is known yet, after a restore or not */
                reconciled?: "recorded" | "not_sent" | "unanswered";
                /** @description `createdAt`, `amount`: the oldest or smallest first; `-createdAt`, `-amount`: the newest or largest. Amounts are compared in minor units: give a `currency` */
                sort?: "createdAt" | "-createdAt" | "amount" | "-amount";
                /** @description Rows in one answer */
                limit?: components["parameters"]["limit"];
                /** @description `next_cursor` or `nextCursor` of the answer before; keep the filters the same */
                cursor?: components["parameters"]["cursor"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayoutList"];
                };
            };
        };
    };
    getPayout: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the payout */
                payoutId: components["parameters"]["payoutId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The payout */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayoutDetail"];
                };
            };
        };
    };
    listPayoutCommissions: {
        parameters: {
            query?: {
                /** @description Rows in one answer */
                limit?: components["parameters"]["limit"];
                /** @description `next_cursor` or `nextCursor` of the answer before; keep the filters the same */
                cursor?: components["parameters"]["cursor"];
            };
            header?: never;
            path: {
                /** @description Id of the payout */
                payoutId: components["parameters"]["payoutId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayoutCommissionsList"];
                };
            };
        };
    };
    cancelPayout: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat with this key within 24 hours gets the first answer and has no second effect */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description Id of the payout */
                payoutId: components["parameters"]["payoutId"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["PayoutCancel"];
            };
        };
        responses: {
            /** @description The payout as it is now */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Payout"];
                };
            };
        };
    };
    retryPayout: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat with this key within 24 hours gets the first answer and has no second effect */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description Id of the payout */
                payoutId: components["parameters"]["payoutId"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["PayoutRetry"];
            };
        };
        responses: {
            /** @description The payout as it is now */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Payout"];
                };
            };
        };
    };
    settlePayout: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat with this key within 24 hours gets the first answer and has no second effect */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description Id of the payout */
                payoutId: components["parameters"]["payoutId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PayoutSettle"];
            };
        };
        responses: {
            /** @description The payout as it is now */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Payout"];
                };
            };
        };
    };
    returnPayout: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat with this key within 24 hours gets the first answer and has no second effect */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description Id of the payout */
                payoutId: components["parameters"]["payoutId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PayoutReturn"];
            };
        };
        responses: {
            /** @description The payout as it is now */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Payout"];
                };
            };
        };
    };
    listSettlements: {
        parameters: {
            query?: {
                /** @description Rows in one answer */
                limit?: components["parameters"]["limit"];
                /** @description `next_cursor` or `nextCursor` of the answer before; keep the filters the same */
                cursor?: components["parameters"]["cursor"];
            };
            header?: never;
            path: {
                /** @description The member */
                userId: components["parameters"]["userId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayoutList"];
                };
            };
        };
    };
    createSettlement: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat with this key within 24 hours gets the first answer and has no second effect */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description The member */
                userId: components["parameters"]["userId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SettlementCreate"];
            };
        };
        responses: {
            /** @description Entered: the payout, which is paid */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Payout"];
                };
            };
        };
    };
    exportPayoutRun: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the run */
                runId: components["parameters"]["runId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
        };
    };
    listTaxDocuments: {
        parameters: {
            query?: {
                /** @description Default all */
                currency?: components["parameters"]["currencyOfTrialBalance"];
            };
            header?: never;
            path: {
                /** @description The member */
                userId: components["parameters"]["userId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The documents */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TaxDocumentList"];
                };
            };
        };
    };
    getTaxDocumentPdf: {
        parameters: {
            query?: {
                /** @description The amounts in this currency; default the tenant's */
                currency?: components["parameters"]["currencyOfMemberLedger"];
            };
            header?: never;
            path: {
                /** @description The member */
                userId: components["parameters"]["userId"];
                /** @description Calendar year, in the reporting zone */
                year: components["parameters"]["year"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/pdf": string;
                };
            };
        };
    };
    getTaxDocumentCsv: {
        parameters: {
            query?: {
                /** @description The amounts in this currency; default the tenant's */
                currency?: components["parameters"]["currencyOfMemberLedger"];
            };
            header?: never;
            path: {
                /** @description The member */
                userId: components["parameters"]["userId"];
                /** @description Calendar year, in the reporting zone */
                year: components["parameters"]["year"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
        };
    };
    getMemberStatement: {
        parameters: {
            query?: {
                /** @description The amounts in this currency; default the tenant's */
                currency?: components["parameters"]["currencyOfMemberLedger"];
            };
            header?: never;
            path: {
                /** @description The member */
                userId: components["parameters"]["userId"];
                /** @description A month */
                period: components["parameters"]["period"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The statement */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemberStatement"];
                };
            };
        };
    };
    getMemberStatementPdf: {
        parameters: {
            query?: {
                /** @description The amounts in this currency; default the tenant's */
                currency?: components["parameters"]["currencyOfMemberLedger"];
            };
            header?: never;
            path: {
                /** @description The member */
                userId: components["parameters"]["userId"];
                /** @description A month */
                period: components["parameters"]["period"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/pdf": string;
                };
            };
        };
    };
    getMemberStatementCsv: {
        parameters: {
            query?: {
                /** @description The amounts in this currency; default the tenant's */
                currency?: components["parameters"]["currencyOfMemberLedger"];
            };
            header?: never;
            path: {
                /** @description The member */
                userId: components["parameters"]["userId"];
                /** @description A month */
                period: components["parameters"]["period"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
        };
    };
    listExports: {
        parameters: {
            query?: {
                /** @description Exports of this kind */
                kind?: components["schemas"]["ExportKind"];
                /** @description Exports in this status */
                status?: components["schemas"]["ExportStatus"];
                /** @description Rows in one answer */
                limit?: components["parameters"]["limit"];
                /** @description `next_cursor` or `nextCursor` of the answer before; keep the filters the same */
                cursor?: components["parameters"]["cursor"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExportList"];
                };
            };
        };
    };
    createExport: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat with this key within 24 hours gets the first answer and has no second effect */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ExportCreate"];
            };
        };
        responses: {
            /** @description Queued; `Location` names the export */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Export"];
                };
            };
        };
    };
    getExport: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The export */
                exportId: components["parameters"]["exportId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The export */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Export"];
                };
            };
        };
    };
    cancelExport: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat with this key within 24 hours gets the first answer and has no second effect */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description The export */
                exportId: components["parameters"]["exportId"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ExportCancel"];
            };
        };
        responses: {
            /** @description The export as it is now */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Export"];
                };
            };
        };
    };
    createExportDownloadUrl: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The export */
                exportId: components["parameters"]["exportId"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ExportDownloadUrlCreate"];
            };
        };
        responses: {
            /** @description The address */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExportDownloadUrl"];
                };
            };
        };
    };
    listAuthProviders: {
        parameters: {
            query?: {
                /** @description Rows in one answer */
                limit?: components["parameters"]["limit"];
                /** @description `next_cursor` or `nextCursor` of the answer before; keep the filters the same */
                cursor?: components["parameters"]["cursor"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthProviderList"];
                };
            };
        };
    };
    createAuthProvider: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat with this key within 24 hours gets the first answer and has no second effect */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AuthProviderCreate"];
            };
        };
        responses: {
            /** @description Added */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthProvider"];
                };
            };
            /** @description Nothing has changed yet: the request waits for another pair of hands */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangeWaiting"];
                };
            };
        };
    };
    getAuthProvider: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The `id` of the provider */
                authProviderId: components["parameters"]["authProviderId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The provider */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthProvider"];
                };
            };
        };
    };
    deleteAuthProvider: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat with this key within 24 hours gets the first answer and has no second effect */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description The `id` of the provider */
                authProviderId: components["parameters"]["authProviderId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Gone */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthProviderDeleted"];
                };
            };
        };
    };
    updateAuthProvider: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat with this key within 24 hours gets the first answer and has no second effect */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description The `id` of the provider */
                authProviderId: components["parameters"]["authProviderId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AuthProviderUpdate"];
            };
        };
        responses: {
            /** @description The provider as it is now */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthProvider"];
                };
            };
            /** @description Nothing has changed yet: the request waits for another pair of hands */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangeWaiting"];
                };
            };
        };
    };
    testAuthProvider: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat with this key within 24 hours gets the first answer and has no second effect */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description The `id` of the provider */
                authProviderId: components["parameters"]["authProviderId"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["AuthProviderTest"];
            };
        };
        responses: {
            /** @description It can be used */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthProviderTestResult"];
                };
            };
        };
    };
    listIdentities: {
        parameters: {
            query?: {
                /** @description Rows in one answer */
                limit?: components["parameters"]["limit"];
                /** @description `next_cursor` or `nextCursor` of the answer before; keep the filters the same */
                cursor?: components["parameters"]["cursor"];
            };
            header?: never;
            path: {
                /** @description The member */
                userId: components["parameters"]["userId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemberIdentityList"];
                };
            };
        };
    };
    linkIdentity: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat with this key within 24 hours gets the first answer and has no second effect */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description The member */
                userId: components["parameters"]["userId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["IdentityLink"];
            };
        };
        responses: {
            /** @description Linked already */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemberIdentity"];
                };
            };
            /** @description Linked */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemberIdentity"];
                };
            };
        };
    };
    unlinkIdentity: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat with this key within 24 hours gets the first answer and has no second effect */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description The member */
                userId: components["parameters"]["userId"];
                /** @description Id of the link */
                identityId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Unlinked */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdentityUnlinkResult"];
                };
            };
        };
    };
    exchangeToken: {
        parameters: {
            query?: never;
            header: {
                /** @description The tenant, by its id */
                "X-Tenant-ID": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TokenExchange"];
            };
        };
        responses: {
            /** @description A new session of the member */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TokenPair"];
                };
            };
        };
    };
    refreshTokens: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TokensRefresh"];
            };
        };
        responses: {
            /** @description The new pair */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TokenPair"];
                };
            };
        };
    };
    validateToken: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat with this key within 24 hours gets the first answer and has no second effect */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TokenValidate"];
            };
        };
        responses: {
            /** @description What the token says, or `active: false` alone */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TokenState"];
                };
            };
        };
    };
    revokeToken: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat with this key within 24 hours gets the first answer and has no second effect */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TokenRevoke"];
            };
        };
        responses: {
            /** @description The token is good for nothing, now or already */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TokenRevokeResult"];
                };
            };
        };
    };
    revokeAllTokens: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat with this key within 24 hours gets the first answer and has no second effect */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AllTokensRevoke"];
            };
        };
        responses: {
            /** @description The member has no session any more */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AllTokensRevokeResult"];
                };
            };
        };
    };
    getSandboxClock: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The reading */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SandboxClock"];
                };
            };
        };
    };
    moveSandboxClock: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat with this key within 24 hours gets the first answer and has no second effect */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SandboxClockMove"];
            };
        };
        responses: {
            /** @description The new reading */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SandboxClock"];
                };
            };
        };
    };
    resetSandbox: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat with this key within 24 hours gets the first answer and has no second effect */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["SandboxReset"];
            };
        };
        responses: {
            /** @description Erased */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SandboxErasure"];
                };
            };
        };
    };
    sendVendorEvent: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat with this key within 24 hours gets the first answer and has no second effect */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["VendorEventSend"];
            };
        };
        responses: {
            /** @description The event was received */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VendorEventSendResult"];
                };
            };
        };
    };
    listApiKeys: {
        parameters: {
            query?: {
                /** @description Rows in one answer */
                limit?: components["parameters"]["limit"];
                /** @description `next_cursor` or `nextCursor` of the answer before; keep the filters the same */
                cursor?: components["parameters"]["cursor"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeyList"];
                };
            };
        };
    };
    createApiKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat with this key within 24 hours gets the first answer and has no second effect */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ApiKeyCreate"];
            };
        };
        responses: {
            /** @description Created; `apiKey` is shown this once */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedApiKey"];
                };
            };
        };
    };
    revokeApiKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat with this key within 24 hours gets the first answer and has no second effect */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description Id of the key */
                keyId: components["parameters"]["keyId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The key as it is now */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKey"];
                };
            };
        };
    };
    updateApiKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat with this key within 24 hours gets the first answer and has no second effect */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description Id of the key */
                keyId: components["parameters"]["keyId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ApiKeyUpdate"];
            };
        };
        responses: {
            /** @description The key as it is now */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKey"];
                };
            };
        };
    };
    rollApiKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat with this key within 24 hours gets the first answer and has no second effect */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description Id of the key */
                keyId: components["parameters"]["keyId"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ApiKeyRoll"];
            };
        };
        responses: {
            /** @description Created; `apiKey` is shown this once */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RolledApiKey"];
                };
            };
        };
    };
    getSettings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The settings */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Settings"];
                };
            };
        };
    };
    updateSettings: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat with this key within 24 hours gets the first answer and has no second effect */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SettingsUpdate"];
            };
        };
        responses: {
            /** @description The settings as they are now */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Settings"];
                };
            };
            /** @description Nothing has changed yet: the request waits for another pair of hands */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangeWaiting"];
                };
            };
        };
    };
    createWidgetToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WidgetTokenCreate"];
            };
        };
        responses: {
            /** @description Begun */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WidgetToken"];
                };
            };
        };
    };
    refreshWidgetToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WidgetTokenRefresh"];
            };
        };
        responses: {
            /** @description Another token */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WidgetToken"];
                };
            };
        };
    };
    endWidgetSession: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat with this key within 24 hours gets the first answer and has no second effect */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                /** @description Id of the session */
                sessionId: components["parameters"]["sessionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Ended */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WidgetSessionEndResult"];
                };
            };
        };
    };
    onWebhookEndpointDisabled: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same in every attempt */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When the attempt was made, in seconds since 1970 */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description `v1,` and a signature in base64; during the overlap of a rotation two, separated by a space */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookEndpointDisabledEvent"];
            };
        };
        responses: never;
    };
    onMemberCreated: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same in every attempt */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When the attempt was made, in seconds since 1970 */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description `v1,` and a signature in base64; during the overlap of a rotation two, separated by a space */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MemberCreatedEvent"];
            };
        };
        responses: never;
    };
    onMemberUpdated: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same in every attempt */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When the attempt was made, in seconds since 1970 */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description `v1,` and a signature in base64; during the overlap of a rotation two, separated by a space */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MemberUpdatedEvent"];
            };
        };
        responses: never;
    };
    onMemberEmailChanged: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same in every attempt */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When the attempt was made, in seconds since 1970 */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description `v1,` and a signature in base64; during the overlap of a rotation two, separated by a space */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MemberEmailChangedEvent"];
            };
        };
        responses: never;
    };
    onMemberMoved: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same in every attempt */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When the attempt was made, in seconds since 1970 */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description `v1,` and a signature in base64; during the overlap of a rotation two, separated by a space */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MemberMovedEvent"];
            };
        };
        responses: never;
    };
    onMemberDeactivated: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same in every attempt */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When the attempt was made, in seconds since 1970 */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description `v1,` and a signature in base64; during the overlap of a rotation two, separated by a space */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MemberDeactivatedEvent"];
            };
        };
        responses: never;
    };
    onGroupChanged: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same in every attempt */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When the attempt was made, in seconds since 1970 */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description `v1,` and a signature in base64; during the overlap of a rotation two, separated by a space */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["GroupChangedEvent"];
            };
        };
        responses: never;
    };
    onMemberErased: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same in every attempt */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When the attempt was made, in seconds since 1970 */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description `v1,` and a signature in base64; during the overlap of a rotation two, separated by a space */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MemberErasedEvent"];
            };
        };
        responses: never;
    };
    onCommissionsCreated: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same in every attempt */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When the attempt was made, in seconds since 1970 */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description `v1,` and a signature in base64; during the overlap of a rotation two, separated by a space */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CommissionsCreatedEvent"];
            };
        };
        responses: never;
    };
    onCommissionsCleared: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same in every attempt */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When the attempt was made, in seconds since 1970 */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description `v1,` and a signature in base64; during the overlap of a rotation two, separated by a space */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CommissionsClearedEvent"];
            };
        };
        responses: never;
    };
    onCommissionsReversed: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same in every attempt */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When the attempt was made, in seconds since 1970 */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description `v1,` and a signature in base64; during the overlap of a rotation two, separated by a space */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CommissionsReversedEvent"];
            };
        };
        responses: never;
    };
    onCommissionHeld: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same in every attempt */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When the attempt was made, in seconds since 1970 */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description `v1,` and a signature in base64; during the overlap of a rotation two, separated by a space */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CommissionHeldEvent"];
            };
        };
        responses: never;
    };
    onCommissionReleased: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same in every attempt */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When the attempt was made, in seconds since 1970 */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description `v1,` and a signature in base64; during the overlap of a rotation two, separated by a space */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CommissionReleasedEvent"];
            };
        };
        responses: never;
    };
    onCommissionVoided: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same in every attempt */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When the attempt was made, in seconds since 1970 */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description `v1,` and a signature in base64; during the overlap of a rotation two, separated by a space */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CommissionVoidedEvent"];
            };
        };
        responses: never;
    };
    onEventPurchaseRecorded: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same in every attempt */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When the attempt was made, in seconds since 1970 */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description `v1,` and a signature in base64; during the overlap of a rotation two, separated by a space */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EventPurchaseRecordedEvent"];
            };
        };
        responses: never;
    };
    onEventRefunded: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same in every attempt */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When the attempt was made, in seconds since 1970 */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description `v1,` and a signature in base64; during the overlap of a rotation two, separated by a space */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EventRefundedEvent"];
            };
        };
        responses: never;
    };
    onEventDisputed: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same in every attempt */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When the attempt was made, in seconds since 1970 */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description `v1,` and a signature in base64; during the overlap of a rotation two, separated by a space */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EventDisputedEvent"];
            };
        };
        responses: never;
    };
    onLadderSettled: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same in every attempt */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When the attempt was made, in seconds since 1970 */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description `v1,` and a signature in base64; during the overlap of a rotation two, separated by a space */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LadderSettledEvent"];
            };
        };
        responses: never;
    };
    onEventCommissionRecorded: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same in every attempt */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When the attempt was made, in seconds since 1970 */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description `v1,` and a signature in base64; during the overlap of a rotation two, separated by a space */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EventCommissionRecordedEvent"];
            };
        };
        responses: never;
    };
    onRateOverrideChanged: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same in every attempt */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When the attempt was made, in seconds since 1970 */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description `v1,` and a signature in base64; during the overlap of a rotation two, separated by a space */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RateOverrideChangedEvent"];
            };
        };
        responses: never;
    };
    onLeadCaptured: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same in every attempt */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When the attempt was made, in seconds since 1970 */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description `v1,` and a signature in base64; during the overlap of a rotation two, separated by a space */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LeadCapturedEvent"];
            };
        };
        responses: never;
    };
    onLeadUpdated: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same in every attempt */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When the attempt was made, in seconds since 1970 */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description `v1,` and a signature in base64; during the overlap of a rotation two, separated by a space */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LeadUpdatedEvent"];
            };
        };
        responses: never;
    };
    onLeadConverted: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same in every attempt */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When the attempt was made, in seconds since 1970 */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description `v1,` and a signature in base64; during the overlap of a rotation two, separated by a space */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LeadConvertedEvent"];
            };
        };
        responses: never;
    };
    onLeadExpired: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same in every attempt */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When the attempt was made, in seconds since 1970 */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description `v1,` and a signature in base64; during the overlap of a rotation two, separated by a space */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LeadExpiredEvent"];
            };
        };
        responses: never;
    };
    onImportCompleted: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same in every attempt */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When the attempt was made, in seconds since 1970 */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description `v1,` and a signature in base64; during the overlap of a rotation two, separated by a space */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ImportCompletedEvent"];
            };
        };
        responses: never;
    };
    onImportFailed: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same in every attempt */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When the attempt was made, in seconds since 1970 */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description `v1,` and a signature in base64; during the overlap of a rotation two, separated by a space */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ImportFailedEvent"];
            };
        };
        responses: never;
    };
    onLedgerFaultFound: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same in every attempt */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When the attempt was made, in seconds since 1970 */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description `v1,` and a signature in base64; during the overlap of a rotation two, separated by a space */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LedgerFaultFoundEvent"];
            };
        };
        responses: never;
    };
    onKycStarted: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same in every attempt */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When the attempt was made, in seconds since 1970 */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description `v1,` and a signature in base64; during the overlap of a rotation two, separated by a space */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["KycStartedEvent"];
            };
        };
        responses: never;
    };
    onKycSubmitted: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same in every attempt */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When the attempt was made, in seconds since 1970 */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description `v1,` and a signature in base64; during the overlap of a rotation two, separated by a space */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["KycSubmittedEvent"];
            };
        };
        responses: never;
    };
    onKycApproved: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same in every attempt */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When the attempt was made, in seconds since 1970 */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description `v1,` and a signature in base64; during the overlap of a rotation two, separated by a space */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["KycApprovedEvent"];
            };
        };
        responses: never;
    };
    onKycRejected: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same in every attempt */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When the attempt was made, in seconds since 1970 */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description `v1,` and a signature in base64; during the overlap of a rotation two, separated by a space */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["KycRejectedEvent"];
            };
        };
        responses: never;
    };
    onKycResubmitRequired: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same in every attempt */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When the attempt was made, in seconds since 1970 */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description `v1,` and a signature in base64; during the overlap of a rotation two, separated by a space */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["KycResubmitRequiredEvent"];
            };
        };
        responses: never;
    };
    onKycExpired: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same in every attempt */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When the attempt was made, in seconds since 1970 */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description `v1,` and a signature in base64; during the overlap of a rotation two, separated by a space */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["KycExpiredEvent"];
            };
        };
        responses: never;
    };
    onKycUpdated: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same in every attempt */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When the attempt was made, in seconds since 1970 */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description `v1,` and a signature in base64; during the overlap of a rotation two, separated by a space */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["KycUpdatedEvent"];
            };
        };
        responses: never;
    };
    onPayoutRunDrafted: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same in every attempt */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When the attempt was made, in seconds since 1970 */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description `v1,` and a signature in base64; during the overlap of a rotation two, separated by a space */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PayoutRunDraftedEvent"];
            };
        };
        responses: never;
    };
    onPayoutRunApproved: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same in every attempt */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When the attempt was made, in seconds since 1970 */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description `v1,` and a signature in base64; during the overlap of a rotation two, separated by a space */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PayoutRunApprovedEvent"];
            };
        };
        responses: never;
    };
    onPayoutRunExecuted: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same in every attempt */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When the attempt was made, in seconds since 1970 */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description `v1,` and a signature in base64; during the overlap of a rotation two, separated by a space */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PayoutRunExecutedEvent"];
            };
        };
        responses: never;
    };
    onPayoutRunCompleted: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same in every attempt */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When the attempt was made, in seconds since 1970 */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description `v1,` and a signature in base64; during the overlap of a rotation two, separated by a space */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PayoutRunCompletedEvent"];
            };
        };
        responses: never;
    };
    onPayoutRunCancelled: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same in every attempt */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When the attempt was made, in seconds since 1970 */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description `v1,` and a signature in base64; during the overlap of a rotation two, separated by a space */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PayoutRunCancelledEvent"];
            };
        };
        responses: never;
    };
    onPayoutRunUpdated: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same in every attempt */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When the attempt was made, in seconds since 1970 */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description `v1,` and a signature in base64; during the overlap of a rotation two, separated by a space */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PayoutRunUpdatedEvent"];
            };
        };
        responses: never;
    };
    onPayoutsDrafted: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same in every attempt */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When the attempt was made, in seconds since 1970 */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description `v1,` and a signature in base64; during the overlap of a rotation two, separated by a space */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PayoutsDraftedEvent"];
            };
        };
        responses: never;
    };
    onPayoutsCancelled: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same in every attempt */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When the attempt was made, in seconds since 1970 */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description `v1,` and a signature in base64; during the overlap of a rotation two, separated by a space */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PayoutsCancelledEvent"];
            };
        };
        responses: never;
    };
    onPayoutsUpdated: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same in every attempt */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When the attempt was made, in seconds since 1970 */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description `v1,` and a signature in base64; during the overlap of a rotation two, separated by a space */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PayoutsUpdatedEvent"];
            };
        };
        responses: never;
    };
    onPayoutProcessing: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same in every attempt */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When the attempt was made, in seconds since 1970 */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description `v1,` and a signature in base64; during the overlap of a rotation two, separated by a space */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PayoutProcessingEvent"];
            };
        };
        responses: never;
    };
    onPayoutPaid: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same in every attempt */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When the attempt was made, in seconds since 1970 */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description `v1,` and a signature in base64; during the overlap of a rotation two, separated by a space */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PayoutPaidEvent"];
            };
        };
        responses: never;
    };
    onPayoutFailed: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same in every attempt */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When the attempt was made, in seconds since 1970 */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description `v1,` and a signature in base64; during the overlap of a rotation two, separated by a space */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PayoutFailedEvent"];
            };
        };
        responses: never;
    };
    onPayoutReturned: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same in every attempt */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When the attempt was made, in seconds since 1970 */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description `v1,` and a signature in base64; during the overlap of a rotation two, separated by a space */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PayoutReturnedEvent"];
            };
        };
        responses: never;
    };
    onPayoutCancelled: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same in every attempt */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When the attempt was made, in seconds since 1970 */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description `v1,` and a signature in base64; during the overlap of a rotation two, separated by a space */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PayoutCancelledEvent"];
            };
        };
        responses: never;
    };
    onPayoutQueued: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same in every attempt */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When the attempt was made, in seconds since 1970 */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description `v1,` and a signature in base64; during the overlap of a rotation two, separated by a space */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PayoutQueuedEvent"];
            };
        };
        responses: never;
    };
    onPayoutUpdated: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same in every attempt */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When the attempt was made, in seconds since 1970 */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description `v1,` and a signature in base64; during the overlap of a rotation two, separated by a space */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PayoutUpdatedEvent"];
            };
        };
        responses: never;
    };
    onPayoutAccountCreated: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same in every attempt */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When the attempt was made, in seconds since 1970 */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description `v1,` and a signature in base64; during the overlap of a rotation two, separated by a space */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PayoutAccountCreatedEvent"];
            };
        };
        responses: never;
    };
    onPayoutAccountActivated: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same in every attempt */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When the attempt was made, in seconds since 1970 */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description `v1,` and a signature in base64; during the overlap of a rotation two, separated by a space */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PayoutAccountActivatedEvent"];
            };
        };
        responses: never;
    };
    onPayoutAccountActionRequired: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same in every attempt */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When the attempt was made, in seconds since 1970 */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description `v1,` and a signature in base64; during the overlap of a rotation two, separated by a space */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PayoutAccountActionRequiredEvent"];
            };
        };
        responses: never;
    };
    onPayoutAccountRejected: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same in every attempt */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When the attempt was made, in seconds since 1970 */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description `v1,` and a signature in base64; during the overlap of a rotation two, separated by a space */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PayoutAccountRejectedEvent"];
            };
        };
        responses: never;
    };
    onPayoutAccountPrimaryChanged: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same in every attempt */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When the attempt was made, in seconds since 1970 */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description `v1,` and a signature in base64; during the overlap of a rotation two, separated by a space */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PayoutAccountPrimaryChangedEvent"];
            };
        };
        responses: never;
    };
    onPayoutAccountDeactivated: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same in every attempt */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When the attempt was made, in seconds since 1970 */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description `v1,` and a signature in base64; during the overlap of a rotation two, separated by a space */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PayoutAccountDeactivatedEvent"];
            };
        };
        responses: never;
    };
    onPayoutAccountUpdated: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same in every attempt */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When the attempt was made, in seconds since 1970 */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description `v1,` and a signature in base64; during the overlap of a rotation two, separated by a space */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PayoutAccountUpdatedEvent"];
            };
        };
        responses: never;
    };
    onSettingsChanged: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same in every attempt */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When the attempt was made, in seconds since 1970 */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description `v1,` and a signature in base64; during the overlap of a rotation two, separated by a space */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SettingsChangedEvent"];
            };
        };
        responses: never;
    };
    onApiKeyCreated: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same in every attempt */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When the attempt was made, in seconds since 1970 */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description `v1,` and a signature in base64; during the overlap of a rotation two, separated by a space */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ApiKeyCreatedEvent"];
            };
        };
        responses: never;
    };
    onApiKeyRevoked: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same in every attempt */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description When the attempt was made, in seconds since 1970 */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description `v1,` and a signature in base64; during the overlap of a rotation two, separated by a space */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ApiKeyRevokedEvent"];
            };
        };
        responses: never;
    };
}
