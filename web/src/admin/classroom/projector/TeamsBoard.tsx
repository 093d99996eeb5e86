import { useMemo } from 'react';
import { EmptyState } from '../../../components/EmptyState.tsx';
import { ErrorState } from '../../../components/ErrorState.tsx';
import { LoadingRows } from '../../../components/LoadingRows.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { useTeams } from '../class-teams.ts';
import { LeaderBoard } from './ShownBoards.tsx';
import { texts } from './texts.ts';
import { useGains } from './use-gains.ts';

interface TeamsBoardProps {
  readonly schoolDb: string;
  readonly classId: number;
  readonly refreshMs: number;
}

export function TeamsBoard({ schoolDb, classId, refreshMs }: TeamsBoardProps) {
  const t = useTexts(texts);
  const { data, error, refetch } = useTeams(schoolDb, classId, { refreshMs });
  const teams = useMemo(
    () =>
      (data?.teams ?? [])
        .map(({ id, name, colour, points, rank }) => ({
          id,
          label: name,
          number: null,
          points,
          rank,
          colour,
        }))
        .sort((a, b) => a.rank - b.rank),
    [data],
  );
  const gains = useGains(teams, 'teams');
  if (!data) {
    if (error) return <ErrorState error={error} onRetry={() => void refetch()} />;
    return <LoadingRows rows={8} height={64} />;
  }
  if (teams.length === 0) return <EmptyState title={t('noTeamsTitle')} hint={t('noTeamsHint')} />;
  return <LeaderBoard label={t('teamRanking')} students={teams} gains={gains} rows={teams.length} />;
}
