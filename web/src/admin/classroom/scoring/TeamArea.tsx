import type { Team } from '@classledger/contract';
import { Box, Button, SegmentedControl, Text } from '@mantine/core';
import { IconSettings, IconUsersGroup } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { EmptyState } from '../../../components/EmptyState.tsx';
import { LoadingOrError } from '../../../components/LoadingOrError.tsx';
import { useStudentNames } from '../../../components/student-names.ts';
import { compareNames } from '../../../i18n/name-order.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { pendingPoints, roundToTenth, teamColour, useTeams } from '../class-teams.ts';
import { optionsOf, ToolButton } from '../parts.tsx';
import {
  boardRefreshMs,
  type TeamTarget,
  useBoard,
  useBoardSettings,
  usePointsEntries,
  useScoring,
} from './board-context.ts';
import classes from './Cards.module.css';
import { SelectableCard } from './StudentCard.tsx';
import { texts } from './texts.ts';

export function TeamTargetSwitch() {
  const t = useTexts(texts);
  const { board } = useScoring();
  const [{ teamTarget }, change] = useBoardSettings();
  return (
    <>
      <SegmentedControl
        aria-label={t('teamTarget')}
        value={teamTarget}
        onChange={(value) => {
          board.clearSelection();
          change({ teamTarget: value });
        }}
        data={optionsOf({ team: t('targetTeam'), members: t('targetMembers') })}
      />
      <ToolButton
        renderRoot={(props) => <Link to="/teams" {...props} />}
        icon={IconSettings}
        label={t('toTeams')}
      />
    </>
  );
}

export function TeamArea({ onSelect }: { readonly onSelect: (card: HTMLElement) => void }) {
  const t = useTexts(texts);
  const { schoolDb, classId, board, queue, announce } = useScoring();
  const query = useTeams(schoolDb, classId, { refreshMs: boardRefreshMs });
  const [{ teamTarget }] = useBoardSettings();
  usePointsEntries();
  if (!query.data) return <LoadingOrError of={[query]} rows={4} height={120} />;
  const { teams, ranking } = query.data;
  if (teams.length === 0) {
    return (
      <EmptyState
        icon={IconUsersGroup}
        title={t('noTeamsTitle')}
        hint={t('noTeamsHint')}
        action={
          <Button component={Link} to="/teams" mt="xs">
            {t('makeTeams')}
          </Button>
        }
      />
    );
  }
  const select = (team: Team, card: HTMLElement) => {
    if (teamTarget === 'members') board.toggleAll(team.userIds);
    else board.toggleTeam(team.id);
    announce(t('selectedCount', { count: board.selection.teamIds?.length ?? board.selection.ids.length }));
    onSelect(card);
  };
  const now = teams.map((team) => ({
    team,
    points: roundToTenth(team.points + pendingPoints(team, ranking, queue)),
  }));
  return (
    <Box component="ul" m={0} p={0} className={classes.teams ?? ''} aria-label={t('teams')} data-cards>
      {now.map(({ team, points }) => (
        <TeamCard
          key={team.id}
          team={team}
          target={teamTarget}
          points={points}
          // Ranks by rounded points, as the server does, so that teams with equal shown points share a rank.
          rank={1 + now.filter((other) => other.points > points).length}
          onSelect={(card) => select(team, card)}
        />
      ))}
    </Box>
  );
}

interface TeamCardProps {
  readonly team: Team;
  readonly target: TeamTarget;
  readonly points: number;
  readonly rank: number;
  readonly onSelect: (card: HTMLElement) => void;
}

function TeamCard({ team, target, points, rank, onSelect }: TeamCardProps) {
  const t = useTexts(texts);
  const { board, format } = useScoring();
  const { textOf } = useStudentNames();
  const { teamIds = [], isUsed } = useBoard((now) => now.selection);
  const flash = useBoard((now) => now.teamFlash(team.id));
  const areSelected = useBoard((now) => now.areSelected(team.userIds));
  const isSelected = target === 'members' ? areSelected : teamIds.includes(team.id) && !isUsed;
  const members = team.userIds
    .flatMap((id) => board.student(id) ?? [])
    .map(textOf)
    .toSorted(compareNames);
  return (
    <Box component="li" display="grid">
      <SelectableCard
        className={classes.team}
        style={teamColour(team.colour)}
        selected={isSelected ? 'yes' : isUsed && teamIds.includes(team.id) ? 'used' : 'no'}
        flash={flash}
        onClick={(event) => onSelect(event.currentTarget)}
      >
        <Text span fz={20} fw={700} miw="1.2em" ta="center" c="dimmed">
          <span aria-hidden>{format.number(rank)}</span>
          <span className="visually-hidden">{t('rank', { rank })}</span>
        </Text>
        <Box component="span" flex={1} miw={0}>
          <Text span fz={18} fw={650} lh={1.25} lineClamp={2} style={{ overflowWrap: 'anywhere' }}>
            {team.name}
          </Text>
          <Text
            span
            size="sm"
            c="dimmed"
            lineClamp={2}
            style={{ overflowWrap: 'anywhere', wordBreak: 'keep-all' }}
          >
            {members.length === 0 ? t('noMembers') : members.join(t('nameSeparator'))}
          </Text>
        </Box>
        <Text span fz={28} fw={750} {...(points < 0 && { c: 'var(--app-minus)' })}>
          {format.number(points)}
        </Text>
      </SelectableCard>
    </Box>
  );
}
