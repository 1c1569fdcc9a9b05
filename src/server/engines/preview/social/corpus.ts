import { readFile } from 'node:fs/promises';
import * as z from 'zod/mini';
import { SearchItem } from '#contract/resources/output.ts';

const Corpus = z.array(SearchItem);

/** Posts that come with the studio: invented, and marked as samples in caption and creator. */
const SAMPLE = new URL('./sample-corpus.json', import.meta.url);

/**
 * Reads the posts that a search looks through, once: an operator's own file, a JSON array of result items, else the samples.
 * @throws when the file is not there or does not hold result items
 */
export function createCorpus(file: string | undefined): () => Promise<readonly SearchItem[]> {
  let read: Promise<readonly SearchItem[]> | undefined;
  return () => {
    read ??= readFile(file ?? SAMPLE, 'utf8').then((text) => Corpus.parse(JSON.parse(text)));
    return read;
  };
}
