import { type SQL, sql } from 'drizzle-orm';
import type { AnyModelId, TaskId } from '#contract/ids.ts';
import type { BillCategory } from '#contract/resources/provider-bill.ts';
import type { GenerationStatus } from '#contract/statuses.ts';

export interface MatchScope {
  organization_id: string;
  month: string;
  provider_id: string;
}

/** Services of bills without request ids, and the models that they are. */
export interface NamedServices {
  services: readonly string[];
  models: readonly string[];
}

/** Sums are texts, because they can be larger than a number. */
export interface PairRow {
  subject: string;
  line_count: number;
  bill_nano: string | null;
  quantity_nano: string | null;
  category: BillCategory | null;
  line_month: string | null;
  has_request: boolean;
  /** Bill and row, in order. */
  first_line: string | null;
  service: string | null;
  request_id: string | null;
  charged_at: string | null;
  job_count: number;
  cost_nano: string | null;
  our_quantity_nano: string | null;
  has_list_price: boolean;
  generation_id: string | null;
  booked_at: string | null;
  task: TaskId | null;
  model: AnyModelId | null;
  status: GenerationStatus | null;
  is_timeout: boolean;
  elsewhere_month: string | null;
  elsewhere_provider: string | null;
  elsewhere_cost_nano: string | null;
  is_carried: boolean;
  billed_in: string | null;
  booked_nano: string;
  below_half_cent: string;
  below_micro: string;
}

export function monthPeriod(month: string): { from: Date; to: Date } {
  const from = new Date(`${month}-01T00:00:00.000Z`);
  const to = new Date(from);
  to.setUTCMonth(to.getUTCMonth() + 1);
  return { from, to };
}

const providerOfJob = sql`coalesce(job.connection_id, 'file:' || split_part(job.engine, '/', 1))`;
const monthOf = (time: SQL): SQL => sql`to_char(${time} at time zone 'UTC', 'YYYY-MM')`;

/** Jobs as they count in reports: with their RELEASE, or of free work, which has none, when it completed. */
const bookedJobs = ({ organization_id, month, provider_id }: MatchScope): SQL => {
  const { from, to } = monthPeriod(month);
  const isWithin = (time: SQL) =>
    sql`${time} >= ${from.toISOString()}::timestamptz and ${time} < ${to.toISOString()}::timestamptz`;
  return sql`select work.id, work.booked_at, job.request_id, job.cost_micro_usd, job.cost_basis, job.connection_id,
      coalesce(orders.model, orders.task) as label, orders.line_items
    from (select generation_id as id, created_at as booked_at from ledger_entries
        where organization_id = ${organization_id} and type = 'RELEASE' and ${isWithin(sql`created_at`)}
      union all select id, completed_at from generations as free
        where organization_id = ${organization_id} and amount_micro_usd = 0 and ${isWithin(sql`completed_at`)}
        and not exists (select from ledger_entries as entry where entry.generation_id = free.id)) as work
    join upstream_jobs as job on job.generation_id = work.id
    join generations as orders on orders.id = work.id
    where ${providerOfJob} = ${provider_id}`;
};

/** Lines that have a request id by it, the others by day, category and model. */
const billedLines = (
  { organization_id, month, provider_id }: MatchScope,
  { services, models }: NamedServices,
): SQL => sql`select line.request_id,
      case when line.request_id is null
        then 'd:' || ((line.charged_at at time zone 'UTC')::date)::text || ':' || line.category || ':'
          || coalesce(named.model, 'service:' || line.service, '') end as of_day,
      count(*) as count, sum(line.usd_nano) as bill,
      case when count(line.quantity_nano) = count(*) then sum(line.quantity_nano) end as quantity,
      min(line.category) as category, min(line.charged_at) as charged_at, min(line.service) as service,
      min(line.bill_id || ' ' || lpad(line.row::text, 8, '0')) as first_line
    from provider_bills as bill
    join provider_bill_lines as line on line.organization_id = bill.organization_id and line.bill_id = bill.id
    left join unnest(${sql.param(services)}::text[], ${sql.param(models)}::text[]) as named (service, model)
      on named.service = line.service and line.request_id is null and line.category = 'usage'
    where bill.organization_id = ${organization_id} and bill.month = ${month} and bill.provider_id = ${provider_id}
    group by 1, 2`;

/**
 * Both sides of a month of one provider, joined by request id, else by day and model. Each line and each job with a known
 * cost is in exactly one row. Decision: Closing
 */
