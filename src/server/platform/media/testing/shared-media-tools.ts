import { type MediaTools, resolveMediaTools } from '#server/platform/media/media-tools.ts';

let tools: Promise<MediaTools> | undefined;

/** The tools of all test files of this process: finding them starts eight processes, and each keeps processes of its own. */
export const sharedMediaTools = (): Promise<MediaTools> => (tools ??= resolveMediaTools());
