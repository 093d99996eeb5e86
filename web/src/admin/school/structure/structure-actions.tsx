import type { ClassSummary, GradeSummary } from '@classledger/contract';
import { List, Text, TextInput } from '@mantine/core';
import { IconArrowsExchange, IconEraser, IconPencil, IconUsers } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useOperation } from '../../../api/queries.ts';
import { ConfirmDialog, type DialogProps } from '../../../components/ConfirmDialog.tsx';
import { ErrorState } from '../../../components/ErrorState.tsx';
import { GradePicker } from '../../../components/StructurePickers.tsx';
import { useMutationWithNotice } from '../../../components/use-mutation-with-notice.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { useMayDo } from '../../me.ts';
import { FormDialog } from '../../page/FormDialog.tsx';
import type { RowAction } from '../../page/RowActions.tsx';
import { defineWrite, type Write } from '../../page/write.ts';
import { useSchool } from '../../school.tsx';
import { texts } from './texts.ts';

export function useGradeActions(): (grade: GradeSummary) => readonly RowAction[] {
  const t = useTexts(texts);
  const { schoolDb } = useSchool();
  const mayManage = useMayDo()('manageGrades');
  return (grade) => {
    if (!mayManage) return [];
    const params = { id: grade.id };
    const rename = (name: string) =>
      defineWrite('updateSchoolGrade', { params, body: { schoolDb, name } }, (changed) =>
        t('renamed', { before: grade.name, after: changed.name }),
      );
    const remove = defineWrite(
      'deleteSchoolGrade',
      { params, query: { schoolDb } },
      ({ name, cascadeDeleted: { classes, students } }) =>
        classes === 0
          ? t('deletedEmpty', { name })
          : t('deletedGrade', {
              name,
              classes: t('classes', { count: classes }),
              students: t('studentCount', { count: students }),
            }),
    );
    return [
      {
        label: t('rename'),
        icon: IconPencil,
        open: (dialog) => (
          <RenameForm {...dialog} name={grade.name} taken={t('gradeNameTaken')} rename={rename} />
        ),
      },
      {
        label: t('delete'),
        remove: {
          title: t('deleteTitle', { name: grade.name }),
          text: <DeletedWithIt classes={grade.classCount} students={grade.studentCount} />,
          confirmLabel: t('deleteConfirm'),
          typedText: grade.name,
          run: remove,
          sentences: { 404: t('gone') },
        },
      },
    ];
  };
}

export function useClassActions(): (of: ClassSummary) => readonly RowAction[] {
  const t = useTexts(texts);
  const { schoolDb } = useSchool();
  const mayDo = useMayDo();
  const show = useShowStudents();
  const erase = useErase();
  return (of) => {
    const params = { id: of.id };
    const rename = (name: string) =>
      defineWrite('updateSchoolClass', { params, body: { schoolDb, name } }, (changed) =>
        t('renamed', { before: of.name, after: changed.name }),
      );
    const remove = defineWrite(
      'deleteSchoolClass',
      { params, query: { schoolDb } },
      ({ name, cascadeDeleted: { students: count } }) =>
        count === 0
          ? t('deletedEmpty', { name })
          : t('deletedClass', { name, students: t('studentCount', { count }) }),
    );
    const renaming: RowAction = {
      label: t('rename'),
      icon: IconPencil,
      open: (dialog) => <RenameForm {...dialog} name={of.name} taken={t('classNameTaken')} rename={rename} />,
    };
    const moving: RowAction = {
      label: t('move'),
      icon: IconArrowsExchange,
      open: (dialog) => <MoveClassForm {...dialog} of={of} />,
    };
    const deletion: RowAction = {
      label: t('delete'),
      remove: {
        title: t('deleteTitle', { name: of.name }),
        text: <DeletedWithIt students={of.studentCount} />,
        confirmLabel: t('deleteConfirm'),
        typedText: of.name,
        run: remove,
        sentences: { 404: t('gone') },
      },
    };
    return [
      show(of),
      ...(mayDo('renameClasses') ? [renaming] : []),
      // Moving a class needs access to both grades, and only roles that manage grades have access to several.
      ...(mayDo('manageGrades') ? [moving] : []),
      ...erase(of),
      ...(mayDo('manageClasses') ? [deletion] : []),
    ];
  };
}

export function useGraduatedActions(): (of: ClassSummary) => readonly RowAction[] {
  const show = useShowStudents();
  const erase = useErase();
  return (of) => [show(of), ...erase(of)];
}

function useShowStudents(): (of: ClassSummary) => RowAction {
  const t = useTexts(texts);
  return ({ id }) => ({
    label: t('students'),
    icon: IconUsers,
    link: (link) => <Link to="/students" search={{ class: id }} {...link} />,
  });
}

/** Returns no action if the class has no students, or the role may not erase them. */
function useErase(): (of: ClassSummary) => readonly RowAction[] {
  const t = useTexts(texts);
  const mayErase = useMayDo()('managePersonalData');
  return (of) =>
    mayErase && of.studentCount > 0
      ? [
          {
            label: t('erase'),
            icon: IconEraser,
            open: (dialog) => <EraseClassDialog {...dialog} of={of} />,
          },
        ]
      : [];
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
            <Text size="sm" c="dimmed" mt={4}>
              {t('moveAdmins')}
            </Text>
          </div>
        </>
      )}
    </FormDialog>
  );
}

function DeletedWithIt({ classes = 0, students }: { readonly classes?: number; readonly students: number }) {
  const t = useTexts(texts);
  if (classes === 0 && students === 0) return <Text size="sm">{t('deleteNothing')}</Text>;
  return (
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
}

function EraseClassDialog({ of, opened, onClose }: DialogProps & { readonly of: ClassSummary }) {
  const t = useTexts(texts);
  const { schoolDb } = useSchool();
  const people = useOperation('listUsers', { query: { schoolDb, classId: of.id } }, { enabled: opened });
  const count = people.data?.filter(({ erased }) => !erased).length;
  const erase = useMutationWithNotice(
    'eraseClass',
    ({ erased }) => t('erasedClass', { count: erased }),
    onClose,
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
        if (count) erase.mutate({ params: { id: of.id }, body: { schoolDb, students: count } });
        else if (count === 0) onClose();
      }}
      mutation={erase}
      sentences={{ 404: t('gone'), 409: t('eraseChanged') }}
    >
      {count === undefined ? (
        people.isError ? (
          <ErrorState compact error={people.error} onRetry={() => void people.refetch()} />
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
