import { Center, Group, Paper, Stack, Text } from '@mantine/core';
import { ScoreText } from '../components/ScoreText.tsx';
import { useTexts } from '../i18n/texts.ts';
import { texts } from './texts.ts';

/** Shows sample records. Hidden from screen readers, because the text beside it says the same. */
export function SampleLedger() {
  const t = useTexts(texts);
  const lines = [
    [t('sampleFirst'), t('sampleHomework'), 2],
    [t('sampleSecond'), t('sampleHelp'), 3],
    [t('sampleThird'), t('sampleLate'), -1],
  ] as const;
  return (
    <Paper
      className="ruled"
      withBorder
      shadow="xs"
      visibleFrom="md"
      mt={36}
      px={24}
      py={8}
      bg="color-mix(in srgb, var(--app-surface) 85%, transparent)"
      aria-hidden="true"
    >
      <Text pt="sm" pb={8} fz="sm" fw={600} c="dimmed">
        {t('sampleTitle')}
      </Text>
      {lines.map(([name, reason, points]) => (
        <Group key={reason} wrap="nowrap" gap={14} py={11}>
          <Center w={36} h={36} bdrs={99} fw={650} c="var(--app-accent)" bg="var(--app-accent-soft)">
            {name.charAt(0)}
          </Center>
          <Stack gap={0} flex={1} lh={1.4}>
            <Text lh="inherit" fw={600}>
              {name}
            </Text>
            <Text lh="inherit" fz="sm" c="dimmed">
              {reason}
            </Text>
          </Stack>
          <ScoreText value={points} pill />
        </Group>
      ))}
      {/* A sum is no record, so it has no coloured background. */}
      <Group justify="space-between" py={11} pe="1em" fw={600}>
        {t('sampleTotal')}
        <ScoreText value={4} />
      </Group>
    </Paper>
  );
}
