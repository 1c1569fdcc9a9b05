import { Bell, Pencil, Trash2 } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { Avatar } from '#web/ui/display/avatar.tsx';
import { Badge, type Tone } from '#web/ui/display/badge.tsx';
import { Button, type ButtonVariant } from '#web/ui/controls/button.tsx';
import { Callout, type CalloutTone } from '#web/ui/display/callout.tsx';
import { Checkbox, Switch } from '#web/ui/controls/checkbox.tsx';
import { CodeBlock } from '#web/ui/display/code-block.tsx';
import { Combobox } from '#web/ui/controls/combobox.tsx';
import { ConfirmDialog } from '#web/ui/overlays/confirm-dialog.tsx';
import { CopyButton } from '#web/ui/controls/copy-button.tsx';
import { DateRangeSelect, type DayRange } from '#web/ui/controls/day-range-select.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { Disclosure } from '#web/ui/controls/disclosure.tsx';
import { EmptyState, ErrorState, NoMatches } from '#web/ui/display/empty-state.tsx';
import { Field } from '#web/ui/controls/field.tsx';
import { IconButton } from '#web/ui/controls/icon-button.tsx';
import { Kbd } from '#web/ui/display/kbd.tsx';
import { Menu, MenuItem, MenuSeparator } from '#web/ui/overlays/menu.tsx';
import { NumberField } from '#web/ui/controls/number-field.tsx';
import { Page } from '#web/ui/page.tsx';
import { Popover } from '#web/ui/overlays/popover.tsx';
import { Progress, Spinner } from '#web/ui/display/progress.tsx';
import { SearchBox } from '#web/ui/controls/search-box.tsx';
import { Section } from '#web/ui/display/section.tsx';
import { SegmentedControl } from '#web/ui/controls/segmented-control.tsx';
import { Select } from '#web/ui/controls/select.tsx';
import { SkeletonText } from '#web/ui/display/skeleton.tsx';
import { Slider } from '#web/ui/controls/slider.tsx';
import { StatusBadge, statuses, type Status } from '#web/ui/display/status-badge.tsx';
import { Tabs } from '#web/ui/tabs.tsx';
import { TextArea, TextInput } from '#web/ui/controls/text-input.tsx';
import { showToast, type ToastTone } from '#web/ui/overlays/toast-store.ts';

const VARIANTS = ['primary', 'secondary', 'ghost', 'danger'] as const satisfies readonly ButtonVariant[];
const TONES = ['neutral', 'amber', 'good', 'info', 'bad', 'review'] as const satisfies readonly Tone[];
const CALLOUTS = ['info', 'amber', 'good', 'bad'] as const satisfies readonly CalloutTone[];
const TOASTS = ['neutral', 'good', 'bad'] as const satisfies readonly ToastTone[];
const SIZES = ['small', 'medium', 'large'] as const;
const OPTIONS = SIZES.map((value) => ({ value, label: value }));
const ignore = () => undefined;

/** Every control of the design system in its states, for development. */
export function UiGalleryPage() {
  return (
    <Page title="Controls" intro="Every control of the design system. Only development has this page.">
      <Section title="Buttons">
        <Row>
          {VARIANTS.map((variant) => (
            <Button key={variant} variant={variant}>
              {variant}
            </Button>
          ))}
          <Button busy>Busy</Button>
          <Button disabled>Disabled</Button>
          <Button size="sm">Small</Button>
          <IconButton label="Edit" icon={<Pencil aria-hidden="true" className="size-4" />} />
          <CopyButton text="Copied from the gallery" />
          <Kbd keys="mod+k" />
        </Row>
      </Section>
      <Section title="Fields">
        <Fields />
      </Section>
      <Section title="Layers">
        <Layers />
      </Section>
      <Section title="States">
        <Row>
          {(Object.keys(statuses) as Status[]).map((status) => (
            <StatusBadge key={status} status={status} progress={status === 'running' ? 40 : null} />
          ))}
          {TONES.map((tone) => (
            <Badge key={tone} tone={tone}>
              {tone}
            </Badge>
          ))}
          <Avatar id="per_1" name="Olga Petrova" />
          <Spinner />
        </Row>
        <Progress value={40} label="Uploading" className="my-3" />
        {CALLOUTS.map((tone) => (
          <div key={tone} className="mb-3">
            <Callout tone={tone} title={`A callout: ${tone}`}>
              What happened, what was kept, and what to do.
            </Callout>
          </div>
        ))}
        <SkeletonText />
        <EmptyState icon={<Bell aria-hidden="true" />} title="Nothing here yet">
          What will be here, and how to begin.
        </EmptyState>
        <NoMatches onClear={ignore}>No row has these values.</NoMatches>
        <ErrorState title="The list could not be loaded" requestId="req_1">
          The service did not respond. Nothing is lost.
        </ErrorState>
        <Disclosure summary="Details">What is rarely needed.</Disclosure>
        <CodeBlock label="Example" text="npm start" />
      </Section>
    </Page>
  );
}

