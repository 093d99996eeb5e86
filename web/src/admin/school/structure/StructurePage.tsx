import { Alert, Box, Button, Group, Stack, Text } from '@mantine/core';
import { IconPlus, IconSchool, IconSitemap } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { useMutationOf, useOperation } from '../../../api/queries.ts';
import { EmptyState } from '../../../components/EmptyState.tsx';
import { LoadingOrError } from '../../../components/LoadingOrError.tsx';
import { OneLine } from '../../../components/list/cells.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { useMayDo } from '../../me.ts';
import { PageLink } from '../../PageLink.tsx';
import { Page } from '../../page/Page.tsx';
import { useSchool } from '../../school.tsx';
import { GradeSection, GraduatedYears } from './GradeSection.tsx';
import { groupClassesByGrade } from './group-classes.ts';
import { InlineAddForm } from './InlineAddForm.tsx';
import { texts } from './texts.ts';

export default function StructurePage() {
  const t = useTexts(texts);
  const { schoolDb } = useSchool();
  const mayDo = useMayDo();
  const gradeList = useOperation('listSchoolGrades', { query: { schoolDb } });
  const classList = useOperation('listSchoolClasses', { query: { schoolDb } });
  const mayPromote = mayDo('manageGrades');
  const archived = { query: { schoolDb, archived: true } };
  const graduatedGrades = useOperation('listSchoolGrades', archived, { enabled: mayPromote });
  const graduatedClasses = useOperation('listSchoolClasses', archived, { enabled: mayPromote });
  const promotions = useOperation(
    'listPromotions',
    { query: { schoolDb, page: 1, limit: 1 } },
    { enabled: mayPromote },
  );
  const [closed, setClosed] = useState<ReadonlySet<number>>(new Set());
  const [said, setSaid] = useState('');
  // When the first grade was added, the field moves to another place, where this state keeps it open.
  const [isAdding, setIsAdding] = useState(false);
  const addButton = useRef<HTMLButtonElement>(null);
  const branches =
    gradeList.data && classList.data ? groupClassesByGrade(gradeList.data, classList.data) : null;
  const createGrade = useMutationOf('createSchoolGrade', {
    onSuccess: ({ name }) => {
      setSaid(t('added', { name }));
      if (branches?.length === 0) setIsAdding(true);
    },
  });
  const createClass = useMutationOf('createSchoolClass', {
    onSuccess: ({ name }) => setSaid(t('added', { name })),
  });
  const stopAdding = () => {
    setIsAdding(false);
    requestAnimationFrame(() => addButton.current?.focus());
  };
  const addGrade = mayDo('manageGrades') ? (
    <InlineAddForm
      buttonLabel={t('addGrade')}
      label={t('gradeName')}
      placeholder={t('gradePlaceholder')}
      taken={t('gradeNameTaken')}
      prominent
      {...(branches?.length !== 0 && { startsOpen: true, onClosed: stopAdding })}
      onAdd={(name) => createGrade.mutateAsync({ body: { schoolDb, name } })}
    />
  ) : null;
  const toggle = (id: number) => {
    const next = new Set(closed);
    if (!next.delete(id)) next.add(id);
    setClosed(next);
  };
  const content = () => {
    if (!branches) return <LoadingOrError of={[gradeList, classList]} height={56} />;
    if (branches.length === 0) {
      return (
        <EmptyState
          icon={IconSitemap}
          title={t('noneTitle')}
          hint={t(addGrade ? 'noneHint' : 'noneHintReader')}
          action={addGrade}
        />
      );
    }
    const classCount = branches.reduce((sum, branch) => sum + branch.classes.length, 0);
    const studentCount = branches.reduce((sum, branch) => sum + branch.studentCount, 0);
    const someOpen = branches.some(({ grade }) => !closed.has(grade.id));
    return (
      <>
        <Group justify="space-between" wrap="nowrap" mb="sm" mih={36}>
          <Text c="dimmed">
            <OneLine>{t('grades', { count: branches.length })}</OneLine>
            {' · '}
            <OneLine>{t('classes', { count: classCount })}</OneLine>
            {' · '}
            <OneLine>{t('studentCount', { count: studentCount })}</OneLine>
          </Text>
          {branches.length > 1 && (
            <Button
              variant="subtle"
              color="gray"
              size="sm"
              flex="none"
              onClick={() => setClosed(new Set(someOpen ? branches.map(({ grade }) => grade.id) : []))}
            >
              {t(someOpen ? 'closeAll' : 'openAll')}
            </Button>
          )}
        </Group>
        <Stack component="ul" gap={14} m={0} p={0} aria-label={t('tree')}>
          {branches.map((branch) => (
            <GradeSection
              key={branch.grade.id}
              branch={branch}
              open={!closed.has(branch.grade.id)}
              onToggle={() => toggle(branch.grade.id)}
              onAddClass={(name) =>
                createClass.mutateAsync({ body: { schoolDb, gradeId: branch.grade.id, name } })
              }
            />
          ))}
        </Stack>
        {isAdding && <Box mt={14}>{addGrade}</Box>}
        {graduatedGrades.data && graduatedGrades.data.length > 0 && (
          <GraduatedYears grades={graduatedGrades.data} classes={graduatedClasses.data ?? []} />
        )}
      </>
    );
  };
  return (
    <Page
      title={t('title')}
      headActions={
        addGrade &&
        branches &&
        branches.length > 0 &&
        !isAdding && (
          <>
            <Button
              variant="default"
              leftSection={<IconSchool aria-hidden size={16} />}
              renderRoot={(props) => <Link to="/structure/promotion" {...props} />}
            >
              {t('promote')}
            </Button>
            <Button
              ref={addButton}
              leftSection={<IconPlus aria-hidden size={16} />}
              onClick={() => setIsAdding(true)}
            >
              {t('addGrade')}
            </Button>
          </>
        )
      }
    >
      {promotions.data?.map(
        ({ id, name, undo }) =>
          undo.isPossible && (
            <Alert key={id} color="teal" mb="md" py="xs">
              {t('promoted', { name })}{' '}
              <PageLink to="/structure/promotion" search={{ promotion: id }} size="sm" underline="always">
                {t('showPromotion')}
              </PageLink>
            </Alert>
          ),
      )}
      {content()}
      <div className="visually-hidden" role="status">
        {said}
      </div>
    </Page>
  );
}
