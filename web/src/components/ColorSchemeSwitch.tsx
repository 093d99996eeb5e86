import { Group, type MantineColorScheme, SegmentedControl, useMantineColorScheme } from '@mantine/core';
import { IconDeviceDesktop, IconMoon, IconSun } from '@tabler/icons-react';
import { useTexts } from '../i18n/texts.ts';
import { texts } from './texts.ts';

export function ColorSchemeSwitch({ fullWidth = false }: { readonly fullWidth?: boolean }) {
  const t = useTexts(texts);
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const choices = [
    { value: 'light', name: t('schemeLight'), Shown: IconSun },
    { value: 'dark', name: t('schemeDark'), Shown: IconMoon },
    { value: 'auto', name: t('schemeAuto'), Shown: IconDeviceDesktop },
  ];
  return (
    <SegmentedControl
      aria-label={t('scheme')}
      size="xs"
      fullWidth={fullWidth}
      value={colorScheme}
      onChange={(value) => setColorScheme(value as MantineColorScheme)}
      data={choices.map(({ value, name, Shown }) => ({
        value,
        label: (
          <Group component="span" justify="center" gap={0} mih="1.25rem" title={name}>
            <Shown aria-hidden size={16} />
            <span className="visually-hidden">{name}</span>
          </Group>
        ),
      }))}
    />
  );
}
