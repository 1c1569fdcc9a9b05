import * as z from 'zod/mini';
import { BillFileError } from '#server/accounts/closing/bills/bill-file-error.ts';
import { parseAmount } from '#server/accounts/closing/bills/parse-amount.ts';
import type { BillSource, SourceLine } from '#server/models/providers/bill-source.ts';

const MAX_DAYS = 31;

const resultSchema = z.object({
  amount: z.object({ value: z.union([z.number(), z.string()]), currency: z.string() }),
  line_item: z.nullish(z.string()),
  project_id: z.nullish(z.string()),
});
const pageSchema = z.object({
  data: z.array(z.object({ start_time: z.int(), results: z.array(resultSchema) })),
  has_more: z.boolean(),
  next_page: z.nullish(z.string()),
});

/** `GET /v1/organization/costs`: developers.openai.com, “Costs”, read 2026-11-29. Sums of a day (UTC) and line item. */
export const createOpenAiBills = (open: BillSource['open']): BillSource => ({
  key_hint: 'An admin key, which only owners of the organization can create.',
  key_url: 'https://platform.openai.com/settings/organization/admin-keys',
  open,
  path({ from, to }, cursor) {
    const seconds = (time: Date): string => String(Math.floor(time.getTime() / 1000));
    const query = new URLSearchParams([
      ['start_time', seconds(from)],
      ['end_time', seconds(to)],
      ['bucket_width', '1d'],
      ['group_by', 'line_item'],
      ['group_by', 'project_id'],
      ['limit', String(MAX_DAYS)],
    ]);
    if (cursor !== null) query.set('page', cursor);
    return `/organization/costs?${query.toString()}`;
  },
  parse(page) {
    const { data } = pageSchema.safeParse(page);
    if (!data) throw new BillFileError('OpenAI sent a page that is no list of costs.');
    const { has_more, next_page = null } = data;
    if (has_more && next_page === null) throw new BillFileError('OpenAI has more costs, but does not say where.');
    const currencies = new Set(
      data.data.flatMap(({ results }) => results.map(({ amount }) => amount.currency.toUpperCase())),
    );
    if (currencies.size > 0 && !(currencies.size === 1 && currencies.has('USD')))
      throw new BillFileError(
        `OpenAI bills in ${[...currencies].toSorted().join(' and ').slice(0, 40)}. Only dollars can be read: add such a bill as a file, with its rate.`,
      );
    return { lines: data.data.flatMap(toLines), cursor: has_more ? next_page : null };
  },
});

const toLines = ({ start_time, results }: z.infer<typeof pageSchema>['data'][number]): SourceLine[] =>
  results.map(({ amount, line_item = null, project_id = null }) => {
    const parsed = parseAmount(String(amount.value), '.');
    if (parsed === null) throw new BillFileError('OpenAI sent an amount that is no number.');
    return {
      charged_at: new Date(start_time * 1000),
      category: parsed.nano < 0n ? 'credit' : 'usage',
      service: line_item,
      description: project_id === null ? null : `Project ${project_id}`,
      request_id: null,
      quantity_nano: null,
      unit: null,
      amount_nano: parsed.nano,
    };
  });
