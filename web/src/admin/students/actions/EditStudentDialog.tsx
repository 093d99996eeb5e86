import { limits } from 'virtual:contract';
import type { Student, StudentAccount } from '@classledger/contract';
import { Modal, Stack, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { type FormEvent, useState } from 'react';
import { useMutationOf, useOperation } from '../../../api/queries.ts';
import { ErrorState } from '../../../components/ErrorState.tsx';
import { FailureAlert } from '../../../components/FailureAlert.tsx';
import { FormButtons } from '../../../components/FormButtons.tsx';
import { LoadingRows } from '../../../components/LoadingRows.tsx';
import { useStudentNames } from '../../../components/student-names.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { useSchool } from '../../school.tsx';
import { texts } from './texts.ts';

interface EditStudentDialogProps {
  readonly student: Student;
  readonly opened: boolean;
  readonly onClose: () => void;
}

/** Changes the name, username and email address of a student. */
export function EditStudentDialog({ student, opened, onClose }: EditStudentDialogProps) {
  const t = useTexts(texts);
  const { textOf } = useStudentNames();
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={t('editTitle', { name: textOf(student) })}
      closeOnClickOutside={false}
    >
      <LoadedForm id={student.id} onClose={onClose} />
    </Modal>
  );
}

function LoadedForm({ id, onClose }: { readonly id: number; readonly onClose: () => void }) {
  const { schoolDb } = useSchool();
  const account = useOperation('getUser', { params: { id }, query: { schoolDb } });
  if (account.isPending) return <LoadingRows rows={3} height={56} />;
  if (!account.data) return <ErrorState error={account.error} onRetry={() => void account.refetch()} />;
  return <EditForm account={account.data} onClose={onClose} />;
}

function EditForm({ account, onClose }: { readonly account: StudentAccount; readonly onClose: () => void }) {
  const t = useTexts(texts);
  const { schoolDb } = useSchool();
  const [name, setName] = useState(account.actualName);
  const [username, setUsername] = useState(account.username);
  const [email, setEmail] = useState(account.email ?? '');
  const emailHidden = account.emailBound && account.email === null;
  const update = useMutationOf('updateUser', {
    onSuccess: () => {
      notifications.show({ message: t('saved') });
      onClose();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const typed = { name: name.trim(), username: username.trim(), email: email.trim() };
    if (typed.name === '' || typed.username === '') return;
    const changes = {
      ...(typed.name !== account.actualName && { actualName: typed.name }),
      ...(typed.username !== account.username && { username: typed.username }),
      // Nothing typed over a hidden address leaves it as it is.
      ...(typed.email !== (account.email ?? '') && { email: typed.email === '' ? null : typed.email }),
    };
    if (Object.keys(changes).length === 0) onClose();
    else update.mutate({ params: { id: account.id }, body: { schoolDb, ...changes } });
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput
          label={t('name')}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          maxLength={limits.nameLengthMax}
          autoComplete="off"
          error={name.trim() === '' && t('required')}
          data-autofocus
        />
        <TextInput
          label={t('username')}
          description={t('usernameHint')}
          value={username}
          onChange={(event) => setUsername(event.currentTarget.value)}
          maxLength={limits.usernameLengthMax}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          error={username.trim() === '' && t('required')}
        />
        <TextInput
          label={t('email')}
          description={t(emailHidden ? 'emailHidden' : 'emailHint')}
          type="email"
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
          autoComplete="off"
        />
        <FailureAlert error={update.error} sentences={{ 409: t('usernameTaken') }} />
        <FormButtons onCancel={onClose} submitLabel={t('save')} pending={update.isPending} />
      </Stack>
    </form>
  );
}
