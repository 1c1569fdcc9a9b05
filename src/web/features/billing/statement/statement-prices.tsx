import type { Statement } from '#contract/resources/audit.ts';
import { useCatalogNames } from '#web/api/catalog-names.ts';
import { PER_UNIT_LABELS } from '#web/forms/price-lines.ts';
import { Disclosure } from '#web/ui/disclosure.tsx';
import { Money } from '#web/api/money.tsx';
import { formatUtcMinute } from '../ledger/format-utc-minute.ts';
import { type StatementPrice, priceChanges } from './price-changes.ts';

type StatementPriceBooks = Statement['prices'];
const cell = 'border-b border-line py-2';

export function StatementPrices({ books }: { books: StatementPriceBooks }) {
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
          <table className="w-full text-sm">
            <tbody>
              {book.data.map((row) => (
                <tr key={`${row.task}${row.model}`}>
                  <PriceName row={row} />
                  <td className={`${cell} text-right`}>
                    <Price row={row} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </Disclosure>
      ))}
    </section>
  );
}

function PriceChangeTable({
  before,
  after,
}: {
  before: StatementPriceBooks[number];
  after: StatementPriceBooks[number];
}) {
  return (
    <table className="w-full text-sm">
      <caption className="pb-1 text-left font-medium">
        {after.since ? `Prices changed on ${formatUtcMinute(after.since)} UTC` : 'Prices changed'}
      </caption>
      <thead className="text-xs text-ink-3">
        <tr>
          <th scope="col" className={`${cell} text-left font-medium`}>
            Item
          </th>
          <th scope="col" className={`${cell} text-right font-medium`}>
            Before
          </th>
          <th scope="col" className={`${cell} text-right font-medium`}>
            After
          </th>
        </tr>
      </thead>
      <tbody>
        {priceChanges(before, after).map(({ before: old, after: next }) => {
          const row = next ?? old;
          return row ? (
            <tr key={`${row.task}${row.model}`} className="align-top">
              <PriceName row={row} />
              <td className={`${cell} pl-4 text-right text-ink-3`}>{old ? <Price row={old} /> : '–'}</td>
              <td className={`${cell} pl-4 text-right`}>{next ? <Price row={next} /> : '–'}</td>
            </tr>
          ) : null;
        })}
      </tbody>
    </table>
  );
}

function PriceName({ row: { task, model } }: { row: StatementPrice }) {
  const names = useCatalogNames();
  return (
    <th scope="row" className={`${cell} text-left font-normal`}>
      {model ? names.model(model) : names.task(task)}
      {model ? <span className="block text-xs text-ink-3">{names.task(task)}</span> : null}
    </th>
  );
}

function Price({ row: { unit, unit_price_usd, minimum_usd } }: { row: StatementPrice }) {
  return (
    <>
      <Money amount_usd={unit_price_usd} /> <span className="whitespace-nowrap">{PER_UNIT_LABELS[unit]}</span>
      {minimum_usd === unit_price_usd ? null : (
        <span className="block text-xs text-ink-3">
          at least <Money amount_usd={minimum_usd} />
        </span>
      )}
    </>
  );
}
