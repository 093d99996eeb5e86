import type { Credential } from '@classledger/contract';
import { Text, TextInput } from '@mantine/core';
import type { DataOf } from '../../../api/operation-types.ts';
import type { DialogProps } from '../../../components/ConfirmDialog.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { FormDialog } from '../../page/FormDialog.tsx';
import { defineWrite } from '../../page/write.ts';
import { useSchool } from '../../school.tsx';
import { type Expiry, expiresInDays, isExpiryUsable } from './credential-form.ts';
import { ExpiryField } from './ExpiryField.tsx';
import { PermissionFields } from './PermissionFields.tsx';
import { texts } from './texts.ts';
import { useScopeName } from './use-scope-name.ts';

interface EditDialogProps extends DialogProps {
  readonly meta: DataOf<'getCredentialMeta'>;
  readonly credential: Credential;
}

export function EditDialog({ meta, credential, ...dialog }: EditDialogProps) {
  const t = useTexts(texts);
  const { schoolDb } = useSchool();
  const nameOf = useScopeName();
  const { id, name, scopes, expiresAt } = credential;
  const maxDays = meta.maxExpireDays;
  return (
    <FormDialog
      {...dialog}
      long
      size="lg"
      title={t('editTitle', { name })}
      submitLabel={t('save')}
      bodyOf="updateCredential"
      values={{ name, scopes, expiry: 'keep' as Expiry }}
      check={(values) => ({
        name: values.name.trim() === '' && t('nameMissing'),
        scopes: values.scopes.length === 0 && t('permissionsMissing'),
        expiry: !isExpiryUsable(values.expiry, maxDays) && t('expiryInvalid', { max: maxDays }),
      })}
      save={({ expiry: chosen, ...values }) =>
        defineWrite(
          'updateCredential',
          { params: { id }, body: { schoolDb, ...values, expiresInDays: expiresInDays(chosen) } },
          () => t('saved'),
        )
      }
    >
      {({ field, values, set }) => (
        <>
          <TextInput {...field('name')} label={t('name')} autoComplete="off" />
          <Text size="sm" c="dimmed">
            {t('scopeStays', { range: nameOf(credential) })}
          </Text>
          <PermissionFields offered={meta.permissions} {...field('scopes')} />
          <ExpiryField
            value={values.expiry}
            onChange={(chosen) => set({ expiry: chosen })}
            maxDays={maxDays}
            present={expiresAt}
          />
        </>
      )}
    </FormDialog>
  );
}
