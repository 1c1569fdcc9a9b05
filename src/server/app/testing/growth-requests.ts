import { sql } from 'drizzle-orm';
import type { Db } from '#server/platform/db/db.ts';
import { readRows } from '#server/platform/db/rows/list-tables.ts';

const DAY_MS = 86_400_000;

interface Sample extends Record<string, string> {
  generation_id: string;
  person_id: string;
  quiet_person_id: string;
  key_id: string;
  batch_id: string;
  run_id: string;
  asset_id: string;
  delivery_id: string;
  endpoint_id: string;
}

/** Paths of requests by what they measure, with the filters of the dashboard. The first is the floor. */
export async function growthRequests(db: Db, organization_id: string, now: Date): Promise<Record<string, string>> {
  const person = (order: 'asc' | 'desc') =>
    sql`(select p.id from people p where p.organization_id = ${organization_id} order by p.id ${sql.raw(order)} limit 1)`;
  const [sample] = await readRows<Sample>(
    db,
    sql`select g.id as generation_id, g.created_by as key_id, ${person('asc')} as person_id, ${person('desc')} as quiet_person_id,
      (select id from batches order by id desc limit 1) as batch_id, (select id from workflow_runs order by id desc limit 1) as run_id,
      (select id from assets a where a.organization_id = ${organization_id} order by id desc limit 1) as asset_id,
      (select id from webhook_deliveries order by id desc limit 1) as delivery_id, (select id from webhook_endpoints limit 1) as endpoint_id
      from generations g where g.organization_id = ${organization_id} and g.billing_status = 'settled' and g.amount_micro_usd > 0
      order by g.id desc limit 1`,
  );
  const todayMs = Math.floor(now.getTime() / DAY_MS) * DAY_MS;
  const daysAgo: DaysAgo = (days) => new Date(todayMs - days * DAY_MS).toISOString();
  if (!sample) throw new Error('The database has no history.');
  return {
    'floor: one generation': `/v1/generations/${sample.generation_id}`,
    ...generationLists(sample, daysAgo),
    ...billingReads(sample, daysAgo),
    ...mediaLists(sample, daysAgo),
    ...otherLists(sample, daysAgo),
  };
}

type DaysAgo = (days: number) => string;
const tags = (value: string | null) => encodeURIComponent(JSON.stringify({ client: value }));
const twoTags = encodeURIComponent(JSON.stringify({ client: 'client 7', project: 'project 27' }));

/** Builds one path per query: `name` is followed by the query itself. */
const paths = (name: string, path: string, queries: readonly string[]) =>
  Object.fromEntries(queries.map((query) => [`${name} ${query === '' ? 'all' : shorten(query)}`, `${path}?${query}`]));

const shorten = (query: string) =>
  decodeURIComponent(query)
    .replaceAll(/T00:00:00.000Z|created_|(?<=_)0{8,}|(?<=_)\w{20,}(?=\w{4})/g, '')
    .slice(0, 48);

const generationLists = ({ person_id, quiet_person_id, batch_id, generation_id }: Sample, daysAgo: DaysAgo) =>
  paths('generations', '/v1/generations', [
    '',
    'limit=200',
    `q=req-${generation_id}`,
    'status=succeeded',
    'status=failed',
    'status=running',
    'status=manual_review',
    'task=image.edit',
    'task=video.lipsync',
    'task=video.add_audio',
    'model=omni-video',
    'model=lipsync-v3',
    'model=imgmodel-d-5-pro',
    'status=failed&task=video.edit',
    'status=failed&model=lipsync-v3',
    'status=manual_review&task=image.create',
    `created_after=${daysAgo(7)}`,
    `created_before=${daysAgo(180)}`,
    `created_before=${daysAgo(360)}`,
    `created_after=${daysAgo(200)}&created_before=${daysAgo(190)}`,
    `created_before=${daysAgo(300)}&task=video.lipsync`,
    `created_before=${daysAgo(200)}&status=failed&model=omni-video`,
    'q=everywhere',
    'q=lighthouse',
    'q=nowhere',
    'q=ancient',
    'q=amber',
    'q=amber copper',
    'q=wda wdb',
    'q=w',
    'q=lighthouse&status=failed',
    'q=ancient&task=video.lipsync',
    'q=w nowhere',
    'q=ancient lighthouse',
    `q=amber&created_before=${daysAgo(200)}`,
    `person_id=${person_id}`,
    `person_id=${quiet_person_id}`,
    `person_id=${person_id}&task=video.lipsync`,
    `person_id=${quiet_person_id}&status=failed`,
    `person_id=${person_id}&q=lighthouse`,
    `person_id=${quiet_person_id}&q=amber`,
    `tags=${tags('client 7')}`,
    `tags=${tags('client 77')}`,
    `tags=${tags(null)}`,
    `tags=${tags('client 7')}&status=failed&task=video.edit`,
    `tags=${tags('client 7')}&person_id=${quiet_person_id}`,
    `tags=${tags('client 7')}&q=lighthouse`,
    `batch_id=${batch_id}`,
  ]);

