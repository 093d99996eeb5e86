import { Group, Text } from '@mantine/core';
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react';
import { useFormat } from '../i18n/format.ts';
import { useTexts } from '../i18n/texts.ts';
import { deviceName } from './device-name.ts';
import { sessionTexts } from './session-texts.ts';

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
    return (
      <Text fz="sm" c="dimmed">
        {t('noEvents')}
      </Text>
    );
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
              <Text fz="sm" c="dimmed">
                <time dateTime={createdAt}>{format.dateTime(createdAt)}</time>
                {where.length > 0 && ` · ${where.join(' · ')}`}
              </Text>
            </div>
          </Group>
        );
      })}
    </ul>
  );
}
