import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Eraser, Expand, Maximize2 } from 'lucide-react';
import type { Model } from '#contract/resources/catalog.ts';
import type { MediaKind } from '#contract/task.ts';
import { createPageLink } from '#web/api/create-page-link.ts';
import { modelsQuery } from '#web/api/queries/catalog.ts';
import { MenuItem, MenuLink } from '#web/ui/overlays/menu.tsx';
import { tooltipProps } from '#web/ui/overlays/tooltip-props.ts';
import { findExpandTargets } from './expand-targets.ts';
import { expandRequest } from './open-crop-dialog.ts';
import type { SourceSearch } from './use-continue-links.ts';
import { type ToolLink, useToolLinks } from './use-tool-links.ts';

interface ToolLinksProps {
  type: MediaKind;
  mediaId: string;
  search: SourceSearch;
}

/** Starts at once, at the price that it names. */
const toStart = ({ task, model, field }: ToolLink, search: SourceSearch) => ({
  ...createPageLink(task, model),
  search: { ...search, fields: field },
  state: { starts_at_once: true } as const,
});

const canExpand = (type: MediaKind, models: readonly Model[] | undefined): boolean =>
  type === 'image' && findExpandTargets(models ?? []).length > 0;

const iconOf = ({ task }: ToolLink) => (task === 'image.background' ? Eraser : Maximize2);

export function ToolChips({
  type,
  mediaId,
  search,
  className,
  iconClass,
}: ToolLinksProps & Record<'className' | 'iconClass', string>) {
  const { data: models } = useQuery(modelsQuery);
  const links = useToolLinks(type, mediaId);
  return (
    <>
      {links.map((link) => {
        const Icon = iconOf(link);
        return (
          <li key={link.task}>
            <Link {...toStart(link, search)} {...tooltipProps(link.hint)} className={className}>
              <Icon aria-hidden="true" className={iconClass} />
              {link.label}
              <span className="font-normal text-ink-3 tabular-nums">{link.price}</span>
            </Link>
          </li>
        );
      })}
      {canExpand(type, models) ? (
        <li>
          <button
            type="button"
            {...tooltipProps('Let a model fill a larger canvas')}
            className={className}
            onClick={() => expandRequest.set(mediaId)}
          >
            <Expand aria-hidden="true" className={iconClass} />
            Expand
          </button>
        </li>
      ) : null}
    </>
  );
}

export function ToolItems({ type, mediaId, search }: ToolLinksProps) {
  const { data: models } = useQuery(modelsQuery);
  const links = useToolLinks(type, mediaId);
  return (
    <>
      {links.map((link) => {
        const Icon = iconOf(link);
        return (
          <MenuLink key={link.task} link={<Link {...toStart(link, search)} />}>
            <Icon aria-hidden="true" />
            <span className="min-w-0 flex-1 truncate">{link.label}</span>
            <span className="pl-4 text-xs text-ink-3 tabular-nums">{link.price}</span>
          </MenuLink>
        );
      })}
      {canExpand(type, models) ? (
        <MenuItem icon={<Expand aria-hidden="true" />} onSelect={() => expandRequest.set(mediaId)}>
          Expand
        </MenuItem>
      ) : null}
    </>
  );
}