const billingReads = ({ person_id, quiet_person_id, key_id, generation_id, run_id }: Sample, daysAgo: DaysAgo) => ({
  ...paths('summary', '/v1/billing/summary', ['', `from=${daysAgo(300)}`]),
  ...paths(
    'spending',
    '/v1/billing/spending',
    ['key', 'model', 'task', 'person', 'tag:client'].flatMap((by) => [`by=${by}`, `by=${by}&from=${daysAgo(300)}`]),
  ),
  ...paths('spending of', '/v1/billing/spending', [
    `by=model&person_id=${person_id}&from=${daysAgo(300)}`,
    `by=model&tags=${tags('client 7')}&from=${daysAgo(300)}`,
    `by=tag:project&tags=${tags('client 7')}&from=${daysAgo(300)}`,
    `by=model&tags=${twoTags}&from=${daysAgo(300)}`,
  ]),
  ...paths('pivot', '/v1/billing/pivot', [
    'rows=person&columns=month',
    `rows=model&columns=month&from=${daysAgo(180)}`,
    `rows=tag:client&columns=month&from=${daysAgo(180)}`,
    `rows=tag:client&columns=model&from=${daysAgo(180)}`,
  ]),
  ...paths('sums', '/v1/billing/ledger/sums', [
    '',
    'type=SETTLE',
    'task=image.create',
    'model=omni-video',
    `key_id=${key_id}`,
    `person_id=${person_id}`,
    `person_id=${quiet_person_id}`,
    `tags=${tags('client 7')}`,
    `tags=${tags(null)}`,
    `tags=${tags('client 7')}&type=SETTLE&task=image.create`,
    `tags=${twoTags}`,
    `created_after=${daysAgo(30)}`,
    `created_after=${daysAgo(300)}&created_before=${daysAgo(30)}`,
    `model=omni-video&type=SETTLE&person_id=${person_id}&created_after=${daysAgo(300)}`,
    `generation_id=${generation_id}`,
    `workflow_run_id=${run_id}`,
  ]),
  ...Object.fromEntries(
    ['ledger', 'ledger/lines', 'ledger.csv'].flatMap((path) =>
      Object.entries(
        paths(path, `/v1/billing/${path}`, [
          '',
          'type=REFUND',
          'model=lipsync-v3',
          `person_id=${quiet_person_id}&type=SETTLE`,
          `tags=${tags('client 7')}`,
          `created_before=${daysAgo(200)}&task=video.edit`,
          'q=lighthouse',
          'q=ancient',
          'q=unhappy',
          'q=$0.04',
          'q=%23100000',
        ]),
      ),
    ),
  ),
  ...paths('focus', '/v1/billing/focus', [
    `period=${daysAgo(40).slice(0, 7)}&view=charges`,
    `period=${daysAgo(40).slice(0, 7)}&view=costs`,
  ]),
  ...paths('reservations', '/v1/billing/reservations', ['']),
  ...paths('statement', '/v1/billing/statement', [
    '',
    `month=${daysAgo(60).slice(0, 7)}`,
    `month=${daysAgo(60).slice(0, 7)}&by=model`,
  ]),
  ...paths('statement.csv', '/v1/billing/statement.csv', [`month=${daysAgo(60).slice(0, 7)}`]),
  ...paths('margin', '/v1/billing/margin', ['group_by=model', 'group_by=day', `group_by=model&from=${daysAgo(300)}`]),
  ...paths('budgets', '/v1/billing/budgets', ['']),
});

