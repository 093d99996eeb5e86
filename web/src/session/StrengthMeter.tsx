import { Box, Group, Text } from '@mantine/core';
import { useTexts } from '../i18n/texts.ts';
import { type Strength, strengthOf } from './password-strength.ts';
import { passwordTexts } from './password-texts.ts';

interface StrengthMeterProps {
  readonly password: string;
  /** Words that another person would try first: username, name, school. */
  readonly own: readonly string[];
  readonly lengthMin: number;
}

const words = ['strength0', 'strength1', 'strength2', 'strength3'] as const;
const colors = [
  'var(--app-minus)',
  'var(--mantine-color-yellow-6)',
  'var(--app-accent)',
  'var(--app-accent)',
];

export function StrengthMeter({ password, own, lengthMin }: StrengthMeterProps) {
  const t = useTexts(passwordTexts);
  const isTooShort = [...password].length < lengthMin;
  // A password that is too short is shown as weak, because the form refuses it.
  const strength: Strength | null =
    password === '' ? null : isTooShort ? { level: 0, tip: null } : strengthOf(password, own);
  const level = strength?.level ?? -1;
  return (
    <Box mt="-xs">
      <Group grow gap={4} aria-hidden>
        {words.map((word, i) => (
          <Box key={word} h={5} bdrs={3} bg={(i <= level && colors[level]) || 'var(--app-line)'} />
        ))}
      </Group>
      <Text mt={6} mih="1.5em" fz="xs" lh={1.5} c="dimmed" role="status">
        {strength && (
          <>
            <Text span inherit fw={700} c="var(--mantine-color-text)">
              {t(words[strength.level])}
            </Text>
            {isTooShort ? (
              <> {t('tooShort', { count: lengthMin })}</>
            ) : (
              strength.tip && <> {t(strength.tip)}</>
            )}
          </>
        )}
      </Text>
    </Box>
  );
}
