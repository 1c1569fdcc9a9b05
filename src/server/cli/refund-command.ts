import { Command } from 'commander';
import * as z from 'zod/mini';
import { RefundCreate } from '#contract/resources/billing.ts';
import { refundGeneration } from '#server/generations/refund-generation.ts';
import { withOrganization } from './cli-session.ts';

/** `refund` is validated by the same schema as a request. */
export function refundCommand(print: (text: string) => void): Command {
  return new Command('refund')
    .description('give back the charge of a generation, or part of it')
    .argument('<generation_id>', 'as listed: gen_…')
    .requiredOption('--why <reason>', 'stands in the ledger')
    .option('--amount <dollars>', 'part of the charge; all that is left of it otherwise')
    .action((generation_id: string, { why, amount }: { why: string; amount?: string }) => {
      const asked = { generation_id, reason: why, ...(amount === undefined ? {} : { amount_usd: amount }) };
      const judged = z.safeParse(RefundCreate, asked);
      if (!judged.success)
        throw new Error('Give an id such as gen_…, a reason, and an amount in dollars such as 3.50.');
      return withOrganization(async (session) => {
        const order = { ...judged.data, by: null };
        const { body } = await refundGeneration(session, session.organization_id, order);
        print(`REFUND $${body.amount_usd} for ${generation_id}. Available: $${body.available_after_usd}`);
      });
    });
}
