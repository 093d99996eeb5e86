import type { GradeSummary } from '@classledger/contract';
import { List, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutationOf } from '../../../api/queries.ts';
import { ConfirmDialog } from '../../../components/ConfirmDialog.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { useSchool } from '../../school.tsx';
import { RenameDialog } from './RenameDialog.tsx';
import { texts } from './texts.ts';

interface GradeDialogProps {
  readonly grade: GradeSummary;
  readonly opened: boolean;
  readonly onClose: () => void;
}

/** Renames a grade. */
export function RenameGradeDialog({ grade, opened, onClose }: GradeDialogProps) {
  const t = useTexts(texts);
  const { schoolDb } = useSchool();
  const rename = useMutationOf('updateSchoolGrade', {
    onSuccess: ({ name }) => {
      notifications.show({ message: t('renamed', { before: grade.name, after: name }) });
      onClose();
    },
  });
  return (
    <RenameDialog
      opened={opened}
      onClose={onClose}
      name={grade.name}
      taken={t('gradeNameTaken')}
      onRename={(name) => rename.mutate({ params: { id: grade.id }, body: { schoolDb, name } })}
      pending={rename.isPending}
      error={rename.error}
    />
  );
}

/** Deletes a grade with everything in it; its name must be typed. */
export function DeleteGradeDialog({ grade, opened, onClose }: GradeDialogProps) {
  const t = useTexts(texts);
  const { schoolDb } = useSchool();
  const remove = useMutationOf('deleteSchoolGrade', {
    onSuccess: ({ name, cascadeDeleted }) => {
      const classes = t('classes', { count: cascadeDeleted.classes });
      const students = t('studentCount', { count: cascadeDeleted.students });
      notifications.show({
        message:
          cascadeDeleted.classes === 0
            ? t('deletedEmpty', { name })
            : t('deletedGrade', { name, classes, students }),
      });
      onClose();
    },
  });
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title={t('deleteTitle', { name: grade.name })}
      confirmLabel={t('deleteConfirm')}
      danger
      typedText={grade.name}
      onConfirm={() => remove.mutate({ params: { id: grade.id }, query: { schoolDb } })}
      pending={remove.isPending}
      error={remove.error}
      sentences={{ 404: t('gone') }}
    >
      <TakenAlong classes={grade.classCount} students={grade.studentCount} />
    </ConfirmDialog>
  );
}

/** What a deletion takes along. */
export function TakenAlong({
  classes = 0,
  students,
}: {
  readonly classes?: number;
  readonly students: number;
}) {
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
