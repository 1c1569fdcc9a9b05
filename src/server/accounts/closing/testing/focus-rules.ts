import { parseUsd } from '#contract/money/money.ts';

export type FocusRecord = Record<string, string>;

/** specification/columns of FOCUS_Spec at tag v1.2. */
const MANDATORY = {
  BilledCost: 'decimal',
  BillingAccountId: 'text',
  BillingAccountName: 'text?',
  BillingCurrency: 'text',
  BillingPeriodEnd: 'time',
  BillingPeriodStart: 'time',
  ChargeCategory: 'text',
  ChargeClass: 'text?',
  ChargeDescription: 'text',
  ChargePeriodEnd: 'time',
  ChargePeriodStart: 'time',
  ContractedCost: 'decimal',
  EffectiveCost: 'decimal',
  InvoiceIssuerName: 'text',
  ListCost: 'decimal',
  PricingQuantity: 'decimal?',
  PricingUnit: 'text?',
  ProviderName: 'text',
  PublisherName: 'text',
  ServiceCategory: 'text',
  ServiceName: 'text',
} as const;

const OPTIONAL = {
  BillingAccountType: 'text',
  ChargeFrequency: 'text',
  ConsumedQuantity: 'decimal?',
  ConsumedUnit: 'text?',
  ContractedUnitPrice: 'decimal?',
  InvoiceId: 'text?',
  ListUnitPrice: 'decimal?',
  PricingCategory: 'text?',
  ResourceId: 'text?',
  ResourceName: 'text?',
  ResourceType: 'text?',
  ServiceSubcategory: 'text',
  SkuId: 'text?',
  SkuMeter: 'text?',
  SkuPriceDetails: 'text?',
  SkuPriceId: 'text?',
  Tags: 'text?',
} as const;

const FORMATS = {
  decimal: /^-?\d+(\.\d+)?$/,
  text: /\S/,
  time: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/,
} as const;

const ALLOWED: Record<string, readonly string[]> = {
  BillingCurrency: ['USD'],
  ChargeCategory: ['Usage', 'Purchase', 'Tax', 'Credit', 'Adjustment'],
  ChargeClass: ['', 'Correction'],
  ChargeFrequency: ['One-Time', 'Recurring', 'Usage-Based'],
  PricingCategory: ['', 'Standard', 'Dynamic', 'Committed', 'Other'],
  ServiceCategory: ['AI and Machine Learning'],
  ServiceSubcategory: ['Generative AI'],
};

const isMissing = (row: FocusRecord, name: string): boolean => row[name] === '';
const has = (row: FocusRecord, ...names: string[]): boolean => names.every((name) => !isMissing(row, name));
const lacks = (row: FocusRecord, ...names: string[]): boolean => names.every((name) => isMissing(row, name));
const micro = (row: FocusRecord, name: string): bigint => parseUsd(row[name] || '0');
const isPriced = ({ ChargeCategory, ChargeClass }: FocusRecord): boolean =>
  (ChargeCategory === 'Usage' || ChargeCategory === 'Purchase') && ChargeClass !== 'Correction';
const isProduct = (row: FocusRecord, price: string, cost: string): boolean =>
  !has(row, price, 'PricingQuantity') ||
  micro(row, 'PricingQuantity') * micro(row, price) === micro(row, cost) * 1_000_000n;

