import type { ClassTeams } from '@classledger/contract';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call, newIdempotencyKey } from '../../../api/call.ts';
import { invalidateStaleReads } from '../../../api/stale-reads.ts';
import { useFailureNotice } from '../../../components/use-failure-notice.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { teamsKey } from '../class-teams.ts';
import type { TeamsDraft } from './teams-draft.ts';
import { texts } from './texts.ts';

interface DesiredTeams {
  readonly draft: TeamsDraft;
  readonly ranking?: ClassTeams['ranking'];
}

/** Saves the drafted teams of a class. If somebody else has changed the teams, shows those instead of the draft. */
export function useSavedTeams(
  { classId, version }: Pick<ClassTeams, 'classId' | 'version'>,
  schoolDb: string,
  onSettled: () => void,
) {
  const t = useTexts(texts);
  const client = useQueryClient();
  const failed = useFailureNotice({ 409: t('changedMeanwhile') });
  return useMutation({
    mutationFn: ({ draft: { teams, anew }, ranking }: DesiredTeams) => {
      const wanted = teams.map(({ id, name, colour, userIds }) => ({
        ...(id !== undefined && { id }),
        ...{ name, colour, userIds: [...userIds] },
      }));
      const body = { schoolDb, classId, version, anew, teams: wanted, ...(ranking && { ranking }) };
      return call('replaceTeams', { body, idempotencyKey: newIdempotencyKey() });
    },
    onSuccess: (saved) => {
      client.setQueryData(teamsKey(schoolDb, classId), saved);
      notifications.show({ message: t('saved') });
      onSettled();
      void invalidateStaleReads(client, ['replaceTeams'], 'none');
    },
    onError: (error) => {
      failed(error);
      if ('status' in error && error.status === 409) {
        onSettled();
        void client.invalidateQueries({ queryKey: teamsKey(schoolDb, classId) });
      }
    },
  });
}
