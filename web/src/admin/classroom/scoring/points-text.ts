import { useCallback } from 'react';
import { useTexts } from '../../../i18n/texts.ts';
import type { PointsEntry, Problem } from '../../outbox/entry.ts';
import { useScoring, useStudentNameOf, useTeamName } from './board-context.ts';
import { texts } from './texts.ts';

export function usePointsText(): (entry: PointsEntry) => string {
  const t = useTexts(texts);
  const { format } = useScoring();
  const nameOf = useStudentNameOf();
  const teamName = useTeamName();
  return useCallback(
    ({ studentIds, teamIds, change }) => {
      const points = format.signed(change);
      if (teamIds) {
        const name = teamIds.length === 1 ? teamName(teamIds[0] as number) : undefined;
        return name === undefined
          ? t('whatTeams', { points, count: teamIds.length })
          : t('whatOne', { points, name });
      }
      const name = studentIds.length === 1 ? nameOf(studentIds[0] as number) : undefined;
      return name === undefined
        ? t('whatMany', { points, count: studentIds.length })
        : t('whatOne', { points, name });
    },
    [t, nameOf, teamName, format],
  );
}

export function useProblemText(): (problem: Problem | null) => string {
  const t = useTexts(texts);
  return useCallback(
    (problem) => {
      switch (problem?.status) {
        case 403:
          return t('problem403');
        case 404:
          return t('problem404');
        case 409:
          return t('problem409');
        default:
          return t('problemOther', { message: problem?.message ?? '' });
      }
    },
    [t],
  );
}
