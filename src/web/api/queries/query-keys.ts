import type { EndpointName, QueryOf } from '#contract/endpoints.ts';

/** Filters of a list, as in the URL, without its page. */
export type EndpointFilters<N extends EndpointName> = Partial<Omit<NonNullable<QueryOf<N>>, 'cursor' | 'limit'>>;

/** Every key of the query cache, from general to specific, so that a whole resource can be invalidated at once. */
export const queryKeys = {
  tasks: ['tasks'],
  models: ['models'],
  pricing: ['pricing'],
  estimates: ['estimates'],
  generations: {
    all: ['generations'],
    lists: ['generations', 'list'],
    list: (filters: EndpointFilters<'list_generations'>) => ['generations', 'list', filters],
    chosenAll: ['generations', 'chosen'],
    chosen: (filters: EndpointFilters<'list_generations'>) => ['generations', 'chosen', filters],
    heads: ['generations', 'head'],
    head: (filters: EndpointFilters<'list_generations'>) => ['generations', 'head', filters],
    attempts: ['generations', 'attempts'],
    attemptsOf: (id: string) => ['generations', 'attempts', id],
    detail: (id: string) => ['generations', 'detail', id],
    waiting: ['generations', 'waiting'],
    review: (id: string) => ['generations', 'review', id],
    /** The status is part of the key, because the cost is known once the generation is complete. */
    upstream: (id: string, status: string) => ['generations', 'upstream', id, status],
  },
  tags: ['tags'],
  usualDurations: ['usual-durations'],
  uploads: {
    all: ['uploads'],
    lists: ['uploads', 'list'],
    list: (filters: EndpointFilters<'list_uploads'>) => ['uploads', 'list', filters],
    heads: ['uploads', 'head'],
    head: (filters: EndpointFilters<'list_uploads'>) => ['uploads', 'head', filters],
    detail: (id: string) => ['uploads', 'detail', id],
  },
  media: {
    all: ['media'],
    lists: ['media', 'list'],
    list: (filters: EndpointFilters<'list_media'>) => ['media', 'list', filters],
    heads: ['media', 'head'],
    head: (filters: EndpointFilters<'list_media'>) => ['media', 'head', filters],
    detail: (id: string) => ['media', 'detail', id],
    chosen: (ids: readonly string[]) => ['media', 'chosen', ids],
    lineage: (id: string) => ['media', 'lineage', id],
    deletion: (ids: readonly string[]) => ['media', 'deletion', ids],
    waveform: (id: string) => ['waveform', id],
  },
  me: ['me'],
  billing: {
    all: ['billing'],
    summary: (range: EndpointFilters<'get_billing_summary'>) => ['billing', 'summary', range],
    spending: (query: EndpointFilters<'get_spending'>) => ['billing', 'spending', query],
    sums: (filters: EndpointFilters<'get_ledger_sums'>) => ['billing', 'sums', filters],
    reservations: ['billing', 'reservations'],
    pivot: (query: EndpointFilters<'get_pivot'>) => ['billing', 'pivot', query],
    budgets: ['billing', 'budgets'],
    statement: (month: string) => ['billing', 'statement', month],
    margin: (query: EndpointFilters<'get_margin'>) => ['billing', 'margin', query],
    whatIf: (question: object) => ['billing', 'what-if', question],
    /** Invalidated with the funds. The rest of the ledger is append-only. */
    ledgerHead: (filters: EndpointFilters<'list_ledger'>) => ['billing', 'ledger', filters],
  },
  requests: { all: ['requests'], pending: ['requests', 'pending'] },
  ledger: (filters: EndpointFilters<'list_ledger'>) => ['ledger', filters],
  keys: ['keys'],
  people: {
    all: ['people'],
    list: (status: string) => ['people', 'list', status],
    invitations: ['people', 'invitations'],
  },
  signInMethods: ['sign-in-methods'],
  passkeys: ['passkeys'],
  sessions: ['sessions'],
  webhooks: {
    all: ['webhooks'],
    endpoints: ['webhooks', 'endpoints'],
    /** Of one endpoint, for every filter: the pages, and the newest page. */
    lists: (endpoint_id: string) => ['webhooks', 'list', endpoint_id],
    list: (endpoint_id: string, status: string | undefined) => ['webhooks', 'list', endpoint_id, status ?? 'all'],
    heads: (endpoint_id: string) => ['webhooks', 'head', endpoint_id],
    head: (endpoint_id: string, status: string | undefined) => ['webhooks', 'head', endpoint_id, status ?? 'all'],
    delivery: (id: string) => ['webhooks', 'delivery', id],
    recoverable: (endpoint_id: string, since: string | null) => ['webhooks', 'recoverable', endpoint_id, since],
  },
  providers: {
    all: ['providers'],
    connected: ['providers', 'connected'],
    presets: ['providers', 'presets'],
    jobs: (provider_id: string) => ['providers', 'jobs', provider_id],
  },
  reference: ['reference'],
} as const;
