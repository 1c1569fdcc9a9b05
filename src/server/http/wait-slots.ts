const MAX_WAITS_PER_KEY = 20;
const MAX_WAITS = 500;

export interface WaitSlots {
  /** @returns a function that frees the slot; null if the key, or the process, has too many open waits */
  acquire(keyId: string): (() => void) | null;
}

/** Bounds the calls of this process that wait for a generation: each holds a connection and polls the database. */
export function createWaitSlots(): WaitSlots {
  const open = new Map<string, number>();
  let total = 0;
  return {
    acquire(key_id) {
      const used = open.get(key_id) ?? 0;
      if (used >= MAX_WAITS_PER_KEY || total >= MAX_WAITS) return null;
      open.set(key_id, used + 1);
      total += 1;
      return () => {
        const left = (open.get(key_id) ?? 1) - 1;
        if (left > 0) open.set(key_id, left);
        else open.delete(key_id);
        total -= 1;
      };
    },
  };
}
