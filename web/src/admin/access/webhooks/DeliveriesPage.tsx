import type { Delivery, DeliveryError, ManagedWebhook } from '@classledger/contract';
import { Alert, Button, Select, Text, TextInput } from '@mantine/core';
import { IconAlertTriangle, IconRefresh, IconSend } from '@tabler/icons-react';
import { useParams } from '@tanstack/react-router';
import { useOperationList } from '../../../api/queries.ts';
import type { DialogProps } from '../../../components/ConfirmDialog.tsx';
import { DateText } from '../../../components/DateText.tsx';
import { OneLine, StatusBadge, TwoLines } from '../../../components/list/cells.tsx';
import type { Column } from '../../../components/list/data-table-types.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { DialogButton } from '../../page/dialogs.tsx';
import { FormDialog } from '../../page/FormDialog.tsx';
import { ListPage } from '../../page/ListPage.tsx';
import { RowButton } from '../../page/RowActions.tsx';
import { defineWrite, useRunWriteWithNotice } from '../../page/write.ts';
import { useSchool } from '../../school.tsx';
import { NotFoundPage } from '../../shell/PageOutlet.tsx';
import { deliveryStates } from '../search.ts';
import { deliveryErrorTexts, texts } from './texts.ts';
import { StateBadge, stateExplanation, useSetActive, webhookStateOf } from './WebhookState.tsx';

export default function DeliveriesPage() {
  const id = Number(useParams({ from: '/shell/webhooks/$webhookId' }).webhookId);
  const t = useTexts(texts);
  const { schoolDb } = useSchool();
  const columns = useColumns();
  const replay = useReplay(id);
  const webhooks = useOperationList('listCredentialWebhooks', { query: { schoolDb } });
  const webhook = webhooks.data?.rows.find((one) => one.id === id);
  if (webhooks.data && !webhook) return <NotFoundPage />;
  return (
    <ListPage
      path="/webhooks/$webhookId"
      list="listDeliveries"
      input={({ state }, paging) => ({ params: { id }, query: { schoolDb, state, ...paging } })}
      back={{ to: '/webhooks', label: t('title') }}
      title={t('deliveriesTitle', { name: webhook?.host ?? '' })}
      description={webhook && t('forCredential', { name: webhook.tokenName })}
      headActions={webhook && <HeadActions webhook={webhook} />}
      notice={
        webhook &&
        ['failing', 'stopped'].includes(webhookStateOf(webhook)) && (
          <Alert color="minus" mb="md" icon={<IconAlertTriangle aria-hidden size={20} />}>
            {t(stateExplanation(webhook))}
          </Alert>
        )
      }
      label={t('showDeliveries')}
      filters={({ state }, search) => (
        <Select
          aria-label={t('state')}
          placeholder={t('allStates')}
          data={deliveryStates.map((one) => ({ value: one, label: t(one) }))}
          value={state ?? null}
          onChange={(chosen) => search({ state: chosen ?? undefined })}
          clearable
        />
      )}
      count={(count) => t('count', { count })}
      columns={columns}
      nameOf={deliveryName}
      rowEnd={(delivery) =>
        delivery.state !== 'waiting' && (
          <RowButton
            label={t('sendAgain')}
            labelNamed={t('sendAgainNamed', { name: deliveryName(delivery) })}
            icon={IconRefresh}
            run={replay({ deliveryId: delivery.id })}
          />
        )
      }
      empty={{ icon: IconSend, title: t('noDeliveriesTitle'), hint: t('noDeliveriesHint') }}
    />
  );
}

const deliveryName = ({ event, thingId }: Delivery) => `${event} ${thingId}`;

/** Returns a function that makes a `Write`, which sends one delivery again, or all since a moment. */
function useReplay(id: number) {
  const t = useTexts(texts);
  const { schoolDb } = useSchool();
  return (which: { readonly deliveryId: number } | { readonly since: string }) =>
    defineWrite('replayDeliveries', { params: { id }, body: { schoolDb, ...which } }, ({ deliveries }) =>
      t('sentAgain', { count: deliveries }),
    );
}

function HeadActions({ webhook }: { readonly webhook: ManagedWebhook }) {
  const t = useTexts(texts);
  const { run, isPending } = useRunWriteWithNotice();
  const setActive = useSetActive();
  return (
    <>
      <StateBadge webhook={webhook} />
      {!webhook.active && (
        <Button loading={isPending} onClick={() => run(setActive(webhook, true))}>
          {t('resume')}
        </Button>
      )}
      <DialogButton variant="default" dialog={(dialog) => <SendSinceForm {...dialog} id={webhook.id} />}>
        {t('sendSince')}
      </DialogButton>
    </>
  );
}

function SendSinceForm({ id, ...dialog }: DialogProps & { readonly id: number }) {
  const t = useTexts(texts);
  const replay = useReplay(id);
  return (
    <FormDialog
      {...dialog}
      title={t('sendSinceTitle')}
      submitLabel={t('sendAgain')}
      bodyOf="replayDeliveries"
      values={{ since: '' }}
      check={({ since }) => ({ since: Number.isNaN(Date.parse(since)) && t('sinceMissing') })}
      save={({ since }) => replay({ since: new Date(since).toISOString() })}
    >
      {({ field }) => (
        <>
          <Text size="sm">{t('sendSinceText')}</Text>
          <TextInput {...field('since')} type="datetime-local" label={t('since')} />
        </>
      )}
    </FormDialog>
  );
}

const colours = { waiting: 'gray', delivered: 'plus', failed: 'red', skipped: 'gray' } as const;

function useColumns(): Column<Delivery>[] {
  const t = useTexts(texts);
  const why = useTexts(deliveryErrorTexts);
  return [
    {
      header: t('change'),
      cell: (delivery) => (
        <TwoLines
          danger
          under={
            delivery.state !== 'delivered' &&
            delivery.error !== null &&
            (delivery.statusCode === null
              ? why(delivery.error as DeliveryError)
              : t('answered', { status: delivery.statusCode }))
          }
        >
          <Text span inherit ff="monospace">
            {deliveryName(delivery)}
          </Text>
        </TwoLines>
      ),
    },
    {
      header: t('state'),
      cell: ({ state, nextAttemptAt, attempts }) => (
        <TwoLines
          under={
            nextAttemptAt !== null &&
            attempts > 0 && (
              <>
                {t('retryAt')} <DateText value={nextAttemptAt} />
              </>
            )
          }
        >
          <StatusBadge color={colours[state]} label={t(state)} />
        </TwoLines>
      ),
    },
    { header: t('attempts'), align: 'end', cell: ({ attempts }) => attempts },
    {
      header: t('latency'),
      align: 'end',
      phone: 'hidden',
      cell: ({ latencyMs }) =>
        latencyMs !== null && <OneLine>{t('milliseconds', { value: latencyMs })}</OneLine>,
    },
    { header: t('when'), cell: ({ changedAt }) => <DateText value={changedAt} /> },
  ];
}
