import { Button, Group, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { memo } from 'react';
import { LoadingRows } from '../../../components/LoadingRows.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { useScoring } from './board-context.ts';
import classes from './Give.module.css';
import type { PointChange } from './scoring-board.ts';
import { texts } from './texts.ts';
import { numberKeyOf, pointChangeOf, useTemplates } from './use-templates.ts';

interface TemplateButtonsProps {
  readonly onGive: (pointChange: PointChange) => void;
  readonly withKeys?: boolean;
}

export const TemplateButtons = memo(function TemplateButtons({
  onGive,
  withKeys = false,
}: TemplateButtonsProps) {
  const t = useTexts(texts);
  const { format } = useScoring();
  const { templates, isPending } = useTemplates();
  if (isPending) return <LoadingRows rows={3} height={46} />;
  if (!templates) {
    return (
      <Text size="sm" c="dimmed" role="alert">
        {t('templatesFailed')}
      </Text>
    );
  }
  if (templates.length === 0) {
    return (
      <Group gap={4}>
        <Text size="sm" c="dimmed">
          {t('noTemplates')}
        </Text>
        <Button component={Link} to="/templates" variant="subtle" size="compact-sm">
          {t('toTemplates')}
        </Button>
      </Group>
    );
  }
  const keyed = templates.map((template, index) => ({
    template,
    digit: withKeys ? numberKeyOf(index) : null,
  }));
  const halves = [
    { title: t('plus'), sign: 1, keyed: keyed.filter(({ template }) => template.scoreChange > 0) },
    { title: t('minus'), sign: -1, keyed: keyed.filter(({ template }) => template.scoreChange < 0) },
  ];
  return (
    <Stack gap="sm">
      {halves
        .filter((half) => half.keyed.length > 0)
        .map((half) => (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset has a border and a layout of its own
          <div key={half.sign} role="group" aria-label={half.title} className={classes.templates}>
            {half.keyed.map(({ template, digit }) => (
              <button
                key={template.id}
                type="button"
                className={`mantine-focus-auto ${classes.template}`}
                data-sign={half.sign}
                data-gives-points=""
                aria-keyshortcuts={digit ?? undefined}
                onClick={() => onGive(pointChangeOf(template))}
              >
                {template.name} <strong>{format.signed(template.scoreChange)}</strong>
                {digit && (
                  <span className={classes.digit} aria-hidden>
                    {digit}
                  </span>
                )}
              </button>
            ))}
          </div>
        ))}
    </Stack>
  );
});
