import { Button, Group, Text } from '@mantine/core';
import { IconSitemap } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { useMutationOf, useOperation } from '../../../api/queries.ts';
import { EmptyState } from '../../../components/EmptyState.tsx';
import { ErrorState } from '../../../components/ErrorState.tsx';
import { LoadingRows } from '../../../components/LoadingRows.tsx';
import { PageHeader } from '../../../components/PageHeader.tsx';
import { commonTexts } from '../../../i18n/common-texts.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { useMayDo } from '../../me.ts';
import { useSchool } from '../../school.tsx';
import { AddInline } from './AddInline.tsx';
import { affectedByStructure } from './affected.ts';
import { GradeSection } from './GradeSection.tsx';
import classes from './Structure.module.css';
import { StructureDialogs } from './StructureDialogs.tsx';
import { branchesOf, type StructureAction } from './structure-tree.ts';
import { texts } from './texts.ts';

/** How the school is organised: its grades, their classes, and how many people and points are in them. */
export function StructurePage() {
  const t = useTexts(texts);
  const c = useTexts(commonTexts);
  const { schoolDb } = useSchool();
  const mayDo = useMayDo();
  const gradeList = useOperation('listSchoolGrades', { query: { schoolDb } });
  const classList = useOperation('listSchoolClasses', { query: { schoolDb } });
  const [closed, setClosed] = useState<ReadonlySet<number>>(new Set());
  const [action, setAction] = useState<StructureAction | null>(null);
  const [said, setSaid] = useState('');
  const branches = useMemo(
    () => (gradeList.data && classList.data ? branchesOf(gradeList.data, classList.data) : null),
    [gradeList.data, classList.data],
  );
  const createGrade = useMutationOf('createSchoolGrade', {
    invalidates: affectedByStructure,
    onSuccess: ({ name }) => setSaid(t('added', { name })),
  });
  const createClass = useMutationOf('createSchoolClass', {
    invalidates: affectedByStructure,
    onSuccess: ({ name }) => setSaid(t('added', { name })),
  });
  const refetch = () => void Promise.all([gradeList.refetch(), classList.refetch()]);
  const addGrade = mayDo('manageGrades') ? (
    <AddInline
      buttonLabel={t('addGrade')}
      label={t('gradeName')}
      placeholder={t('gradePlaceholder')}
      taken={t('gradeNameTaken')}
      prominent={branches?.length === 0}
      onAdd={(name) => createGrade.mutateAsync({ body: { schoolDb, name } })}
    />
  ) : null;
  const toggle = (id: number) => {
    const next = new Set(closed);
    if (!next.delete(id)) next.add(id);
    setClosed(next);
  };
  const content = () => {
    if (!branches) {
      const error = gradeList.error ?? classList.error;
      return error ? <ErrorState error={error} onRetry={refetch} /> : <LoadingRows rows={6} height={56} />;
    }
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
        <Group justify="space-between" mb="sm" mih={36}>
          <Text c="dimmed">
            {[
              t('grades', { count: branches.length }),
              t('classes', { count: classCount }),
              c('students', { count: studentCount }),
            ].join(' · ')}
          </Text>
          {branches.length > 1 && (
            <Button
              variant="subtle"
              color="gray"
              size="compact-sm"
              onClick={() => setClosed(new Set(someOpen ? branches.map(({ grade }) => grade.id) : []))}
            >
              {t(someOpen ? 'closeAll' : 'openAll')}
            </Button>
          )}
        </Group>
        <ul className={classes.grades} aria-label={t('tree')}>
          {branches.map((branch) => (
            <GradeSection
              key={branch.grade.id}
              branch={branch}
              open={!closed.has(branch.grade.id)}
              onToggle={() => toggle(branch.grade.id)}
              onAction={setAction}
              onAddClass={(name) =>
                createClass.mutateAsync({ body: { schoolDb, gradeId: branch.grade.id, name } })
              }
            />
          ))}
        </ul>
        {addGrade && <div className={classes.addGrade}>{addGrade}</div>}
      </>
    );
  };
  return (
    <>
      <PageHeader title={t('title')} />
      {content()}
      <div className="visually-hidden" role="status">
        {said}
      </div>
      <StructureDialogs action={action} onClose={() => setAction(null)} />
    </>
  );
}
