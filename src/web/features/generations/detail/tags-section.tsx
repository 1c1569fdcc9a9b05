import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useCan } from '#web/api/queries/permissions.ts';
import { tagsQuery } from '#web/api/queries/settings.ts';
import { DescriptionList, Section } from '#web/ui/section.tsx';

/** The values of the organization's tags, with the work and the charges that have the same value. */
export function TagsSection({ tags }: { tags: Readonly<Record<string, string>> }) {
  const { data: defined = [] } = useQuery(tagsQuery);
  const canSeeSpending = useCan('billing.read_own');
  const rows = Object.entries(tags).map(([name, value]) => {
    const label = defined.find((tag) => tag.name === name)?.label ?? name;
    return {
      id: name,
      name: label,
      value: (
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
      ),
    };
  });
  return (
    <Section title="Tags">
      <DescriptionList rows={rows} />
    </Section>
  );
}
