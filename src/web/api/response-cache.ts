/** Answers kept so that an unchanged one need not be sent again. */
export interface ResponseCache {
  get: (url: string, key: string | null) => CachedResponse | undefined;
  set: (url: string, key: string | null, answer: CachedResponse) => void;
  clear: () => void;
}

interface CachedResponse {
  etag: string;
  body: unknown;
}

/** Keeps the newest answers of one key at a time; another key empties it. */
export function createResponseCache(limit = 100): ResponseCache {
  const answers = new Map<string, CachedResponse>();
  let owner: string | null = null;
  const own = (key: string | null) => {
    if (key === null || key === owner) return;
    answers.clear();
    owner = key;
  };
  return {
    get: (url, key) => {
      own(key);
      return answers.get(url);
    },
    set: (url, key, answer) => {
      own(key);
      answers.delete(url);
      answers.set(url, answer);
      const [oldest] = answers.keys();
      if (answers.size > limit && oldest !== undefined) answers.delete(oldest);
    },
    clear: () => answers.clear(),
  };
}
