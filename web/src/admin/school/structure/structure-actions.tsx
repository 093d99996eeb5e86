import type { ClassSummary, GradeSummary } from '@classledger/contract';
import { List, Text, TextInput } from '@mantine/core';
import { IconArrowsExchange, IconEraser, IconUsers } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useOperation } from '../../../api/queries.ts';
import { ConfirmDialog, type DialogProps } from '../../../components/ConfirmDialog.tsx';
import { ErrorState } from '../../../components/ErrorState.tsx';
import { Hint } from '../../../components/Hint.tsx';
import { GradePicker } from '../../../components/StructurePickers.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { useManages, useMayDo } from '../../me.ts';
import { FormDialog } from '../../page/FormDialog.tsx';
import type { RowAction } from '../../page/RowActions.tsx';
import { defineWrite, useRunWrite, type Write } from '../../page/write.ts';
import { useSchool } from '../../school.tsx';
import { texts } from './texts.ts';

type Named = Pick<ClassSummary, 'id' | 'name' | 'studentCount'> & Partial<Pick<GradeSummary, 'classCount'>>;

/** Returns functions that list the actions of a grade or class. */
export function useStructureActions() {
  const t = useTexts(texts);
  const { schoolDb } = useSchool();
  const mayDo = useMayDo();
  const manages = useManages();
  const renaming = (
    operation: 'updateSchoolGrade' | 'updateSchoolClass',
    { id, name: before }: Named,
    taken: string,
  ): RowAction => {
    const rename = (name: string) =>
      defineWrite(operation, { params: { id }, body: { schoolDb, name } }, ({ name: after }) =>
        t('renamed', { before, after }),
      );
    return {
      kind: 'rename',
      open: (dialog) => <RenameForm {...dialog} name={before} taken={taken} rename={rename} />,
    };
  };
  const deletedWith = (classes: number, students: number) => (
    <div>
      <Text size="sm">{t('deleteText')}</Text>
      <List size="sm" mt={4}>
        {classes > 0 && <List.Item fw={600}>{t('classes', { count: classes })}</List.Item>}
        {students > 0 && (
          <>
            <List.Item fw={600}>{t('studentCount', { count: students })}</List.Item>
            <List.Item>{t('deleteScores')}</List.Item>
          </>
        )}
      </List>
    </div>
  );
  const deletion = ({ name, classCount = 0, studentCount }: Named, run: Write): RowAction => ({
    remove: {
      title: t('deleteTitle', { name }),
      text: classCount + studentCount > 0 ? deletedWith(classCount, studentCount) : t('deleteNothing'),
      confirmLabel: t('deleteConfirm'),
      typedText: name,
      run,
      sentences: { 404: t('gone') },
    },
  });
  const showing = ({ id }: ClassSummary): RowAction => ({
    label: t('students'),
    icon: IconUsers,
    link: (link) => <Link to="/students" search={{ class: id }} {...link} />,
  });
  const erasure = (of: ClassSummary): RowAction =>
    mayDo('managePersonalData') &&
    of.studentCount > 0 && {
      label: t('erase'),
      icon: IconEraser,
      open: (dialog) => <EraseClassDialog {...dialog} of={of} />,
    };
  const ofGrade = (grade: GradeSummary): readonly RowAction[] => {
    if (!mayDo('manageGrades')) return [];
    const remove = defineWrite(
      'deleteSchoolGrade',
      { params: { id: grade.id }, query: { schoolDb } },
      ({ name, cascadeDeleted: { classes, students } }) =>
        classes === 0
          ? t('deletedEmpty', { name })
          : t('deletedGrade', {
              name,
              classes: t('classes', { count: classes }),
              students: t('studentCount', { count: students }),
            }),
    );
    return [renaming('updateSchoolGrade', grade, t('gradeNameTaken')), deletion(grade, remove)];
  };
  const ofClass = (of: ClassSummary): readonly RowAction[] => {
    const remove = defineWrite(
      'deleteSchoolClass',
      { params: { id: of.id }, query: { schoolDb } },
      ({ name, cascadeDeleted: { students: count } }) =>
        count === 0
          ? t('deletedEmpty', { name })
          : t('deletedClass', { name, students: t('studentCount', { count }) }),
    );
    return [
      showing(of),
      mayDo('renameClasses') && manages(of) && renaming('updateSchoolClass', of, t('classNameTaken')),
      // Moving a class needs access to both grades, and only roles that manage grades have access to several.
      mayDo('manageGrades') && {
        label: t('move'),
        icon: IconArrowsExchange,
        open: (dialog) => <MoveClassForm {...dialog} of={of} />,
      },
      erasure(of),
      mayDo('manageClasses') && manages(of) && deletion(of, remove),
    ];
  };
  const ofGraduatedClass = (of: ClassSummary): readonly RowAction[] => [showing(of), erasure(of)];
  return { ofGrade, ofClass, ofGraduatedClass };
}

