import { Command } from 'commander';
import * as z from 'zod/mini';
import { formatMoney } from '#contract/money/money.ts';
import { type Review, ReviewDecisionRequest } from '#contract/resources/review.ts';
import { type ServiceSession, withService } from './cli-session.ts';
import { shellActor } from '#server/accounts/audit/record-audit-event.ts';
import { listGenerations } from '#server/studio/generations/read/list-generations.ts';
import { decideReview } from '#server/studio/generations/review/decide-review.ts';
import { readReview } from '#server/studio/generations/review/read-review.ts';

const PAGE = 200;

export function reviewCommands(print: (text: string) => void): Command {
  const review = new Command('review').description('list and decide generations that need review');

  review
    .command('list')
    .description('list generations that need review, newest first')
    .action(() => withService((session) => listReviews(session, print)));

  review
    .command('show')
    .description('show the details of a review')
    .argument('<generation_id>', 'generation id: gen_…')
    .action((id: string) =>
      withService(async ({ deps, organization_id }) => printReview(await readReview(deps, organization_id, id), print)),
    );

  review
    .command('approve')
    .description(
      'approve the received result, or uploads instead of it, and charge it; files that can’t be read are kept',
    )
    .argument('<generation_id>', 'generation id: gen_…')
    .requiredOption('--note <note>', 'reason, stored with the decision')
    .option('--upload <id...>', 'uploads to use as the result, in order: upl_…')
    .action((id: string, { note, upload }: { note: string; upload?: string[] }) =>
      decideFromCli(id, { decision: 'approve', note, ...(upload ? { upload_ids: upload } : {}) }, print),
    );

  review
    .command('reject')
    .description('reject the result, delete its files and release the reservation')
    .argument('<generation_id>', 'generation id: gen_…')
    .requiredOption('--note <note>', 'reason, stored with the decision')
    .action((id: string, { note }: { note: string }) => decideFromCli(id, { decision: 'reject', note }, print));

  return review;
}

async function listReviews({ deps, organization_id }: ServiceSession, print: (text: string) => void): Promise<void> {
  for (let cursor: string | undefined; ;) {
    const page = await listGenerations(
      deps,
      { organization_id, person_id: null },
      { status: 'manual_review', limit: PAGE, cursor },
    );
    for (const { id, task, usage, created_at, error } of page.data) {
      print(`${id}  ${created_at}  ${task.padEnd(14)}  ${formatMoney(usage.amount_usd)}  ${error?.message ?? ''}`);
    }
    if (page.next_cursor === null) return;
    cursor = page.next_cursor;
  }
}

function printReview(
  { generation_id, reason, opened_at, charge_usd, output, upstream, decision, ...review }: Review,
  print: (text: string) => void,
) {
  print(`${generation_id}  ${review.status}`);
  print(reason);
  print(`in review since  ${opened_at}`);
  print(
    `${review.billing_status.padEnd(15)}  ${formatMoney(review.amount_usd)}, approving charges ${formatMoney(charge_usd)}`,
  );
  if (upstream) {
    print(`upstream         ${upstream.engine}, ${upstream.state}, submitted ${upstream.submitted_at}`);
    print(`handle           ${upstream.handle === null ? 'none' : JSON.stringify(upstream.handle)}`);
    print(`upstream cost    ${upstream.cost_usd === null ? 'unknown' : formatMoney(upstream.cost_usd)}`);
    if (upstream.last_problem !== null) print(`last problem     ${upstream.last_problem}`);
  }
  for (const { type, url } of output.assets) print(`${type.padEnd(15)}  ${url}`);
  for (const { filename, reason, url } of output.files ?? []) print(`${filename.padEnd(15)}  ${url}  ${reason}`);
  if (output.data !== null) print(`data             ${JSON.stringify(output.data)}`);
  if (decision) {
    const by = decision.decided_by?.name ?? 'command line';
    print(`decision         ${decision.decision}, ${by}, ${decision.decided_at}: ${decision.note}`);
  }
}

/** Validated by the same schema as a request. */
function decideFromCli(id: string, request: unknown, print: (text: string) => void): Promise<void> {
  const parsed = z.safeParse(ReviewDecisionRequest, request);
  if (!parsed.success) throw new Error('Enter a note of 1 to 1,000 characters, and upload ids such as upl_….');
  return withService(async ({ deps, organization_id }) => {
    const { status, amount_usd, billing_status } = await decideReview(
      deps,
      shellActor(organization_id),
      id,
      parsed.data,
    );
    print(`${id}: ${status}, ${formatMoney(amount_usd)} ${billing_status}.`);
  });
}
