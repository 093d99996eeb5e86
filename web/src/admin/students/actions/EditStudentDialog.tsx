import { limits } from 'virtual:contract';
import type { ListedStudent, StudentAccount } from '@classledger/contract';
import { Modal, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useOperation } from '../../../api/queries.ts';
import { ErrorState } from '../../../components/ErrorState.tsx';
import { FormFooter } from '../../../components/FormFooter.tsx';
import { LoadingRows } from '../../../components/LoadingRows.tsx';
import { useStudentNames } from '../../../components/student-names.ts';
import { UsernameInput } from '../../../components/UsernameInput.tsx';
import { useForm } from '../../../components/use-form.ts';
import { useMutationWithNotice } from '../../../components/use-mutation-with-notice.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { useSchool } from '../../school.tsx';
import { IdentifierInputs, type Identifiers } from './IdentifierInputs.tsx';
import { texts } from './texts.ts';

interface EditStudentDialogProps {
  readonly student: ListedStudent;
  readonly opened: boolean;
  readonly onClose: () => void;
}

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
  const before = { externalId: account.externalId ?? '', cardNumber: account.cardNumber ?? '' };
  const [identifiers, setIdentifiers] = useState<Identifiers>(before);
  const [email, setEmail] = useState(account.email ?? '');
  const emailHidden = account.emailBound && account.email === null;
  const update = useMutationWithNotice('updateUser', () => t('saved'), onClose);
  const typed = { name: name.trim(), username: username.trim(), email: email.trim() };
  const numbers = (['externalId', 'cardNumber'] as const).flatMap((field) => {
    const number = identifiers[field].trim();
    return number === before[field] ? [] : [[field, number === '' ? null : number] as const];
  });
  const faults = {
    name: typed.name === '' && t('required'),
    username: typed.username === '' && t('required'),
  };
  const { form, shown } = useForm(faults, () => {
    const changes = {
      ...(typed.name !== account.actualName && { actualName: typed.name }),
      ...(typed.username !== account.username && { username: typed.username }),
      ...Object.fromEntries(numbers),
      // Super administrators do not see the e-mail address: if they leave the field empty, it stays unchanged.
      ...(typed.email !== (account.email ?? '') && { email: typed.email === '' ? null : typed.email }),
    };
    if (Object.keys(changes).length === 0) onClose();
    else update.mutate({ params: { id: account.id }, body: { schoolDb, ...changes } });
  });
  return (
    <form {...form}>
      <Stack>
        <TextInput
          label={t('name')}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          maxLength={limits.nameLengthMax}
          autoComplete="off"
          error={shown.name}
          data-autofocus
        />
        <UsernameInput
          description={t('usernameHint')}
          value={username}
          onChange={setUsername}
          error={shown.username}
        />
        <IdentifierInputs value={identifiers} onChange={setIdentifiers} />
        <TextInput
          label={t('email')}
          description={t(emailHidden ? 'emailHidden' : 'emailHint')}
          type="email"
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
          autoComplete="off"
        />
        <FormFooter
          attempt={update}
          sentences={{ 409: t(numbers.length > 0 ? 'identifierTaken' : 'usernameTaken') }}
          onCancel={onClose}
          submitLabel={t('save')}
        />
      </Stack>
    </form>
  );
}
