import type { SignInProvider } from '@classledger/contract';
import { Button, Code, Group, Stack, Switch, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconLogin2, IconPlugConnected } from '@tabler/icons-react';
import { useMutationOf, useOperation, useOperationList } from '../../../api/queries.ts';
import { CopyButton } from '../../../components/CopyButton.tsx';
import { RowName, StatusBadge } from '../../../components/list/cells.tsx';
import type { Column } from '../../../components/list/data-table-types.ts';
import { useFailureNotice } from '../../../components/use-failure-notice.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { ListPage } from '../../page/ListPage.tsx';
import type { RowAction } from '../../page/RowActions.tsx';
import { Section } from '../../page/Section.tsx';
import { defineWrite } from '../../page/write.ts';
import { useSchool } from '../../school.tsx';
import { ProviderForm } from './ProviderForm.tsx';
import { texts } from './texts.ts';

export default function SignInProvidersPage() {
  const t = useTexts(texts);
  const { schoolDb, name: school } = useSchool();
  const columns = useColumns();
  const actions = useActions();
  return (
    <ListPage
      path="/sign-in-providers"
      list="listSignInProviders"
      input={() => ({ query: { schoolDb } })}
      title={t('title')}
      description={t('description', { school })}
      columns={columns}
      nameOf={({ name }) => name}
      rowEnd={(provider) => <TestButton provider={provider} />}
      actions={actions}
      create={{ label: t('addProvider'), open: (dialog) => <ProviderForm {...dialog} /> }}
      empty={{ icon: IconLogin2, title: t('emptyTitle'), hint: t('emptyHint') }}
    >
      <Stack gap="lg" mt="lg">
        <AddressCard
          title={t('returnAddress')}
          hint={t('returnHint')}
          paths={{ '': '/api/auth/sso/callback' }}
        />
        <SignInCards />
      </Stack>
    </ListPage>
  );
}

/** What matters only when the school has a sign-in service. */
function SignInCards() {
  const t = useTexts(texts);
  const { schoolDb } = useSchool();
  const { data } = useOperationList('listSignInProviders', { query: { schoolDb } });
  if (!data || data.total === 0) return null;
  return (
    <>
      <LocalSignInCard />
      <AddressCard
        title={t('signInPages')}
        hint={t('signInPagesHint')}
        paths={{
          [t('forStaff')]: `/admin?school=${schoolDb}`,
          [t('forStudents')]: `/student?school=${schoolDb}`,
        }}
      />
    </>
  );
}

function useActions(): (provider: SignInProvider) => readonly RowAction[] {
  const t = useTexts(texts);
  const { schoolDb } = useSchool();
  return (provider) => {
    const { id, name, enabled } = provider;
    const setEnabled = (next: boolean) =>
      defineWrite('updateSignInProvider', { params: { id }, body: { schoolDb, enabled: next } }, () =>
        t(next ? 'enabledDone' : 'disabledDone', { name }),
      );
    const remove = defineWrite('deleteSignInProvider', { params: { id }, query: { schoolDb } }, () =>
      t('removed', { name }),
    );
    return [
      { kind: 'edit', open: (dialog) => <ProviderForm {...dialog} provider={provider} /> },
      { kind: enabled ? 'disable' : 'enable', run: setEnabled(!enabled) },
      {
        label: t('remove'),
        remove: {
          title: t('removeTitle', { name }),
          text: t('removeText'),
          run: remove,
          sentences: { 409: t('lastOne') },
        },
      },
    ];
  };
}

function useColumns(): Column<SignInProvider>[] {
  const t = useTexts(texts);
  return [
    { header: t('name'), cell: ({ name }) => <RowName>{name}</RowName> },
    { header: t('issuer'), cell: ({ issuer }) => <span style={{ overflowWrap: 'anywhere' }}>{issuer}</span> },
    {
      header: t('forWhom'),
      cell: ({ forAdministrators, forStudents }) => {
        if (forAdministrators && forStudents) return t('both');
        if (forAdministrators) return t('forStaff');
        return t(forStudents ? 'forStudents' : 'nobody');
      },
    },
    {
      header: t('state'),
      cell: ({ enabled }) => (enabled ? t('active') : <StatusBadge color="gray" label={t('disabled')} />),
    },
    { header: t('bound'), align: 'end', cell: ({ boundAccounts }) => boundAccounts },
  ];
}

function TestButton({ provider: { id, name } }: { readonly provider: SignInProvider }) {
  const t = useTexts(texts);
  const { schoolDb } = useSchool();
  const test = useMutationOf('testSignInProvider', {
    onSuccess: ({ finding }) =>
      notifications.show({
        message: t(`found_${finding}`, { name }),
        ...(finding !== 'ok' && { color: 'red' }),
      }),
    onError: useFailureNotice({ 409: t('secretUnreadable') }),
  });
  return (
    <Button
      variant="default"
      size="xs"
      mih={{ base: 44, sm: 0 }}
      loading={test.isPending}
      leftSection={<IconPlugConnected aria-hidden size={16} />}
      onClick={() => test.mutate({ params: { id }, query: { schoolDb } })}
    >
      {t('test')}
    </Button>
  );
}

interface AddressCardProps {
  readonly title: string;
  readonly hint: string;
  readonly paths: Readonly<Record<string, string>>;
}

function AddressCard({ title, hint, paths }: AddressCardProps) {
  return (
    <Section title={title} text={hint}>
      <Stack gap="xs" mt="sm">
        {Object.entries(paths).map(([label, path]) => (
          <Group key={path} gap="sm">
            {label !== '' && <Text size="sm">{label}</Text>}
            <Code style={{ overflowWrap: 'anywhere' }}>{location.origin + path}</Code>
            <CopyButton text={location.origin + path} />
          </Group>
        ))}
      </Stack>
    </Section>
  );
}

function LocalSignInCard() {
  const t = useTexts(texts);
  const { schoolDb } = useSchool();
  const { data } = useOperation('getLocalSignIn', { query: { schoolDb } });
  const change = useMutationOf('updateLocalSignIn', {
    onSuccess: () => notifications.show({ message: t('saved') }),
    onError: useFailureNotice({ 409: t('noProvider') }),
  });
  if (!data) return null;
  const shown = { ...data, ...(change.isPending && change.variables.body) };
  const set = (body: { administrators?: boolean; students?: boolean }) =>
    change.mutate({ body: { schoolDb, ...body } });
  return (
    <Section title={t('passwords')} text={t('passwordsHint')}>
      <Stack gap="sm" mt="sm">
        <Switch
          label={t('staffPasswords')}
          checked={shown.administrators ?? true}
          onChange={(event) => set({ administrators: event.currentTarget.checked })}
        />
        <Switch
          label={t('studentPasswords')}
          checked={shown.students ?? true}
          onChange={(event) => set({ students: event.currentTarget.checked })}
        />
      </Stack>
    </Section>
  );
}
