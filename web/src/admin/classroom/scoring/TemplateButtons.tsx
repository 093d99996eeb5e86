import type { Template } from '@classledger/contract';
import { Button, Group, SimpleGrid, Stack, Text, UnstyledButton } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { memo, useMemo } from 'react';
import { useOperation } from '../../../api/queries.ts';
import { Hint } from '../../../components/Hint.tsx';
import { LoadingRows } from '../../../components/LoadingRows.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { CategoryOf, useCategories } from '../../categories.tsx';
import { useIsManagedClass } from '../../school.tsx';
import { sortTemplates } from '../../sort-templates.ts';
import { useScoring } from './board-context.ts';
import classes from './Give.module.css';
import type { PointChange } from './scoring-board.ts';
import { texts } from './texts.ts';

function useTemplates() {
  const { schoolDb, classId } = useScoring();
  const { data, isPending } = useOperation('listScoreTemplates', { query: { schoolDb, classId } });
  const templates = useMemo(() => data && sortTemplates(data), [data]);
  return { templates, isPending };
}

function usePointChangeOf(): (template: Template) => PointChange {
  const categories = useCategories();
  return ({ scoreChange, description, name, categoryId }) => {
    // The server refuses a retired category.
    const isRetired = categories.find(({ id }) => id === categoryId)?.retired;
    return {
      change: scoreChange,
      description: description || name,
      template: name,
      ...(categoryId && !isRetired && { categoryId }),
    };
  };
}

function numberKeyOf(index: number): string | null {
  return index < 10 ? String((index + 1) % 10) : null;
}

export function useTemplateShortcuts(onGive: (pointChange: PointChange) => void): Record<string, () => void> {
  const { templates = [] } = useTemplates();
  const pointChangeOf = usePointChangeOf();
  return Object.fromEntries(
    templates
      .slice(0, 10)
      .map((template, index) => [numberKeyOf(index), () => onGive(pointChangeOf(template))]),
  );
}

export const TemplateButtons = memo(function TemplateButtons({
  onGive,
  withKeys = false,
}: {
  readonly onGive: (pointChange: PointChange) => void;
  readonly withKeys?: boolean;
}) {
  const t = useTexts(texts);
  const { format, classId } = useScoring();
  const isManaged = useIsManagedClass(classId);
  const { templates, isPending } = useTemplates();
  const pointChangeOf = usePointChangeOf();
  if (isPending) return <LoadingRows rows={3} height={46} />;
  if (!templates) return <Hint role="alert">{t('templatesFailed')}</Hint>;
  if (templates.length === 0) {
    return (
      <Group gap={4}>
        <Hint>{t('noTemplates')}</Hint>
        {isManaged && (
          <Button component={Link} to="/templates" variant="subtle" size="compact-sm">
            {t('toTemplates')}
          </Button>
        )}
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
          <SimpleGrid key={half.sign} role="group" aria-label={half.title} minColWidth="8.25rem" spacing={8}>
            {half.keyed.map(({ template, digit }) => (
              <UnstyledButton
                key={template.id}
                className={classes.template ?? ''}
                data-sign={half.sign}
                data-gives-points=""
                aria-keyshortcuts={digit ?? undefined}
                onClick={() => onGive(pointChangeOf(template))}
              >
                <span>
                  {template.name}
                  <Text span display="block" fz={12} c="dimmed">
                    <CategoryOf categoryId={template.categoryId} />
                  </Text>
                </span>{' '}
                <strong>{format.signed(template.scoreChange)}</strong>
                {digit && (
                  <span className={classes.digit} aria-hidden>
                    {digit}
                  </span>
                )}
              </UnstyledButton>
            ))}
          </SimpleGrid>
        ))}
    </Stack>
  );
});
