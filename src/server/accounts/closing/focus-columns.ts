import type { FocusView } from '#contract/resources/audit.ts';
import { formatDecimal, formatUsd } from '#contract/money/money.ts';
import { presentEntryCost } from '#server/accounts/billing/ledger/entry-costs.ts';
import type { NamedEntry } from '#server/accounts/billing/ledger/read-entries.ts';
import type { FocusCharge, WorkFacts } from './focus-charge.ts';

export interface FocusRow extends NamedEntry {
  view: FocusView;
  /** A correction of a cost, which is no entry of the ledger. */
  isOfClosing?: true;
  charge: FocusCharge;
  work: WorkFacts;
  organization: { id: string; name: string };
  period: { start: Date; end: Date };
}

type Column = (row: FocusRow) => string | null;

const EMULSION = 'Emulsion';
const SECOND_MS = 1000;

/** `2026-11-21T08:00:00Z` */
const formatTime = (time: Date): string => `${time.toISOString().slice(0, 19)}Z`;

const formatQuantity = (millionths: bigint): string =>
  millionths < 0n ? `-${formatDecimal(-millionths)}` : formatDecimal(millionths);

const price = ({ charge }: FocusRow): string | null => charge.price && formatUsd(charge.price.unitPrice);

/** Who sells: providers sell to the organization, which sells to its people. */
const seller = ({ view, work }: FocusRow): string => (view === 'costs' ? (work.provider?.name ?? EMULSION) : EMULSION);

const isUsage = ({ charge }: FocusRow): boolean => charge.category === 'Usage';

/** Columns of FOCUS 1.2 by name; specification/columns in FinOps-Open-Cost-and-Usage-Spec/FOCUS_Spec. Decision: FOCUS export */
export const FOCUS_COLUMNS = {
  BilledCost: ({ charge }) => formatUsd(charge.billed),
  BillingAccountId: ({ view, work, organization }) => (view === 'costs' ? (work.provider?.id ?? '') : organization.id),
  BillingAccountName: ({ view, organization }) => (view === 'costs' ? null : organization.name),
  BillingAccountType: ({ view }) => (view === 'costs' ? 'Provider connection' : 'Organization'),
  BillingCurrency: () => 'USD',
  BillingPeriodEnd: ({ period }) => formatTime(period.end),
  BillingPeriodStart: ({ period }) => formatTime(period.start),
  ChargeCategory: ({ charge }) => charge.category,
  ChargeClass: ({ charge }) => (charge.isCorrection ? 'Correction' : null),
  ChargeDescription: ({ entry, charge }) => entry.description || (charge.sku?.meter ?? charge.category),
  ChargeFrequency: (row) => (isUsage(row) ? 'Usage-Based' : 'One-Time'),
  ChargePeriodEnd: ({ entry }) => formatTime(new Date(entry.created_at.getTime() + SECOND_MS)),
  ChargePeriodStart: ({ entry }) => formatTime(entry.created_at),
  ConsumedQuantity: ({ charge }) => charge.consumed && formatQuantity(charge.consumed.quantity),
  ConsumedUnit: ({ charge }) => charge.consumed && charge.consumed.unit,
  ContractedCost: ({ charge }) => formatUsd(charge.contracted),
  ContractedUnitPrice: price,
  EffectiveCost: ({ charge }) => formatUsd(charge.effective),
  InvoiceId: () => null,
  InvoiceIssuerName: seller,
  ListCost: ({ charge }) => formatUsd(charge.contracted),
  ListUnitPrice: price,
  PricingCategory: ({ charge }) => charge.price && 'Standard',
  PricingQuantity: ({ charge }) => charge.price && formatQuantity(charge.price.quantity),
  PricingUnit: ({ charge }) => charge.price && charge.price.unit,
  ProviderName: seller,
  PublisherName: seller,
  ResourceId: ({ entry }) => entry.generation_id,
  ResourceName: () => null,
  ResourceType: ({ entry }) => entry.generation_id && 'Generation',
  ServiceCategory: () => 'AI and Machine Learning',
  ServiceName: seller,
  ServiceSubcategory: () => 'Generative AI',
  SkuId: ({ charge }) => charge.sku && charge.sku.id,
  SkuMeter: ({ charge }) => charge.sku && charge.sku.meter,
  SkuPriceDetails: () => null,
  /** Names the price that it stands for, so that it never means another one. */
  SkuPriceId: (row) =>
    row.charge.sku && row.charge.price && `${row.charge.sku.id}/${row.charge.price.unit}/${price(row)}`,
  Tags: ({ tags }) => (tags && Object.keys(tags).length > 0 ? JSON.stringify(tags) : null),
} as const satisfies Record<string, Column>;

const CUSTOM_COLUMNS = {
  x_ClosingEntryId: ({ entry, isOfClosing }) => (isOfClosing ? entry.id : null),
  x_GenerationId: ({ entry }) => entry.generation_id,
  x_KeyId: ({ entry }) => entry.key_id,
  x_KeyName: ({ key_name }) => key_name,
  x_LedgerEntryId: ({ entry, isOfClosing }) => (isOfClosing ? null : entry.id),
  x_LedgerSequence: ({ entry, isOfClosing }) => (isOfClosing ? null : String(entry.seq)),
  x_LedgerType: ({ entry, isOfClosing }) => (isOfClosing ? null : entry.type),
  /** With everything that recomputes a charge. */
  x_LineItems: ({ entry, work }) =>
    entry.type === 'SETTLE' && work.line_items.length > 0 ? JSON.stringify(work.line_items) : null,
  x_Model: ({ entry }) => entry.model,
  x_PersonId: ({ person_id }) => person_id,
  x_PersonName: ({ person_name }) => person_name,
  x_Task: ({ entry }) => entry.task,
  x_WorkflowRunId: ({ entry }) => entry.workflow_run_id,
} as const satisfies Record<string, Column>;

/** With `costs.read`; the counterpart of a charge is its cost, and the other way round. */
const COST_COLUMNS = {
  x_ChargedCost: ({ entry }) => (entry.type === 'SETTLE' ? formatUsd(-entry.amount_micro_usd) : null),
  x_CostBasis: (row) => presentEntryCost(row.entry, row).cost_basis,
  x_ProviderCost: (row) => presentEntryCost(row.entry, row).cost_usd,
  x_ProviderId: ({ work }) => work.provider && work.provider.id,
  x_ProviderName: ({ work }) => work.provider && work.provider.name,
  x_ProviderRequestId: ({ work }) => work.request_id,
} as const satisfies Record<string, Column>;

/** Columns in their order: those of FOCUS first, each part by name. */
export const focusColumns = (seesCosts: boolean): [string, Column][] => [
  ...Object.entries<Column>(FOCUS_COLUMNS),
  ...Object.entries<Column>({ ...CUSTOM_COLUMNS, ...(seesCosts ? COST_COLUMNS : {}) }),
];
