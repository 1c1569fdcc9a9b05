import { expect, test } from 'vitest';
import { sharedMediaTools } from '#server/platform/media/testing/shared-media-tools.ts';
import { createPreviewEngine } from './preview-engine.ts';

/** An unhandled rejection would end the process with all active jobs. */
test('rejects an aborted job without unhandled rejections', async () => {
  const unheard: unknown[] = [];
  const hear = (reason: unknown) => void unheard.push(reason);
  process.on('unhandledRejection', hear);
  try {
    const reason = new Error('The service is shutting down.');
    const running = createPreviewEngine({ tools: await sharedMediaTools() }).run({
      generation_id: 'gen_1',
      task: 'image.create',
      model: 'imgmodel-a-2',
      input: { prompt: 'a lighthouse at dusk' },
      references: [],
      workDir: '/nowhere',
      signal: AbortSignal.abort(reason),
      onProgress: () => undefined,
    });
    await expect(running).rejects.toBe(reason);
    await new Promise((resolve) => setImmediate(resolve));
    expect(unheard).toEqual([]);
  } finally {
    process.off('unhandledRejection', hear);
  }
});
