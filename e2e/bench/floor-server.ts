import { PGlite } from '@electric-sql/pglite';
import Fastify from 'fastify';

/**
 * The floor for the service, measured in the same run: a bare Fastify route that returns JSON and, with `FLOOR_FOLDER`,
 * one that stores the rows of a create in one transaction: in an embedded database in that folder, or in the
 * PostgreSQL of `DATABASE_URL`, for `FLOOR_ORGANIZATIONS` in turn.
 */
const folder = process.env['FLOOR_FOLDER'];
const databaseUrl = process.env['DATABASE_URL'] ?? null;

const app = Fastify();
app.post('/echo', async (request) => request.body);
if (folder === undefined) {
  await PGlite.create();
} else {
  const { openFloorTransaction } = await import('./floor-transaction.ts');
  const organizations = Number(process.env['FLOOR_ORGANIZATIONS'] ?? 1);
  const store = await openFloorTransaction(databaseUrl, folder, organizations);
  app.post<{ Body: { input: Record<string, unknown> } }>('/transaction', async ({ body }, reply) => {
    const id = await store(body.input);
    reply.status(201);
    return { id };
  });
}
const url = await app.listen({ port: 0, host: '127.0.0.1' });
process.stdout.write(`listening ${url}\n`);
