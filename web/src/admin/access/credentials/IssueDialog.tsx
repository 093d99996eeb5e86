import { limits } from 'virtual:contract';
import type { Permission } from '@classledger/contract';
import { Alert, Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { IconEye, IconEyeOff } from '@tabler/icons-react';
import { useState } from 'react';
import type { DataOf } from '../../../api/operation-types.ts';
import { useMutationOf } from '../../../api/queries.ts';
import type { DialogProps } from '../../../components/ConfirmDialog.tsx';
import { CopyButton } from '../../../components/CopyButton.tsx';
import { FormFooter } from '../../../components/FormFooter.tsx';
import { OwnIdentityField } from '../../../components/OwnIdentityField.tsx';
import { useForm } from '../../../components/use-form.ts';
import { useIsPhone } from '../../../components/use-is-phone.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { PasswordAlternatives } from '../../../session/PasswordAlternatives.tsx';
import { useMe } from '../../me.ts';
import { useSchool } from '../../school.tsx';
import classes from './Credentials.module.css';
import {
  type ChosenScope,
  defaultExpiry,
  type Expiry,
  expiresInDays,
  isExpiryUsable,
  isScopeComplete,
  pingCommand,
  scopeFields,
} from './credential-form.ts';
import { ExpiryField } from './ExpiryField.tsx';
import { PermissionFields } from './PermissionFields.tsx';
import { ScopeFields } from './ScopeFields.tsx';
import { FormSimulationDialog } from './simulation/simulations.tsx';
import { texts as simulationTexts } from './simulation/texts.ts';
import { texts } from './texts.ts';
import { isScopeInRange, useRefusal } from './use-refusal.ts';

type Meta = DataOf<'getCredentialMeta'>;

interface IssueDialogProps extends DialogProps {
  readonly meta: Meta;
}

export function IssueDialog({ meta, opened, onClose }: IssueDialogProps) {
  const t = useTexts(texts);
  const onPhone = useIsPhone();
  const [issued, setIssued] = useState<DataOf<'issueCredential'> | null>(null);
  return (
    // A click outside must not lose the input, and a stray key must not lose the token, which is shown only once.
    <Modal
      opened={opened}
      onClose={onClose}
      onExitTransitionEnd={() => setIssued(null)}
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
  const s = useTexts(simulationTexts);
  const { schoolDb } = useSchool();
  const { schoolId } = useMe();
  const [name, setName] = useState('');
  const [scope, setScope] = useState<ChosenScope>({
    type: meta.scopeTypes[0] ?? 'class',
    gradeId: meta.fixedGradeId,
    classId: meta.fixedClassId,
  });
  const [permissions, setPermissions] = useState<Permission[]>([]);
  const [expiry, setExpiry] = useState<Expiry>(() => defaultExpiry(meta.maxExpireDays));
  const [password, setPassword] = useState<string | null>('');
  const [simulating, setSimulating] = useState(false);
  const issue = useMutationOf('issueCredential', { onSuccess: onIssued });
  const refusal = useRefusal(issue.error, () => isScopeInRange(schoolDb, scope));
  const faults = {
    name: name.trim() === '' && t('nameMissing'),
    scope: !isScopeComplete(scope) && t('scopeMissing'),
    permissions: permissions.length === 0 && t('permissionsMissing'),
    expiry: !isExpiryUsable(expiry, meta.maxExpireDays) && t('expiryInvalid', { max: meta.maxExpireDays }),
    password: password === '' && t('required'),
  };
  const { form, shown } = useForm(faults, () =>
    issue.mutate({
      body: {
        schoolDb,
        name: name.trim(),
        ...scopeFields(scope),
        scopes: permissions,
        expiresInDays: expiresInDays(expiry),
      },
      confirmPassword: password ?? undefined,
    }),
  );
  if (simulating) {
    return (
      <FormSimulationDialog scope={scope} permissions={permissions} onBack={() => setSimulating(false)} />
    );
  }
  return (
    <form {...form}>
      <Stack gap="lg">
        <TextInput
          label={t('name')}
          description={t('nameHint')}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          maxLength={limits.nameLengthMax}
          autoComplete="off"
          error={shown.name}
          data-autofocus
        />
        <ScopeFields meta={meta} value={scope} onChange={setScope} error={shown.scope} />
        <PermissionFields
          offered={meta.permissions}
          value={permissions}
          onChange={setPermissions}
          error={shown.permissions}
        />
        <Group>
          <Button
            variant="light"
            leftSection={<IconEye aria-hidden size={16} />}
            disabled={!isScopeComplete(scope)}
            onClick={() => setSimulating(true)}
          >
            {s('whatWouldItSee')}
          </Button>
        </Group>
        <ExpiryField value={expiry} onChange={setExpiry} maxDays={meta.maxExpireDays} />
        <OwnIdentityField
          label={t('ownPassword')}
          description={t('ownPasswordHint')}
          value={password}
          onChange={setPassword}
          others={(onConfirmed) => (
            <PasswordAlternatives
              schoolId={schoolId}
              onConfirmed={() => {
                issue.reset();
                onConfirmed();
              }}
            />
          )}
          error={shown.password}
        />
        <FormFooter
          attempt={{ ...issue, error: refusal.error }}
          sentences={refusal.sentences}
          onCancel={onClose}
          submitLabel={t('issueButton')}
          sticky
        />
      </Stack>
    </form>
  );
}

interface NewTokenPanelProps {
  readonly token: string;
  readonly onDone: () => void;
}

function NewTokenPanel({ token, onDone }: NewTokenPanelProps) {
  const t = useTexts(texts);
  const command = pingCommand(location.origin, token);
  return (
    <Stack gap="lg">
      <Alert
        color="minus"
        role="status"
        icon={<IconEyeOff aria-hidden size={20} />}
        title={t('shownOnce')}
        className={classes.shownOnce ?? ''}
      >
        {t('treatLikePassword')}
      </Alert>
      <div className={classes.copied}>
        <output className={classes.token} aria-label={t('token')}>
          {token}
        </output>
        <CopyButton text={token} label={t('copyToken')} />
      </div>
      <div>
        <Text size="sm" fw={600} mb={6}>
          {t('tryIt')}
        </Text>
        <div className={classes.copied}>
          <pre className={classes.command}>{command}</pre>
          <CopyButton text={command} label={t('copyCommand')} />
        </div>
      </div>
      <Group justify="flex-end">
        <Button onClick={onDone}>{t('copiedDone')}</Button>
      </Group>
    </Stack>
  );
}
