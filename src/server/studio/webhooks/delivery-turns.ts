/** Attempts at the same time in this process. Each is a connection that may hang for 10 s and costs little else. */
const MAX_ATTEMPTS = 512;

/**
 * Attempts at the same time of one of each kind, so that none delays the others. A receiver is the host of an address
 * that one key named: more names of one host, or more hosts, take no more than the turns of the key.
 */
const MAX_OF_ONE = { organization: 256, key: 32, receiver: 8, endpoint: 2 } as const;
type TurnKind = keyof typeof MAX_OF_ONE;

/** Who waits for an attempt. */
type Turn = Readonly<Partial<Record<TurnKind, string>>>;

export interface DeliveryTurns {
  /** @returns a function that ends the turn */
  begin(turn: Turn): () => void;
  isFull(): boolean;
  /** Those that have all their turns. */
  listBusy(kind: TurnKind): string[];
}

/** Counts attempts under way, of webhook endpoints and of the addresses of orders alike. */
export function createDeliveryTurns(): DeliveryTurns {
  const active: Record<TurnKind, Map<string, number>> = {
    organization: new Map(),
    key: new Map(),
    receiver: new Map(),
    endpoint: new Map(),
  };
  const kinds = Object.keys(active) as TurnKind[];
  let total = 0;
  const count = (turn: Turn, change: 1 | -1): void => {
    total += change;
    for (const kind of kinds) {
      const name = turn[kind];
      if (name === undefined) continue;
      const next = (active[kind].get(name) ?? 0) + change;
      if (next > 0) active[kind].set(name, next);
      else active[kind].delete(name);
    }
  };
  return {
    begin(turn) {
      count(turn, 1);
      return () => count(turn, -1);
    },
    isFull: () => total >= MAX_ATTEMPTS,
    listBusy: (kind) => [...active[kind]].filter(([, attempts]) => attempts >= MAX_OF_ONE[kind]).map(([name]) => name),
  };
}
