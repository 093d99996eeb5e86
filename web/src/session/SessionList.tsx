import type { Session } from '@classledger/contract';
import { Badge, Button, Group, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconDeviceDesktop, IconDeviceMobile } from '@tabler/icons-react';
import type { UseMutationResult, UseQueryResult } from '@tanstack/react-query';
import type { Page } from '../api/call.ts';
import { Hint } from '../components/Hint.tsx';
import { LoadingOrError } from '../components/LoadingOrError.tsx';
import { useFormat } from '../i18n/format.ts';
import { useTexts } from '../i18n/texts.ts';
import { deviceName } from './device-name.ts';
import { sessionTexts } from './session-texts.ts';

interface SessionListProps {
  readonly sessions: UseQueryResult<Page<Session>>;
  readonly end: UseMutationResult<unknown, Error, { readonly params: { readonly id: number } }>;
  readonly endOthers: UseMutationResult<unknown, Error, object>;
}

export function SessionList({ sessions, end, endOthers }: SessionListProps) {
  const t = useTexts(sessionTexts);
  if (!sessions.data) return <LoadingOrError of={[sessions]} rows={2} height={56} />;
  const { rows } = sessions.data;
  const others = rows.filter(({ current }) => !current);
  return (
    <>
      <ul className="plain-list ruled">
        {[...rows.filter(({ current }) => current), ...others].map((session) => (
          <Group
            key={session.id}
            component="li"
            wrap="nowrap"
            align="flex-start"
            gap="sm"
            pt="sm"
            // The card ends below a single other session, without a text or a button in between.
            pb={others.length === 1 && !session.current ? 0 : 'sm'}
          >
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
          </Group>
        ))}
      </ul>
      {others.length === 0 && <Hint>{t('onlyHere')}</Hint>}
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
  const { current, shared, ip, userAgent, createdAt, lastUsedAt, openedWith } = session;
  const device = deviceName(userAgent) ?? t('unknownDevice');
  const DeviceIcon = /Mobile|Android|iPhone|iPad/.test(userAgent ?? '')
    ? IconDeviceMobile
    : IconDeviceDesktop;
  const signedIn = t('signedInOn', { when: format.dateTime(createdAt) });
  return (
    <>
      <DeviceIcon aria-hidden size={24} stroke={1.6} color="var(--app-text-quiet)" />
      <Stack gap={2} flex={1} miw={0}>
        <Group gap="4px 8px" fw={600}>
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
        </Group>
        <Hint>
          {current ? t('inUse') : t('lastUsed', { when: format.ago(lastUsedAt) })}
          {ip !== null && ` · ${ip}`}
        </Hint>
        <Hint>{openedWith === 'password' ? signedIn : `${signedIn} · ${t(`with_${openedWith}`)}`}</Hint>
      </Stack>
    </>
  );
}

export interface AccountEvent {
  readonly id: number;
  readonly text: string;
  readonly isFailure: boolean;
  readonly createdAt: string;
  readonly ip: string | null;
  readonly userAgent: string | null;
}

export function EventList({ events }: { readonly events: readonly AccountEvent[] }) {
  const t = useTexts(sessionTexts);
  const format = useFormat();
  if (events.length === 0) {
    return <Hint>{t('noEvents')}</Hint>;
  }
  return (
    <ul className="plain-list">
      {events.map(({ id, text, isFailure, createdAt, ip, userAgent }) => {
        const EventIcon = isFailure ? IconAlertTriangle : IconCheck;
        const where = [deviceName(userAgent), ip].filter((part) => part !== null);
        return (
          <Group key={id} component="li" wrap="nowrap" align="flex-start" gap={10} py={8}>
            <EventIcon
              aria-hidden
              size={18}
              color={isFailure ? 'var(--app-minus)' : 'var(--app-text-quiet)'}
              style={{ marginTop: 2 }}
            />
            <div>
              <Text fw={500} c={isFailure ? 'var(--app-minus)' : 'inherit'}>
                {text}
              </Text>
              <Hint>
                <time dateTime={createdAt}>{format.dateTime(createdAt)}</time>
                {where.length > 0 && ` · ${where.join(' · ')}`}
              </Hint>
            </div>
          </Group>
        );
      })}
    </ul>
  );
}
