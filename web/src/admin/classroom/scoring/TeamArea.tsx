import type { ClassTeams, Team } from '@classledger/contract';
import { Button, SegmentedControl, Text } from '@mantine/core';
import { IconSettings, IconUsersGroup } from '@tabler/icons-react';
import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useSyncExternalStore } from 'react';
import { EmptyState } from '../../../components/EmptyState.tsx';
import { ErrorState } from '../../../components/ErrorState.tsx';
import { LoadingRows } from '../../../components/LoadingRows.tsx';
import { useStudentNames } from '../../../components/student-names.ts';
import { compareNames } from '../../../i18n/name-order.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { pendingPoints, roundToTenth } from '../class-teams.ts';
import { useChoice, useScoring, useTaps } from './board-context.ts';
import { ChosenTick, GivenPoints } from './Marks.tsx';
import classes from './Teams.module.css';
import { texts } from './texts.ts';

export type TeamTarget = 'team' | 'members';

interface TeamTargetSwitchProps {
  readonly target: TeamTarget;
  readonly onTarget: (target: TeamTarget) => void;
}

export function TeamTargetSwitch({ target, onTarget }: TeamTargetSwitchProps) {
  const t = useTexts(texts);
  const { board } = useScoring();
  return (
    <>
      <SegmentedControl
        aria-label={t('teamTarget')}
        value={target}
        onChange={(value) => {
          board.clearChoice();
          onTarget(value as TeamTarget);
        }}
        data={[
          { value: 'team', label: t('targetTeam') },
          { value: 'members', label: t('targetMembers') },
        ]}
      />
      <Button
        component={Link}
        to="/teams"
        variant="default"
        leftSection={<IconSettings aria-hidden size={18} />}
      >
        <span className="words-on-wide">{t('toTeams')}</span>
      </Button>
    </>
  );
}

interface TeamAreaProps {
  readonly teams: UseQueryResult<ClassTeams>;
  readonly target: TeamTarget;
  readonly onChoose: (said: string, card: HTMLElement) => void;
}

export function TeamArea({ teams: { data, error, refetch }, target, onChoose }: TeamAreaProps) {
  const t = useTexts(texts);
  const { board, queue } = useScoring();
  useTaps();
  if (!data) {
    if (error) return <ErrorState error={error} onRetry={() => void refetch()} />;
    return <LoadingRows rows={4} height={120} />;
  }
  const { teams, ranking } = data;
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
  const choose = (team: Team, card: HTMLElement) => {
    if (target === 'members') board.toggleAll(team.userIds);
    else board.toggleTeam(team.id);
    onChoose(t('chosenCount', { count: board.choice.teamIds?.length ?? board.choice.ids.length }), card);
  };
  const now = teams.map((team) => ({
    team,
    points: roundToTenth(team.points + pendingPoints(team, ranking, queue)),
  }));
  return (
    <ul className={classes.teams} aria-label={t('teams')}>
      {now.map(({ team, points }) => (
        <TeamCard
          key={team.id}
          team={team}
          target={target}
          points={points}
          // Ranks by the rounded points, as the server does: teams shown as equal share a rank.
          rank={1 + now.filter((other) => other.points > points).length}
          onChoose={(card) => choose(team, card)}
        />
      ))}
    </ul>
  );
}

interface TeamCardProps {
  readonly team: Team;
  readonly target: TeamTarget;
  readonly points: number;
  readonly rank: number;
  readonly onChoose: (card: HTMLElement) => void;
}

function TeamCard({ team, target, points, rank, onChoose }: TeamCardProps) {
  const t = useTexts(texts);
  const { board, format } = useScoring();
  const { textOf } = useStudentNames();
  const { teamIds = [], spent } = useChoice();
  const flash = useSyncExternalStore(board.subscribe, () => board.teamFlash(team.id));
  const areChosen = useSyncExternalStore(board.subscribe, () => board.areChosen(team.userIds));
  const isChosen = target === 'members' ? areChosen : teamIds.includes(team.id) && !spent;
  const members = team.userIds
    .flatMap((id) => board.student(id) ?? [])
    .map(textOf)
    .toSorted(compareNames);
  return (
    <li>
      <button
        type="button"
        className={classes.team}
        data-colour={team.colour}
        data-chosen={isChosen ? 'yes' : spent && teamIds.includes(team.id) ? 'spent' : 'no'}
        aria-pressed={isChosen}
        onClick={(event) => onChoose(event.currentTarget)}
      >
        <span className={classes.rank}>
          <span aria-hidden>{format.number(rank)}</span>
          <span className="visually-hidden">{t('rank', { rank })}</span>
        </span>
        <span className={classes.who}>
          <span className={classes.name}>{team.name}</span>
          <Text component="span" className={classes.members ?? ''} size="sm" c="dimmed" lineClamp={2}>
            {members.length === 0 ? t('noMembers') : members.join(t('nameSeparator'))}
          </Text>
        </span>
        <span className={classes.points} data-sign={Math.sign(points)}>
          {format.number(points)}
        </span>
        {isChosen && <ChosenTick />}
        {flash && <GivenPoints flash={flash} />}
      </button>
    </li>
  );
}
