import { type SQL, sql } from 'drizzle-orm';

/** Queries of a list, and the rows of `seedHistory` that each must list, as a condition. */
type Filters = Readonly<Record<string, SQL>>;

const ofPerson = (id: string) => sql`(select id from api_keys where person_id = ${id})`;
const tags = (client: string | null) => `tags=${encodeURIComponent(JSON.stringify({ client }))}`;

/** @param middle expression for the time in the middle of the history, whose value is `middleTime` */
export function generationFilters(person_id: string, middle: SQL, middleTime: Date): Filters {
  const before = `created_before=${encodeURIComponent(middleTime.toISOString())}`;
  return {
    'q=amber': sql`input->>'prompt' like '%amber%'`,
    'q=Ancient': sql`input->>'prompt' like '%ancient%'`,
    'q=lighthouse': sql`input->>'prompt' like '%lighthouse%'`,
    'q=amber copper': sql`input->>'prompt' like '%amber copper%'`,
    'q=w nowhere': sql`false`,
    'q=amber&status=failed': sql`input->>'prompt' like '%amber%' and status = 'failed'`,
    [`q=copper&${tags('client 7')}`]: sql`input->>'prompt' like '%copper%' and tags->>'client' = 'client 7'`,
    [`person_id=${person_id}&q=copper`]: sql`input->>'prompt' like '%copper%' and created_by in ${ofPerson(person_id)}`,
    'status=failed': sql`status = 'failed'`,
    'model=omni-video&status=succeeded': sql`model = 'omni-video' and status = 'succeeded'`,
    [`${tags('client 7')}&status=failed`]: sql`tags->>'client' = 'client 7' and status = 'failed'`,
    [`${tags('client 7')}&${before}`]: sql`tags->>'client' = 'client 7' and created_at < ${middle}`,
    [`${tags(null)}`]: sql`not tags ? 'client'`,
    [`person_id=${person_id}&task=image.edit`]: sql`task = 'image.edit' and created_by in ${ofPerson(person_id)}`,
    [`${before}&q=amber`]: sql`created_at < ${middle} and input->>'prompt' like '%amber%'`,
  };
}

/** For generated media `a` of generations `g`, all but a few with the label "often". */
export const mediaFilters = (quiet_person_id: string): Filters => ({
  'label=often': sql`right(a.id, 1) <> '1'`,
  'label=often&type=video&q=amber': sql`right(a.id, 1) <> '1' and a.type = 'video' and g.input->>'prompt' like '%amber%'`,
  [`person_id=${quiet_person_id}&q=amber`]: sql`g.created_by in ${ofPerson(quiet_person_id)} and g.input->>'prompt' like '%amber%'`,
  'q=w nowhere': sql`false`,
  'q=amber': sql`g.input->>'prompt' like '%amber%'`,
  'q=ancient': sql`g.input->>'prompt' like '%ancient%'`,
  'q=copper&type=video': sql`g.input->>'prompt' like '%copper%' and a.type = 'video'`,
  'type=image&task=image.create': sql`a.type = 'image' and g.task = 'image.create'`,
  'type=video&task=image.create': sql`false`,
  'favourite=true&model=omni-video': sql`a.favourite and g.model = 'omni-video'`,
  'label=label 1': sql`a.id in (select media_id from media_labels where label = 'label 1')`,
  [`person_id=${quiet_person_id}`]: sql`g.created_by in ${ofPerson(quiet_person_id)}`,
});

const hasTag = (value: string) => sql`g.tags->>'client' = ${value}`;

/** For entries `e` of the ledger, with their generations `g`. */
export const ENTRY_FILTERS: Filters = {
  'type=REFUND': sql`e.type = 'REFUND'`,
  'model=omni-video': sql`e.model = 'omni-video'`,
  [tags('client 7')]: hasTag('client 7'),
  [`${tags('client 7')}&model=omni-video&type=SETTLE`]: sql`${hasTag('client 7')} and e.model = 'omni-video' and e.type = 'SETTLE'`,
  [tags('client 77')]: sql`false`,
  'q=$0.04&type=SETTLE': sql`abs(e.amount_micro_usd) = 40000 and e.type = 'SETTLE'`,
  'q=lighthouse': sql`g.input->>'prompt' like '%lighthouse%'`,
  'q=amber copper&type=RESERVE': sql`g.input->>'prompt' like '%amber%' and g.input->>'prompt' like '%copper%' and e.type = 'RESERVE'`,
  'q=everywhere&model=omni-video': sql`g.input->>'prompt' like '%everywhere%' and e.model = 'omni-video'`,
};
