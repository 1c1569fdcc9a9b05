import type { Deps } from '#server/deps.ts';

/** As the database says it when a connection breaks off. */
const connectionLostError = () => Object.assign(new Error('terminating connection'), { code: '57P01' });

/** When a process dies at a transaction: with it, or once it is committed and nobody has heard of it. */
export type CrashMoment = 'within' | 'after';

/** The same service, in a process that dies at its so-manieth transaction. */
export function createCrashingDeps(deps: Deps, at: number, moment: CrashMoment) {
  const count = { transactions: 0 };
  const db = new Proxy(deps.db, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (name !== 'transaction') return typeof value === 'function' ? value.bind(target) : value;
      const transaction: typeof target.transaction = async (body) => {
        count.transactions += 1;
        if (count.transactions !== at) return target.transaction(body);
        await target.transaction(async (tx) => {
          await body(tx);
          if (moment === 'within') throw connectionLostError();
        });
        throw connectionLostError();
      };
      return transaction;
    },
  });
  return { deps: { ...deps, db }, count };
}
