/** A tenant as an operator makes one, with a key for its backend. */
import type { DrillCluster } from './cluster.ts';
import type { DrillKit } from './kit.ts';

/** In a migrated database; the key is of LIVE and may do everything. */
export async function newShop(
  kit: DrillKit,
  cluster: DrillCluster,
  name = 'Drill shop',
): Promise<{ tenantId: string; keyId: string; apiKey: string }> {
  const { tenantId } = await kit.cliJson<{ tenantId: string }>(cluster, ['tenant', 'create', '--name', name]);
  const words = ['key', 'create', '--tenant', tenantId, '--environment', 'live'];
  return { tenantId, ...(await kit.cliJson<{ keyId: string; apiKey: string }>(cluster, words)) };
}
