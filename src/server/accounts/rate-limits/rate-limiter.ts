import { setTimeout as delay } from 'node:timers/promises';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { ApiError } from '#server/platform/core/api-error.ts';
import type { Deps } from '#server/platform/deps.ts';
import { addCounts } from './shared-counts.ts';

export interface RateLimiter {
  /** Counts one use. @returns null if it is within the limit, or the time until the next */
  consume(key: string): Promise<number | null>;
  /** @returns null if the key is below its limit, or the time until it may be used again */
  blockedMs(key: string): Promise<number | null>;
}

export interface RateLimiterOptions {
  /** Unique among the limits. */
  name: string;
  points: number;
  window_seconds: number;
  /**
   * Whether each use is counted with the other processes before it is answered, which costs a statement. Otherwise
   * processes exchange their counts twice a second.
   */
  is_exact?: boolean;
}

const EXCHANGE_INTERVAL_MS = 500;
/** An exact count that takes longer is one of this process. */
const EXCHANGE_TIMEOUT_MS = 1_000;
/** Further keys are counted in this process alone until the next exchange. */
const MAX_KEYS = 10_000;
const OUTAGE_LOG_INTERVAL_MS = 60_000;

/**
 * Creates a limit that counts in memory and, with PostgreSQL, together with the other processes. Without the database
 * each process counts alone. Decision: Request limits
 */
export function createRateLimiter(deps: Deps, options: RateLimiterOptions): RateLimiter {
  const { name, points, window_seconds, is_exact = false } = options;
  const memory = new RateLimiterMemory({ points, duration: window_seconds });
  const exchange = deps.config.databaseUrl === null ? null : createExchange(deps, memory, options);

  async function exchangeNow(key: string, count: number): Promise<void> {
    exchange?.add(key, count);
    if (is_exact) await exchange?.flushWithin(EXCHANGE_TIMEOUT_MS);
  }
  async function blockedMs(key: string, maxPoints: number): Promise<number | null> {
    const used = await memory.get(key);
    return used !== null && used.consumedPoints > maxPoints ? used.msBeforeNext : null;
  }
  return {
    async consume(key) {
      const scoped = `${name}:${key}`;
      try {
        await memory.consume(scoped);
      } catch (error) {
        if (error instanceof RateLimiterRes) return error.msBeforeNext;
        throw error;
      }
      await exchangeNow(scoped, 1);
      return is_exact ? blockedMs(scoped, points) : null;
    },
    async blockedMs(key) {
      const scoped = `${name}:${key}`;
      const known = await blockedMs(scoped, points - 1);
      if (known !== null || !is_exact) return known;
      await exchangeNow(scoped, 0);
      return blockedMs(scoped, points - 1);
    },
  };
}

/** @throws {ApiError} 429 */
export async function consumeRateLimit(limiter: RateLimiter, key: string): Promise<void> {
  const blockedMs = await limiter.consume(key);
  if (blockedMs === null) return;
  const retryAfterSeconds = Math.max(1, Math.ceil(blockedMs / 1000));
  throw new ApiError('rate_limit_exceeded', `Too many requests. Try again in ${retryAfterSeconds} s.`, {
    retry_after_seconds: retryAfterSeconds,
  });
}

interface Exchange {
  add(this: void, key: string, count: number): void;
  flushWithin(this: void, timeoutMs: number): Promise<void>;
}

function createExchange(
  { db, log }: Deps,
  memory: RateLimiterMemory,
  { name, window_seconds, is_exact = false }: RateLimiterOptions,
): Exchange {
  let pending = new Map<string, number>();
  let flushed: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  let nextLogMs = 0;

  /** Counts of windows that have ended are not added to the next. */
  async function takePending(): Promise<Map<string, number>> {
    const taken = pending;
    pending = new Map();
    const current = new Map<string, number>();
    for (const [key, count] of taken) {
      const used = await memory.get(key);
      if (used !== null || is_exact) current.set(key, Math.min(count, used?.consumedPoints ?? 0));
    }
    return current;
  }
  async function flush(): Promise<void> {
    const counts = await takePending();
    if (counts.size === 0) return;
    try {
      for (const { key, points, remaining_ms } of await addCounts(db, counts, window_seconds)) {
        const total = points + (pending.get(key) ?? 0);
        if (total > 0 && remaining_ms > 0) await memory.set(key, total, remaining_ms / 1000);
      }
    } catch (error) {
      for (const [key, count] of counts) add(key, count);
      if (Date.now() < nextLogMs) return;
      nextLogMs = Date.now() + OUTAGE_LOG_INTERVAL_MS;
      log.warn({ err: error, limit: name }, 'this process counts requests alone');
    }
  }
  function startFlush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    return (flushed = flushed.then(flush));
  }
  function add(key: string, count: number): void {
    const known = pending.get(key);
    if (known === undefined && pending.size >= MAX_KEYS) return;
    pending.set(key, (known ?? 0) + count);
    timer ??= setTimeout(() => void startFlush(), EXCHANGE_INTERVAL_MS).unref();
  }
  return {
    add,
    async flushWithin(timeoutMs) {
      const timeout = new AbortController();
      await Promise.race([
        startFlush(),
        delay(timeoutMs, undefined, { signal: timeout.signal }).catch(() => undefined),
      ]);
      timeout.abort();
    },
  };
}
