import { Command, InvalidArgumentError } from 'commander';
import * as z from 'zod/mini';
import { formatMoney } from '#contract/money/money.ts';
import { type LedgerHead, formatLedgerHead, parseLedgerHead } from '#contract/money/ledger.ts';
import { type Budget, BudgetUpdate } from '#contract/resources/budget.ts';
import { deleteBudget, listBudgets, setBudget } from '#server/accounts/billing/budgets.ts';
import { verifyLedger } from '#server/accounts/billing/ledger/verify-ledger.ts';
import { withOrganization } from './cli-session.ts';

type Print = (text: string) => void;

/** `verify` fails if the ledger is not consistent. */
export function verifyCommand(print: Print): Command {
  return new Command('verify')
    .description('verify the whole ledger, the audit log and closed months: hash chains, balances and sums')
    .option(
      '--head <seq:hash>',
      'head of an earlier verification, which the ledger must still contain',
      parseHeadArgument,
    )
    .action(({ head }: { head?: LedgerHead }) =>
      withOrganization(async (session) => {
        const verification = await verifyLedger(session, session.organization_id, {
          known_head: head && { seq: BigInt(head.seq), hash: head.hash },
        });
        for (const { name, ok } of verification.checks) print(`${name.padEnd(14)}  ${ok ? 'ok' : 'failed'}`);
        if (verification.head) print(`head            ${formatLedgerHead(verification.head)}`);
        if (!verification.problem) return print(`Verified ${verification.checked_entries} entries without a problem.`);
        const { seq, entry_id, message } = verification.problem;
        throw new Error(entry_id === null ? message : `Entry ${seq} (${entry_id}): ${message}`);
      }),
    );
}

function parseHeadArgument(text: string): LedgerHead {
  const head = parseLedgerHead(text);
  if (!head) throw new InvalidArgumentError('Enter an entry number and its hash, such as 1185:4af4….');
  return head;
}

export function budgetCommands(print: Print): Command {
  const budget = new Command('budget').description('set spending limits per day, week or month (UTC)');
  const show = ({ id, scope, scope_name, interval, limit_usd, spent_usd, reserved_usd, left_usd, state }: Budget) =>
    print(
      `${id}  ${scope_name ?? (scope === 'organization' ? 'all keys' : scope)}  per ${interval}  ` +
        `${formatMoney(left_usd)} left of ${formatMoney(limit_usd)}, ${formatMoney(spent_usd ?? '0.00')} spent, ${formatMoney(reserved_usd ?? '0.00')} reserved  ${state}`,
    );

  budget
    .command('list')
    .description('list budgets with their remaining amounts')
    .action(() =>
      withOrganization(async (session) => {
        for (const row of (await listBudgets(session, session.organization_id)).data) show(row);
      }),
    );

  budget
    .command('set')
    .description('set the budget of the organization, a key, a person, a model or a tag value')
    .argument('<dollars>', 'such as 50')
    .option('--key <key_id>', 'key id: key_…; the whole organization by default')
    .option('--scope <scope>', 'person:per_…, key:key_…, model:… or tag:name=value, instead of --key')
    .option('--interval <interval>', 'day, week or month', 'month')
    .option('--warn-at <percent>', 'share of the limit from which the budget shows a warning', Number, 80)
    .option('--contact <contact>', 'contact for increases, shown in the error message')
    .action((limitUsd: string, { key, scope, interval, warnAt, contact }: SetBudgetOptions) => {
      const target = scope === undefined ? { key_id: key ?? null } : { scope, ...(key ? { key_id: key } : {}) };
      const request = { ...target, interval, limit_usd: limitUsd, warn_at_percent: warnAt, contact: contact ?? null };
      const parsed = z.safeParse(BudgetUpdate, request);
      if (!parsed.success)
        throw new Error(
          'Enter dollars such as 50, a key id such as key_… or a scope such as model:omni-video, day, week or month, ' +
            'and a percentage from 1 to 100.',
        );
      return withOrganization(async (session) => show(await setBudget(session, shellActor(session), parsed.data)));
    });

  budget
    .command('clear')
    .description('delete a budget')
    .option('--key <key_id>', 'key id: key_…', 'organization')
    .option('--id <budget_id>', 'any budget, by the id that `budget list` prints')
    .action(({ key, id }: { key: string; id?: string }) =>
      withOrganization(async (session) => {
        await deleteBudget(session, shellActor(session), id ?? key);
        print('Budget deleted.');
      }),
    );

  return budget;
}

interface SetBudgetOptions {
  key?: string;
  scope?: string;
  interval: string;
  warnAt: number;
  contact?: string;
}

const shellActor = ({ organization_id }: { organization_id: string }) =>
  ({ organization_id, type: 'shell', name: 'Command line', address: null }) as const;
