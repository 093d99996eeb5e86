import { dangerousPermissions } from 'virtual:admin-contract';
import type { Credential, CredentialStatus } from '@classledger/contract';
import { Badge, List, Text, Tooltip } from '@mantine/core';
import { DateText } from '../../../components/DateText.tsx';
import type { Column } from '../../../components/list/data-table-types.ts';
import { useFormat } from '../../../i18n/format.ts';
import { useTexts } from '../../../i18n/texts.ts';
import classes from './Credentials.module.css';
import { permissionTexts } from './permission-texts.ts';
import { texts } from './texts.ts';
import { useScopeName } from './use-scope-name.ts';

export function useCredentialColumns(): Column<Credential>[] {
  const t = useTexts(texts);
  const format = useFormat();
  const nameOf = useScopeName();
  return [
    {
      key: 'name',
      header: t('name'),
      phone: 'title',
      cell: ({ name, prefix, createdBy }) => (
        <>
          <Text span inherit fw={600}>
            {name}
          </Text>
          <span className={classes.under}>
            <span className={classes.mono}>{`${prefix}…`}</span>
            {` · ${t('issuedBy', { name: createdBy.username })}`}
          </span>
        </>
      ),
    },
    { key: 'state', header: t('state'), cell: ({ status }) => <StateBadge status={status} /> },
    { key: 'range', header: t('range'), cell: nameOf },
    {
      key: 'permissions',
      header: t('permissions'),
      cell: ({ scopes }) => <PermissionCount scopes={scopes} />,
    },
    {
      key: 'uses',
      header: t('uses'),
      align: 'end',
      cell: ({ callCount }) => format.number(callCount),
    },
    {
      key: 'lastUse',
      header: t('lastUse'),
      cell: ({ lastUsedAt, lastUsedIp }) =>
        lastUsedAt === null ? (
          <Text span inherit c="dimmed">
            {t('notUsed')}
          </Text>
        ) : (
          <>
            <DateText value={lastUsedAt} as="ago" />
            {lastUsedIp !== null && (
              <span className={classes.under}>{t('fromAddress', { ip: lastUsedIp })}</span>
            )}
          </>
        ),
    },
    {
      key: 'expires',
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
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the names must be reachable without a mouse */}
      <span tabIndex={0}>
        {t('permissionCount', { count: scopes.length })}
        <span className="visually-hidden">{`: ${names.join(', ')}`}</span>
        {scopes.some((scope) => dangerousPermissions.includes(scope)) && (
          <span className={`${classes.under} ${classes.danger}`}>{t('withDeleting')}</span>
        )}
      </span>
    </Tooltip>
  );
}

const badgeVariants = {
  enabled: ['plus', 'aboutEnabled'],
  disabled: ['gray', 'aboutDisabled'],
  expired: ['minus', 'aboutExpired'],
  issuer_disabled: ['minus', 'aboutIssuer'],
  school_disabled: ['minus', 'aboutSchool'],
} as const satisfies Record<CredentialStatus, unknown>;

function StateBadge({ status }: { readonly status: CredentialStatus }) {
  const t = useTexts(texts);
  const [color, about] = badgeVariants[status];
  return (
    <Tooltip label={t(about)} multiline maw={280} events={{ hover: true, focus: true, touch: true }}>
      <Badge variant="light" color={color} tt="none" tabIndex={0}>
        {t(status)}
        <span className="visually-hidden">{` (${t(about)})`}</span>
      </Badge>
    </Tooltip>
  );
}
