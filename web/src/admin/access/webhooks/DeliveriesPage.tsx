import type { Delivery, DeliveryError, ManagedWebhook } from '@classledger/contract';
import { ActionIcon, Alert, Badge, Button, Group, Select } from '@mantine/core';
import { IconAlertTriangle, IconRefresh, IconSend } from '@tabler/icons-react';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useOperationList } from '../../../api/queries.ts';
import { DateText } from '../../../components/DateText.tsx';
import { EmptyState } from '../../../components/EmptyState.tsx';
import { DataTable } from '../../../components/list/DataTable.tsx';
import type { Column } from '../../../components/list/data-table-types.ts';
import { FilterBar } from '../../../components/list/FilterBar.tsx';
import { ListLine } from '../../../components/list/ListLine.tsx';
import { NoMatch } from '../../../components/list/NoMatch.tsx';
import { PageHeader } from '../../../components/PageHeader.tsx';
import { useMutationWithNotice } from '../../../components/use-mutation-with-notice.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { BackLink } from '../../BackLink.tsx';
import { useSchool } from '../../school.tsx';
import { parseOneOf } from '../../search-parameters.ts';
import { NotFoundPage } from '../../shell/NotFoundPage.tsx';
import { useListSearch } from '../../use-list-search.ts';
import { deliveryErrorTexts } from './delivery-error-texts.ts';
import { SendSinceDialog } from './SendSinceDialog.tsx';
import { StateBadge } from './StateBadge.tsx';
import { texts } from './texts.ts';
import { useWebhookSwitch } from './use-webhook-switch.ts';
import classes from './Webhooks.module.css';
import { stateExplanation, webhookStateOf } from './webhook-state.ts';
import { deliveryStates, readDeliveriesSearch } from './webhooks-search.ts';

const pageSize = 50;

export function DeliveriesPage() {
  const id = Number(useParams({ from: '/shell/webhooks/$webhookId' }).webhookId);
  const t = useTexts(texts);
  const columns = useColumns();
  const { schoolDb } = useSchool();
  const { search, change, turnTo } = useListSearch('/webhooks/$webhookId', readDeliveriesSearch);
  const { page = 1, state } = search;
  const webhooks = useOperationList('listCredentialWebhooks', { query: { schoolDb } });
  const list = useOperationList('listDeliveries', {
    params: { id },
    query: { schoolDb, state, page, limit: pageSize },
  });
  const again = useMutationWithNotice('replayDeliveries', ({ deliveries }) =>
    t('sentAgain', { count: deliveries }),
  );
  const webhook = webhooks.data?.rows.find((one) => one.id === id);
  if (webhooks.data && !webhook) return <NotFoundPage />;
  const name = webhook?.host ?? '';
  return (
    <>
      <BackLink to="/webhooks">{t('title')}</BackLink>
      <PageHeader
        title={t('deliveriesTitle', { name })}
        {...(webhook && { description: t('forCredential', { name: webhook.tokenName }) })}
        actions={webhook && <Actions webhook={webhook} />}
      />
      {webhook && <DeliveryProblem webhook={webhook} />}
      <FilterBar onClear={state !== undefined && (() => change({ state: undefined }))}>
        <Select
          aria-label={t('state')}
          placeholder={t('allStates')}
          data={deliveryStates.map((one) => ({ value: one, label: t(one) }))}
          value={state ?? null}
          onChange={(chosen) => change({ state: parseOneOf(deliveryStates, chosen) })}
          clearable
        />
      </FilterBar>
      <ListLine count={list.data?.total ? t('count', { count: list.data.total }) : ''} />
      <DataTable<Delivery>
        label={t('showDeliveries')}
        columns={columns}
        query={list}
        rowKey={(delivery) => delivery.id}
        empty={
          state === undefined ? (
            <EmptyState icon={IconSend} title={t('noDeliveriesTitle')} hint={t('noDeliveriesHint')} />
          ) : (
            <NoMatch onClear={() => change({ state: undefined })} />
          )
        }
        page={page}
        pageSize={pageSize}
        onPage={turnTo}
        actions={(delivery) =>
          delivery.state !== 'waiting' && (
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={t('sendAgainNamed', { name: `${delivery.event} ${delivery.thingId}` })}
              title={t('sendAgain')}
              loading={again.isPending && again.variables.body.deliveryId === delivery.id}
              onClick={() => again.mutate({ params: { id }, body: { schoolDb, deliveryId: delivery.id } })}
            >
              <IconRefresh aria-hidden size={18} />
            </ActionIcon>
          )
        }
      />
    </>
  );
}

function DeliveryProblem({ webhook }: { readonly webhook: ManagedWebhook }) {
  const t = useTexts(texts);
  const state = webhookStateOf(webhook);
  if (state !== 'failing' && state !== 'stopped') return null;
  return (
    <Alert color="minus" mb="md" icon={<IconAlertTriangle aria-hidden size={20} />}>
      {t(stateExplanation(webhook))}
    </Alert>
  );
}

function Actions({ webhook }: { readonly webhook: ManagedWebhook }) {
  const t = useTexts(texts);
  const { schoolDb } = useSchool();
  const [asking, setAsking] = useState(false);
  const turnOn = useWebhookSwitch();
  return (
    <Group gap="xs">
      <StateBadge webhook={webhook} />
      {!webhook.active && (
        <Button
          loading={turnOn.isPending}
          onClick={() => turnOn.mutate({ params: { id: webhook.id }, body: { schoolDb, active: true } })}
        >
          {t('resume')}
        </Button>
      )}
      <Button variant="default" onClick={() => setAsking(true)}>
        {t('sendSince')}
      </Button>
      <SendSinceDialog webhookId={webhook.id} opened={asking} onClose={() => setAsking(false)} />
    </Group>
  );
}

const colours = { waiting: 'gray', delivered: 'plus', failed: 'red', skipped: 'gray' } as const;

function useColumns(): Column<Delivery>[] {
  const t = useTexts(texts);
  const why = useTexts(deliveryErrorTexts);
  return [
    {
      key: 'change',
      header: t('change'),
      phone: 'title',
      cell: ({ event, thingId, error, state, statusCode }) => (
        <>
          <span className={classes.mono}>{`${event} ${thingId}`}</span>
          {error !== null && state !== 'delivered' && (
            <span className={`${classes.under} ${classes.danger}`}>
              {statusCode === null ? why(error as DeliveryError) : t('answered', { status: statusCode })}
            </span>
          )}
        </>
      ),
    },
    {
      key: 'state',
      header: t('state'),
      cell: ({ state, nextAttemptAt, attempts }) => (
        <>
          <Badge variant="light" color={colours[state]} tt="none" miw="max-content">
            {t(state)}
          </Badge>
          {nextAttemptAt !== null && attempts > 0 && (
            <span className={classes.under}>
              {t('retryAt')} <DateText value={nextAttemptAt} />
            </span>
          )}
        </>
      ),
    },
    { key: 'attempts', header: t('attempts'), align: 'end', cell: ({ attempts }) => attempts },
    {
      key: 'latency',
      header: t('latency'),
      align: 'end',
      phone: 'hidden',
      cell: ({ latencyMs }) =>
        latencyMs !== null && (
          <span className={classes.oneLine}>{t('milliseconds', { value: latencyMs })}</span>
        ),
    },
    {
      key: 'when',
      header: t('when'),
      cell: ({ changedAt }) => (
        <span className={classes.oneLine}>
          <DateText value={changedAt} />
        </span>
      ),
    },
  ];
}
