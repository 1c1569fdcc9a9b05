import { MenuList, MenuRadioItem } from '#web/ui/menu.tsx';
import { setTheme, useTheme } from '#web/ui/theme.ts';
import { THEME_OPTIONS, THEME_ORDER } from './theme-menu.tsx';

export function ThemeMenuContent({ close }: { close: () => void }) {
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
