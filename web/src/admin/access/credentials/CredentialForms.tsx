import type { Credential, Permission } from '@classledger/contract';
import { Alert, Box, Button, Group, Modal, Paper, Stack, Text, TextInput } from '@mantine/core';
import { IconEye, IconEyeOff } from '@tabler/icons-react';
import { type ReactNode, useCallback, useState } from 'react';
import type { DataOf } from '../../../api/operation-types.ts';
import type { DialogProps } from '../../../components/ConfirmDialog.tsx';
import { CopyButton } from '../../../components/CopyButton.tsx';
import { FormFooter } from '../../../components/FormFooter.tsx';
import { Hint } from '../../../components/Hint.tsx';
import { OwnIdentityField } from '../../../components/OwnIdentityField.tsx';
import { useIsPhone } from '../../../components/use-is-phone.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { PasswordAlternatives } from '../../../session/PasswordAlternatives.tsx';
import { useMe } from '../../me.ts';
import { FormDialog, useContractForm } from '../../page/FormDialog.tsx';
import { defineWrite, useRunWrite } from '../../page/write.ts';
import { useSchool } from '../../school.tsx';
import { ExpiryField, type Meta, PermissionFields, ScopeFields, useScopeName } from './CredentialFields.tsx';
import {
  type ChosenScope,
  defaultExpiry,
  type Expiry,
  expiresInDays,
  isExpiryUsable,
  isPasswordWrong,
  isScopeComplete,
  pingCommand,
  scopeFields,
} from './credential-form.ts';
import { FormSimulation } from './SimulationView.tsx';
import { texts } from './texts.ts';

export function IssueDialog({ meta, opened, onClose }: DialogProps & { readonly meta: Meta }) {
  const t = useTexts(texts);
  const onPhone = useIsPhone();
  const [issued, setIssued] = useState<DataOf<'issueCredential'> | null>(null);
  return (
    // Keeps the input after a click outside, and the token, which is shown only once, after a stray key.
    <Modal
      opened={opened}
      onClose={onClose}
      size="lg"
      fullScreen={onPhone}
      closeOnClickOutside={false}
      closeOnEscape={issued === null}
      withCloseButton={issued === null}
      title={issued ? t('issuedTitle', { name: issued.name }) : t('issue')}
    >
      {issued ? (
        <NewTokenPanel token={issued.token} onDone={onClose} />
      ) : (
        <IssueForm meta={meta} onClose={onClose} onIssued={setIssued} />
      )}
    </Modal>
  );
}

interface IssueFormProps {
  readonly meta: Meta;
  readonly onClose: () => void;
  readonly onIssued: (issued: DataOf<'issueCredential'>) => void;
}

function IssueForm({ meta, onClose, onIssued }: IssueFormProps) {
  const t = useTexts(texts);
  const { schoolDb } = useSchool();
  const { schoolId } = useMe();
  const max = meta.maxExpireDays;
  const [simulating, setSimulating] = useState(false);
  const attempt = useRunWrite();
  const scope: ChosenScope = {
    type: meta.scopeTypes[0] ?? 'class',
    gradeId: meta.fixedGradeId,
    classId: meta.fixedClassId,
  };
  const { values, set, field, form } = useContractForm(
    {
      bodyOf: 'issueCredential',
      values: {
        name: '',
        scope,
        scopes: [] as Permission[],
        expiry: defaultExpiry(max),
        password: '' as string | null,
      },
      check: ({ name, expiry, password, ...chosen }) => ({
        name: name.trim() === '' && t('nameMissing'),
        scope: !isScopeComplete(chosen.scope) && t('scopeMissing'),
        scopes: chosen.scopes.length === 0 && t('permissionsMissing'),
        expiry: !isExpiryUsable(expiry, max) && t('expiryInvalid', { max }),
        password: password === '' && t('required'),
      }),
    },
    ({ name, expiry, password, ...chosen }) => {
      const body = {
        schoolDb,
        name,
        ...scopeFields(chosen.scope),
        scopes: chosen.scopes,
        expiresInDays: expiresInDays(expiry),
      };
      const input = { body, confirmPassword: password ?? undefined };
      attempt.run(
        defineWrite('issueCredential', input, (issued) => {
          onIssued(issued);
          return null;
        }),
      );
    },
  );
  // The same function at each render, because another one would extend the time of a confirmation.
  const setPassword = useCallback((password: string | null) => set({ password }), [set]);
  if (simulating) {
    return (
      <FormSimulation scope={values.scope} permissions={values.scopes} onBack={() => setSimulating(false)} />
    );
  }
  return (
    <form {...form}>
      <Stack gap="lg">
        <TextInput {...field('name')} label={t('name')} description={t('nameHint')} autoComplete="off" />
        <ScopeFields meta={meta} {...field('scope')} />
        <PermissionFields offered={meta.permissions} {...field('scopes')} />
        <Group>
          <Button
            variant="light"
            leftSection={<IconEye aria-hidden size={16} />}
            disabled={!isScopeComplete(values.scope)}
            onClick={() => setSimulating(true)}
          >
            {t('whatWouldItSee')}
          </Button>
        </Group>
        <ExpiryField {...field('expiry')} maxDays={max} />
        <OwnIdentityField
          {...field('password')}
          onChange={setPassword}
          label={t('ownPassword')}
          description={t('ownPasswordHint')}
          others={(onConfirmed) => (
            <PasswordAlternatives
              schoolId={schoolId}
              onConfirmed={() => {
                attempt.reset();
                onConfirmed();
              }}
            />
          )}
        />
        <FormFooter
          attempt={attempt}
          sentences={{ 403: t(isPasswordWrong(attempt.error) ? 'wrongPassword' : 'notYours') }}
          onCancel={onClose}
          submitLabel={t('issueButton')}
          sticky
        />
      </Stack>
    </form>
  );
}

