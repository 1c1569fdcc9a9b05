import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sql } from 'drizzle-orm';
import { pino } from 'pino';
import { systemClock } from '#server/platform/core/clock.ts';
import { readConfig } from '#server/platform/core/settings/config.ts';
import { type Database, openPglite, openPostgres } from '#server/platform/db/open-database.ts';
import { listMedia } from '#server/studio/library/list-media.ts';
import { idTime } from '#server/app/testing/history-sql.ts';
import { createSecrets } from '#server/platform/core/secrets.ts';
import { type PageTimes, measureSideBySide } from './measure-side-by-side.ts';

const FEW = 10_000;
const MANY = 100_000;
const ORGANIZATION = 'org_bench';

type Query = Omit<Parameters<typeof listMedia>[2], 'limit' | 'cursor'>;

/** Every filter, frequent and rare, and typical combinations; times relative to item `n`. */
const queriesAt = (size: number): Record<string, Query> => ({
  all: {},
  type: { type: 'video' },
  'type, rare': { type: 'audio' },
  uploads: { origin: 'upload' },
  outputs: { origin: 'generated' },
  task: { task: 'image.edit' },
  'task, none': { task: 'social.search' },
  model: { model: 'imgmodel-b-pro' },
  'model, rare': { model: 'vidmodel-c-2' },
  favourites: { favourite: 'true' },
  'favourites, type': { favourite: 'true', type: 'image' },
  'not favourites': { favourite: 'false' },
  times: { created_after: timeOf(size * 0.3), created_before: timeOf(size * 0.5) },
  'times, task': { created_before: timeOf(size * 0.3), task: 'image.create' },
  'word in all': { q: 'everywhere' },
  'word, frequent': { q: 'w0' },
  'word, rare': { q: 'rare7' },
  'word, none': { q: 'nowhere' },
  'word, only old': { q: 'ancient' },
  'start of words': { q: 'w1' },
  'start of all words': { q: 'w' },
  'words together': { q: 'w3 everywhere w17' },
  'file name': { q: 'img_4711' },
  'word, task': { q: 'w2', task: 'image.edit' },
});

const START_MS = Date.UTC(2026, 0, 1);
const SECONDS_APART = 20;
const timeOf = (item: number): string => new Date(START_MS + Math.floor(item) * SECONDS_APART * 1000).toISOString();

/** Inserts items 1 to `to`: nine outputs for each upload. Prompts have 25 words, some frequent and most rare. */
async function fill({ db }: Database, to: number): Promise<void> {
  const time = sql`${new Date(START_MS).toISOString()}::timestamptz + s * interval '1 second' * ${SECONDS_APART}::int`;
  const id = (prefix: string) => sql`${sql.raw(`'${prefix}_'`)} || ${idTime(sql`(${time})`)} || lpad(s::text, 16, '0')`;
  const task = sql.raw(`(array['image.create', 'image.create', 'image.edit', 'video.create'])[s % 4 + 1]`);
  const model = sql.raw(`case when s % 997 = 0 then 'vidmodel-c-2'
    else (array['imgmodel-a-2', 'imgmodel-b-pro', 'imgmodel-b-2', 'omni-video'])[s % 4 + 1] end`);
  const prompt = sql.raw(`'everywhere ' || case when s % 5000 = 7 then 'rare7 ' else '' end
    || case when s < ${to / 10} then 'ancient ' else '' end
    || (select string_agg('w' || floor(power((hashint4(s * 31 + k) & 1023) / 1024.0, 3) * 4000), ' ') from generate_series(1, 25) k)`);
  const items = sql`generate_series(1, ${to}::int) s`;
  const outputs = sql`from ${items} where s % 10 <> 0`;
  const file = sql`'image/png', 'k' || s, 1, 'x'`;
  await db.execute(sql`insert into generations (id, organization_id, task, model, status, input, amount_micro_usd, line_items,
      billing_status, chain_id, created_by, created_at, updated_at)
    select ${id('gen')}, ${ORGANIZATION}, ${task}, ${model}, 'succeeded', jsonb_build_object('prompt', ${prompt}), 0, '[]',
      'settled', 'x' || s, 'key_bench', ${time}, ${time} ${outputs}`);
  await db.execute(sql`insert into assets (id, organization_id, generation_id, task, model, position, type, mime_type, storage_key,
      size_bytes, sha256, favourite, created_at)
    select ${id('ast')}, ${ORGANIZATION}, ${id('gen')}, ${task}, ${model}, 0,
      case when s % 1009 = 0 then 'audio' when s % 4 = 3 then 'video' else 'image' end, ${file}, s % 101 = 0, ${time} ${outputs}`);
  await db.execute(sql`insert into generation_words
    select id, to_tsvector('simple', input->>'prompt') from generations`);
  await db.execute(sql`insert into uploads (id, organization_id, created_by, filename, type, mime_type, storage_key, size_bytes,
      sha256, created_at)
    select ${id('upl')}, ${ORGANIZATION}, 'key_bench', 'IMG_' || s || '1.png', 'image', ${file}, ${time}
    from ${items} where s % 10 = 0`);
  await db.execute(sql`insert into upload_words
    select id, to_tsvector('simple', replace(lower(filename), '_', ' ')) from uploads`);
  await db.execute(sql`vacuum analyze`);
}

async function openDatabase(database: Database, size: number): Promise<Database> {
  const { db } = database;
  await db.execute(sql`insert into organizations values (${ORGANIZATION}, 'Bench', now())`);
  await db.execute(sql`insert into api_keys (id, organization_id, name, kind, secret_sha256, created_at)
    values ('key_bench', ${ORGANIZATION}, 'Bench', 'organization', 'x', now())`);
  await fill(database, size);
  return database;
}

/**
 * Measures a filtered page of a library of 100,000 items and of 10,000, alternating: milliseconds by filter.
 * @param urls two empty PostgreSQL databases; PGlite otherwise
 */
export async function measureLibrary(urls?: readonly [string, string]): Promise<PageTimes[]> {
  const folder = await mkdtemp(path.join(tmpdir(), 'emulsion-bench-'));
  const log = pino({ level: 'silent' });
  const database = (index: 0 | 1) =>
    urls ? openPostgres(urls[index], log) : openPglite({ folder: path.join(folder, String(index)) }, log);
  const [few, many] = [await openDatabase(await database(0), FEW), await openDatabase(await database(1), MANY)];
  const deps = { config: readConfig({}), clock: systemClock, secrets: createSecrets('a secret of the bench') };
  const databases = { few, many };
  try {
    return await measureSideBySide({ few: queriesAt(FEW), many: queriesAt(MANY) }, (size, query) =>
      listMedia(
        { db: databases[size].db, ...deps },
        { organization_id: ORGANIZATION, person_id: null },
        { ...query, limit: 50, cursor: undefined },
      ),
    );
  } finally {
    await Promise.all([few.close(), many.close()]);
    await rm(folder, { recursive: true, force: true });
  }
}
