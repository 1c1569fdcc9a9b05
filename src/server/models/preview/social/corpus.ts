import { readFile } from 'node:fs/promises';
import * as z from 'zod/mini';
import { SearchItem } from '#contract/resources/output-data.ts';
import { ConfigError } from '#server/platform/core/settings/config-error.ts';
import { formatProblem, toValidationProblems } from '#server/platform/core/validation-problems.ts';

const Corpus = z.array(SearchItem);

/** Invented posts, marked as samples in caption and creator. */
const SAMPLE_FILE = new URL('./sample-corpus.json', import.meta.url);

/**
 * @param namedFile JSON like `data.videos` of `social.search`; null: the samples
 * @returns a loader that runs once and throws {ConfigError} for an invalid file
 */
export function createCorpusLoader(namedFile: string | null): () => Promise<readonly SearchItem[]> {
  let read: Promise<readonly SearchItem[]> | undefined;
  return () => {
    read ??= readCorpus(namedFile ?? SAMPLE_FILE);
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
