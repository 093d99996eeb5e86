import { Group, Title } from '@mantine/core';
import { useTexts } from '../../../i18n/texts.ts';
import { useHasSelection } from './board-context.ts';
import { CustomPoints } from './CustomPoints.tsx';
import classes from './Give.module.css';
import { PointsNoteField } from './PointsNoteField.tsx';
import { RecentPoints, WaitingNotice } from './RecentPoints.tsx';
import { SelectionHeader } from './SelectionHeader.tsx';
import type { PointChange } from './scoring-board.ts';
import { TemplateButtons } from './TemplateButtons.tsx';
import { texts } from './texts.ts';

interface GivePanelProps {
  readonly onGive: (pointChange: PointChange) => void;
  readonly onAbsent: () => void;
}

/** The panel to give points beside the students, on wide screens. */
export function GivePanel({ onGive, onAbsent }: GivePanelProps) {
  const t = useTexts(texts);
  const isIdle = !useHasSelection();
  return (
    <div className={classes.panels}>
      <section className={classes.panel} aria-label={t('give')} data-idle={isIdle || undefined}>
        <SelectionHeader onAbsent={onAbsent} />
        <TemplateButtons onGive={onGive} withKeys />
        <CustomPoints onGive={onGive} isIdle={isIdle} />
        <Group gap={0} my={-6}>
          <PointsNoteField />
        </Group>
      </section>
      <WaitingNotice />
      <section className={classes.panel} data-recent aria-label={t('recent')}>
        <Title order={2} size="h3">
          {t('recent')}
        </Title>
        <RecentPoints />
      </section>
    </div>
  );
}
