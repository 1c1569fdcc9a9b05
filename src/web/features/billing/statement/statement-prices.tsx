import { formatMultipliers } from '#contract/money/multipliers.ts';
import type { Statement } from '#contract/resources/audit.ts';
import { type CatalogNames, useCatalogNames } from '#web/api/catalog-names.ts';
import { inputContract } from '#web/api/known-models.ts';
import { LineItems } from '#web/collections/line-items.tsx';
import { PER_UNIT_LABELS } from '#web/forms/money/price-lines.ts';
import { Disclosure } from '#web/ui/controls/disclosure.tsx';
import { Money } from '#web/api/money.tsx';
import { formatUtcMinute } from '../ledger/format-utc-minute.ts';
import { type StatementPrice, priceChanges } from './price-changes.ts';

type StatementPriceBooks = Statement['prices'];

export function StatementPrices({ books }: { books: StatementPriceBooks }) {
  const names = useCatalogNames();
  return (
    <section aria-label="Prices" className="flex flex-col gap-3">
      {books.slice(1).map((book, at) => (
        <PriceChangeTable key={book.since ?? at} before={books[at] ?? book} after={book} />
      ))}
      {books.map((book, at) => (
        <Disclosure
          key={book.since ?? at}
          summary={
            books.length === 1 || !book.since
              ? 'Prices in effect'
              : `All prices since ${formatUtcMinute(book.since)} UTC`
          }
        >
          <LineItems
            columns={['Item', 'Price']}
            hasHeadings={false}
            items={book.data.map((row) => ({
              ...describeItem(row, names),
              amounts: [<Price key="price" row={row} />],
            }))}
          />
        </Disclosure>
      ))}
    </section>
  );
}

function PriceChangeTable({ before, after }: Record<'before' | 'after', StatementPriceBooks[number]>) {
  const names = useCatalogNames();
  return (
    <LineItems
      caption={after.since ? `Prices changed on ${formatUtcMinute(after.since)} UTC` : 'Prices changed'}
      columns={['Item', 'Before', 'After']}
      items={priceChanges(before, after).flatMap(({ before: old, after: next }) => {
        const row = next ?? old;
        const amounts = [old, next].map((price, at) => (price ? <Price key={at} row={price} /> : '–'));
        return row ? [{ ...describeItem(row, names), amounts }] : [];
      })}
    />
  );
}

const describeItem = ({ task, model }: StatementPrice, names: CatalogNames) => ({
  id: `${task} ${model ?? ''}`,
  name: model ? names.model(model) : names.task(task),
  notes: model ? [names.task(task)] : [],
});

function Price({ row }: { row: StatementPrice }) {
  const { task, model, unit, unit_price_usd, minimum_usd, multipliers } = row;
  return (
    <>
      <Money amount_usd={unit_price_usd} /> <span className="whitespace-nowrap">{PER_UNIT_LABELS[unit]}</span>
      {formatMultipliers(multipliers, inputContract(task, model)).map((text) => (
        <span key={text} className="block text-xs text-ink-3">
          {text}
        </span>
      ))}
      {minimum_usd === unit_price_usd || Number(minimum_usd) === 0 ? null : (
        <span className="block text-xs text-ink-3">
          at least <Money amount_usd={minimum_usd} />
        </span>
      )}
    </>
  );
}
