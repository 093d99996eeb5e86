import type { ListedStudent } from '@classledger/contract';
import { Button, Menu, Text } from '@mantine/core';
import { IconArrowsExchange, IconKey } from '@tabler/icons-react';
import type { DialogProps } from '../../../components/ConfirmDialog.tsx';
import { Hint } from '../../../components/Hint.tsx';
import { useStudentNames } from '../../../components/student-names.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { ManagedClassPicker } from '../../ManagedClassPicker.tsx';
import { useManages, useMe } from '../../me.ts';
import { FormDialog } from '../../page/FormDialog.tsx';
import { type RowAction, RowActions } from '../../page/RowActions.tsx';
import { defineWrite } from '../../page/write.ts';
import { useSchool } from '../../school.tsx';
import { UnlinkMenuEntry } from '../../UnlinkMenuEntry.tsx';
import { initialPasswordOf } from '../passwords/initial-password.ts';
import { StudentPasswordDialog } from '../passwords/PasswordDialog.tsx';
import { usePersonalDataActions } from '../personal-data/personal-data-actions.tsx';
import { classLabelOf } from '../student-cells.ts';
import { EditStudentForm } from './StudentForm.tsx';
import { texts } from './texts.ts';

interface StudentActionsProps {
  readonly student: ListedStudent;
  readonly graduated: boolean;
  readonly atTitle?: boolean;
  readonly onDeleted?: () => void;
}

/** The menu of a student whom the administrator manages. Of graduates, only the personal data can be exported and erased. */
export function StudentActions({ student, graduated, atTitle = false, onDeleted }: StudentActionsProps) {
  const t = useTexts(texts);
  const me = useMe();
  const manages = useManages();
  const { schoolDb } = useSchool();
  const { textOf } = useStudentNames();
  const personalData = usePersonalDataActions(student);
  const { id, erased, disabled } = student;
  const name = textOf(student);
  const params = { id };
  const setDisabled = (next: boolean) =>
    defineWrite('updateUser', { params, body: { schoolDb, disabled: next } }, (changed) =>
      t(next ? 'disabledDone' : 'enabledDone', { name: textOf(changed) }),
    );
  const edit: RowAction = {
    kind: 'edit',
    open: (dialog) => <EditStudentForm {...dialog} student={student} />,
  };
  const move: RowAction = {
    label: t('move'),
    icon: IconArrowsExchange,
    open: (dialog) => <MoveStudentForm {...dialog} student={student} />,
  };
  const signIn: readonly RowAction[] = [
    {
      label: t('resetPassword'),
      icon: IconKey,
      ask: {
        title: t('resetTitle', { name }),
        text: t('resetText'),
        run: defineWrite('resetUserPassword', { params, query: { schoolDb } }, (made) => (dialog) => (
          <StudentPasswordDialog
            {...dialog}
            title={t('newPasswordTitle')}
            of={initialPasswordOf(student, made)}
          >
            <Button onClick={dialog.onClose}>{t('done')}</Button>
          </StudentPasswordDialog>
        )),
      },
    },
    { label: 'unlink', entry: <UnlinkMenuEntry who="student" id={id} schoolDb={schoolDb} /> },
    disabled
      ? { kind: 'enable', run: setDisabled(false) }
      : {
          kind: 'disable',
          ask: { title: t('disableTitle', { name }), text: t('disableText'), run: setDisabled(true) },
        },
  ];
  const remove: RowAction = {
    remove: {
      title: t('deleteTitle', { name }),
      text: (
        <>
          <Text size="sm">{t('deleteRecords', { count: student.scoreCount })}</Text>
          {!disabled && <Hint>{t('deleteInstead')}</Hint>}
          {!erased && personalData.length > 0 && <Hint>{t('eraseInstead')}</Hint>}
        </>
      ),
      typedText: student.username,
      run: defineWrite('deleteUser', { params, query: { schoolDb } }, () => {
        onDeleted?.();
        return t('deleted', { name });
      }),
    },
  };
  const all: readonly RowAction[] = [
    ...(erased ? [] : [edit]),
    ...(me.classId === null ? [move] : []),
    ...(erased ? [] : signIn),
    ...(personalData.length > 0 ? [{ label: 'divider', entry: <Menu.Divider /> }] : []),
    ...personalData,
    remove,
  ];
  if (!manages({ id: student.classId, gradeId: student.gradeId })) return null;
  return <RowActions name={name} actions={graduated ? personalData : all} atTitle={atTitle} />;
}

function MoveStudentForm({ student, ...dialog }: DialogProps & { readonly student: ListedStudent }) {
  const t = useTexts(texts);
  const { schoolDb } = useSchool();
  const { textOf } = useStudentNames();
  return (
    <FormDialog
      {...dialog}
      title={t('moveTitle', { name: textOf(student) })}
      submitLabel={t('moveConfirm')}
      bodyOf="updateUser"
      values={{ classId: student.classId as number | null }}
      check={({ classId }) => ({ classId: classId === student.classId && t('chooseClass') })}
      save={({ classId }) =>
        defineWrite(
          'updateUser',
          { params: { id: student.id }, body: { schoolDb, classId: classId ?? undefined } },
          (moved) => t('moved', { name: textOf(moved), class: classLabelOf(moved) }),
        )
      }
    >
      {({ field }) => (
        <>
          <ManagedClassPicker {...field('classId')} schoolDb={schoolDb} withLabel />
          <Text size="sm">{t('moveText')}</Text>
        </>
      )}
    </FormDialog>
  );
}
