import { limits } from 'virtual:contract';
import type { Credential, Permission } from '@classledger/contract';
import { Modal, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { DataOf } from '../../../api/operation-types.ts';
import { FormEnd } from '../../../components/FormEnd.tsx';
import { useForm } from '../../../components/use-form.ts';
import { useIsPhone } from '../../../components/use-is-phone.ts';
import { useMutationWithNotice } from '../../../components/use-mutation-with-notice.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { useSchool } from '../../school.tsx';
import { ExpiryField } from './ExpiryField.tsx';
import { type Expiry, expiresInDays, isExpiryUsable } from './expiry.ts';
import { PermissionFields } from './PermissionFields.tsx';
import { texts } from './texts.ts';
import { useScopeName } from './use-scope-name.ts';

interface EditDialogProps {
  readonly meta: DataOf<'getCredentialMeta'>;
  readonly credential: Credential;
  readonly opened: boolean;
  readonly onClose: () => void;
}

export function EditDialog({ opened, onClose, ...content }: EditDialogProps) {
  const t = useTexts(texts);
  const onPhone = useIsPhone();
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      size="lg"
      fullScreen={onPhone}
      closeOnClickOutside={false}
      title={t('editTitle', { name: content.credential.name })}
    >
      <EditForm {...content} onClose={onClose} />
    </Modal>
  );
}

function EditForm({ meta, credential, onClose }: Omit<EditDialogProps, 'opened'>) {
  const t = useTexts(texts);
  const { schoolDb } = useSchool();
  const nameOf = useScopeName();
  const [name, setName] = useState(credential.name);
  const [permissions, setPermissions] = useState<Permission[]>(credential.scopes);
  const [expiry, setExpiry] = useState<Expiry>('keep');
  const update = useMutationWithNotice('updateCredential', () => t('saved'), onClose);
  const faults = {
    name: name.trim() === '' && t('nameMissing'),
    permissions: permissions.length === 0 && t('permissionsMissing'),
    expiry: !isExpiryUsable(expiry, meta.maxExpireDays) && t('expiryInvalid', { max: meta.maxExpireDays }),
  };
  const { form, shown } = useForm(faults, () =>
    update.mutate({
      params: { id: credential.id },
      body: { schoolDb, name: name.trim(), scopes: permissions, expiresInDays: expiresInDays(expiry) },
    }),
  );
  return (
    <form {...form}>
      <Stack gap="lg">
        <TextInput
          label={t('name')}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          maxLength={limits.nameLengthMax}
          autoComplete="off"
          error={shown.name}
          data-autofocus
        />
        <Text size="sm" c="dimmed">
          {t('scopeStays', { range: nameOf(credential) })}
        </Text>
        <PermissionFields
          offered={meta.permissions}
          value={permissions}
          onChange={setPermissions}
          error={shown.permissions}
        />
        <ExpiryField
          value={expiry}
          onChange={setExpiry}
          maxDays={meta.maxExpireDays}
          present={credential.expiresAt}
        />
        <FormEnd attempt={update} onCancel={onClose} submitLabel={t('save')} sticky />
      </Stack>
    </form>
  );
}
