import type { ManagedWebhook } from '@classledger/contract';
import { Button } from '@mantine/core';
import { IconPlayerPause, IconPlayerPlay, IconSend, IconWebhook } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { RowName, TimeAgo, TwoLines } from '../../../components/list/cells.tsx';
import type { Column } from '../../../components/list/data-table-types.ts';
import { useLanguage, useTexts } from '../../../i18n/texts.ts';
import { ListPage } from '../../page/ListPage.tsx';
import type { RowAction } from '../../page/RowActions.tsx';
import { defineWrite } from '../../page/write.ts';
import { useSchool } from '../../school.tsx';
import { StoppedWebhookNotice } from '../StoppedWebhookNotice.tsx';
import { texts } from './texts.ts';
import { StateBadge, useSetActive } from './WebhookState.tsx';

export default function WebhooksPage() {
  const t = useTexts(texts);
  const language = useLanguage();
  const { schoolDb } = useSchool();
  const columns = useColumns();
  const actions = useActions();
  return (
    <ListPage
      path="/webhooks"
      list="listCredentialWebhooks"
      input={({ token }, paging) => ({ query: { schoolDb, tokenId: token, ...paging } })}
      back={{ to: '/api-tokens', label: t('toCredentials') }}
      title={t('title')}
      description={t('description')}
      notice={<StoppedWebhookNotice />}
      columns={columns}
      nameOf={({ host }) => host}
      actions={actions}
      empty={{
        icon: IconWebhook,
        title: t('emptyTitle'),
        hint: t('emptyHint'),
        action: (
          <Button component="a" href={`/docs/guide?lang=${language}`} target="_blank" variant="default">
            {t('toGuide')}
          </Button>
        ),
      }}
    />
  );
}

function useActions(): (webhook: ManagedWebhook) => readonly RowAction[] {
  const t = useTexts(texts);
  const { schoolDb } = useSchool();
  const setActive = useSetActive();
  return (webhook) => {
    const { id, host: name } = webhook;
    const remove = defineWrite('deleteCredentialWebhook', { params: { id }, query: { schoolDb } }, () =>
      t('removedDone', { name }),
    );
    return [
      {
        label: t('showDeliveries'),
        icon: IconSend,
        link: (link) => <Link to="/webhooks/$webhookId" params={{ webhookId: String(id) }} {...link} />,
      },
      webhook.active
        ? {
            label: t('pause'),
            icon: IconPlayerPause,
            ask: { title: t('pauseTitle', { name }), text: t('pauseText'), run: setActive(webhook, false) },
          }
        : { label: t('resume'), icon: IconPlayerPlay, run: setActive(webhook, true) },
      {
        remove: { title: t('removeTitle', { name }), text: t('removeText'), run: remove },
      },
    ];
  };
}

function useColumns(): Column<ManagedWebhook>[] {
  const t = useTexts(texts);
  return [
    {
      header: t('address'),
      cell: ({ host, tokenName }) => (
        <TwoLines under={t('forCredential', { name: tokenName })}>
          <RowName>{host}</RowName>
        </TwoLines>
      ),
    },
    { header: t('state'), cell: (webhook) => <StateBadge webhook={webhook} /> },
    {
      header: t('events'),
      cell: ({ events, refused, missedAt }) => (
        <TwoLines danger under={refused.length > 0 && t('notPermitted')}>
          <TwoLines danger under={missedAt !== null && t('missed')}>
            {typesOf(events)
              .map((type) => t(type))
              .join(' · ')}
          </TwoLines>
        </TwoLines>
      ),
    },
    {
      header: t('lastDelivered'),
      cell: ({ lastDeliveredAt }) => <TimeAgo value={lastDeliveredAt} never={t('nothingYet')} />,
    },
  ];
}

const types = ['student', 'score', 'grade', 'class', 'template'] as const;
const typesOf = (events: readonly string[]) =>
  types.filter((type) => events.some((event) => event.startsWith(`${type}.`)));
