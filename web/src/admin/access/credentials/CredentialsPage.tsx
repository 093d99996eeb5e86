import { dangerousPermissions } from 'virtual:admin-contract';
import type { Credential } from '@classledger/contract';
import { Alert, Button, List, Text, Tooltip } from '@mantine/core';
import { IconEye, IconKey, IconLogs, IconWebhook } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useOperation } from '../../../api/queries.ts';
import { ConfirmDialog, type DialogProps } from '../../../components/ConfirmDialog.tsx';
import { DateText } from '../../../components/DateText.tsx';
import { RowName, StatusBadge, TimeAgo, TwoLines } from '../../../components/list/cells.tsx';
import type { Column } from '../../../components/list/data-table-types.ts';
import { useFormat } from '../../../i18n/format.ts';
import { useLanguage, useTexts } from '../../../i18n/texts.ts';
import { PasswordAlternatives } from '../../../session/PasswordAlternatives.tsx';
import { useMe } from '../../me.ts';
import { ListPage } from '../../page/ListPage.tsx';
import type { RowAction } from '../../page/RowActions.tsx';
import { defineWrite, useRunWrite } from '../../page/write.ts';
import { useSchool } from '../../school.tsx';
import { StoppedWebhookNotice } from '../StoppedWebhookNotice.tsx';
import { useScopeName } from './CredentialFields.tsx';
import { EditDialog, IssueDialog } from './CredentialForms.tsx';
import { isPasswordWrong } from './credential-form.ts';
import { permissionTexts } from './permission-texts.ts';
import { SimulationDialog } from './SimulationView.tsx';
import { texts } from './texts.ts';

export default function CredentialsPage() {
  const t = useTexts(texts);
  const language = useLanguage();
  const { schoolDb } = useSchool();
  const { data: meta } = useOperation('getCredentialMeta');
  const columns = useColumns();
  const actions = useActions();
  const nothingToGive = meta?.scopeTypes.length === 0;
  return (
    <ListPage
      path="/api-tokens"
      list="listCredentials"
      input={(_, paging) => ({ query: { schoolDb, ...paging } })}
      title={t('title')}
      description={t('description')}
      headActions={
        <>
          <Button component="a" href={`/docs/guide?lang=${language}`} target="_blank" variant="default">
            {t('toGuide')}
          </Button>
          <Button component={Link} to="/webhooks" variant="default">
            {t('toWebhooks')}
          </Button>
          <Button component={Link} to="/audit-log" variant="default">
            {t('toAuditLog')}
          </Button>
        </>
      }
      {...(meta &&
        !nothingToGive && {
          create: { label: t('issue'), open: (dialog) => <IssueDialog {...dialog} meta={meta} /> },
        })}
      notice={
        <>
          <StoppedWebhookNotice withLink />
          {nothingToGive && (
            <Alert title={t('noRangeTitle')} mb="md">
              {t('noRangeText')}
            </Alert>
          )}
        </>
      }
      columns={columns}
      nameOf={({ name }) => name}
      actions={actions}
      empty={{ icon: IconKey, title: t('emptyTitle'), hint: t('emptyHint') }}
    />
  );
}

function useActions(): (credential: Credential) => readonly RowAction[] {
  const t = useTexts(texts);
  const { schoolDb } = useSchool();
  const { data: meta } = useOperation('getCredentialMeta');
  const setDisabled = ({ id }: Credential, disabled: boolean) =>
    defineWrite('updateCredential', { params: { id }, body: { schoolDb, disabled } }, ({ name }) =>
      t(disabled ? 'disabledDone' : 'enabledDone', { name }),
    );
  return (credential) => {
    const { id, name, disabled } = credential;
    return [
      meta !== undefined && {
        kind: 'edit',
        open: (dialog) => <EditDialog {...dialog} meta={meta} credential={credential} />,
      },
      {
        label: t('whatItSees'),
        icon: IconEye,
        open: (dialog) => <SimulationDialog {...dialog} credential={credential} />,
      },
      {
        label: t('showCalls'),
        icon: IconLogs,
        link: (link) => <Link to="/audit-log" search={{ token: id }} {...link} />,
      },
      {
        label: t('toWebhooks'),
        icon: IconWebhook,
        link: (link) => <Link to="/webhooks" search={{ token: id }} {...link} />,
      },
      disabled
        ? { kind: 'enable', run: setDisabled(credential, false) }
        : {
            kind: 'disable',
            ask: {
              title: t('disableTitle', { name }),
              text: t('disableText'),
              run: setDisabled(credential, true),
            },
          },
      {
        label: t('revoke'),
        remove: (dialog) => <RevokeDialog {...dialog} credential={credential} />,
      },
    ];
  };
}