/** Every rule of a row that a program can check, by the column's page. */
const ROW_RULES: Record<string, (row: FocusRecord) => boolean> = {
  'ChargePeriod is not empty': (row) => (row['ChargePeriodStart'] ?? '') < (row['ChargePeriodEnd'] ?? ''),
  'ChargePeriod is within BillingPeriod': (row) =>
    (row['BillingPeriodStart'] ?? '') <= (row['ChargePeriodStart'] ?? '') &&
    (row['ChargePeriodEnd'] ?? '') <= (row['BillingPeriodEnd'] ?? ''),
  'ChargeFrequency of a purchase': (row) =>
    row['ChargeCategory'] !== 'Purchase' || row['ChargeFrequency'] !== 'Usage-Based',
  'EffectiveCost of a purchase for later': (row) =>
    row['ChargeCategory'] !== 'Purchase' || micro(row, 'EffectiveCost') === 0n,
  'costs of a credit or adjustment are its BilledCost': (row) =>
    !['Credit', 'Adjustment'].includes(row['ChargeCategory'] ?? '') ||
    ['EffectiveCost', 'ContractedCost', 'ListCost'].every((name) => row[name] === row['BilledCost']),
  'ContractedCost is a product': (row) => isProduct(row, 'ContractedUnitPrice', 'ContractedCost'),
  'ListCost is a product': (row) => isProduct(row, 'ListUnitPrice', 'ListCost'),
  'unit prices are not negative': (row) => micro(row, 'ListUnitPrice') >= 0n && micro(row, 'ContractedUnitPrice') >= 0n,
  'usage and purchases have a price': (row) =>
    !isPriced(row) ||
    has(row, 'SkuId', 'SkuPriceId', 'PricingQuantity', 'PricingCategory', 'ListUnitPrice', 'ContractedUnitPrice'),
  'PricingUnit goes with PricingQuantity': (row) => has(row, 'PricingUnit') === has(row, 'PricingQuantity'),
  'ConsumedUnit goes with ConsumedQuantity': (row) => has(row, 'ConsumedUnit') === has(row, 'ConsumedQuantity'),
  'usage alone is consumed': (row) =>
    row['ChargeCategory'] === 'Usage'
      ? has(row, 'ConsumedQuantity') || row['ChargeClass'] === 'Correction'
      : lacks(row, 'ConsumedQuantity'),
  'units are capitalized plurals': (row) =>
    ['PricingUnit', 'ConsumedUnit'].every((name) => /^([A-Z][a-z]+( [a-z]+)*s)?$/.test(row[name] ?? '')),
  'SkuMeter goes with SkuId': (row) => has(row, 'SkuMeter') === has(row, 'SkuId'),
  'SkuPriceDetails goes with SkuPriceId': (row) => has(row, 'SkuPriceId') || lacks(row, 'SkuPriceDetails'),
  'ResourceType goes with ResourceId': (row) => has(row, 'ResourceType') === has(row, 'ResourceId'),
  'ResourceName is not the id': (row) => lacks(row, 'ResourceName') || row['ResourceName'] !== row['ResourceId'],
  'Tags are an object of plain values': ({ Tags = '' }) => {
    const tags: unknown = Tags === '' ? {} : JSON.parse(Tags);
    return (
      typeof tags === 'object' &&
      tags !== null &&
      !Array.isArray(tags) &&
      Object.values(tags).every((value) => typeof value !== 'object')
    );
  },
};

/** @returns what breaks a rule of FOCUS 1.2, each with its row */
export function findFocusProblems(rows: readonly FocusRecord[]): string[] {
  const [first = {}] = rows;
  const names = Object.keys(first);
  const custom = names.findIndex((name) => name.startsWith('x_'));
  const own = { ...MANDATORY, ...OPTIONAL };
  const known = new Map<string, string>(Object.entries(own));
  const problems = [
    ...Object.keys(MANDATORY).flatMap((name) => (names.includes(name) ? [] : [`${name} is missing`])),
    ...names.slice(0, custom).flatMap((name) => (known.has(name) ? [] : [`${name} is no column of FOCUS`])),
    ...names.flatMap((name) => (/^(x_)?[A-Z][A-Za-z0-9]{1,49}$/.test(name) ? [] : [`${name} is no name of a column`])),
    ...names.slice(custom).flatMap((name) => (name.startsWith('x_') ? [] : [`${name} is behind custom columns`])),
  ];
  for (const [index, row] of rows.entries()) {
    for (const [name, type] of known) {
      const format = FORMATS[type.replace('?', '') as keyof typeof FORMATS];
      const value = row[name] ?? '';
      if (value === '' ? !type.endsWith('?') : !format.test(value)) problems.push(`${index}: ${name} is “${value}”`);
    }
    for (const [name, values] of Object.entries(ALLOWED))
      if (!values.includes(row[name] ?? '')) problems.push(`${index}: ${name} is “${row[name]}”`);
    for (const [name, isRight] of Object.entries(ROW_RULES)) if (!isRight(row)) problems.push(`${index}: ${name}`);
  }
  return [
    ...problems,
    ...findParents(rows, 'SkuPriceId', 'SkuId'),
    ...findParents(rows, 'SkuId', 'SkuMeter'),
    ...findParents(rows, 'SkuPriceId', 'ListUnitPrice'),
    ...findParents(rows, 'ServiceName', 'ServiceCategory'),
  ];
}

/** A value of one column has one value of another. */
function findParents(rows: readonly FocusRecord[], child: string, parent: string): string[] {
  const parents = new Map<string, string>();
  return rows.flatMap((row) => {
    const [value = '', of = ''] = [row[child], row[parent]];
    const before = parents.get(value) ?? of;
    parents.set(value, before);
    return value === '' || before === of ? [] : [`${child} ${value} has two values of ${parent}`];
  });
}
