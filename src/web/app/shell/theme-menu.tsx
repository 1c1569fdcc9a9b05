import { Monitor, Moon, Sun, type LucideIcon } from 'lucide-react';
import { IconButton } from '#web/ui/icon-button.tsx';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import { Popover } from '#web/ui/popover.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { useTheme, type Theme } from '#web/ui/theme.ts';

export const THEME_OPTIONS = {
  system: { label: 'System', icon: Monitor },
  light: { label: 'Light', icon: Sun },
  dark: { label: 'Dark', icon: Moon },
} satisfies Record<Theme, { label: string; icon: LucideIcon }>;

export const THEME_ORDER = ['system', 'light', 'dark'] as const satisfies readonly Theme[];

const ThemeMenuContent = lazyComponent(async () => (await import('./theme-menu-content.tsx')).ThemeMenuContent);

export function ThemeMenu() {
  const Icon = THEME_OPTIONS[useTheme()].icon;
  return (
    <Popover
      side="top"
      align="end"
      kind="menu"
      className="min-w-48 p-1"
      renderTrigger={(props) => (
        <IconButton
          {...props}
          label="Theme"
          icon={<Icon aria-hidden="true" className="size-4" />}
          onPointerEnter={ThemeMenuContent.preload}
          onFocus={ThemeMenuContent.preload}
        />
      )}
    >
      {(close) => <ThemeMenuContent close={close} fallback={<Skeleton className="h-24 w-full rounded-sm" />} />}
    </Popover>
  );
}
