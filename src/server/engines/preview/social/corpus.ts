import { readFile } from 'node:fs/promises';
import * as z from 'zod/mini';
import { SearchItem } from '#contract/resources/output-data.ts';
import { ConfigError } from '#server/core/config.ts';
import { formatProblem, toValidationProblems } from '#server/core/validation-problems.ts';

const Corpus = z.array(SearchItem);

/** Posts that come with the studio: invented, and marked as samples in caption and creator. */
const SAMPLE_FILE = new URL('./sample-corpus.json', import.meta.url);

/**
 * Reads the posts that a search looks through, once, when they are first asked for.
 * @param named an operator's own: a JSON array of items as `social.search` gives them in `data.videos`; null: the samples
 * @returns what throws {ConfigError} where the file holds something else
 */
export function createCorpusLoader(named: string | null): () => Promise<readonly SearchItem[]> {
  let read: Promise<readonly SearchItem[]> | undefined;
  return () => {
    read ??= readCorpus(named ?? SAMPLE_FILE);
    return read;
  };
}

async function readCorpus(file: string | URL): Promise<readonly SearchItem[]> {
  const wrong = (what: string, cause?: unknown) => new ConfigError(`SEARCH_CORPUS_FILE ${file} ${what}`, { cause });
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw wrong('can’t be read.', error);
  });
  let posts: unknown;
  try {
    posts = JSON.parse(text);
  } catch (error) {
    throw wrong('is not JSON.', error);
  }
  const judged = Corpus.safeParse(posts);
  if (judged.success) return judged.data;
  const [first] = toValidationProblems(judged.error.issues);
  throw wrong(`does not hold posts: ${first ? formatProblem(first) : 'none fits.'}`);
}