const mediaLists = ({ person_id, quiet_person_id, asset_id }: Sample, daysAgo: DaysAgo) => ({
  ...paths('media', '/v1/media', [
    '',
    'type=video',
    'type=audio',
    'origin=upload',
    'origin=generated',
    'task=image.edit',
    'task=video.lipsync',
    'model=omni-video',
    'model=lipsync-v3',
    'favourite=true',
    'favourite=false',
    'favourite=true&type=video',
    'in_trash=true',
    'label=label 1',
    'label=none',
    `created_before=${daysAgo(200)}&task=image.create`,
    'q=everywhere',
    'q=lighthouse',
    'q=nowhere',
    'q=ancient',
    'q=amber',
    'q=amber copper',
    'q=wda wdb',
    'q=w',
    'q=w nowhere',
    'q=ancient lighthouse',
    'label=label 1&type=video',
    'label=label 1&q=lighthouse',
    'type=video&task=image.create',
    'favourite=true&model=lipsync-v3',
    'q=holiday',
    'q=amber&task=video.lipsync',
    `person_id=${person_id}`,
    `person_id=${quiet_person_id}`,
    `person_id=${quiet_person_id}&type=video`,
    `person_id=${quiet_person_id}&q=amber`,
    `person_id=${person_id}&label=label 1&q=ancient`,
  ]),
  ...paths('uploads', '/v1/uploads', ['', 'q=holiday photo 16', 'q=nothing', `created_before=${daysAgo(200)}`]),
  ...paths('labels', '/v1/media/labels', ['', 'q=lab']),
  ...paths('collections', '/v1/collections', ['']),
  ...paths('media item', `/v1/media/${asset_id}`, ['']),
  ...paths('lineage', `/v1/media/${asset_id}/lineage`, ['']),
});

const otherLists = ({ batch_id, delivery_id, endpoint_id, run_id, quiet_person_id }: Sample, daysAgo: DaysAgo) => ({
  ...paths('activity', '/v1/activity', ['']),
  ...paths('usual durations', '/v1/usual-durations', ['']),
  ...paths('batches', '/v1/batches', ['', `person_id=${quiet_person_id}`]),
  ...paths('batch', `/v1/batches/${batch_id}`, ['']),
  ...paths('orders', `/v1/batches/${batch_id}/orders`, ['']),
  ...paths('runs', '/v1/workflow-runs', [
    '',
    'q=fox 100000',
    'q=nothing',
    'status=failed',
    `created_before=${daysAgo(200)}`,
  ]),
  ...paths('run', `/v1/workflow-runs/${run_id}`, ['']),
  ...paths('endpoints', '/v1/webhooks/endpoints', ['']),
  ...paths('deliveries', `/v1/webhooks/endpoints/${endpoint_id}/deliveries`, ['', 'status=failed']),
  ...paths('delivery', `/v1/webhooks/deliveries/${delivery_id}`, ['']),
  ...paths('audit events', '/v1/audit-events', ['', 'action=key', `to=${daysAgo(200)}`]),
  ...paths('latest changes', '/v1/audit-events/latest', ['action=key&target_ids=key_1']),
  ...paths('audit-events.csv', '/v1/audit-events.csv', ['']),
  ...paths('alerts', '/v1/alerts', ['', 'kind=low_balance']),
  ...paths('tag values', '/v1/tags/client/values', ['', 'q=client 1']),
  ...paths('recent prompts', '/v1/recent-prompts', ['', 'task=video.lipsync']),
  ...paths('people', '/v1/people', ['']),
  ...paths('requests', '/v1/requests', ['']),
  ...paths('api keys', '/v1/api-keys', ['']),
  ...paths('sessions', '/v1/sessions', ['']),
});
