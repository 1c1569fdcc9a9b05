import { Link } from '@tanstack/react-router';
import { ChartNoAxesColumn, CodeXml, MoreHorizontal, ReceiptText, Rows3 } from 'lucide-react';
import { useState } from 'react';
import { createPortal } from 'react-dom';
import type { AnyModelId, TaskId } from '#contract/ids.ts';
import { modelsForTask } from '#web/api/known-models.ts';
import { useCan, useCannot } from '#web/api/queries/permissions.ts';
import { useTaskForm } from '#web/forms/form-context.ts';
import { IconButton } from '#web/ui/controls/icon-button.tsx';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import { Menu, MenuItem, MenuLink } from '#web/ui/overlays/menu.tsx';

const RequestCodeDialog = lazyComponent(
  async () => (await import('./request-code/request-code-dialog.tsx')).RequestCodeDialog,
);
const CompareModelsDialog = lazyComponent(
  async () => (await import('./compare-models/compare-models-dialog.tsx')).CompareModelsDialog,
);

interface MoreMenuProps {
  task: TaskId;
  model: AnyModelId | null;
  signedIn: boolean;
  /** Why nothing can be started; null if it can. */
  disabledReason: string | null;
  priceOpen: boolean;
  /** null while there is no price to explain. */
  onTogglePrice: (() => void) | null;
  onSwitch: (model: AnyModelId) => void;
  onStarted: () => void;
}

/** What can be done with an order before it is placed. */
export function MoreMenu({ task, model, priceOpen, onTogglePrice, onSwitch, onStarted, ...props }: MoreMenuProps) {
  const { form, uploads } = useTaskForm();
  const canCreate = useCan('work.create');
  const cannotUseKeys = useCannot('keys.manage_own');
  const [dialog, setDialog] = useState<'compare' | 'code' | null>(null);
  const close = () => setDialog(null);
  return (
    <>
      <Menu
        label="More"
        side="top"
        renderTrigger={(trigger) => (
          <IconButton
            {...trigger}
            label="More for this form"
            outlined
            className="size-11!"
            icon={<MoreHorizontal aria-hidden="true" className="size-4.5" />}
          />
        )}
      >
        {onTogglePrice ? (
          <MenuItem icon={<ReceiptText aria-hidden="true" />} onSelect={onTogglePrice}>
            {priceOpen ? 'Hide the price in detail' : 'Price in detail'}
          </MenuItem>
        ) : null}
        {model !== null && modelsForTask(task).length > 1 ? (
          <MenuItem icon={<ChartNoAxesColumn aria-hidden="true" />} onSelect={() => setDialog('compare')}>
            Compare models…
          </MenuItem>
        ) : null}
        {canCreate ? (
          <MenuLink link={<Link to="/batches/new" search={model === null ? { task } : { task, model }} />}>
            <Rows3 aria-hidden="true" />
            Many at once…
          </MenuLink>
        ) : null}
        {cannotUseKeys ? null : (
          <MenuItem icon={<CodeXml aria-hidden="true" />} onSelect={() => setDialog('code')}>
            Code…
          </MenuItem>
        )}
      </Menu>
      {/* Inside the form, a press in a dialog would reach the form's handlers. */}
      {dialog === null
        ? null
        : createPortal(
            dialog === 'compare' && model !== null ? (
              <CompareModelsDialog
                {...props}
                task={task}
                model={model}
                form={form}
                onClose={close}
                onSwitch={(next) => {
                  close();
                  onSwitch(next);
                }}
                onStarted={() => {
                  close();
                  onStarted();
                }}
              />
            ) : (
              <RequestCodeDialog
                task={task}
                model={model}
                form={form}
                pendingUploads={uploads.pendingCount()}
                onClose={close}
              />
            ),
            document.body,
          )}
    </>
  );
}
