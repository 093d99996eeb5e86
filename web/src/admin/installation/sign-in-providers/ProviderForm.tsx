import { limits } from 'virtual:contract';
import type { SignInProvider } from '@classledger/contract';
import {
  Checkbox,
  Group,
  Input,
  Modal,
  PasswordInput,
  SegmentedControl,
  Stack,
  TextInput,
} from '@mantine/core';
import { useState } from 'react';
import type { DialogProps } from '../../../components/ConfirmDialog.tsx';
import { FormEnd } from '../../../components/FormEnd.tsx';
import { ClassPicker } from '../../../components/StructurePickers.tsx';
import { useForm } from '../../../components/use-form.ts';
import { useMutationWithNotice } from '../../../components/use-mutation-with-notice.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { useSchool } from '../../school.tsx';
import { texts } from './texts.ts';

interface ProviderDialogProps extends DialogProps {
  readonly provider: SignInProvider | null;
}

/** Once there is input, only its buttons close it, so that a stray key loses nothing. */
export function ProviderDialog({ provider, opened, onClose }: ProviderDialogProps) {
  const t = useTexts(texts);
  const [dirty, setDirty] = useState(false);
  const close = () => {
    setDirty(false);
    onClose();
  };
  return (
    <Modal
      opened={opened}
      onClose={close}
      title={provider ? t('editTitle', { name: provider.name }) : t('addTitle')}
      size="lg"
      closeOnClickOutside={false}
      closeOnEscape={!dirty}
    >
      <ProviderForm provider={provider} onDirty={() => setDirty(true)} onClose={close} />
    </Modal>
  );
}

const emptyProvider = {
  name: '',
  issuer: '',
  clientId: '',
  scopes: 'openid profile',
  claim: 'preferred_username',
  forAdministrators: true,
  forStudents: true,
  studentAttribute: 'username' as SignInProvider['studentAttribute'],
  createStudentsIn: null as number | null,
};

const hasSpace = (text: string) => /\s/.test(text.trim());

interface ProviderFormProps extends Omit<ProviderDialogProps, 'opened'> {
  readonly onDirty: () => void;
}

function ProviderForm({ provider, onDirty, onClose }: ProviderFormProps) {
  const t = useTexts(texts);
  const { schoolDb } = useSchool();
  const [draft, setDraft] = useState({ ...emptyProvider, ...provider, clientSecret: '' });
  const [creates, setCreates] = useState(draft.createStudentsIn !== null);
  const change = (changed: Partial<typeof draft>) => {
    setDraft((before) => ({ ...before, ...changed }));
    onDirty();
  };
  const add = useMutationWithNotice('createSignInProvider', ({ name }) => t('added', { name }), onClose);
  const edit = useMutationWithNotice('updateSignInProvider', () => t('saved'), onClose);
  const isOther = draft.issuer.trim() !== provider?.issuer || draft.clientId.trim() !== provider?.clientId;
  const mayCreate = draft.forStudents && draft.studentAttribute === 'username';
  const required = (text: string) => text.trim() === '' && t('required');
  const faults = {
    name: required(draft.name),
    issuer: !URL.canParse(draft.issuer.trim()) && t('issuerWrong'),
    clientId: required(draft.clientId) || (hasSpace(draft.clientId) && t('noSpaces')),
    clientSecret:
      (draft.clientSecret.trim() === '' && isOther && t(provider ? 'secretNeeded' : 'required')) ||
      (hasSpace(draft.clientSecret) && t('noSpaces')),
    scopes: required(draft.scopes),
    claim: required(draft.claim),
    class: mayCreate && creates && draft.createStudentsIn === null && t('required'),
  };
  const { form, shown } = useForm(faults, () => {
    const body = {
      schoolDb,
      name: draft.name.trim(),
      issuer: draft.issuer.trim(),
      clientId: draft.clientId.trim(),
      scopes: draft.scopes.trim().replaceAll(/\s+/g, ' '),
      claim: draft.claim.trim(),
      forAdministrators: draft.forAdministrators,
      forStudents: draft.forStudents,
      studentAttribute: draft.studentAttribute,
      createStudentsIn: mayCreate && creates ? draft.createStudentsIn : null,
    };
    const clientSecret = draft.clientSecret.trim();
    if (!provider) add.mutate({ body: { ...body, clientSecret } });
    else
      edit.mutate({ params: { id: provider.id }, body: { ...body, ...(clientSecret && { clientSecret }) } });
  });
  const text = (field: 'name' | 'issuer' | 'clientId' | 'clientSecret' | 'scopes' | 'claim') => ({
    value: draft[field],
    onChange: (event: { currentTarget: { value: string } }) => change({ [field]: event.currentTarget.value }),
    error: shown[field],
    autoComplete: 'off',
    spellCheck: false,
    maxLength: limits.issuerLengthMax,
  });
  const attempt = { isPending: add.isPending || edit.isPending, error: add.error ?? edit.error };
  return (
    <form {...form}>
      <Stack>
        <TextInput
          {...text('name')}
          label={t('nameLabel')}
          description={t('nameHint')}
          maxLength={limits.nameLengthMax}
          data-autofocus
        />
        <TextInput {...text('issuer')} label={t('issuer')} description={t('issuerHint')} inputMode="url" />
        <TextInput {...text('clientId')} label={t('clientId')} />
        <PasswordInput
          {...text('clientSecret')}
          label={t('clientSecret')}
          description={provider ? `${t('secretHint')} ${t('secretKept')}` : t('secretHint')}
          autoComplete="new-password"
        />
        <TextInput {...text('scopes')} label={t('scopes')} />
        <TextInput
          {...text('claim')}
          label={t('claim')}
          description={t('claimHint')}
          maxLength={limits.claimLengthMax}
        />
        <Input.Wrapper label={t('forWhom')} labelElement="div">
          <Group mt={4}>
            <Checkbox
              label={t('forStaff')}
              checked={draft.forAdministrators}
              onChange={(event) => change({ forAdministrators: event.currentTarget.checked })}
            />
            <Checkbox
              label={t('forStudents')}
              checked={draft.forStudents}
              onChange={(event) => change({ forStudents: event.currentTarget.checked })}
            />
          </Group>
        </Input.Wrapper>
        {draft.forStudents && (
          <Input.Wrapper label={t('attribute')} labelElement="div">
            <SegmentedControl
              fullWidth
              aria-label={t('attribute')}
              value={draft.studentAttribute}
              onChange={(studentAttribute) => change({ studentAttribute })}
              data={[
                { value: 'username', label: t('byUsername') },
                { value: 'email', label: t('byEmail') },
              ]}
            />
          </Input.Wrapper>
        )}
        {mayCreate && (
          <Checkbox
            label={t('createStudents')}
            description={t('createIn')}
            checked={creates}
            onChange={(event) => {
              setCreates(event.currentTarget.checked);
              onDirty();
            }}
          />
        )}
        {mayCreate && creates && (
          <ClassPicker
            schoolDb={schoolDb}
            withLabel
            value={draft.createStudentsIn}
            onChange={(createStudentsIn) => change({ createStudentsIn })}
            error={shown.class}
          />
        )}
        <FormEnd
          attempt={attempt}
          sentences={{ 400: t('refused'), 409: t('nameTaken') }}
          onCancel={onClose}
          submitLabel={t(provider ? 'save' : 'add')}
        />
      </Stack>
    </form>
  );
}
