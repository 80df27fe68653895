/** What is held of rates that were agreed with a member: the figures stay, what was written of why goes. */
import { z } from 'zod';
import { statement } from '../../db/query.ts';
import { tenantTable } from '../../db/tenant-table.ts';
import { byId, exportList, ofMember, type Personal, utc } from '../../house/personal.ts';
import { timestamp, uuid } from '../../http/schemas.ts';

const eraseReasons = statement<unknown, { memberId: string }>('erasure_rate_reasons', ({ memberId }) =>
  tenantTable('rate_override')().where({ member_id: memberId }).whereNotNull('reason').update({ reason: null }),
);

export const ratesPersonal: Personal = {
  erase: [(scope, { memberId }) => eraseReasons(scope, { memberId })],
  exported: [
    {
      name: 'rateOverrides',
      schema: z
        .array(
          z.object({
            id: uuid,
            target: z.string().meta({ description: '`link`, `code` or `member`' }),
            targetId: uuid.meta({ description: 'The link, the code or the member' }),
            level: z.int(),
            items: z.unknown().nullable().meta({ description: 'Products that it is for; null: all' }),
            pay: z.unknown().nullable().meta({ description: 'What is paid; null: it ends' }),
            validFrom: timestamp.meta({ description: 'From when it counts' }),
            recordedAt: timestamp,
            reason: z.string().nullable(),
          }),
        )
        .meta({ description: 'Rates that were agreed; one without `pay` ends what was agreed before' }),
      list: exportList(
        'export_rate_overrides',
        byId('o'),
        {
          id: 'o.id',
          target: 'o.target',
          targetId: 'o.target_id',
          level: 'o.level',
          items: 'o.items',
          pay: 'o.pay',
          validFrom: utc('o.valid_from'),
          recordedAt: utc('o.recorded_at'),
          reason: 'o.reason',
        },
        `rate_override o ${ofMember('o', 'member_id')}`,
      ),
    },
  ],
};