const Row = ({ children }: { children: ReactNode }) => (
  <div className="flex flex-wrap items-center gap-3">{children}</div>
);

function Fields() {
  const [text, setText] = useState('');
  const [size, setSize] = useState<(typeof SIZES)[number]>('medium');
  const [count, setCount] = useState<number | null>(3);
  const [isOn, setOn] = useState(true);
  const [days, setDays] = useState<DayRange>({});
  return (
    <div className="grid gap-4 md:grid-cols-2">
      <Field label="Text" hint="A hint below the field.">
        <TextInput value={text} onChange={(event) => setText(event.target.value)} />
      </Field>
      <Field label="Text with an error" error="Enter a name." required>
        <TextInput />
      </Field>
      <Field label="Several lines" optional>
        <TextArea />
      </Field>
      <Field label="Suggestions">
        <Combobox value={text} onChange={setText} options={['apple', 'apricot', 'banana']} />
      </Field>
      <Field label="Select">
        <Select value={size} onChange={setSize} options={OPTIONS} />
      </Field>
      <Field label="Number">
        <NumberField value={count} onChange={setCount} min={0} max={10} unit="s" />
      </Field>
      <Slider label="Slider" value={count} onChange={setCount} min={0} max={10} />
      <SegmentedControl label="Segments" value={size} onChange={setSize} options={OPTIONS} />
      <Checkbox label="Checkbox" checked={isOn} onChange={setOn} />
      <Switch label="Switch" hint="Takes effect at once." checked={isOn} onChange={setOn} />
      <SearchBox label="Search" value={text} onChange={setText} />
      <DateRangeSelect {...days} onChange={setDays} />
      <Tabs label="Tabs" value={size} onChange={setSize} tabs={OPTIONS}>
        <p className="p-3">{size}</p>
      </Tabs>
    </div>
  );
}

function Layers() {
  const [open, setOpen] = useState<'dialog' | 'confirmation' | null>(null);
  const close = () => setOpen(null);
  return (
    <Row>
      <Menu label="Menu" align="start" renderTrigger={(props) => <Button {...props}>Menu</Button>}>
        <MenuItem icon={<Pencil aria-hidden="true" />} onSelect={ignore}>
          Rename
        </MenuItem>
        <MenuItem disabled onSelect={ignore}>
          Not now
        </MenuItem>
        <MenuSeparator />
        <MenuItem icon={<Trash2 aria-hidden="true" />} tone="danger" onSelect={ignore}>
          Delete
        </MenuItem>
      </Menu>
      <Popover aria-label="Popover" className="w-64 p-4" renderTrigger={(props) => <Button {...props}>Popover</Button>}>
        Content of the popover.
      </Popover>
      <Button onClick={() => setOpen('dialog')}>Dialog</Button>
      <Button onClick={() => setOpen('confirmation')}>Confirmation</Button>
      {TOASTS.map((tone) => (
        <Button key={tone} onClick={() => showToast({ title: `A message: ${tone}`, detail: 'With a detail.', tone })}>
          Message: {tone}
        </Button>
      ))}
      <Dialog open={open === 'dialog'} onClose={close} title="Dialog" footer={<Button onClick={close}>Done</Button>}>
        Content of the dialog.
      </Dialog>
      {open === 'confirmation' ? (
        <ConfirmDialog
          title="Delete 3 files?"
          description="They are gone for everybody."
          consequences={['Two collections lose them.', 'One share page ends.']}
          cancelLabel="Keep them"
          confirmLabel="Delete"
          variant="danger"
          busy={false}
          error={null}
          onConfirm={close}
          onClose={close}
        />
      ) : null}
    </Row>
  );
}
