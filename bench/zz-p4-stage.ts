import { appendFileSync, existsSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { loadBigTree } from './big-tree.ts';
import { countDownlines } from './load.ts';
import { openStage } from './stage.ts';
const say = (l: string) => { console.log(new Date().toISOString(), l); };
const stage = await openStage();
say(`superuser ${stage.superuserUrl}`);
say(`urls ${JSON.stringify(stage.urls)}`);
const a = await loadBigTree(stage, 1_000_000, say);
say(JSON.stringify({ a: a.tenantId, key: a.apiKey, root: a.idOf(0), mid: a.idOf(60), deep: a.idOf(3000) }));
const b = await loadBigTree(stage, 1_000_000, say);
await stage.sql('set session_replication_role = replica');
await stage.sql(`update member set parent_id = $2 where tenant_id = $1 and id in (
  select id from (select id, row_number() over (order by id) as n from member where tenant_id = $1) x where n > 3000 and n % 10 = 0)`, [b.tenantId, b.idOf(0)]);
await stage.sql('set session_replication_role = origin');
await countDownlines(stage, b);
await stage.sql('vacuum (analyze) member, downline_count');
say(JSON.stringify({ b: b.tenantId, key: b.apiKey, root: b.idOf(0) }));
writeFileSync('/tmp/p4/loaded', '');
for (;;) {
  await sleep(500);
  if (existsSync('/tmp/p4/start')) { rmSync('/tmp/p4/start'); try { say(`service ${await stage.startService()}`); } catch (e) { say(String(e)); } }
  if (existsSync('/tmp/p4/stop')) break;
}
await stage.close();
