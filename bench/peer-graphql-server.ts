/**
 * A peer of read: PostGraphile 5 with its usual preset, as a deployment of several tenants runs it: it connects as the service
 * does, each request says its tenant by settings that row-level security reads, nothing is watched or explained, and there
 * is no console. It looks at no key and writes no log line. Its settings are the first message.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { postgraphile } from 'postgraphile';
import { TYPES } from 'postgraphile/@dataplan/pg';
import { makePgService } from 'postgraphile/adaptors/pg';
import { grafserv } from 'postgraphile/grafserv/node';
import { PostGraphileAmberPreset } from 'postgraphile/presets/amber';

export interface PeerGraphqlSettings {
  port: number;
  databaseUrl: string;
  poolSize: number;
  tenantId: string;
  environment: 'LIVE' | 'SANDBOX';
}

/** A type of system columns that the preset does not know, and says so at length. */
const TransactionIds: GraphileConfig.Plugin = {
  name: 'TransactionIds',
  gather: {
    hooks: {
      pgCodecs_findPgCodec(_info, event) {
        if (event.pgType.typname === 'xid8') event.pgCodec = TYPES.text;
      },
    },
  },
};

const [settings] = (await once(process, 'message')) as [PeerGraphqlSettings];
const { port, databaseUrl, poolSize, tenantId, environment } = settings;
const pgSettings = { 'app.tenant_id': tenantId, 'app.environment': environment, 'app.member_id': '' };
const instance = postgraphile({
  extends: [PostGraphileAmberPreset],
  plugins: [TransactionIds],
  pgServices: [
    makePgService({
      connectionString: databaseUrl,
      schemas: ['public'],
      poolConfig: { min: poolSize, max: poolSize },
      pubsub: false,
    }),
  ],
  grafserv: { graphqlPath: '/graphql', watch: false, graphiql: false, outputDataAsString: true },
  grafast: { explain: false, context: () => ({ pgSettings }) },
});
const server = createServer();
await instance.createServ(grafserv).addTo(server);
// Drawn from the database before anybody asks.
await instance.getSchema();
server.listen(port, '127.0.0.1', () => process.send?.('ready'));
