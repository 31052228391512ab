// Connections to the one of several servers that takes writes. After a failover that is another one, and the next
// connection finds it: nothing is restarted.
import pg from 'pg';

export interface ServerPool {
  connect(): Promise<pg.PoolClient>;
  query(text: string, params?: unknown[]): Promise<pg.QueryResult>;
  end(): Promise<void>;
}

/** As PostgreSQL answers a statement that would write. */
const READ_ONLY = '25006';

/** `standby`: a server that takes no writes will do as well. */
export function openServerPool(
  addresses: readonly string[],
  options: pg.PoolConfig,
  standby = false,
): ServerPool {
  const pools = addresses.map((connectionString) => {
    const onConnect = standby ? {} : { onConnect: refuseStandby };
    const pool = new pg.Pool({ ...options, ...onConnect, connectionString });
    // A connection that breaks without a listener ends the process. The pool listens to idle ones only, so each gets a
    // listener for good; the next query opens a new one.
    pool.on('error', () => undefined);
    pool.on('connect', (client) => client.on('error', () => undefined));
    return pool;
  });
  let current = 0;
  const connect = async (): Promise<pg.PoolClient> => {
    let failure: unknown;
    for (const _ of pools) {
      const asked = current;
      try {
        return await (pools[asked] as pg.Pool).connect();
      } catch (error) {
        failure ??= error;
        // Another call may have gone on to the next one meanwhile.
        if (current === asked) current = (asked + 1) % pools.length;
      }
    }
    throw failure;
  };
  return {
    connect,
    query: async (text, params) => {
      const client = await connect();
      try {
        const result = await client.query(text, params);
        client.release();
        return result;
      } catch (error) {
        client.release(error as Error);
        throw error;
      }
    },
    end: async () => {
      await Promise.all(pools.map((pool) => pool.end()));
    },
  };
}

/** A standby would answer with what it has, however old, and refuse every write. */
export async function refuseStandby(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ standby: boolean }>('select pg_is_in_recovery() as standby');
  if (rows[0]?.standby)
    throw Object.assign(new Error('the server is a standby: it takes no writes'), { code: READ_ONLY });
}
