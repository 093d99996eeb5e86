import type { SignInProvider } from '@classledger/contract';
import { Checkbox, Group, Input, PasswordInput, SegmentedControl, TextInput } from '@mantine/core';
import type { DialogProps } from '../../../components/ConfirmDialog.tsx';
import { ClassPicker } from '../../../components/StructurePickers.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { FormDialog } from '../../page/FormDialog.tsx';
import { defineWrite } from '../../page/write.ts';
import { useSchool } from '../../school.tsx';
import { texts } from './texts.ts';

const plain = { autoComplete: 'off', spellCheck: false } as const;

const mayCreate = ({
  forStudents,
  studentAttribute,
}: Pick<SignInProvider, 'forStudents' | 'studentAttribute'>) =>
  forStudents && studentAttribute === 'username';
const hasSpace = (text: string) => /\s/.test(text.trim());

export function ProviderForm({ provider, ...dialog }: DialogProps & { readonly provider?: SignInProvider }) {
  const t = useTexts(texts);
  const { schoolDb } = useSchool();
  const createStudentsIn = provider?.createStudentsIn ?? null;
  return (
    <FormDialog
      {...dialog}
      title={provider ? t('editTitle', { name: provider.name }) : t('addProvider')}
      submitLabel={t(provider ? 'save' : 'add')}
      size="lg"
      bodyOf="createSignInProvider"
      values={{
        name: provider?.name ?? '',
        issuer: provider?.issuer ?? '',
        clientId: provider?.clientId ?? '',
        clientSecret: '',
        scopes: provider?.scopes ?? 'openid profile',
        claim: provider?.claim ?? 'preferred_username',
        forAdministrators: provider?.forAdministrators ?? true,
        forStudents: provider?.forStudents ?? true,
        studentAttribute: provider?.studentAttribute ?? 'username',
        /** Whether the provider creates students, in the class below. */
        creates: createStudentsIn !== null,
        createStudentsIn,
      }}
      check={(values) => {
        const { issuer, clientId, clientSecret, scopes, claim } = values;
        const isOther = issuer.trim() !== provider?.issuer || clientId.trim() !== provider?.clientId;
        const required = (text: string) => text.trim() === '' && t('required');
        return {
          issuer: !URL.canParse(issuer.trim()) && t('issuerWrong'),
          clientId: required(clientId) || (hasSpace(clientId) && t('noSpaces')),
          clientSecret:
            (clientSecret.trim() === '' && isOther && t(provider ? 'secretNeeded' : 'required')) ||
            (hasSpace(clientSecret) && t('noSpaces')),
          scopes: required(scopes),
          claim: required(claim),
          createStudentsIn:
            mayCreate(values) && values.creates && values.createStudentsIn === null && t('required'),
        };
      }}
      save={({ creates, clientSecret, ...values }) => {
        const body = {
          ...values,
          schoolDb,
          scopes: values.scopes.replaceAll(/\s+/g, ' '),
          createStudentsIn: mayCreate(values) && creates ? values.createStudentsIn : null,
        };
        return provider
          ? defineWrite(
              'updateSignInProvider',
              { params: { id: provider.id }, body: { ...body, ...(clientSecret && { clientSecret }) } },
              () => t('saved'),
            )
          : defineWrite('createSignInProvider', { body: { ...body, clientSecret } }, ({ name }) =>
              t('added', { name }),
            );
      }}
      sentences={{ 400: t('refused'), 409: t('nameTaken') }}
      guarded
    >
      {({ field, checkbox, values }) => (
        <>
          <TextInput {...field('name')} {...plain} label={t('nameLabel')} description={t('nameHint')} />
          <TextInput
            {...field('issuer')}
            {...plain}
            label={t('issuer')}
            description={t('issuerHint')}
            inputMode="url"
          />
          <TextInput {...field('clientId')} {...plain} label={t('clientId')} />
          <PasswordInput
            {...field('clientSecret')}
            {...plain}
            label={t('clientSecret')}
            description={provider ? `${t('secretHint')} ${t('secretKept')}` : t('secretHint')}
            autoComplete="new-password"
          />
          <TextInput {...field('scopes')} {...plain} label={t('scopes')} />
          <TextInput {...field('claim')} {...plain} label={t('claim')} description={t('claimHint')} />
          <Input.Wrapper label={t('forWhom')} labelElement="div">
            <Group mt={4}>
              <Checkbox {...checkbox('forAdministrators')} label={t('forStaff')} />
              <Checkbox {...checkbox('forStudents')} label={t('forStudents')} />
            </Group>
          </Input.Wrapper>
          {values.forStudents && (
            <Input.Wrapper label={t('attribute')} labelElement="div">
              <SegmentedControl
                {...field('studentAttribute')}
                fullWidth
                aria-label={t('attribute')}
                data={[
                  { value: 'username', label: t('username') },
                  { value: 'email', label: t('byEmail') },
                ]}
              />
            </Input.Wrapper>
          )}
          {mayCreate(values) && (
            <Checkbox {...checkbox('creates')} label={t('createStudents')} description={t('createIn')} />
          )}
          {mayCreate(values) && values.creates && (
            <ClassPicker {...field('createStudentsIn')} schoolDb={schoolDb} withLabel />
          )}
        </>
      )}
    </FormDialog>
  );
}
