import { Command, InvalidArgumentError } from 'commander';
import * as z from 'zod/mini';
import { type LedgerHead, formatLedgerHead, parseLedgerHead } from '#contract/ledger.ts';
import { type Budget, BudgetUpdate } from '#contract/resources/budget.ts';
import { deleteBudget, listBudgets, setBudget } from '#server/billing/budgets.ts';
import { verifyLedger } from '#server/billing/verify-ledger.ts';
import { withOrganization } from './cli-session.ts';

type Print = (text: string) => void;

/** `verify` fails if the ledger is not consistent. */
export function verifyCommand(print: Print): Command {
  return new Command('verify')
    .description('compute the whole ledger again: its chain of hashes, balances and sums')
    .option(
      '--head <seq:hash>',
      'what an earlier run printed or the dashboard copied: the ledger must still lead through it',
      parseHeadArgument,
    )
    .action(({ head }: { head?: LedgerHead }) =>
      withOrganization(async (session) => {
        const found = await verifyLedger(session, session.organization_id, {
          known_head: head && { seq: BigInt(head.seq), hash: head.hash },
        });
        for (const { name, ok } of found.checks) print(`${name.padEnd(14)}  ${ok ? 'fits' : 'does not fit'}`);
        if (found.head) print(`head            ${formatLedgerHead(found.head)}`);
        if (!found.problem) return print(`${found.checked_entries} entries, and all of it adds up.`);
        const { seq, entry_id, message } = found.problem;
        throw new Error(entry_id === null ? message : `Entry ${seq} (${entry_id}): ${message}`);
      }),
    );
}

function parseHeadArgument(text: string): LedgerHead {
  const head = parseLedgerHead(text);
  if (!head) throw new InvalidArgumentError('Give number and hash as they were printed or copied, such as 1185:4af4….');
  return head;
}

export function budgetCommands(print: Print): Command {
  const budget = new Command('budget').description('limit what may be spent in a month, UTC');
  const show = ({ id, key, limit_usd, spent_usd, reserved_usd, left_usd, state }: Budget) =>
    print(
      `${id}  ${key?.name ?? 'all keys together'}  $${left_usd} left of $${limit_usd}, $${spent_usd} spent, $${reserved_usd} reserved  ${state}`,
    );

  budget
    .command('list')
    .description('list limits and what is left of each')
    .action(() =>
      withOrganization(async (session) => {
        for (const row of (await listBudgets(session, session.organization_id)).data) show(row);
      }),
    );

  budget
    .command('set')
    .description('set what the organization may spend in a month, or one key')
    .argument('<dollars>', 'such as 50')
    .option('--key <key_id>', 'as listed: key_…; the whole organization otherwise')
    .option('--warn-at <percent>', 'from which share on it is shown as nearly used up', Number, 80)
    .option('--contact <contact>', 'who is asked for more; stands in the refusal')
    .action((limit_usd: string, { key, warnAt, contact }: { key?: string; warnAt: number; contact?: string }) => {
      const asked = { key_id: key ?? null, limit_usd, warn_at_percent: warnAt, contact: contact ?? null };
      const judged = z.safeParse(BudgetUpdate, asked);
      if (!judged.success) throw new Error('Give dollars such as 50, a key such as key_…, and a share from 1 to 100.');
      return withOrganization(async (session) => show(await setBudget(session, session.organization_id, judged.data)));
    });

  budget
    .command('clear')
    .description('lift the limit of the organization, or of one key')
    .option('--key <key_id>', 'as listed: key_…', 'organization')
    .action(({ key }: { key: string }) =>
      withOrganization(async (session) => {
        await deleteBudget(session, session.organization_id, key);
        print('The limit is lifted.');
      }),
    );

  return budget;
}
