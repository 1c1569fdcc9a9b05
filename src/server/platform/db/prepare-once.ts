import type { Db } from './db.ts';

/** Builds a query once for each database, because building one takes longer than many queries run. */
export function prepareOnce<Query>(build: (db: Db) => Query): (db: Db) => Query {
  const queries = new WeakMap<Db, Query>();
  return (db) => {
    const known = queries.get(db);
    if (known) return known;
    const query = build(db);
    queries.set(db, query);
    return query;
  };
}
