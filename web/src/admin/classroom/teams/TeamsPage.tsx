import type { ClassTeams } from '@classledger/contract';
import { Button, Stack } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconArrowsShuffle, IconAward, IconUsersGroup } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { call, newIdempotencyKey } from '../../../api/call.ts';
import { invalidateStaleReads } from '../../../api/stale-reads.ts';
import { EmptyState } from '../../../components/EmptyState.tsx';
import { LoadingOrError } from '../../../components/LoadingOrError.tsx';
import { PageHeader } from '../../../components/PageHeader.tsx';
import { StudentNamesContext, useDistinctStudentNames } from '../../../components/student-names.ts';
import { useFailureNotice } from '../../../components/use-failure-notice.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { DialogButton } from '../../page/dialogs.tsx';
import { type ClassContentProps, ClassPageGate } from '../ClassPageGate.tsx';
import { teamsKey, useTeams } from '../class-teams.ts';
import { ToolButton } from '../parts.tsx';
import { useRoster } from '../roster.ts';
import { AssignTeamsDialog } from './AssignTeamsDialog.tsx';
import { MembersEditor } from './MembersEditor.tsx';
import { TeamRanking, TeamRecords } from './TeamLists.tsx';
import { addTeam, assignGroups, type TeamsDraft, teamsDraftOf } from './teams-draft.ts';
import { texts } from './texts.ts';

export default function TeamsPage() {
  const t = useTexts(texts);
  return (
    <ClassPageGate
      title={t('title')}
      off={{ tool: 'teams', icon: IconUsersGroup, title: t('offTitle'), hint: t('offHint') }}
      chooseHint={t('chooseClassHint')}
    >
      {(content) => <TeamsOfClass key={content.of.id} {...content} />}
    </ClassPageGate>
  );
}

function TeamsOfClass({ schoolDb, of, picker }: ClassContentProps) {
  const t = useTexts(texts);
  const teams = useTeams(schoolDb, of.id);
  const roster = useRoster(schoolDb, of.id);
  const names = useDistinctStudentNames(roster.data);
  const [draft, setDraft] = useState<TeamsDraft | null>(null);
  const save = useSaveTeams(schoolDb, () => setDraft(null));
  if (!teams.data || !roster.data) {
    return (
      <>
        <PageHeader title={t('title')} choice={picker} />
        <LoadingOrError of={[teams, roster]} rows={5} height={72} />
      </>
    );
  }
  const [saved, students] = [teams.data, roster.data];
  const now = draft ?? teamsDraftOf(saved.teams);
  const nameOf = (number: number) => t('teamName', { number });
  const hasTeams = now.teams.length > 0;
  const dealButton = (
    <DialogButton
      leftSection={<IconArrowsShuffle aria-hidden size={18} />}
      disabled={save.isPending}
      dialog={(dialog) => (
        <AssignTeamsDialog
          {...dialog}
          schoolDb={schoolDb}
          classId={of.id}
          students={students}
          teamCount={now.teams.length}
          onAssigned={(groups) => setDraft(assignGroups(now, groups, nameOf))}
        />
      )}
    >
      {t('makeTeams')}
    </DialogButton>
  );
  const content = () => {
    if (students.length === 0) {
      return <EmptyState icon={IconUsersGroup} title={t('noStudentsTitle')} hint={t('noStudentsHint')} />;
    }
    if (!hasTeams && !draft) {
      return (
        <EmptyState
          icon={IconUsersGroup}
          title={t('noTeamsTitle')}
          hint={t('noTeamsHint')}
          action={
            <Stack gap="xs" mt="xs">
              {dealButton}
              <Button variant="default" onClick={() => setDraft(addTeam(now, nameOf))}>
                {t('addTeam')}
              </Button>
            </Stack>
          }
        />
      );
    }
    return (
      <Stack gap="xl">
        {!draft && (
          <TeamRanking
            of={of}
            saved={saved}
            onRanking={(ranking) => save.mutate({ saved, draft: now, ranking })}
          />
        )}
        <MembersEditor
          draft={now}
          isChanged={draft !== null}
          saved={saved}
          students={students}
          onChange={setDraft}
          onDiscard={() => setDraft(null)}
          saving={save.isPending}
          onSave={() => save.mutate({ saved, draft: now })}
        />
        {!draft && <TeamRecords schoolDb={schoolDb} classId={of.id} />}
      </Stack>
    );
  };
  return (
    <StudentNamesContext value={names}>
      <PageHeader
        title={t('title')}
        choice={picker}
        actions={
          students.length > 0 &&
          hasTeams && (
            <>
              <ToolButton
                renderRoot={(props) => <Link to="/scoring" {...props} />}
                icon={IconAward}
                label={t('toScoring')}
              />
              {dealButton}
            </>
          )
        }
      />
      {content()}
    </StudentNamesContext>
  );
}

interface DesiredTeams {
  readonly saved: ClassTeams;
  readonly draft: TeamsDraft;
  readonly ranking?: ClassTeams['ranking'];
}

/** Saves the drafted teams of a class. If somebody else has changed the teams, shows those instead of the draft. */
function useSaveTeams(schoolDb: string, onSettled: () => void) {
  const t = useTexts(texts);
  const client = useQueryClient();
  const failed = useFailureNotice({ 409: t('changedMeanwhile') });
  return useMutation({
    mutationFn: ({ saved: { classId, version }, draft: { teams, anew }, ranking }: DesiredTeams) => {
      const wanted = teams.map(({ id, name, colour, userIds }) => ({
        ...(id !== undefined && { id }),
        ...{ name, colour, userIds: [...userIds] },
      }));
      const body = { schoolDb, classId, version, anew, teams: wanted, ...(ranking && { ranking }) };
      return call('replaceTeams', { body, idempotencyKey: newIdempotencyKey() });
    },
    onSuccess: (stored) => {
      client.setQueryData(teamsKey(schoolDb, stored.classId), stored);
      notifications.show({ message: t('saved') });
      onSettled();
      void invalidateStaleReads(client, ['replaceTeams'], 'none');
    },
    onError: (error, { saved: { classId } }) => {
      failed(error);
      if ('status' in error && error.status === 409) {
        onSettled();
        void client.invalidateQueries({ queryKey: teamsKey(schoolDb, classId) });
      }
    },
  });
}
