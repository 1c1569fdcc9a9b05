import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useCan } from '#web/api/queries/permissions.ts';
import { tagsQuery } from '#web/api/queries/settings.ts';
import { DescriptionList } from '#web/ui/display/section.tsx';

interface OrderTagsProps {
  /** The values of each order. */
  ofOrders: readonly (Readonly<Record<string, string>> | undefined)[];
  /** A value leads to the work and to the charges that have it. */
  showsLinks?: boolean;
}

/** What orders are charged to. It is chosen before and never changes, so that budgets and the ledger stay right. */
export function OrderTags({ ofOrders, showsLinks = false }: OrderTagsProps) {
  const { data: defined = [] } = useQuery(tagsQuery);
  const names = [...new Set(ofOrders.flatMap((tags) => Object.keys(tags ?? {})))];
  if (names.length === 0) return null;
  const rows = names.map((name) => {
    const label = defined.find((tag) => tag.name === name)?.label ?? name;
    const values = [...new Set(ofOrders.flatMap((tags) => tags?.[name] ?? []))];
    return {
      id: name,
      name: label,
      value: showsLinks ? (
        values.map((value) => <TagLinks key={value} name={name} label={label} value={value} />)
      ) : (
        <bdi>{values.join(', ')}</bdi>
      ),
    };
  });
  return (
    <div className="flex flex-col gap-1.5">
      <DescriptionList rows={rows} />
      <p className="text-sm text-pretty text-ink-3">
        Chosen with the order. Charges keep it: tags that you add here change no money.
      </p>
    </div>
  );
}

function TagLinks({ name, label, value }: { name: string; label: string; value: string }) {
  const canSeeSpending = useCan('billing.read_own');
  return (
    <span className="flex flex-wrap items-baseline gap-x-3">
      <Link to="/generations" search={{ tags: { [name]: value } }} className="underline underline-offset-2">
        {value}
      </Link>
      {canSeeSpending ? (
        <Link
          to="/billing"
          search={{ part: 'ledger', tags: { [name]: value } }}
          aria-label={`Charges of ${label} ${value}`}
          className="text-ink-3 underline-offset-2 hover:text-ink hover:underline"
        >
          Charges
        </Link>
      ) : null}
    </span>
  );
}
