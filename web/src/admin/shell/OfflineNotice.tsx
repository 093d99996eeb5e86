import { Alert, Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { useConnected } from '../../api/connection.ts';
import { useTexts } from '../../i18n/texts.ts';
import { sayMoved } from '../../steady-place/guard-places.ts';
import { texts } from './texts.ts';

interface OfflineNoticeProps {
  /** The address leads to scoring, which says itself what waits. */
  readonly atScoring: boolean;
  readonly children: ReactNode;
}

/** Says above a page that the server does not answer, and what can be done all the same. */
export function OfflineNotice({ atScoring, children }: OfflineNoticeProps) {
  const t = useTexts(texts);
  const isConnected = useConnected();
  const isShown = !isConnected && !atScoring;
  const whole = useRef<HTMLDivElement>(null);
  const before = useRef(isConnected);
  useLayoutEffect(() => {
    // It comes and goes by itself, and moves what a finger may be on its way to.
    if (before.current !== isConnected && !atScoring && whole.current) sayMoved(whole.current);
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
