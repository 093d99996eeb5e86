import type { ListedStudent } from '@classledger/contract';
import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useMutationOf } from '../../../api/queries.ts';
import { ConfirmDialog, type DialogProps } from '../../../components/ConfirmDialog.tsx';
import { useStudentNames } from '../../../components/student-names.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { useSchool } from '../../school.tsx';
import { OnePassword } from '../passwords/OnePassword.tsx';
import { classLabelOf } from './student-action.ts';
import { texts } from './texts.ts';

interface ResetPasswordDialogProps extends DialogProps {
  readonly student: ListedStudent;
}

export function ResetPasswordDialog({ student, opened, onClose }: ResetPasswordDialogProps) {
  const t = useTexts(texts);
  const { schoolDb } = useSchool();
  const { textOf } = useStudentNames();
  const reset = useMutationOf('resetUserPassword');
  const close = () => {
    reset.reset();
    onClose();
  };
  const made = reset.data;
  return (
    <>
      <ConfirmDialog
        opened={opened && !made}
        onClose={close}
        title={t('resetTitle', { name: textOf(student) })}
        confirmLabel={t('resetConfirm')}
        onConfirm={() => reset.mutate({ params: { id: student.id }, query: { schoolDb } })}
        mutation={reset}
      >
        <Text size="sm">{t('resetText')}</Text>
      </ConfirmDialog>
      {/* A click outside or Escape must not lose the password, which is shown only once. */}
      <Modal
        opened={opened && made !== undefined}
        onClose={close}
        title={t('newPasswordTitle')}
        closeOnClickOutside={false}
        closeOnEscape={false}
        withCloseButton={false}
      >
        {made && (
          <Stack>
            <OnePassword
              password={{
                name: student.actualName,
                username: made.username,
                classLabel: classLabelOf(student),
                password: made.initialPassword,
                passwordEndsAt: made.passwordEndsAt ?? null,
                signInCode: made.signInCode ?? null,
              }}
            />
            <Group justify="flex-end">
              <Button onClick={close}>{t('done')}</Button>
            </Group>
          </Stack>
        )}
      </Modal>
    </>
  );
}
