import { limits } from 'virtual:contract';
import type { Administrator } from '@classledger/contract';
import { Button, Group, Modal, Stack, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { type FormEvent, useState } from 'react';
import { useMutationOf } from '../../../api/queries.ts';
import { FailureAlert } from '../../../components/FailureAlert.tsx';
import { commonTexts } from '../../../i18n/common-texts.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { useMe } from '../../me.ts';
import { AffiliationFields } from './AffiliationFields.tsx';
import { affiliationFields, affiliationOf, isAffiliationComplete, isSameAffiliation } from './affiliation.ts';
import { texts } from './texts.ts';

interface EditDialogProps {
  readonly administrator: Administrator;
  readonly opened: boolean;
  readonly onClose: () => void;
}

/** Changes username, role and what an administrator is responsible for. */
export function EditDialog({ administrator, opened, onClose }: EditDialogProps) {
  const t = useTexts(texts);
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={t('editTitle', { name: administrator.username })}
      closeOnClickOutside={false}
    >
      <EditForm administrator={administrator} onClose={onClose} />
    </Modal>
  );
}

function EditForm({ administrator, onClose }: Omit<EditDialogProps, 'opened'>) {
  const t = useTexts(texts);
  const c = useTexts(commonTexts);
  const me = useMe();
  const before = affiliationOf(administrator);
  const [username, setUsername] = useState(administrator.username);
  const [affiliation, setAffiliation] = useState(before);
  const [tried, setTried] = useState(false);
  const moved = !isSameAffiliation(before, affiliation);
  const update = useMutationOf('updateAdministrator', {
    invalidates: ['listAdministrators', 'listManagedAdministrators', 'getMe', 'listCredentials'],
    onSuccess: () => {
      notifications.show({ message: c('saved') });
      onClose();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (username.trim() === '' || (moved && !isAffiliationComplete(affiliation))) return;
    update.mutate({
      params: { id: administrator.id },
      // What stays is not sent: somebody whose class was deleted can be renamed all the same.
      body: { username: username.trim(), ...(moved && affiliationFields(affiliation)) },
    });
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
        <AffiliationFields
          value={affiliation}
          onChange={setAffiliation}
          checked={tried && moved}
          locked={administrator.id === me.id}
        />
        <FailureAlert error={update.error} sentences={{ 409: t('usernameTaken'), 403: t('refused') }} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {c('cancel')}
          </Button>
          <Button type="submit" loading={update.isPending}>
            {c('save')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
