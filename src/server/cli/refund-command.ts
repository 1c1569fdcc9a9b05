import { Command } from 'commander';
import * as z from 'zod/mini';
import { RefundCreate } from '#contract/resources/billing.ts';
import { refundGeneration } from '#server/generations/refund-generation.ts';
import { withOrganization } from './cli-session.ts';

/** `refund` is validated by the same schema as a request. */
export function refundCommand(print: (text: string) => void): Command {
  return new Command('refund')
    .description('refund the charge of a generation, in full or in part')
    .argument('<generation_id>', 'as listed: gen_…')
    .requiredOption('--why <reason>', 'reason, recorded in the ledger')
    .option('--amount <dollars>', 'part of the charge; the rest of it by default')
    .action((generation_id: string, { why, amount }: { why: string; amount?: string }) => {
      const request = { generation_id, reason: why, ...(amount === undefined ? {} : { amount_usd: amount }) };
      const parsed = z.safeParse(RefundCreate, request);
      if (!parsed.success)
        throw new Error('Enter an id such as gen_…, a reason, and an amount in dollars such as 3.50.');
      return withOrganization(async (session) => {
        const refund = { ...parsed.data, by: null };
        const { body } = await refundGeneration(session, session.organization_id, refund);
        print(`REFUND $${body.amount_usd} for ${generation_id}. Available: $${body.available_after_usd}`);
      });
    });
}
