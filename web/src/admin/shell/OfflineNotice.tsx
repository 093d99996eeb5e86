import { Alert, Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { useIsConnected } from '../../api/connection.ts';
import { useTexts } from '../../i18n/texts.ts';
import { announceMoved } from '../../press-guard/guard-presses.ts';
import { texts } from './texts.ts';

interface OfflineNoticeProps {
  /** True on the scoring page, which shows its own notice about unsent points. */
  readonly atScoring: boolean;
  readonly children: ReactNode;
}

export function OfflineNotice({ atScoring, children }: OfflineNoticeProps) {
  const t = useTexts(texts);
  const isConnected = useIsConnected();
  const isShown = !isConnected && !atScoring;
  const whole = useRef<HTMLDivElement>(null);
  const before = useRef(isConnected);
  useLayoutEffect(() => {
    // Announces the move, because the notice appears by itself and moves the page under a finger.
    if (before.current !== isConnected && !atScoring && whole.current) announceMoved(whole.current);
    before.current = isConnected;
  }, [isConnected, atScoring]);
  return (
    <div ref={whole}>
      {isShown && (
        <Alert color="gray" py="xs" mb="md" role="status">
          {t('offline')}{' '}
          <Anchor component={Link} to="/scoring" underline="always" fz="inherit">
            {t('toScoring')}
          </Anchor>
        </Alert>
      )}
      {children}
    </div>
  );
}
