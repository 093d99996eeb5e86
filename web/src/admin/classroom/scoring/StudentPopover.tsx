import { Button, Group, Popover, Stack, Text } from '@mantine/core';
import { IconExternalLink, IconUserCheck, IconUserOff } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { type RefObject, useState } from 'react';
import { useStudentNames } from '../../../components/student-names.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { announceOpened } from '../../../press-guard/guard-presses.ts';
import { useTool } from '../../use-tool.ts';
import classes from './Board.module.css';
import { useScoring, useStudentView } from './board-context.ts';
import { useFoldedNote } from './GiftNote.tsx';
import { FoldedCustomPoints, TemplateButtons, type TemplatesState } from './GivePanel.tsx';
import { type Gift, withNote } from './scoring-board.ts';
import { texts } from './texts.ts';

interface StudentPopoverProps {
  readonly area: RefObject<HTMLElement | null>;
  readonly id: number;
  readonly templates: TemplatesState;
  readonly onGive: (gift: Gift) => void;
  readonly onClose: () => void;
}

export function StudentPopover({ area, id, templates, onGive, onClose }: StudentPopoverProps) {
  const t = useTexts(texts);
  const offered = useTool('attendance');
  const { board, format } = useScoring();
  const view = useStudentView(id);
  const { textOf, numberOf } = useStudentNames();
  const [note, setNote] = useState('');
  const folded = useFoldedNote(note, setNote);
  if (!view) return null;
  const giveNoted = (gift: Gift) => onGive(withNote(gift, note));
  const { student, total, absent } = view;
  const number = numberOf(student);
  return (
    <Popover
      opened
      onDismiss={onClose}
      position="right"
      withArrow
      withRoles={false}
      trapFocus
      returnFocus
      width={320}
      shadow="md"
      radius="lg"
      transitionProps={{ duration: 80 }}
      middlewares={{
        // Beside the card if possible: neighbours above and below may be selected next.
        flip: { fallbackPlacements: ['left', 'bottom', 'top'], crossAxis: false },
        shift: { padding: 8 },
      }}
    >
      <Popover.Target>
        <div className={classes.anchor} style={popoverPosition(area.current, id)} />
      </Popover.Target>
      <Popover.Dropdown
        ref={announceShown}
        p="md"
        role="dialog"
        aria-label={t('giveTo', { name: textOf(student) })}
      >
        <Stack gap="sm">
          <Group justify="space-between" wrap="nowrap" align="baseline">
            <div>
              <Text fw={650} size="lg" lineClamp={1}>
                {student.actualName}
              </Text>
              {number !== null && (
                <Text size="sm" c="dimmed">
                  {number}
                </Text>
              )}
            </div>
            <Text fw={700} c="dimmed">
              {format.number(total)}
            </Text>
          </Group>
          <TemplateButtons templates={templates} onGive={giveNoted} />
          <FoldedCustomPoints onGive={giveNoted} note={folded} />
          <Group gap={4} justify="space-between">
            {offered && (
              <Button
                variant="subtle"
                color="gray"
                size="compact-sm"
                h={36}
                leftSection={
                  absent ? <IconUserCheck aria-hidden size={16} /> : <IconUserOff aria-hidden size={16} />
                }
                onClick={() => {
                  board.setAbsent([id], !absent);
                  onClose();
                }}
              >
                {absent ? t('markPresent') : t('markAbsent')}
              </Button>
            )}
            <Button
              component={Link}
              to={`/students/${id}`}
              variant="subtle"
              color="gray"
              size="compact-sm"
              h={36}
              leftSection={<IconExternalLink aria-hidden size={16} />}
            >
              {t('studentPage')}
            </Button>
          </Group>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}

/** A tap meant for a neighbour must not give to this student. */
function announceShown(dropdown: HTMLElement | null): void {
  if (dropdown) announceOpened(dropdown);
}

function popoverPosition(area: HTMLElement | null, id: number) {
  const card = area?.querySelector(`[data-student="${id}"]`);
  if (!area || !card) return {};
  const outer = area.getBoundingClientRect();
  const inner = card.getBoundingClientRect();
  return {
    left: inner.left - outer.left,
    top: inner.top - outer.top,
    width: inner.width,
    height: inner.height,
  };
}
