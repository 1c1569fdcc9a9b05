import path from 'node:path';
import sharp from 'sharp';
import { readPrompt } from '#server/engines/preview/brief/brief.ts';
import { createRenderer } from '#server/engines/preview/render/renderer.ts';
import { PROMPT_STYLES } from '#web/features/create/prompt-help/prompt-styles.ts';

const FILE = path.join(import.meta.dirname, '../web/features/create/prompt-help/style-thumbnails.webp');
/** Twice the size on the screen. */
const TILE_PX = 192;
const DRAWN_PX = 384;

/** Draws the thumbnails of the prompt styles with the preview engine, side by side in one file. */
const renderer = createRenderer();
const tiles: Buffer[] = [];
for (const [seed, { sample, words }] of PROMPT_STYLES.entries()) {
  const brief = readPrompt(`${sample}, ${words}`, 'styles', seed);
  const size = { width_px: DRAWN_PX, height_px: DRAWN_PX };
  const request = { kind: 'still', brief, ...size, detail: 1, cutout: false, prints: [] } as const;
  const { rgba, width_px, height_px } = await renderer.still(request, AbortSignal.timeout(60_000));
  tiles.push(
    await sharp(rgba, { raw: { width: width_px, height: height_px, channels: 4 } })
      .resize(TILE_PX, TILE_PX)
      .png()
      .toBuffer(),
  );
}
await sharp({ create: { width: TILE_PX * tiles.length, height: TILE_PX, channels: 3, background: 'black' } })
  .composite(tiles.map((input, at) => ({ input, left: at * TILE_PX, top: 0 })))
  .webp({ quality: 72, effort: 6 })
  .toFile(FILE);
