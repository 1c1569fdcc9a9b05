import { Tabs as Base } from '@base-ui/react/tabs';
import type { ReactNode } from 'react';
import { cx } from './cx.ts';

interface Tab<T extends string> {
  value: T;
  label: ReactNode;
  aside?: ReactNode;
}

export interface TabsProps<T extends string> {
  value: T;
  onChange: (value: T) => void;
  tabs: readonly Tab<T>[];
  label: string;
  children: ReactNode;
  className?: string;
}

const listClass = 'flex gap-5 overflow-x-auto border-b border-line';
const tabClass =
  'flex h-10 flex-none items-center gap-2 border-b-2 border-transparent text-sm font-medium text-ink-3 transition-colors -outline-offset-2 hover:text-ink data-active:border-amber data-active:text-ink';

interface LinkTabsProps {
  label: string;
  children: ReactNode;
}

/** Tabs whose views are pages of their own: a row of links with `linkTabProps`. */
export const LinkTabs = ({ label, children }: LinkTabsProps) => (
  <nav aria-label={label} className={cx(listClass, 'mb-4')}>
    {children}
  </nav>
);

export const linkTabProps = (isOpen: boolean) =>
  ({
    className: tabClass,
    'aria-current': isOpen ? 'page' : undefined,
    'data-active': isOpen ? '' : undefined,
  }) as const;

/** Shows one of several views. Arrows, Home and End go to another at once. */
export function Tabs<T extends string>({ value, onChange, tabs, label, children, className }: TabsProps<T>) {
  return (
    <Base.Root value={value} onValueChange={onChange} className={className}>
      <Base.List activateOnFocus aria-label={label} className={listClass}>
        {tabs.map((tab) => (
          <Base.Tab key={tab.value} value={tab.value} className={tabClass}>
            {tab.label}
            {tab.aside}
          </Base.Tab>
        ))}
      </Base.List>
      {/* The one panel is never inert, not even while its value changes: it would lose the focus that is in it. */}
      <Base.Panel value={value} tabIndex={-1} inert={false} hidden={false} className="pt-4 outline-none">
        {children}
      </Base.Panel>
    </Base.Root>
  );
}