function NewTokenPanel({ token, onDone }: { readonly token: string; readonly onDone: () => void }) {
  const t = useTexts(texts);
  const command = pingCommand(location.origin, token);
  return (
    <Stack gap="lg">
      <Alert color="minus" role="status" icon={<IconEyeOff aria-hidden size={20} />} title={t('shownOnce')}>
        {t('treatLikePassword')}
      </Alert>
      <Copied text={token} copyLabel={t('copyToken')}>
        <Text component="output" fw={600} inherit aria-label={t('token')}>
          {token}
        </Text>
      </Copied>
      <div>
        <Text size="sm" fw={600} mb={6}>
          {t('tryIt')}
        </Text>
        <Copied text={command} copyLabel={t('copyCommand')}>
          <Text component="pre" m={0} size="sm" ff="monospace" style={{ whiteSpace: 'pre-wrap' }}>
            {command}
          </Text>
        </Copied>
      </div>
      <Group justify="flex-end">
        <Button onClick={onDone}>{t('copiedDone')}</Button>
      </Group>
    </Stack>
  );
}

interface CopiedProps {
  readonly text: string;
  readonly copyLabel: string;
  readonly children: ReactNode;
}

function Copied({ text, copyLabel, children }: CopiedProps) {
  return (
    <Paper radius="md" bd="1px solid var(--app-line)" bg="var(--app-background)" p="12px 12px 12px 16px">
      <Group justify="flex-end" gap="10px 12px">
        <Box flex="1 1 300px" miw={0} ff="monospace" style={{ overflowWrap: 'anywhere', userSelect: 'all' }}>
          {children}
        </Box>
        <CopyButton text={text} label={copyLabel} />
      </Group>
    </Paper>
  );
}

interface EditDialogProps extends DialogProps {
  readonly meta: Meta;
  readonly credential: Credential;
}

export function EditDialog({ meta, credential, ...dialog }: EditDialogProps) {
  const t = useTexts(texts);
  const { schoolDb } = useSchool();
  const nameOf = useScopeName();
  const { id, name, scopes, expiresAt } = credential;
  const max = meta.maxExpireDays;
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
        expiry: !isExpiryUsable(values.expiry, max) && t('expiryInvalid', { max }),
      })}
      save={({ expiry, ...values }) =>
        defineWrite(
          'updateCredential',
          { params: { id }, body: { schoolDb, ...values, expiresInDays: expiresInDays(expiry) } },
          () => t('saved'),
        )
      }
    >
      {({ field }) => (
        <>
          <TextInput {...field('name')} label={t('name')} autoComplete="off" />
          <Hint>{t('scopeStays', { range: nameOf(credential) })}</Hint>
          <PermissionFields offered={meta.permissions} {...field('scopes')} />
          <ExpiryField {...field('expiry')} maxDays={max} present={expiresAt} />
        </>
      )}
    </FormDialog>
  );
}
