import { PGlite } from '@electric-sql/pglite';
import Fastify from 'fastify';

/**
 * The floor for the service, measured in the same run: a bare Fastify route that returns JSON, and one that runs the
 * statements of a create in one transaction on the embedded database.
 */
const lite = await PGlite.create();
await lite.exec(`
  create table accounts (id text primary key, available bigint not null);
  insert into accounts values ('org', 1000000000000);
  create table generations (id text primary key, input jsonb not null, status text not null);
  create table entries (id text primary key, seq bigint not null, amount bigint not null, available bigint not null);
`);
let count = 0;

const app = Fastify();
app.post('/echo', async (request) => request.body);
app.post('/transaction', async (request, reply) => {
  const id = `gen_${(count += 1)}`;
  await lite.transaction(async (tx) => {
    await tx.query('select available from accounts where id = $1 for update', ['org']);
    await tx.query('insert into generations values ($1, $2, $3)', [id, JSON.stringify(request.body), 'queued']);
    await tx.query('update accounts set available = available - $2 where id = $1', ['org', 30_000]);
    await tx.query('insert into entries values ($1, $2, $3, $4)', [id, count, -30_000, 0]);
  });
  reply.status(201);
  return { id };
});
const url = await app.listen({ port: 0, host: '127.0.0.1' });
process.stdout.write(`listening ${url}\n`);