function useColumns(): Column<Credential>[] {
  const t = useTexts(texts);
  const format = useFormat();
  const nameOf = useScopeName();
  return [
    {
      header: t('name'),
      cell: ({ name, prefix, createdBy }) => (
        <TwoLines
          under={
            <>
              <Text span inherit ff="monospace">{`${prefix}…`}</Text>
              {` · ${t('issuedBy', { name: createdBy.username })}`}
            </>
          }
        >
          <RowName>{name}</RowName>
        </TwoLines>
      ),
    },
    {
      header: t('state'),
      cell: ({ status }) => (
        <StatusBadge
          color={status === 'enabled' ? 'plus' : status === 'disabled' ? 'gray' : 'minus'}
          label={t(status)}
          about={t(`about_${status}`)}
        />
      ),
    },
    { header: t('scope'), cell: nameOf },
    { header: t('permissions'), cell: ({ scopes }) => <PermissionCount scopes={scopes} /> },
    { header: t('uses'), align: 'end', cell: ({ callCount }) => format.number(callCount) },
    {
      header: t('lastUse'),
      cell: ({ lastUsedAt, lastUsedIp }) => (
        <TwoLines under={lastUsedIp !== null && t('fromAddress', { ip: lastUsedIp })}>
          <TimeAgo value={lastUsedAt} never={t('notUsed')} />
        </TwoLines>
      ),
    },
    {
      header: t('expires'),
      cell: ({ expiresAt }) => (expiresAt === null ? t('never') : <DateText value={expiresAt} as="day" />),
    },
  ];
}

function PermissionCount({ scopes }: { readonly scopes: Credential['scopes'] }) {
  const t = useTexts(texts);
  const p = useTexts(permissionTexts);
  const names = scopes.map((scope) => p(scope));
  return (
    <Tooltip
      label={
        <List size="sm" spacing={2}>
          {names.map((name) => (
            <List.Item key={name}>{name}</List.Item>
          ))}
        </List>
      }
      events={{ hover: true, focus: true, touch: true }}
    >
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must be able to show the names */}
      <span tabIndex={0}>
        <TwoLines
          danger
          under={scopes.some((scope) => dangerousPermissions.includes(scope)) && t('withDeleting')}
        >
          {t('permissionCount', { count: scopes.length })}
          <span className="visually-hidden">{`: ${names.join(', ')}`}</span>
        </TwoLines>
      </span>
    </Tooltip>
  );
}

interface RevokeDialogProps extends DialogProps {
  readonly credential: Credential;
}

function RevokeDialog({ credential: { id, name }, opened, onClose }: RevokeDialogProps) {
  const t = useTexts(texts);
  const { schoolDb } = useSchool();
  const { schoolId } = useMe();
  const attempt = useRunWrite({ onDone: onClose });
  const revoke = (password: string | null) => {
    const input = { params: { id }, query: { schoolDb }, confirmPassword: password ?? undefined };
    attempt.run(defineWrite('revokeCredential', input, () => t('revokedDone', { name })));
  };
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title={t('revokeTitle', { name })}
      confirmLabel={t('revoke')}
      danger
      otherProofs={(onConfirmed) => <PasswordAlternatives schoolId={schoolId} onConfirmed={onConfirmed} />}
      onConfirm={revoke}
      mutation={attempt}
      sentences={{ 403: t(isPasswordWrong(attempt.error) ? 'wrongPassword' : 'notYours') }}
    >
      <Text size="sm">{t('revokeText')}</Text>
    </ConfirmDialog>
  );
}
