import { Box, Group, Title } from '@mantine/core';
import { IconExternalLink, IconUserCheck, IconUserOff } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useStudentNames } from '../../../components/student-names.ts';
import { useLanguage, useTexts } from '../../../i18n/texts.ts';
import { useIsToolEnabled } from '../../use-is-tool-enabled.ts';
import { Hint, IconButton } from '../parts.tsx';
import { noStudentId, useBoard, useScoring, useStudentNameOf } from './board-context.ts';
import { texts } from './texts.ts';
import { useBoardSettings } from './use-board-settings.ts';

interface SelectionHeaderProps {
  /** Called after the selected students were marked absent, which clears the selection. */
  readonly onAbsent: () => void;
  readonly children?: ReactNode;
}

/** Names the selected students or teams. Shows `children` after the buttons for students. */
export function SelectionHeader({ onAbsent, children }: SelectionHeaderProps) {
  const t = useTexts(texts);
  const { board } = useScoring();
  const { ids, isUsed } = useBoard((now) => now.selection);
  const absent = useBoard((now) => now.absent);
  const hasAttendance = useIsToolEnabled('attendance');
  const [first] = ids;
  const areAbsent = ids.every((id) => absent.has(id));
  const absentLabel = t(areAbsent ? 'markPresent' : 'markAbsent');
  const mark = () => {
    board.setAbsent(ids, !areAbsent);
    if (!areAbsent) onAbsent();
  };
  // Has the same height for every selection, so that the buttons below stay in place.
  return (
    <Group gap={4} wrap="nowrap" mih={46}>
      <SelectionTitle />
      {hasAttendance && ids.length > 0 && !isUsed && (
        <IconButton
          icon={areAbsent ? IconUserCheck : IconUserOff}
          label={absentLabel}
          title={absentLabel}
          onClick={mark}
        />
      )}
      {ids.length === 1 && (
        <IconButton
          renderRoot={(props) => (
            <Link to="/students/$studentId" params={{ studentId: String(first) }} {...props} />
          )}
          icon={IconExternalLink}
          label={t('studentPage')}
          title={t('studentPage')}
        />
      )}
      {children}
    </Group>
  );
}

function SelectionTitle() {
  const t = useTexts(texts);
  const list = new Intl.ListFormat(useLanguage());
  const [{ view }] = useBoardSettings();
  const nameOf = useStudentNameOf();
  const { teams } = useScoring();
  const { numberOf } = useStudentNames();
  const { ids, teamIds = [], isUsed } = useBoard((board) => board.selection);
  const [first = noStudentId] = ids;
  const only = useBoard((board) => board.view(ids.length === 1 ? first : noStudentId));
  const isFew = ids.length > 0 && ids.length <= 4;
  const title = () => {
    if (teamIds.length > 0)
      return list.format(teamIds.map((id) => teams.find((team) => team.id === id)?.name ?? ''));
    if (ids.length === 0) return t(view === 'teams' ? 'noTeamSelected' : 'nobodySelected');
    if (only) return only.student.actualName;
    return isFew ? list.format(ids.map((id) => nameOf(id) ?? '')) : t('selectedCount', { count: ids.length });
  };
  const state = () => {
    if (isUsed) return t('selectionUsed');
    if (teamIds.length > 0) return t('toTeamItself', { count: teamIds.length });
    if (ids.length === 0) return t(view === 'teams' ? 'noTeamHint' : 'nobodyHint');
    if (only) return t('pointsUnit', { count: only.total });
    return isFew ? t('selectedCount', { count: ids.length }) : '';
  };
  const number = only && numberOf(only.student);
  return (
    <Box flex={1} miw={0}>
      <Title order={2} size="h3" lineClamp={1} title={title()}>
        {title()}
      </Title>
      {/* The student number comes first, because it tells students with the same name apart. */}
      <Hint lineClamp={1}>
        {number && `${number} · `}
        {state()}
      </Hint>
    </Box>
  );
}
