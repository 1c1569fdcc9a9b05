import path from 'node:path';
import { chromium, type Page } from '@playwright/test';
import { sql } from 'drizzle-orm';
import { pino } from 'pino';
import type { Generation } from '#contract/resources/generation.ts';
import { openPglite } from '#server/platform/db/open-database.ts';
import { call, postGeneration, waitForGeneration } from '../support/api-client.ts';
import { findChromium } from '../support/requirements.ts';
import { type Service, startService } from '../support/service.ts';
import { openSignedIn } from '../support/test.ts';

const COUNT = 10_000;
/** Different pictures; the others are copies of their rows. */
const TEMPLATES = 24;
const ROUNDS = 3;
const SECONDS = 5;
const PX_PER_SECOND = 3_000;
const FRAME_MS = 1_000 / 60;

/** Makes a few generations with pictures, and copies their rows while the service is down. */
async function fill(service: Service): Promise<string[]> {
  const body = { task: 'image.create', model: 'imgmodel-b-2-lite' };
  const made: Generation[] = [];
  for (let at = 0; at < TEMPLATES; at += 1)
    made.push(await postGeneration(service, { ...body, input: { prompt: `A lighthouse, view ${at}` } }));
  for (const { id } of made) await waitForGeneration(service, id, 120_000);
  const thumbnails = await Promise.all(made.map(({ id }) => waitForThumbnail(service, id)));
  await service.kill();
  const database = await openPglite({ folder: path.join(service.dataDir, 'database') }, pino({ level: 'silent' }));
  const copied = (prefix: string) => sql.raw(`'${prefix}_' || lpad(s::text, 26, '0')`);
  const templates = sql`(select row_number() over (order by id) - 1 as at, g as row from generations g) as template
    join generate_series(1, ${COUNT}::int) s on s % ${TEMPLATES}::int = template.at`;
  await database.db.execute(sql`create temp table copies as select s, (template.row).id as source from ${templates}`);
  await database.db.execute(sql`insert into generations select (jsonb_populate_record(g, jsonb_build_object(
      'id', ${copied('gen')}, 'chain_id', ${copied('gen')}, 'created_at', g.created_at - s * interval '1 minute'))).*
    from copies join generations g on g.id = copies.source`);
  await database.db.execute(sql`insert into assets select (jsonb_populate_record(a, jsonb_build_object(
      'id', ${copied('ast')}, 'generation_id', ${copied('gen')}, 'created_at', a.created_at - s * interval '1 minute'))).*
    from copies join assets a on a.generation_id = copies.source`);
  await database.db.execute(sql`vacuum analyze`);
  await database.close();
  await service.restart();
  return thumbnails;
}

async function waitForThumbnail(service: Service, id: string): Promise<string> {
  for (;;) {
    const { output } = await call<Generation>(service, 'GET', `/v1/generations/${id}`);
    const url = output.assets[0]?.derivatives?.thumbnails[0]?.url;
    if (url !== undefined) return url;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

/** The least that shows the same pictures while they scroll: of 10,000 tiles only the rows in sight, recycled by hand. */
const floorPage = (thumbnails: readonly string[]): string =>
  `<!doctype html><style>body{margin:0}div{position:relative}
    figure{position:absolute;margin:0;width:19%;height:280px;contain:strict}img{width:100%;height:216px;object-fit:cover}</style>
    <div></div><script>
    const pictures = ${JSON.stringify(thumbnails)}, list = document.querySelector('div'), tiles = new Map();
    list.style.height = ${Math.ceil(COUNT / 5) * 292} + 'px';
    const show = () => {
      const first = Math.max(0, Math.floor(scrollY / 292) - 2) * 5, last = Math.min(${COUNT}, first + 45);
      const free = [...tiles.keys()].filter((at) => at < first || at >= last);
      for (let at = first; at < last; at += 1) {
        if (tiles.has(at)) continue;
        const from = free.pop(), tile = from === undefined ? list.appendChild(document.createElement('figure')) : tiles.get(from);
        if (from === undefined) tile.innerHTML = '<img decoding="async"><figcaption>A lighthouse</figcaption>';
        tiles.delete(from);
        tile.firstChild.src = pictures[at % pictures.length];
        tile.style.transform = 'translateY(' + Math.floor(at / 5) * 292 + 'px)';
        tile.style.left = (at % 5) * 20 + '%';
        tiles.set(at, tile);
      }
    };
    addEventListener('scroll', show, { passive: true });
    show();
    </script>`;

/** Scrolls from where the page is, and returns the share of frames that were dropped. */
const scroll = (page: Page): Promise<number> =>
  page.evaluate(
    ([seconds, pxPerSecond, frameMs]) =>
      new Promise<number>((resolve) => {
        let before = performance.now();
        const end = before + seconds * 1_000;
        let shown = 0;
        let dropped = 0;
        const step = (now: number) => {
          const frames = Math.max(1, Math.round((now - before) / frameMs));
          shown += 1;
          dropped += frames - 1;
          before = now;
          window.scrollBy({ top: (pxPerSecond * frameMs) / 1_000, behavior: 'instant' });
          if (now < end) requestAnimationFrame(step);
          else resolve(dropped / (shown + dropped));
        };
        requestAnimationFrame(step);
      }),
    [SECONDS, PX_PER_SECOND, FRAME_MS] as const,
  );

/** Scrolls to the end until every page of the list is loaded. @param open opens the page */
async function openLoaded(page: Page, open: () => Promise<unknown>): Promise<void> {
  const list = { is_complete: false };
  page.on('response', async (response) => {
    if (!response.url().includes('cursor=')) return;
    const { has_more } = (await response.json()) as { has_more: boolean };
    if (!has_more) list.is_complete = true;
  });
  await open();
  while (!list.is_complete) {
    await page.evaluate(() => window.scrollTo({ top: document.body.scrollHeight, behavior: 'instant' }));
    await page.waitForTimeout(50);
    // A scroll to where the page is already has no effect.
    await page.evaluate(() => window.scrollBy({ top: -200, behavior: 'instant' }));
  }
}

export interface DroppedFrames {
  name: string;
  ours: number;
  floor: number;
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Measures the share of dropped frames of 10,000 generations as pictures beside that of the floor. */
export async function measureScrolling(): Promise<DroppedFrames[]> {
  const service = await startService({ RATE_LIMIT_PER_MINUTE: '1000000', PUBLIC_RATE_LIMIT_PER_MINUTE: '1000000' });
  const executablePath = findChromium();
  const browser = await chromium.launch({
    ...(executablePath ? { executablePath } : {}),
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  });
  try {
    const thumbnails = await fill(service);
    const open = async () => (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage();
    const floor = await open();
    await floor.setContent(floorPage(thumbnails));
    const pages = { generations: '/generations?view=gallery', feed: '/create' };
    const results: DroppedFrames[] = [];
    for (const [name, address] of Object.entries(pages)) {
      const page = await open();
      await openLoaded(page, () => openSignedIn(page, service, address));
      const shares: { ours: number[]; floor: number[] } = { ours: [], floor: [] };
      for (let round = 0; round < ROUNDS; round += 1) {
        for (const [kind, each] of [
          ['floor', floor],
          ['ours', page],
        ] as const) {
          await each.bringToFront();
          await each.evaluate(() => window.scrollTo({ top: 0, behavior: 'instant' }));
          // The first scroll decodes the pictures.
          await scroll(each);
          shares[kind].push(await scroll(each));
        }
      }
      results.push({ name, ours: mean(shares.ours), floor: mean(shares.floor) });
      await page.context().close();
    }
    return results;
  } finally {
    await browser.close();
    await service.stop();
  }
}
