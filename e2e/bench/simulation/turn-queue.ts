import { Heap } from './heap.ts';

export interface Order {
  atSeconds: number;
  organization: number;
  key: number;
  runSeconds: number;
}

/** `turns` is the order of the service, `age` the one without fairness. */
export type QueueOrder = 'turns' | 'age';

export interface QueuedOrder {
  order: Order;
  index: number;
  turn: number;
}

/** As in the function `next_turn` of the database. */
const MAX_COLLEAGUES = 200;

/** The queue of one lane: lower turns first, equal ones by age. */
export class TurnQueue {
  readonly #heap = new Heap<QueuedOrder>((a, b) => a.turn < b.turn || (a.turn === b.turn && a.index < b.index));
  readonly #byKey = new Map<number, { count: number; lastTurn: number }>();
  /** How many keys of an organization have queued orders. */
  readonly #keysOf = new Map<number, number>();
  /** Claimed by a process that waits for a place; such a generation still is queued. */
  readonly #claimed = new Set<QueuedOrder>();
  readonly #orderBy: QueueOrder;

  constructor(orderBy: QueueOrder) {
    this.#orderBy = orderBy;
  }

  get size(): number {
    return this.#heap.size;
  }

  /** @returns the turn */
  push(order: Order, index: number): number {
    const turn = this.#orderBy === 'age' ? 0 : this.#nextTurn(order);
    this.#heap.push({ order, index, turn });
    const queued = this.#byKey.get(order.key);
    if (!queued) this.#keysOf.set(order.organization, (this.#keysOf.get(order.organization) ?? 0) + 1);
    this.#byKey.set(order.key, { count: (queued?.count ?? 0) + 1, lastTurn: turn });
    return turn;
  }

  claim(): QueuedOrder | undefined {
    const next = this.#heap.pop();
    if (next) this.#claimed.add(next);
    return next;
  }

  /** Claims the first order whose key has no running one. */
  claimOfIdleKey(running: ReadonlyMap<number, number>): QueuedOrder | undefined {
    if (!this.#hasIdleKey(running)) return undefined;
    const passed: QueuedOrder[] = [];
    let found: QueuedOrder | undefined;
    while (!found) {
      const next = this.#heap.pop();
      if (!next) break;
      if (running.has(next.order.key)) passed.push(next);
      else found = next;
    }
    for (const each of passed) this.#heap.push(each);
    if (found) this.#claimed.add(found);
    return found;
  }

  start(queued: QueuedOrder): void {
    this.#claimed.delete(queued);
    const { key, organization } = queued.order;
    const { count = 0, lastTurn = 0 } = this.#byKey.get(key) ?? {};
    if (count > 1) {
      this.#byKey.set(key, { count: count - 1, lastTurn });
      return;
    }
    this.#byKey.delete(key);
    const keys = (this.#keysOf.get(organization) ?? 1) - 1;
    if (keys > 0) this.#keysOf.set(organization, keys);
    else this.#keysOf.delete(organization);
  }

  #hasIdleKey(running: ReadonlyMap<number, number>): boolean {
    for (const key of this.#byKey.keys()) if (!running.has(key)) return true;
    return false;
  }

  #nextTurn({ key, organization }: Order): number {
    const turns = [...this.#claimed].map(({ turn }) => turn);
    if (this.#heap.first) turns.push(this.#heap.first.turn);
    if (turns.length === 0) return 0;
    const firstTurn = Math.min(...turns);
    const own = this.#byKey.get(key);
    const colleagues = Math.min((this.#keysOf.get(organization) ?? 0) - (own ? 1 : 0), MAX_COLLEAGUES);
    return Math.max(firstTurn, firstTurn + colleagues - 1, own ? own.lastTurn + 1 + colleagues : 0, 0);
  }
}
