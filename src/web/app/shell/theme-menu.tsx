import { Monitor, Moon, Sun, type LucideIcon } from 'lucide-react';
import { IconButton } from '#web/ui/icon-button.tsx';
import { Popover } from '#web/ui/popover.tsx';
import { useTheme, type Theme, setTheme } from '#web/ui/theme.ts';
import { MenuList, MenuRadioItem } from '#web/ui/menu.tsx';

export const THEME_OPTIONS = {
  system: { label: 'System', icon: Monitor },
  light: { label: 'Light', icon: Sun },
  dark: { label: 'Dark', icon: Moon },
} satisfies Record<Theme, { label: string; icon: LucideIcon }>;

export const THEME_ORDER = ['system', 'light', 'dark'] as const satisfies readonly Theme[];

export function ThemeMenu() {
  const Icon = THEME_OPTIONS[useTheme()].icon;
  return (
    <Popover
      side="top"
      align="end"
      kind="menu"
      className="min-w-48 p-1"
      renderTrigger={(props) => (
        <IconButton {...props} label="Theme" icon={<Icon aria-hidden="true" className="size-4" />} />
      )}
    >
      {(close) => <ThemeMenuContent close={close} />}
    </Popover>
  );
}

function ThemeMenuContent({ close }: { close: () => void }) {
  const theme = useTheme();
  return (
    <MenuList label="Theme" close={close}>
      {THEME_ORDER.map((value) => {
        const { label, icon: Choice } = THEME_OPTIONS[value];
        return (
          <MenuRadioItem
            key={value}
            chosen={value === theme}
            icon={<Choice aria-hidden="true" />}
            onSelect={() => setTheme(value)}
          >
            {label}
          </MenuRadioItem>
        );
      })}
    </MenuList>
  );
}
