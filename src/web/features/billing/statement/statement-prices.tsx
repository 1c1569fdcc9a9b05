import { MODEL_NAMES, TASKS } from '#contract/catalog.ts';
import type { Statement } from '#contract/resources/audit.ts';
import { PER_UNIT } from '#web/forms/price-lines.ts';
import { Disclosure } from '#web/ui/disclosure.tsx';
import { Money } from '#web/ui/money.tsx';
import { formatUtcMinute } from '../ledger/format-utc-minute.ts';
import { type PriceRow, priceChanges } from './price-changes.ts';

type Books = Statement['prices'];
const cell = 'border-b border-line py-2';

/** What changed in the price book during a month, and each book as a whole on demand. */
export function StatementPrices({ books }: { books: Books }) {
  return (
    <section aria-label="Prices" className="flex flex-col gap-3">
      {books.slice(1).map((book, at) => (
        <Changes key={book.since ?? at} before={books[at] ?? book} after={book} />
      ))}
      {books.map((book, at) => (
        <Disclosure
          key={book.since ?? at}
          summary={
            books.length === 1 || !book.since
              ? 'Prices in force'
              : `All prices since ${formatUtcMinute(book.since)} UTC`
          }
        >
          <table className="w-full text-sm">
            <tbody>
              {book.data.map((row) => (
                <tr key={`${row.task}${row.model}`}>
                  <Name row={row} />
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

function Changes({ before, after }: { before: Books[number]; after: Books[number] }) {
  return (
    <table className="w-full text-sm">
      <caption className="pb-1 text-left font-medium">
        {after.since ? `Prices changed on ${formatUtcMinute(after.since)} UTC` : 'Prices changed'}
      </caption>
      <thead className="text-xs text-ink-3">
        <tr>
          <th scope="col" className={`${cell} text-left font-medium`}>
            Price of
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
              <Name row={row} />
              <td className={`${cell} pl-4 text-right text-ink-3`}>{old ? <Price row={old} /> : '–'}</td>
              <td className={`${cell} pl-4 text-right`}>{next ? <Price row={next} /> : '–'}</td>
            </tr>
          ) : null;
        })}
      </tbody>
    </table>
  );
}

function Name({ row: { task, model } }: { row: PriceRow }) {
  return (
    <th scope="row" className={`${cell} text-left font-normal`}>
      {model ? MODEL_NAMES[model] : TASKS[task].name}
      {model ? <span className="block text-xs text-ink-3">{TASKS[task].name}</span> : null}
    </th>
  );
}

function Price({ row: { unit, unit_price_usd, minimum_usd } }: { row: PriceRow }) {
  return (
    <>
      <Money amount_usd={unit_price_usd} /> <span className="whitespace-nowrap">{PER_UNIT[unit]}</span>
      {minimum_usd === unit_price_usd ? null : (
        <span className="block text-xs text-ink-3">
          at least <Money amount_usd={minimum_usd} />
        </span>
      )}
    </>
  );
}
