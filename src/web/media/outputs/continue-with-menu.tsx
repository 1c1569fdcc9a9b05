import { Link } from '@tanstack/react-router';
import { ArrowUpRight, ChevronDown, Crop } from 'lucide-react';
import type { ReactNode } from 'react';
import type { TaskId } from '#contract/ids.ts';
import type { MediaKind } from '#contract/task.ts';
import { useCatalogNames } from '#web/api/catalog-names.ts';
import { createPageLink } from '#web/api/create-page-link.ts';
import { useCannot } from '#web/api/queries/permissions.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { IconButton } from '#web/ui/controls/icon-button.tsx';
import { Menu, MenuItem, MenuLink, MenuSeparator } from '#web/ui/overlays/menu.tsx';
import type { PopoverProps } from '#web/ui/overlays/popover.tsx';
import { openCropDialog } from './open-crop-dialog.ts';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import { ContinueIcon } from './continue-icon.tsx';
import {
  type ContinueSource,
  type SourceSearch,
  useContinueLinks,
  useFileSteps,
  useSourceSearch,
} from './use-continue-links.ts';

const ToolItems = lazyComponent(async () => (await import('./tool-links.tsx')).ToolItems);

export type ContinueWithMenuProps = {
  type: MediaKind;
  compact?: boolean;
  /** Default: a button, or an icon if `compact`. */
  renderTrigger?: PopoverProps['renderTrigger'];
  onOpenChange?: (open: boolean) => void;
  /** Items below the next steps. */
  children?: ReactNode;
} & ContinueSource;

/** The next steps for media, then the other tasks that take it. */
export function ContinueWithMenu({
  type,
  compact = false,
  renderTrigger,
  onOpenChange,
  children,
  ...source
}: ContinueWithMenuProps) {
  const isForbidden = useCannot('work.create');
  if (isForbidden) return null;
  return (
    <Menu
      label="Continue with this"
      align="start"
      {...(onOpenChange ? { onOpenChange } : {})}
      renderTrigger={
        renderTrigger ??
        ((props) =>
          compact ? (
            <IconButton
              {...props}
              size="sm"
              label="Continue with…"
              icon={<ArrowUpRight aria-hidden="true" className="size-4" />}
            />
          ) : (
            <Button
              {...props}
              icon={<ArrowUpRight aria-hidden="true" className="size-4" />}
              iconEnd={<ChevronDown aria-hidden="true" className="size-3.5 text-ink-3" />}
            >
              Continue with…
            </Button>
          ))
      }
    >
      <ContinueItems type={type} source={source} />
      {children}
    </Menu>
  );
}

export function ContinueItems({ type, source }: { type: MediaKind; source: ContinueSource }) {
  const { links, others } = useContinueLinks(type, 'mediaIds' in source ? source.mediaIds.length : 1);
  const search = useSourceSearch(source);
  const { crop, tools } = useFileSteps(type, source);
  return (
    <>
      {links.map(({ step, task, model, modelName, search: fields, state }) => (
        <MenuLink
          key={step.id}
          link={<Link {...createPageLink(task, model)} search={{ ...search, ...fields }} state={state} />}
        >
          <ContinueIcon step={step.id} />
          <span className="min-w-0 flex-1 truncate">{step.label}</span>
          {modelName ? <span className="pl-4 text-xs text-ink-3">{modelName}</span> : null}
        </MenuLink>
      ))}
      {tools ? <ToolItems type={type} mediaId={tools} search={search} /> : null}
      {crop ? (
        <MenuItem icon={<Crop aria-hidden="true" />} onSelect={() => openCropDialog({ mediaId: crop })}>
          Crop
        </MenuItem>
      ) : null}
      {links.length > 0 && others.length > 0 ? <MenuSeparator /> : null}
      <OtherTaskItems tasks={others} search={search} />
    </>
  );
}

export function OtherTaskItems({ tasks, search }: { tasks: readonly TaskId[]; search: SourceSearch }) {
  const names = useCatalogNames();
  return tasks.map((task) => (
    <MenuLink key={task} link={<Link {...createPageLink(task)} search={search} />}>
      {names.task(task)}
    </MenuLink>
  ));
}
