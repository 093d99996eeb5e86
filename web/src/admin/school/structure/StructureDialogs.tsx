import type { ClassSummary, GradeSummary } from '@classledger/contract';
import { List, Text } from '@mantine/core';
import { useState } from 'react';
import { ConfirmDialog, type DialogProps } from '../../../components/ConfirmDialog.tsx';
import { NameDialog } from '../../../components/NameDialog.tsx';
import { GradePicker } from '../../../components/StructurePickers.tsx';
import { useForm } from '../../../components/use-form.ts';
import { useMutationWithNotice } from '../../../components/use-mutation-with-notice.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { useSchool } from '../../school.tsx';
import { EraseClassDialog } from './EraseClassDialog.tsx';
import type { StructureAction } from './structure-tree.ts';
import { texts } from './texts.ts';

interface StructureDialogsProps extends DialogProps {
  readonly action: StructureAction;
}

export function StructureDialogs({ action, ...dialog }: StructureDialogsProps) {
  switch (action.kind) {
    case 'renameGrade':
      return <RenameGradeDialog grade={action.grade} {...dialog} />;
    case 'deleteGrade':
      return <DeleteGradeDialog grade={action.grade} {...dialog} />;
    case 'renameClass':
      return <RenameClassDialog of={action.class} {...dialog} />;
    case 'moveClass':
      return <MoveClassDialog of={action.class} {...dialog} />;
    case 'eraseClass':
      return <EraseClassDialog of={action.class} {...dialog} />;
    case 'deleteClass':
      return <DeleteClassDialog of={action.class} {...dialog} />;
  }
}

interface GradeDialogProps extends DialogProps {
  readonly grade: GradeSummary;
}

function RenameGradeDialog({ grade, opened, onClose }: GradeDialogProps) {
  const t = useTexts(texts);
  const { schoolDb } = useSchool();
  const rename = useMutationWithNotice(
    'updateSchoolGrade',
    ({ name }) => t('renamed', { before: grade.name, after: name }),
    onClose,
  );
  return (
    <NameDialog
      opened={opened}
      onClose={onClose}
      title={t('renameTitle', { name: grade.name })}
      label={t('name')}
      name={grade.name}
      submitLabel={t('save')}
      onSubmit={(name) =>
        name === grade.name
          ? onClose()
          : rename.mutate({ params: { id: grade.id }, body: { schoolDb, name } })
      }
      mutation={rename}
      sentences={{ 404: t('gone'), 409: t('gradeNameTaken') }}
    />
  );
}

function DeleteGradeDialog({ grade, opened, onClose }: GradeDialogProps) {
  const t = useTexts(texts);
  const { schoolDb } = useSchool();
  const remove = useMutationWithNotice(
    'deleteSchoolGrade',
    ({ name, cascadeDeleted: { classes, students } }) =>
      classes === 0
        ? t('deletedEmpty', { name })
        : t('deletedGrade', {
            name,
            classes: t('classes', { count: classes }),
            students: t('studentCount', { count: students }),
          }),
    onClose,
  );
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title={t('deleteTitle', { name: grade.name })}
      confirmLabel={t('deleteConfirm')}
      danger
      typedText={grade.name}
      onConfirm={() => remove.mutate({ params: { id: grade.id }, query: { schoolDb } })}
      mutation={remove}
      sentences={{ 404: t('gone') }}
    >
      <DeletedWithIt classes={grade.classCount} students={grade.studentCount} />
    </ConfirmDialog>
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

interface ClassDialogProps extends DialogProps {
  readonly of: ClassSummary;
}

function RenameClassDialog({ of, opened, onClose }: ClassDialogProps) {
  const t = useTexts(texts);
  const { schoolDb } = useSchool();
  const rename = useMutationWithNotice(
    'updateSchoolClass',
    ({ name }) => t('renamed', { before: of.name, after: name }),
    onClose,
  );
  return (
    <NameDialog
      opened={opened}
      onClose={onClose}
      title={t('renameTitle', { name: of.name })}
      label={t('name')}
      name={of.name}
      submitLabel={t('save')}
      onSubmit={(name) =>
        name === of.name ? onClose() : rename.mutate({ params: { id: of.id }, body: { schoolDb, name } })
      }
      mutation={rename}
      sentences={{ 404: t('gone'), 409: t('classNameTaken') }}
    />
  );
}

function MoveClassDialog({ of, opened, onClose }: ClassDialogProps) {
  const t = useTexts(texts);
  const { schoolDb } = useSchool();
  const [gradeId, setGradeId] = useState(of.gradeId);
  const move = useMutationWithNotice(
    'updateSchoolClass',
    ({ name, gradeName }) => t('moved', { name, grade: gradeName }),
    onClose,
  );
  const { submit, shown } = useForm({ grade: gradeId === of.gradeId && t('chooseGrade') }, () =>
    move.mutate({ params: { id: of.id }, body: { schoolDb, gradeId } }),
  );
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title={t('moveTitle', { name: of.name })}
      confirmLabel={t('moveConfirm')}
      onConfirm={submit}
      mutation={move}
      sentences={{ 404: t('gone'), 409: t('moveTaken') }}
    >
      <GradePicker
        schoolDb={schoolDb}
        value={gradeId}
        onChange={(id) => setGradeId(id ?? of.gradeId)}
        withLabel
        error={shown.grade}
      />
      <div>
        <Text size="sm">
          {of.studentCount === 0 ? t('moveTextNone') : t('moveText', { count: of.studentCount })}
        </Text>
        <Text size="sm" c="dimmed" mt={4}>
          {t('moveAdmins')}
        </Text>
      </div>
    </ConfirmDialog>
  );
}

function DeleteClassDialog({ of, opened, onClose }: ClassDialogProps) {
  const t = useTexts(texts);
  const { schoolDb } = useSchool();
  const remove = useMutationWithNotice(
    'deleteSchoolClass',
    ({ name, cascadeDeleted: { students: count } }) =>
      count === 0
        ? t('deletedEmpty', { name })
        : t('deletedClass', { name, students: t('studentCount', { count }) }),
    onClose,
  );
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title={t('deleteTitle', { name: of.name })}
      confirmLabel={t('deleteConfirm')}
      danger
      typedText={of.name}
      onConfirm={() => remove.mutate({ params: { id: of.id }, query: { schoolDb } })}
      mutation={remove}
      sentences={{ 404: t('gone') }}
    >
      <DeletedWithIt students={of.studentCount} />
    </ConfirmDialog>
  );
}
