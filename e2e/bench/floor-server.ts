import { PGlite } from '@electric-sql/pglite';
import Fastify from 'fastify';
import { Pool } from 'pg';

/**
 * The floor for the service, measured in the same run: a bare Fastify route that returns JSON, and one that runs the
 * statements of a create in one transaction, on the embedded database or on the PostgreSQL of DATABASE_URL.
 */
const SCHEMA = `
  create table accounts (id text primary key, available bigint not null);
  insert into accounts values ('org', 1000000000000);
  create table generations (id text primary key, input jsonb not null, status text not null);
  create table entries (id text primary key, seq bigint not null, amount bigint not null, available bigint not null);
`;

type Query = (text: string, values: unknown[]) => Promise<unknown>;

async function openDatabase(): Promise<(act: (query: Query) => Promise<void>) => Promise<void>> {
  const connectionString = process.env['DATABASE_URL'];
  if (connectionString === undefined) {
    const lite = await PGlite.create();
    await lite.exec(SCHEMA);
    return (act) => lite.transaction((tx) => act((text, values) => tx.query(text, values)));
  }
  const pool = new Pool({ connectionString, max: 16 });
  await pool.query(SCHEMA);
  return async (act) => {
    const client = await pool.connect();
    try {
      await client.query('begin');
      await act((text, values) => client.query(text, values));
      await client.query('commit');
    } finally {
      client.release();
    }
  };
}

const transact = await openDatabase();
let count = 0;

const app = Fastify();
app.post('/echo', async (request) => request.body);
app.post('/transaction', async (request, reply) => {
  const id = `gen_${(count += 1)}`;
  const seq = count;
  await transact(async (query) => {
    await query('select available from accounts where id = $1 for update', ['org']);
    await query('insert into generations values ($1, $2, $3)', [id, JSON.stringify(request.body), 'queued']);
    await query('update accounts set available = available - $2 where id = $1', ['org', 30_000]);
    await query('insert into entries values ($1, $2, $3, $4)', [id, seq, -30_000, 0]);
  });
  reply.status(201);
  return { id };
});
const url = await app.listen({ port: 0, host: '127.0.0.1' });
process.stdout.write(`listening ${url}\n`);
