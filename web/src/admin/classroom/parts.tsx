import {
  ActionIcon,
  type ActionIconProps,
  Button,
  type ButtonProps,
  Group,
  type PolymorphicComponentProps,
  Text,
  type TextProps,
} from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import type { IconProps } from '@tabler/icons-react';
import type { ComponentType } from 'react';
import { useTexts } from '../../i18n/texts.ts';
import { useMe } from '../me.ts';
import { texts } from './texts.ts';

interface Labelled {
  readonly icon: ComponentType<IconProps>;
  readonly label: string;
}

type IconButtonProps = PolymorphicComponentProps<'button', ActionIconProps> &
  Labelled & { readonly iconSize?: number };

export function IconButton({ icon: Shown, label, iconSize = 18, ...button }: IconButtonProps) {
  return (
    <ActionIcon variant="subtle" color="gray" size={40} aria-label={label} {...button}>
      <Shown aria-hidden size={iconSize} />
    </ActionIcon>
  );
}

type ToolButtonProps = PolymorphicComponentProps<'button', ButtonProps> & Labelled;

/** A button at the head of a page. Shows only its icon on phones. */
export function ToolButton({ icon: Shown, label, ...button }: ToolButtonProps) {
  return (
    <Button variant="default" leftSection={<Shown aria-hidden size={18} />} {...button}>
      <span className="words-on-wide">{label}</span>
    </Button>
  );
}

export const optionsOf = <Value extends string>(labels: Readonly<Partial<Record<Value, string>>>) =>
  (Object.keys(labels) as Value[]).map((value) => ({ value, label: labels[value] ?? '' }));

export function Desk(props: TextProps) {
  const t = useTexts(texts);
  return (
    <Text
      fz={13}
      ta="center"
      c="dimmed"
      bg="color-mix(in srgb, var(--app-text-quiet) 6%, transparent)"
      bdrs={8}
      {...props}
    >
      {t('desk')}
    </Text>
  );
}

/** A bar that stays above the lower edge of the window while the page scrolls. */
export const StickyBar = Group.withProps({
  pos: 'sticky',
  bottom: 'calc(16px + var(--bottom-bar))',
  gap: '8px 16px',
  mt: 16,
  p: '10px 12px 10px 16px',
  bd: '1px solid var(--app-line)',
  bdrs: 'lg',
  bg: 'var(--app-surface)',
  style: { zIndex: 5, boxShadow: 'var(--mantine-shadow-md)' },
});

/** Stores a value of the signed-in person on this device. */
export function useOwnStorage<T>(name: string, defaultValue: T) {
  const key = `classledger.${name}.${useMe().id}`;
  return useLocalStorage<T>({ key, defaultValue, getInitialValueInEffect: false });
}
