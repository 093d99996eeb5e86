import { IconAlertTriangle, IconCheck } from '@tabler/icons-react';
import { useFormat } from '../i18n/format.ts';
import { useTexts } from '../i18n/texts.ts';
import { deviceName } from './device-name.ts';
import classes from './EventList.module.css';
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
  if (events.length === 0) return <p className={classes.details}>{t('noEvents')}</p>;
  return (
    <ul className={classes.list}>
      {events.map(({ id, text, isFailure, createdAt, ip, userAgent }) => {
        const EventIcon = isFailure ? IconAlertTriangle : IconCheck;
        const where = [deviceName(userAgent), ip].filter((part) => part !== null);
        return (
          <li key={id} className={classes.item} data-failure={isFailure || undefined}>
            <EventIcon aria-hidden size={18} className={classes.icon ?? ''} />
            <div>
              <span className={classes.title}>{text}</span>
              <span className={classes.details}>
                <time dateTime={createdAt}>{format.dateTime(createdAt)}</time>
                {where.length > 0 && ` · ${where.join(' · ')}`}
              </span>
            </div>
          </li>
        );
      })}
    </ul>
  );
}
