import type { InputContract, Rule } from './task.ts';

const restrictedContracts = new WeakMap<readonly Rule[], WeakMap<InputContract, InputContract>>();

/**
 * Adds the rules of a provider to a contract: options that it does not support. Returns the same object for the same
 * rules, because schemas are cached by contract.
 */
export function restrictContract(contract: InputContract, restrictions: readonly Rule[]): InputContract {
  if (restrictions.length === 0) return contract;
  const byContract = restrictedContracts.get(restrictions) ?? new WeakMap<InputContract, InputContract>();
  restrictedContracts.set(restrictions, byContract);
  const cached = byContract.get(contract);
  if (cached) return cached;
  const restricted = { ...contract, rules: [...contract.rules, ...restrictions] };
  byContract.set(contract, restricted);
  return restricted;
}
