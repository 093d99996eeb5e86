import { ActionIcon, Group, Text, Title } from '@mantine/core';
import { IconExternalLink, IconUserCheck, IconUserOff } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useStudentNames } from '../../../components/student-names.ts';
import { useLanguage, useTexts } from '../../../i18n/texts.ts';
import { useIsToolEnabled } from '../../use-is-tool-enabled.ts';
import {
  useAbsentIds,
  useBoardSelection,
  useScoring,
  useStudentNameOf,
  useStudentView,
  useTeamName,
} from './board-context.ts';
import { texts } from './texts.ts';
import { useBoardSettings } from './use-board-settings.ts';

/** An id that no student has. */
export const noStudentId = 0;

interface SelectionHeaderProps {
  /** Called after the selected students were marked absent, which clears the selection. */
  readonly onAbsent: () => void;
  readonly children?: ReactNode;
}

/** Names the selected students or teams. Shows `children` after the buttons for students. */
export function SelectionHeader({ onAbsent, children }: SelectionHeaderProps) {
  const { ids, isUsed } = useBoardSelection();
  const [first] = ids;
  // Has the same height for every selection, so that the buttons below stay in place.
  return (
    <Group gap={4} wrap="nowrap" mih={46}>
      <SelectionTitle />
      {ids.length > 0 && !isUsed && <AbsentButton ids={ids} onAbsent={onAbsent} />}
      {ids.length === 1 && first !== undefined && <StudentLink id={first} />}
      {children}
    </Group>
  );
}

function SelectionTitle() {
  const t = useTexts(texts);
  const list = new Intl.ListFormat(useLanguage());
  const [{ view }] = useBoardSettings();
  const nameOf = useStudentNameOf();
  const teamName = useTeamName();
  const { numberOf } = useStudentNames();
  const { ids, teamIds = [], isUsed } = useBoardSelection();
  const [first = noStudentId] = ids;
  const only = useStudentView(ids.length === 1 ? first : noStudentId);
  const isFew = ids.length > 0 && ids.length <= 4;
  const title = () => {
    if (teamIds.length > 0) return list.format(teamIds.map((id) => teamName(id) ?? ''));
    if (ids.length === 0) return t(view === 'teams' ? 'noTeamSelected' : 'nobodySelected');
    if (only) return only.student.actualName;
    return isFew ? list.format(ids.map((id) => nameOf(id) ?? '')) : t('selectedCount', { count: ids.length });
  };
  const state = () => {
    if (isUsed) return t('selectionUsed');
    if (teamIds.length > 0) return t('toTeamItself', { count: teamIds.length });
    if (ids.length === 0) return t(view === 'teams' ? 'noTeamHint' : 'nobodyHint');
    if (only) return t('points', { count: only.total });
    return isFew ? t('selectedCount', { count: ids.length }) : '';
  };
  const number = only && numberOf(only.student);
  return (
    <div style={{ flex: 1, minWidth: 0 }}>
      <Title order={2} size="h3" lineClamp={1} title={title()}>
        {title()}
      </Title>
      {/* The student number comes first, because it tells students with the same name apart. */}
      <Text size="sm" c="dimmed" lineClamp={1}>
        {number && `${number} · `}
        {state()}
      </Text>
    </div>
  );
}

function StudentLink({ id }: { readonly id: number }) {
  const t = useTexts(texts);
  return (
    <ActionIcon
      renderRoot={(props) => <Link to="/students/$studentId" params={{ studentId: String(id) }} {...props} />}
      variant="subtle"
      color="gray"
      size={40}
      aria-label={t('studentPage')}
      title={t('studentPage')}
    >
      <IconExternalLink aria-hidden size={18} />
    </ActionIcon>
  );
}

interface AbsentButtonProps {
  readonly ids: readonly number[];
  readonly onAbsent: () => void;
}

function AbsentButton({ ids, onAbsent }: AbsentButtonProps) {
  const t = useTexts(texts);
  const { board } = useScoring();
  const absent = useAbsentIds();
  if (!useIsToolEnabled('attendance')) return null;
  const areAbsent = ids.every((id) => absent.has(id));
  const label = t(areAbsent ? 'markPresent' : 'markAbsent');
  const Shown = areAbsent ? IconUserCheck : IconUserOff;
  const mark = () => {
    board.setAbsent(ids, !areAbsent);
    if (!areAbsent) onAbsent();
  };
  return (
    <ActionIcon variant="subtle" color="gray" size={40} aria-label={label} title={label} onClick={mark}>
      <Shown aria-hidden size={18} />
    </ActionIcon>
  );
}
