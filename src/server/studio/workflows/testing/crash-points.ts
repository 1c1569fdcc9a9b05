import type { Deps } from '#server/platform/deps.ts';

const connectionLostError = () => Object.assign(new Error('terminating connection'), { code: '57P01' });

/** A crash inside a transaction, or after its commit but before the caller learns of it. */
export type CrashMoment = 'within' | 'after';

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
