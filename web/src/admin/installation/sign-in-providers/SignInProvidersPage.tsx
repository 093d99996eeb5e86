import type { SignInProvider } from '@classledger/contract';
import { Badge, Button, Card, Code, Group, Stack, Text, Title } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconLogin2, IconPlugConnected, IconPlus } from '@tabler/icons-react';
import { useMutationOf, useOperationList } from '../../../api/queries.ts';
import { ConfirmDialog } from '../../../components/ConfirmDialog.tsx';
import { CopyButton } from '../../../components/CopyButton.tsx';
import { EmptyState } from '../../../components/EmptyState.tsx';
import { DataTable } from '../../../components/list/DataTable.tsx';
import type { Column } from '../../../components/list/data-table-types.ts';
import { DeleteEntry, EnableEntry, MenuEntry, RowMenu } from '../../../components/list/RowMenu.tsx';
import { useRowDialog } from '../../../components/list/use-row-dialog.ts';
import { PageHeader } from '../../../components/PageHeader.tsx';
import { useFailureNotice } from '../../../components/use-failure-notice.ts';
import { useMutationWithNotice } from '../../../components/use-mutation-with-notice.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { useSchool } from '../../school.tsx';
import { LocalSignInCard } from './LocalSignInCard.tsx';
import { ProviderDialog } from './ProviderDialog.tsx';
import { texts } from './texts.ts';

type Action =
  | { readonly kind: 'edit'; readonly provider: SignInProvider | null }
  | { readonly kind: 'remove'; readonly provider: SignInProvider };

export function SignInProvidersPage() {
  const t = useTexts(texts);
  const { schoolDb, name: school } = useSchool();
  const providers = useOperationList('listSignInProviders', { query: { schoolDb } });
  const dialog = useRowDialog<Action>();
  const { action } = dialog;
  const columns = useColumns();
  const addButton = (
    <Button
      leftSection={<IconPlus aria-hidden size={16} />}
      onClick={() => dialog.open({ kind: 'edit', provider: null })}
    >
      {t('addProvider')}
    </Button>
  );
  return (
    <>
      <PageHeader title={t('title')} description={t('description', { school })} actions={addButton} />
      <Stack gap="lg">
        <DataTable<SignInProvider>
          label={t('title')}
          columns={columns}
          query={providers}
          rowKey={({ id }) => id}
          empty={<EmptyState icon={IconLogin2} title={t('emptyTitle')} hint={t('emptyHint')} />}
          actions={(provider) => <ProviderActions provider={provider} onAction={dialog.open} />}
        />
        <AddressCard
          title={t('returnAddress')}
          hint={t('returnHint')}
          paths={{ '': '/api/auth/sso/callback' }}
        />
        {(providers.data?.total ?? 0) > 0 && (
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
        )}
      </Stack>
      {action?.kind === 'edit' && (
        <ProviderDialog
          key={dialog.turn}
          provider={action.provider}
          opened={dialog.opened}
          onClose={dialog.close}
        />
      )}
      {action?.kind === 'remove' && (
        <RemoveDialog provider={action.provider} opened={dialog.opened} onClose={dialog.close} />
      )}
    </>
  );
}

function useColumns(): Column<SignInProvider>[] {
  const t = useTexts(texts);
  return [
    { key: 'name', header: t('name'), phone: 'title', cell: ({ name }) => <b>{name}</b> },
    {
      key: 'issuer',
      header: t('issuer'),
      cell: ({ issuer }) => <span style={{ overflowWrap: 'anywhere' }}>{issuer}</span>,
    },
    {
      key: 'for',
      header: t('forWhom'),
      cell: ({ forAdministrators, forStudents }) => {
        if (forAdministrators && forStudents) return t('both');
        if (forAdministrators) return t('forStaff');
        return t(forStudents ? 'forStudents' : 'nobody');
      },
    },
    {
      key: 'state',
      header: t('state'),
      cell: ({ enabled }) =>
        enabled ? (
          t('active')
        ) : (
          <Badge color="gray" variant="light" tt="none">
            {t('disabled')}
          </Badge>
        ),
    },
    { key: 'bound', header: t('bound'), align: 'end', cell: ({ boundAccounts }) => boundAccounts },
  ];
}

interface ProviderActionsProps {
  readonly provider: SignInProvider;
  readonly onAction: (action: Action) => void;
}

function ProviderActions({ provider, onAction }: ProviderActionsProps) {
  const t = useTexts(texts);
  const { schoolDb } = useSchool();
  const { id, name, enabled } = provider;
  const test = useMutationOf('testSignInProvider', {
    onSuccess: ({ finding }) =>
      notifications.show({
        message: t(`found_${finding}`, { name }),
        ...(finding !== 'ok' && { color: 'red' }),
      }),
    onError: useFailureNotice({ 409: t('secretUnreadable') }),
  });
  const toggle = useMutationOf('updateSignInProvider', {
    onSuccess: (changed) =>
      notifications.show({ message: t(changed.enabled ? 'enabledDone' : 'disabledDone', { name }) }),
    onError: useFailureNotice({ 409: t('lastOne') }),
  });
  const setEnabled = (next: boolean) => toggle.mutate({ params: { id }, body: { schoolDb, enabled: next } });
  return (
    <>
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
      <RowMenu name={name} busy={toggle.isPending}>
        <MenuEntry icon={IconLogin2} onChoose={() => onAction({ kind: 'edit', provider })}>
          {t('edit')}
        </MenuEntry>
        <EnableEntry
          disabled={!enabled}
          onEnable={() => setEnabled(true)}
          onDisable={() => setEnabled(false)}
        />
        <DeleteEntry onChoose={() => onAction({ kind: 'remove', provider })}>{t('remove')}</DeleteEntry>
      </RowMenu>
    </>
  );
}

interface RemoveDialogProps {
  readonly provider: SignInProvider;
  readonly opened: boolean;
  readonly onClose: () => void;
}

function RemoveDialog({ provider: { id, name }, opened, onClose }: RemoveDialogProps) {
  const t = useTexts(texts);
  const { schoolDb } = useSchool();
  const remove = useMutationWithNotice(
    'deleteSignInProvider',
    (removed) => t('removed', { name: removed.name }),
    onClose,
  );
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title={t('removeTitle', { name })}
      confirmLabel={t('remove')}
      danger
      onConfirm={() => remove.mutate({ params: { id }, query: { schoolDb } })}
      mutation={remove}
      sentences={{ 409: t('lastOne') }}
    >
      <Text size="sm">{t('removeText')}</Text>
    </ConfirmDialog>
  );
}

interface AddressCardProps {
  readonly title: string;
  readonly hint: string;
  readonly paths: Readonly<Record<string, string>>;
}

function AddressCard({ title, hint, paths }: AddressCardProps) {
  return (
    <Card withBorder>
      <Title order={2} size="h4">
        {title}
      </Title>
      <Text c="dimmed" size="sm" mb="sm">
        {hint}
      </Text>
      <Stack gap="xs">
        {Object.entries(paths).map(([label, path]) => (
          <Group key={path} gap="sm">
            {label !== '' && <Text size="sm">{label}</Text>}
            <Code style={{ overflowWrap: 'anywhere' }}>{location.origin + path}</Code>
            <CopyButton text={location.origin + path} />
          </Group>
        ))}
      </Stack>
    </Card>
  );
}
