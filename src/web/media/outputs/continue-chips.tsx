import { Link } from '@tanstack/react-router';
import { ChevronDown, Crop } from 'lucide-react';
import type { MediaKind } from '#contract/task.ts';
import { createPageLink } from '#web/api/create-page-link.ts';
import { useCannot } from '#web/api/queries/permissions.ts';
import { cx } from '#web/ui/cx.ts';
import { Menu } from '#web/ui/overlays/menu.tsx';
import { tooltipProps } from '#web/ui/overlays/tooltip-props.ts';
import { openCropDialog } from './open-crop-dialog.ts';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import { ContinueIcon } from './continue-icon.tsx';
import { OtherTaskItems } from './continue-with-menu.tsx';
import {
  type ContinueLink,
  type ContinueSource,
  useContinueLinks,
  useFileSteps,
  useSourceSearch,
} from './use-continue-links.ts';

const ToolChips = lazyComponent(async () => (await import('./tool-links.tsx')).ToolChips);

const chipClass =
  'inline-flex h-8 flex-none items-center gap-1.5 rounded-full border border-line-strong bg-surface px-2.5 text-sm font-medium whitespace-nowrap text-ink transition-colors hover:bg-hover pointer-coarse:h-11';
const iconClass = 'size-3.5 flex-none text-ink-3';

const describe = ({ step, modelName }: ContinueLink) => (modelName ? `${step.hint}, on ${modelName}` : step.hint);

type ContinueChipsProps = {
  type: MediaKind;
  /** A bar that scrolls sideways where it is too narrow. */
  inOneRow?: boolean;
} & ContinueSource;

/** The next steps for a result, one press each. */
export function ContinueChips({ type, inOneRow = false, ...source }: ContinueChipsProps) {
  const { links, others } = useContinueLinks(type, 'mediaIds' in source ? source.mediaIds.length : 1);
  const search = useSourceSearch(source);
  const { crop, tools } = useFileSteps(type, source);
  const isForbidden = useCannot('work.create');
  if (isForbidden) return null;
  return (
    <ul
      aria-label="Continue with this"
      className={cx(
        'flex gap-1',
        inOneRow
          ? 'flex-none overflow-x-auto border-t border-line bg-canvas px-3 py-2 md:justify-center [scrollbar-width:none]'
          : 'flex-wrap',
      )}
    >
      {links.map((link) => (
        <li key={link.step.id}>
          <Link
            {...createPageLink(link.task, link.model)}
            search={{ ...search, ...link.search }}
            state={link.state}
            {...tooltipProps(describe(link))}
            className={chipClass}
          >
            <ContinueIcon step={link.step.id} className={iconClass} />
            {link.step.label}
          </Link>
        </li>
      ))}
      {tools ? (
        <ToolChips type={type} mediaId={tools} search={search} className={chipClass} iconClass={iconClass} />
      ) : null}
      {crop ? (
        <li>
          <button
            type="button"
            className={chipClass}
            {...tooltipProps('Crop, turn, flip or resize it into a new picture, free')}
            onClick={() => openCropDialog({ mediaId: crop })}
          >
            <Crop aria-hidden="true" className={iconClass} />
            Crop
          </button>
        </li>
      ) : null}
      {others.length > 0 ? (
        <li>
          <Menu
            label="More tasks for this"
            align="start"
            renderTrigger={(props) => (
              <button type="button" {...props} className={cx(chipClass, 'text-ink-2')}>
                More
                <ChevronDown aria-hidden="true" className={iconClass} />
              </button>
            )}
          >
            <OtherTaskItems tasks={others} search={search} />
          </Menu>
        </li>
      ) : null}
    </ul>
  );
}