export function selectPairs(scope: MatchScope, named: NamedServices): SQL {
  const { organization_id, month, provider_id } = scope;
  const isOther = sql`(bill.month, bill.provider_id) <> (${month}, ${provider_id})`;
  const otherLines = (
    request: SQL,
  ): SQL => sql`provider_bill_lines as line join provider_bills as bill on bill.id = line.bill_id
    where line.organization_id = ${organization_id} and line.request_id = ${request} and ${isOther}`;
  const millionths = sql`(booked.line_items -> 0 ->> 'quantity')`;
  return sql`
  with billed as materialized (${billedLines(scope, named)}),
  booked as materialized (${bookedJobs(scope)}),
  found as materialized (
    select job.request_id, min(job.generation_id) as generation_id from billed
    join upstream_jobs as job on job.request_id = billed.request_id
    join generations as orders on orders.id = job.generation_id and orders.organization_id = ${organization_id}
    group by 1),
  sides as (
    select coalesce('g:' || found.generation_id, 'r:' || billed.request_id, billed.of_day) as subject,
      billed.count as line_count, billed.bill, billed.quantity, billed.category, billed.charged_at, billed.service,
      billed.first_line, billed.request_id, found.generation_id as found_id,
      null::text as job_id, null::timestamptz as booked_at, null::bigint as cost, null::numeric as our_quantity,
      null::boolean as is_list, 0::numeric as corrected
    from billed left join found on found.request_id = billed.request_id
    union all select case when found.generation_id is null and day.of_day is not null then day.of_day else 'g:' || booked.id end,
      0, null, null, null, null, null, null, booked.request_id, null, booked.id, booked.booked_at, booked.cost_micro_usd,
      case when jsonb_array_length(booked.line_items) = 1 and ${millionths} ~ '^\\d{1,12}(\\.\\d{1,9})?$'
        then ${millionths}::numeric * 1000000000 end,
      booked.cost_basis = 'list' and booked.connection_id is not null, 0
    from booked left join found on found.generation_id = booked.id
    left join billed as day
      on day.of_day = 'd:' || ((booked.booked_at at time zone 'UTC')::date)::text || ':usage:' || booked.label
    union all select subject, 0, null, null, null, null, null, null, null, null, null, null, null, null, null, amount_nano
    from closing_corrections
    where organization_id = ${organization_id} and month = ${month} and provider_id = ${provider_id}),
  joined as (
    select subject, sum(line_count)::int as line_count, sum(bill) as bill, sum(quantity) as quantity,
      min(category) as category, min(charged_at) as charged_at, min(service) as service, min(first_line) as first_line,
      case when count(distinct request_id) = 1 then min(request_id) end as request_id,
      count(job_id)::int as job_count, sum(cost * 1000) as cost, min(booked_at) as booked_at,
      case when count(our_quantity) = count(job_id) then sum(our_quantity) end as our_quantity,
      coalesce(bool_and(is_list), false) as has_list_price, sum(corrected) as corrected,
      case when count(job_id) <= 1 then coalesce(min(job_id), min(found_id)) end as generation_id
    from sides group by subject
    having sum(line_count) > 0 or count(cost) > 0 or sum(corrected) <> 0)
  select joined.subject, line_count, bill::text as bill_nano, round(quantity)::text as quantity_nano, category,
    ${monthOf(sql`charged_at`)} as line_month, joined.request_id is not null as has_request, first_line, service,
    coalesce(joined.request_id, job.request_id) as request_id, charged_at::text, job_count, cost::text as cost_nano,
    round(our_quantity)::text as our_quantity_nano, has_list_price, joined.generation_id, joined.booked_at::text,
    orders.task, coalesce(orders.model, split_part(case when job_count > 1 then joined.subject end, ':', 4)) as model,
    case when job_count = 1 then orders.status end as status,
    coalesce(orders.error ->> 'code' = 'timeout', false) as is_timeout,
    case when job_count = 0 then ${monthOf(sql`coalesce(entry.created_at, orders.completed_at)`)} end as elsewhere_month,
    case when job_count = 0 then ${providerOfJob} end as elsewhere_provider,
    case when job_count = 0 and orders.id is not null then (coalesce(job.cost_micro_usd * 1000, 0) + coalesce((
      select sum(amount_nano) from closing_corrections as correction where correction.generation_id = orders.id
        and (correction.month, correction.provider_id) <> (${month}, ${provider_id})), 0))::text end as elsewhere_cost_nano,
    case when job_count = 0 and orders.id is not null then not exists (select from ${otherLines(sql`job.request_id`)}
      and ((bill.month, bill.provider_id) < (${month}, ${provider_id})
        or (bill.month, bill.provider_id)
          = (${monthOf(sql`coalesce(entry.created_at, orders.completed_at)`)}, ${providerOfJob}))) else false end as is_carried,
    case when line_count = 0 and job_count = 1 then (select min(bill.month) from ${otherLines(sql`job.request_id`)}) end as billed_in,
    corrected::text as booked_nano,
    coalesce(sum(abs(bill - cost)) filter (where abs(bill - cost) < 5000000) over (), 0)::text as below_half_cent,
    coalesce(sum(bill - cost) filter (where abs(bill - cost) < 1000) over (), 0)::text as below_micro
  from joined
  left join generations as orders on orders.id = joined.generation_id
  left join upstream_jobs as job on job.generation_id = joined.generation_id
  left join ledger_entries as entry on entry.generation_id = joined.generation_id and entry.type = 'RELEASE'
  order by subject`;
}
