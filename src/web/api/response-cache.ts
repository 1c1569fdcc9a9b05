/** Caches responses by ETag, so that an unchanged one is not sent again. */
export interface ResponseCache {
  get: (url: string, key: string | null) => CachedResponse | undefined;
  set: (url: string, key: string | null, response: CachedResponse) => void;
  clear: () => void;
}

interface CachedResponse {
  etag: string;
  body: unknown;
}

/** Keeps the newest responses of one key at a time; another key clears the cache. */
export function createResponseCache(limit = 100): ResponseCache {
  const responses = new Map<string, CachedResponse>();
  let owner: string | null = null;
  const claim = (key: string | null) => {
    if (key === null || key === owner) return;
    responses.clear();
    owner = key;
  };
  return {
    get: (url, key) => {
      claim(key);
      return responses.get(url);
    },
    set: (url, key, response) => {
      claim(key);
      responses.delete(url);
      responses.set(url, response);
      const [oldest] = responses.keys();
      if (responses.size > limit && oldest !== undefined) responses.delete(oldest);
    },
    clear: () => responses.clear(),
  };
}
