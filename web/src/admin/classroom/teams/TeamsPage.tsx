import type { ClassSummary, ClassTeams, Student } from '@classledger/contract';
import { Button, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconArrowsShuffle, IconAward, IconUsersGroup } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { EmptyState } from '../../../components/EmptyState.tsx';
import { ErrorState } from '../../../components/ErrorState.tsx';
import { LoadingRows } from '../../../components/LoadingRows.tsx';
import { PageHeader } from '../../../components/PageHeader.tsx';
import { StudentNamesContext, useDistinctStudentNames } from '../../../components/student-names.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { useSchool } from '../../school.tsx';
import { useIsToolEnabled } from '../../use-is-tool-enabled.ts';
import { ClassPageGate } from '../ClassPageGate.tsx';
import { useTeams } from '../class-teams.ts';
import { useRoster } from '../roster.ts';
import { AssignTeamsDialog } from './AssignTeamsDialog.tsx';
import { MembersEditor } from './MembersEditor.tsx';
import { TeamRanking } from './TeamRanking.tsx';
import { TeamRecords } from './TeamRecords.tsx';
import { addTeam, assignGroups, type TeamsDraft, teamColourCount, teamsDraftOf } from './teams-draft.ts';
import { texts } from './texts.ts';
import { useSavedTeams } from './use-saved-teams.ts';

export function TeamsPage() {
  const t = useTexts(texts);
  const { schoolDb } = useSchool();
  if (!useIsToolEnabled('teams')) {
    return (
      <>
        <PageHeader title={t('title')} />
        <EmptyState icon={IconUsersGroup} title={t('offTitle')} hint={t('offHint')} />
      </>
    );
  }
  return (
    <ClassPageGate title={t('title')} chooseHint={t('chooseClassHint')} noneHint={t('noClassesHint')}>
      {(shown, picker) => <ClassTeamsPart key={shown.id} schoolDb={schoolDb} of={shown} picker={picker} />}
    </ClassPageGate>
  );
}

interface ClassTeamsPartProps {
  readonly schoolDb: string;
  readonly of: ClassSummary;
  readonly picker: ReactNode;
}

const noStudents: readonly Student[] = [];

function ClassTeamsPart({ schoolDb, of, picker }: ClassTeamsPartProps) {
  const t = useTexts(texts);
  const teams = useTeams(schoolDb, of.id);
  const roster = useRoster(schoolDb, of.id);
  const names = useDistinctStudentNames(roster.data ?? noStudents);
  const body = () => {
    if (!teams.data || !roster.data) {
      const error = teams.error ?? roster.error;
      const retry = () => void Promise.all([teams.refetch(), roster.refetch()]);
      return (
        <>
          <PageHeader title={t('title')} choice={picker} />
          {error ? <ErrorState error={error} onRetry={retry} /> : <LoadingRows rows={5} height={72} />}
        </>
      );
    }
    return <Teams schoolDb={schoolDb} of={of} picker={picker} saved={teams.data} students={roster.data} />;
  };
  return <StudentNamesContext value={names}>{body()}</StudentNamesContext>;
}

interface TeamsProps extends ClassTeamsPartProps {
  readonly saved: ClassTeams;
  readonly students: readonly Student[];
}

function Teams({ schoolDb, of, picker, saved, students }: TeamsProps) {
  const t = useTexts(texts);
  const [draft, setDraft] = useState<TeamsDraft | null>(null);
  const [isAssigning, assignDialog] = useDisclosure();
  const save = useSavedTeams(saved, schoolDb, () => setDraft(null));
  const now = draft ?? teamsDraftOf(saved.teams);
  const nameOf = (number: number) => t('teamName', { number });
  const hasTeams = now.teams.length > 0;
  const dealButton = (
    <Button
      leftSection={<IconArrowsShuffle aria-hidden size={18} />}
      disabled={save.isPending}
      onClick={assignDialog.open}
    >
      {t('makeTeams')}
    </Button>
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
              <Button variant="default" onClick={() => setDraft(addTeam(now, nameOf, teamColourCount))}>
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
          <TeamRanking of={of} saved={saved} onRanking={(ranking) => save.mutate({ draft: now, ranking })} />
        )}
        <MembersEditor
          draft={now}
          isChanged={draft !== null}
          saved={saved}
          students={students}
          onChange={setDraft}
          onDiscard={() => setDraft(null)}
          saving={save.isPending}
          onSave={() => save.mutate({ draft: now })}
        />
        {!draft && <TeamRecords schoolDb={schoolDb} classId={of.id} />}
      </Stack>
    );
  };
  return (
    <>
      <PageHeader
        title={t('title')}
        choice={picker}
        actions={
          students.length > 0 &&
          hasTeams && (
            <>
              <Button
                renderRoot={(props) => <Link to="/scoring" {...props} />}
                variant="default"
                leftSection={<IconAward aria-hidden size={18} />}
              >
                <span className="words-on-wide">{t('toScoring')}</span>
              </Button>
              {dealButton}
            </>
          )
        }
      />
      {content()}
      <AssignTeamsDialog
        schoolDb={schoolDb}
        classId={of.id}
        students={students}
        teamCount={now.teams.length}
        opened={isAssigning}
        onClose={assignDialog.close}
        onAssigned={(groups) => {
          setDraft(assignGroups(now, groups, nameOf, teamColourCount));
          assignDialog.close();
        }}
      />
    </>
  );
}
