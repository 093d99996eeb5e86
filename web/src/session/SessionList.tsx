import type { Session } from '@classledger/contract';
import { Badge, Button } from '@mantine/core';
import { IconDeviceDesktop, IconDeviceMobile } from '@tabler/icons-react';
import { ErrorState } from '../components/ErrorState.tsx';
import { LoadingRows } from '../components/LoadingRows.tsx';
import { useFormat } from '../i18n/format.ts';
import { useTexts } from '../i18n/texts.ts';
import { deviceName } from './device-name.ts';
import classes from './SessionList.module.css';
import { sessionTexts } from './session-texts.ts';

interface SessionListProps {
  readonly sessions: {
    readonly isPending: boolean;
    readonly data: { readonly rows: readonly Session[] } | undefined;
    readonly error: unknown;
    readonly refetch: () => unknown;
  };
  readonly end: {
    readonly mutate: (input: { readonly params: { readonly id: number } }) => void;
    readonly isPending: boolean;
    readonly variables: { readonly params: { readonly id: number } } | undefined;
  };
  readonly endOthers: { readonly mutate: (input: object) => void; readonly isPending: boolean };
}

const openedWith = {
  password: null,
  passkey: 'withPasskey',
  provider: 'withProvider',
  code: 'withCode',
} as const;

export function SessionList({ sessions, end, endOthers }: SessionListProps) {
  const t = useTexts(sessionTexts);
  if (sessions.isPending) return <LoadingRows rows={2} height={56} />;
  if (!sessions.data) {
    return <ErrorState compact error={sessions.error} onRetry={() => void sessions.refetch()} />;
  }
  const { rows } = sessions.data;
  const others = rows.filter(({ current }) => !current);
  return (
    <>
      <ul className={classes.list}>
        {[...rows.filter(({ current }) => current), ...others].map((session) => (
          <li key={session.id} className={classes.item}>
            <SessionLine session={session} />
            {!session.current && (
              <Button
                variant="default"
                size="sm"
                loading={end.isPending && !endOthers.isPending && end.variables?.params.id === session.id}
                onClick={() => end.mutate({ params: { id: session.id } })}
                aria-label={t('endOf', { device: deviceName(session.userAgent) ?? t('unknownDevice') })}
              >
                {t('end')}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {others.length === 0 && <p className={classes.details}>{t('onlyHere')}</p>}
      {others.length > 1 && (
        <Button variant="default" mt="md" loading={endOthers.isPending} onClick={() => endOthers.mutate({})}>
          {t('endOthers')}
        </Button>
      )}
    </>
  );
}

function SessionLine({ session }: { readonly session: Session }) {
  const t = useTexts(sessionTexts);
  const format = useFormat();
  const { current, shared, ip, userAgent, createdAt, lastUsedAt } = session;
  const device = deviceName(userAgent) ?? t('unknownDevice');
  const DeviceIcon = /Mobile|Android|iPhone|iPad/.test(userAgent ?? '')
    ? IconDeviceMobile
    : IconDeviceDesktop;
  const how = openedWith[session.openedWith];
  const signedIn = t('signedInOn', { when: format.dateTime(createdAt) });
  return (
    <>
      <DeviceIcon aria-hidden size={24} stroke={1.6} className={classes.icon ?? ''} />
      <div className={classes.text}>
        <span className={classes.device}>
          {device}
          {current && (
            <Badge variant="light" size="sm" tt="none">
              {t('thisDevice')}
            </Badge>
          )}
          {shared && (
            <Badge variant="light" color="gray" size="sm" tt="none">
              {t('sharedComputer')}
            </Badge>
          )}
        </span>
        <span className={classes.details}>
          {current ? t('inUse') : t('lastUsed', { when: format.ago(lastUsedAt) })}
          {ip !== null && ` · ${ip}`}
        </span>
        <span className={classes.details}>{how === null ? signedIn : `${signedIn} · ${t(how)}`}</span>
      </div>
    </>
  );
}