interface RenameFormProps extends DialogProps {
  readonly name: string;
  readonly taken: string;
  readonly rename: (name: string) => Write;
}

function RenameForm({ name: before, taken, rename, ...dialog }: RenameFormProps) {
  const t = useTexts(texts);
  return (
    <FormDialog
      {...dialog}
      title={t('renameTitle', { name: before })}
      submitLabel={t('save')}
      bodyOf="createSchoolGrade"
      values={{ name: before }}
      save={({ name }) => (name === before ? null : rename(name))}
      sentences={{ 404: t('gone'), 409: taken }}
    >
      {({ field }) => (
        <TextInput
          {...field('name')}
          label={t('name')}
          onFocus={(event) => event.currentTarget.select()}
          autoComplete="off"
        />
      )}
    </FormDialog>
  );
}

function MoveClassForm({ of, ...dialog }: DialogProps & { readonly of: ClassSummary }) {
  const t = useTexts(texts);
  const { schoolDb } = useSchool();
  return (
    <FormDialog
      {...dialog}
      title={t('moveTitle', { name: of.name })}
      submitLabel={t('moveConfirm')}
      bodyOf="updateSchoolClass"
      values={{ gradeId: of.gradeId as number | null }}
      check={({ gradeId }) => ({
        gradeId: (gradeId === null || gradeId === of.gradeId) && t('chooseGrade'),
      })}
      save={({ gradeId }) =>
        defineWrite(
          'updateSchoolClass',
          { params: { id: of.id }, body: { schoolDb, gradeId: gradeId ?? undefined } },
          ({ name, gradeName }) => t('moved', { name, grade: gradeName }),
        )
      }
      sentences={{ 404: t('gone'), 409: t('moveTaken') }}
    >
      {({ field }) => (
        <>
          <GradePicker {...field('gradeId')} schoolDb={schoolDb} withLabel />
          <div>
            <Text size="sm">
              {of.studentCount === 0 ? t('moveTextNone') : t('moveText', { count: of.studentCount })}
            </Text>
            <Hint mt={4}>{t('moveAdmins')}</Hint>
          </div>
        </>
      )}
    </FormDialog>
  );
}

function EraseClassDialog({ of, opened, onClose }: DialogProps & { readonly of: ClassSummary }) {
  const t = useTexts(texts);
  const { schoolDb } = useSchool();
  const people = useOperation('listUsers', { query: { schoolDb, classId: of.id } }, { enabled: opened });
  const count = people.data?.filter(({ erased }) => !erased).length;
  const attempt = useRunWrite({ onDone: onClose });
  const erase = (students: number) =>
    defineWrite('eraseClass', { params: { id: of.id }, body: { schoolDb, students } }, ({ erased }) =>
      t('erasedClass', { count: erased }),
    );
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title={t('eraseTitle', { name: of.name })}
      confirmLabel={count === 0 ? t('close') : t('eraseConfirm')}
      danger={count !== 0}
      {...(count && { typedText: of.name })}
      onConfirm={() => {
        if (count) attempt.run(erase(count));
        else if (count === 0) onClose();
      }}
      mutation={attempt}
      sentences={{ 404: t('gone'), 409: t('eraseChanged') }}
    >
      {count === undefined ? (
        people.isError ? (
          <ErrorState error={people.error} onRetry={() => void people.refetch()} />
        ) : (
          <Text size="sm">{t('eraseCounting')}</Text>
        )
      ) : count === 0 ? (
        <Text size="sm">{t('eraseNobody')}</Text>
      ) : (
        <>
          <List size="sm" spacing={6} pe="md">
            <List.Item>{t('eraseGoes', { count })}</List.Item>
            <List.Item>{t('eraseStays')}</List.Item>
          </List>
          <Text size="sm">{t('eraseFinal')}</Text>
        </>
      )}
    </ConfirmDialog>
  );
}
