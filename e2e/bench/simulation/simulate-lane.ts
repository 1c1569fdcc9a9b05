import { Heap } from './heap.ts';
import { type Order, type QueuedOrder, type QueueOrder, TurnQueue } from './turn-queue.ts';

export interface Lane {
  orderBy: QueueOrder;
  processes: number;
  /**
   * `local`: each process has `places`, and while all of them are busy a spare one for keys without running work.
   * `provider`: `places` of all processes together; each process claims one order ahead of its place.
   */
  kind: 'local' | 'provider';
  places: number;
}

interface Run {
  endSeconds: number;
  key: number;
  isSpare: boolean;
}

/** Runs all orders through a lane. @returns seconds in the queue, by order */
export function simulateLane(orders: readonly Order[], { orderBy, processes, kind, places }: Lane): Float64Array {
  const waits = new Float64Array(orders.length);
  const queue = new TurnQueue(orderBy);
  const runs = new Heap<Run>((a, b) => a.endSeconds < b.endSeconds);
  const running = new Map<number, number>();
  const ahead: QueuedOrder[] = [];
  const capacity = kind === 'local' ? processes * places : places;
  let busy = 0;
  let busySpares = 0;

  function start(queued: QueuedOrder, atSeconds: number, isSpare: boolean): void {
    const { order, index } = queued;
    queue.start(queued);
    waits[index] = atSeconds - order.atSeconds;
    running.set(order.key, (running.get(order.key) ?? 0) + 1);
    if (isSpare) busySpares += 1;
    else busy += 1;
    runs.push({ endSeconds: atSeconds + order.runSeconds, key: order.key, isSpare });
  }

  function end({ key, isSpare }: Run): void {
    const count = (running.get(key) ?? 1) - 1;
    if (count > 0) running.set(key, count);
    else running.delete(key);
    if (isSpare) busySpares -= 1;
    else busy -= 1;
  }

  function dispatch(atSeconds: number): void {
    while (busy < capacity) {
      const next = ahead.shift() ?? queue.claim();
      if (!next) break;
      start(next, atSeconds, false);
    }
    if (kind === 'provider') {
      while (ahead.length < processes && queue.size > 0) {
        const next = queue.claim();
        if (next) ahead.push(next);
      }
      return;
    }
    while (busy === capacity && busySpares < processes) {
      const next = queue.claimOfIdleKey(running);
      if (!next) break;
      start(next, atSeconds, true);
    }
  }

  let arrived = 0;
  while (arrived < orders.length || runs.size > 0) {
    const order = orders[arrived];
    const first = runs.first;
    if (order && (!first || order.atSeconds <= first.endSeconds)) {
      queue.push(order, arrived);
      arrived += 1;
      dispatch(order.atSeconds);
    } else if (first) {
      runs.pop();
      end(first);
      dispatch(first.endSeconds);
    }
  }
  return waits;
}
