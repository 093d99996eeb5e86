import { ActionIcon, Drawer, Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconChevronUp, IconExternalLink, IconUserCheck, IconUserOff, IconX } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useTexts } from '../../../i18n/texts.ts';
import { useAbsent, useChoice, useScoring, useTaps } from './board-context.ts';
import classes from './Give.module.css';
import { Chosen, FoldedCustomPoints, type TemplatesState } from './GivePanel.tsx';
import { RecentTaps, TapEntry, WaitingNote } from './RecentTaps.tsx';
import type { Gift } from './scoring-board.ts';
import { TemplateButtons } from './TemplateButtons.tsx';
import { texts } from './texts.ts';

interface GiveSheetProps {
  readonly classId: number;
  readonly templates: TemplatesState;
  readonly onGive: (gift: Gift) => void;
}

/**
 * At the bottom of phones and tablets: the templates while somebody is chosen, otherwise the newest tap with its
 * undo. It covers nobody for good, for the page can be scrolled above it, and further taps choose more students.
 */
export function GiveSheet({ classId, templates, onGive }: GiveSheetProps) {
  const t = useTexts(texts);
  const { board } = useScoring();
  const { ids, spent } = useChoice();
  const taps = useTaps();
  // One that waits for a decision comes first, whatever class it is of: it would not be seen otherwise.
  const newest = taps.find(({ state }) => state === 'unsure') ?? taps.find((tap) => tap.classId === classId);
  const [listOpen, list] = useDisclosure();
  const giving = ids.length > 0 && !spent;
  const absent = useAbsent();
  const isAbsent = giving && ids.every((id) => absent.has(id));
  if (!giving && !newest) return null;
  return (
    <>
      <div className={giving ? classes.sheetSpace : undefined} />
      <section className={classes.sheet} aria-label={giving ? t('give') : t('recent')}>
        {giving ? (
          <>
            <Group justify="space-between" wrap="nowrap" align="flex-start">
              <Chosen />
              <Group gap={0} wrap="nowrap">
                {ids.length === 1 && (
                  <ActionIcon
                    component={Link}
                    to={`/students/${ids[0]}`}
                    variant="subtle"
                    color="gray"
                    size={44}
                    aria-label={t('studentPage')}
                  >
                    <IconExternalLink aria-hidden size={20} />
                  </ActionIcon>
                )}
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  size={44}
                  aria-label={t(isAbsent ? 'markPresent' : 'markAbsent')}
                  onClick={() => board.setAbsent(ids, !isAbsent)}
                >
                  {isAbsent ? <IconUserCheck aria-hidden size={20} /> : <IconUserOff aria-hidden size={20} />}
                </ActionIcon>
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  size={44}
                  aria-label={t('chooseNone')}
                  onClick={() => board.chooseNobody()}
                >
                  <IconX aria-hidden size={20} />
                </ActionIcon>
              </Group>
            </Group>
            <Stack gap="xs" className={classes.sheetScroll ?? ''}>
              {templates.instead ?? <TemplateButtons templates={templates.list} onGive={onGive} />}
              <FoldedCustomPoints onGive={onGive} />
            </Stack>
          </>
        ) : (
          <Group gap={4} wrap="nowrap">
            <ul className={classes.taps} style={{ flex: 1, minWidth: 0 }}>
              {newest && <TapEntry tap={newest} elsewhere={newest.classId !== classId} />}
            </ul>
            <ActionIcon
              variant="subtle"
              color="gray"
              size={44}
              aria-label={t('recentShow')}
              onClick={list.open}
            >
              <IconChevronUp aria-hidden size={20} />
            </ActionIcon>
          </Group>
        )}
      </section>
      <Drawer
        opened={listOpen}
        onClose={list.close}
        position="bottom"
        size="70%"
        title={
          <Text span fw={650}>
            {t('recent')}
          </Text>
        }
      >
        <Stack gap="xs">
          <WaitingNote />
          <RecentTaps classId={classId} />
        </Stack>
      </Drawer>
    </>
  );
}
