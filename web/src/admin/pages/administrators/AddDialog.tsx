import { limits } from 'virtual:contract';
import { Button, Group, Modal, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useMutationOf } from '../../../api/queries.ts';
import { FailureAlert } from '../../../components/FailureAlert.tsx';
import { commonTexts } from '../../../i18n/common-texts.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { useMe } from '../../me.ts';
import { useSchools } from '../../school.tsx';
import { AffiliationFields } from './AffiliationFields.tsx';
import { type Affiliation, affiliationFields, isAffiliationComplete } from './affiliation.ts';
import { isPasswordUsable, PasswordField } from './PasswordField.tsx';
import { PasswordShown } from './PasswordShown.tsx';
import { texts } from './texts.ts';

interface AddDialogProps {
  readonly opened: boolean;
  readonly onClose: () => void;
}

interface Added {
  readonly username: string;
  readonly password: string;
}

/** Creates an administrator and shows the first password once. */
export function AddDialog({ opened, onClose }: AddDialogProps) {
  const t = useTexts(texts);
  const [added, setAdded] = useState<Added | null>(null);
  const close = () => {
    onClose();
    setAdded(null);
  };
  return (
    <>
      <Modal opened={opened && !added} onClose={close} title={t('addTitle')} closeOnClickOutside={false}>
        <AddForm onClose={close} onAdded={setAdded} />
      </Modal>
      {added && (
        <PasswordShown
          opened={opened}
          title={t('addedTitle', { name: added.username })}
          {...added}
          onClose={close}
        />
      )}
    </>
  );
}

interface AddFormProps {
  readonly onClose: () => void;
  readonly onAdded: (added: Added) => void;
}

function AddForm({ onClose, onAdded }: AddFormProps) {
  const t = useTexts(texts);
  const c = useTexts(commonTexts);
  const me = useMe();
  const { school } = useSchools();
  const [username, setUsername] = useState('');
  const [password, setPassword] = useState('');
  // What is made most often, and takes the least with it.
  const [affiliation, setAffiliation] = useState<Affiliation>({
    role: 'class_admin',
    schoolId: me.schoolId ?? school?.id ?? null,
    gradeId: me.gradeId,
    classId: null,
  });
  const [tried, setTried] = useState(false);
  const create = useMutationOf('createAdministrator', {
    invalidates: ['listAdministrators', 'listManagedAdministrators'],
    onSuccess: (data, { body }) => onAdded({ username: data.username, password: body.password }),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (username.trim() === '' || !isPasswordUsable(password) || !isAffiliationComplete(affiliation)) return;
    create.mutate({ body: { username: username.trim(), password, ...affiliationFields(affiliation) } });
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <TextInput
          label={c('username')}
          description={t('usernameHint')}
          value={username}
          onChange={(event) => setUsername(event.currentTarget.value)}
          maxLength={limits.usernameLengthMax}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          error={tried && username.trim() === '' && c('required')}
          data-autofocus
        />
        <AffiliationFields value={affiliation} onChange={setAffiliation} checked={tried} />
        <PasswordField label={t('firstPassword')} value={password} onChange={setPassword} checked={tried} />
        <FailureAlert error={create.error} sentences={{ 409: t('usernameTaken'), 403: t('refused') }} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {c('cancel')}
          </Button>
          <Button type="submit" loading={create.isPending}>
            {c('create')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
