import type { ManagedWebhook } from '@classledger/contract';
import { Button, Text } from '@mantine/core';
import { IconPlayerPause, IconPlayerPlay, IconSend, IconWebhook } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useOperationList } from '../../../api/queries.ts';
import { ConfirmDialog } from '../../../components/ConfirmDialog.tsx';
import { DateText } from '../../../components/DateText.tsx';
import { EmptyState } from '../../../components/EmptyState.tsx';
import { DataTable } from '../../../components/list/DataTable.tsx';
import type { Column } from '../../../components/list/data-table-types.ts';
import { DeleteEntry, MenuEntry, MenuLink, RowMenu } from '../../../components/list/RowMenu.tsx';
import { useRowDialog } from '../../../components/list/use-row-dialog.ts';
import { PageHeader } from '../../../components/PageHeader.tsx';
import { useMutationWithNotice } from '../../../components/use-mutation-with-notice.ts';
import { useLanguage, useTexts } from '../../../i18n/texts.ts';
import { BackLink } from '../../BackLink.tsx';
import { useSchool } from '../../school.tsx';
import { useListSearch } from '../../use-list-search.ts';
import { StoppedNotice } from '../webhook-notice/StoppedNotice.tsx';
import { StateBadge } from './StateBadge.tsx';
import { texts } from './texts.ts';
import { useWebhookSwitch } from './use-webhook-switch.ts';
import classes from './Webhooks.module.css';
import { readWebhooksSearch } from './webhooks-search.ts';

const pageSize = 50;

interface Action {
  readonly kind: 'pause' | 'remove';
  readonly webhook: ManagedWebhook;
}

export function WebhooksPage() {
  const t = useTexts(texts);
  const { schoolDb } = useSchool();
  const { search, turnTo } = useListSearch('/webhooks', readWebhooksSearch);
  const { page = 1, token } = search;
  const list = useOperationList('listCredentialWebhooks', {
    query: { schoolDb, tokenId: token, page, limit: pageSize },
  });
  const dialog = useRowDialog<Action>();
  const turnOn = useWebhookSwitch();
  return (
    <>
      <BackLink to="/api-tokens">{t('toCredentials')}</BackLink>
      <PageHeader title={t('title')} description={t('description')} />
      <StoppedNotice />
      <DataTable<ManagedWebhook>
        label={t('title')}
        columns={useColumns()}
        query={list}
        rowKey={({ id }) => id}
        empty={<NoWebhooks />}
        page={page}
        pageSize={pageSize}
        onPage={turnTo}
        actions={(webhook) => (
          <RowMenu name={webhook.host} busy={turnOn.isPending && turnOn.variables.params.id === webhook.id}>
            <MenuLink
              icon={IconSend}
              link={(link) => (
                <Link to="/webhooks/$webhookId" params={{ webhookId: String(webhook.id) }} {...link} />
              )}
            >
              {t('showDeliveries')}
            </MenuLink>
            {webhook.active ? (
              <MenuEntry icon={IconPlayerPause} onChoose={() => dialog.open({ kind: 'pause', webhook })}>
                {t('pause')}
              </MenuEntry>
            ) : (
              <MenuEntry
                icon={IconPlayerPlay}
                onChoose={() =>
                  turnOn.mutate({ params: { id: webhook.id }, body: { schoolDb, active: true } })
                }
              >
                {t('resume')}
              </MenuEntry>
            )}
            <DeleteEntry onChoose={() => dialog.open({ kind: 'remove', webhook })}>{t('remove')}</DeleteEntry>
          </RowMenu>
        )}
      />
      {dialog.action && (
        <Dialogs
          key={dialog.action.webhook.id}
          {...dialog.action}
          opened={dialog.opened}
          onClose={dialog.close}
        />
      )}
    </>
  );
}

function Dialogs({
  kind,
  webhook: { id, host: name },
  opened,
  onClose,
}: Action & { readonly opened: boolean; readonly onClose: () => void }) {
  const t = useTexts(texts);
  const { schoolDb } = useSchool();
  const pause = useMutationWithNotice('updateCredentialWebhook', () => t('pausedDone', { name }), onClose);
  const remove = useMutationWithNotice('deleteCredentialWebhook', () => t('removedDone', { name }), onClose);
  return (
    <>
      <ConfirmDialog
        opened={opened && kind === 'pause'}
        onClose={onClose}
        title={t('pauseTitle', { name })}
        confirmLabel={t('pause')}
        onConfirm={() => pause.mutate({ params: { id }, body: { schoolDb, active: false } })}
        mutation={pause}
      >
        <Text size="sm">{t('pauseText')}</Text>
      </ConfirmDialog>
      <ConfirmDialog
        opened={opened && kind === 'remove'}
        onClose={onClose}
        title={t('removeTitle', { name })}
        confirmLabel={t('remove')}
        danger
        onConfirm={() => remove.mutate({ params: { id }, query: { schoolDb } })}
        mutation={remove}
      >
        <Text size="sm">{t('removeText')}</Text>
      </ConfirmDialog>
    </>
  );
}

function NoWebhooks() {
  const t = useTexts(texts);
  const language = useLanguage();
  return (
    <EmptyState
      icon={IconWebhook}
      title={t('emptyTitle')}
      hint={t('emptyHint')}
      action={
        <Button component="a" href={`/docs/guide?lang=${language}`} target="_blank" variant="default">
          {t('toGuide')}
        </Button>
      }
    />
  );
}

function useColumns(): Column<ManagedWebhook>[] {
  const t = useTexts(texts);
  return [
    {
      key: 'address',
      header: t('address'),
      phone: 'title',
      cell: ({ host, tokenName }) => (
        <>
          <Text span inherit fw={600} className={classes.host ?? ''}>
            {host}
          </Text>
          <span className={classes.under}>{t('forCredential', { name: tokenName })}</span>
        </>
      ),
    },
    { key: 'state', header: t('state'), cell: (webhook) => <StateBadge webhook={webhook} /> },
    {
      key: 'events',
      header: t('events'),
      cell: ({ events, refused, missedAt }) => (
        <>
          {typesOf(events)
            .map((type) => t(type))
            .join(' · ')}
          {refused.length > 0 && (
            <span className={`${classes.under} ${classes.danger}`}>{t('notPermitted')}</span>
          )}
          {missedAt !== null && <span className={`${classes.under} ${classes.danger}`}>{t('missed')}</span>}
        </>
      ),
    },
    {
      key: 'last',
      header: t('lastDelivered'),
      cell: ({ lastDeliveredAt }) =>
        lastDeliveredAt === null ? (
          <Text span inherit c="dimmed">
            {t('nothingYet')}
          </Text>
        ) : (
          <DateText value={lastDeliveredAt} as="ago" />
        ),
    },
  ];
}

const types = ['student', 'score', 'grade', 'class', 'template'] as const;
const typesOf = (events: readonly string[]) =>
  types.filter((type) => events.some((event) => event.startsWith(`${type}.`)));
