import type { Session } from '@classledger/contract';
import { Badge, Button } from '@mantine/core';
import { IconDeviceDesktop, IconDeviceMobile } from '@tabler/icons-react';
import { useFormat } from '../i18n/format.ts';
import { useTexts } from '../i18n/texts.ts';
import { deviceName } from './device-name.ts';
import classes from './SessionList.module.css';
import { sessionTexts } from './session-texts.ts';

interface SessionListProps {
  readonly sessions: readonly Session[];
  readonly onEnd: (id: number) => void;
  readonly onEndOthers: () => void;
  /** The one that is being ended. */
  readonly ending: number | 'others' | null;
}

const openedWith = {
  password: null,
  passkey: 'withPasskey',
  provider: 'withProvider',
  code: 'withCode',
} as const;

/** Where a person is signed in, this device first, with the way to end each of the others. */
export function SessionList({ sessions, onEnd, onEndOthers, ending }: SessionListProps) {
  const t = useTexts(sessionTexts);
  const others = sessions.filter(({ current }) => !current);
  return (
    <>
      <ul className={classes.list}>
        {[...sessions.filter(({ current }) => current), ...others].map((session) => (
          <li key={session.id} className={classes.item}>
            <SessionLine session={session} />
            {!session.current && (
              <Button
                variant="default"
                size="sm"
                loading={ending === session.id}
                onClick={() => onEnd(session.id)}
                aria-label={t('endOf', { device: deviceName(session.userAgent) ?? t('unknownDevice') })}
              >
                {t('end')}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {others.length === 0 && <p className={classes.about}>{t('onlyHere')}</p>}
      {others.length > 1 && (
        <Button variant="default" mt="md" loading={ending === 'others'} onClick={onEndOthers}>
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
  const Mark = /Mobile|Android|iPhone|iPad/.test(userAgent ?? '') ? IconDeviceMobile : IconDeviceDesktop;
  const how = openedWith[session.openedWith];
  const signedIn = t('signedInOn', { when: format.dateTime(createdAt) });
  return (
    <>
      <Mark aria-hidden size={24} stroke={1.6} className={classes.mark ?? ''} />
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
        <span className={classes.about}>
          {current ? t('inUse') : t('lastUsed', { when: format.ago(lastUsedAt) })}
          {ip !== null && ` · ${ip}`}
        </span>
        <span className={classes.about}>{how === null ? signedIn : `${signedIn} · ${t(how)}`}</span>
      </div>
    </>
  );
}
