import { LeaveGuard } from '../../../components/LeaveGuard.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import type { RunProgress } from '../../lists/list-run.ts';
import { texts as passwordTexts } from '../passwords/texts.ts';
import { texts } from './texts.ts';

interface ImportLeaveGuardProps {
  readonly changed: boolean;
  readonly progress: RunProgress | null;
  readonly passwordsAtRisk: boolean;
}

export function ImportLeaveGuard({ changed, progress, passwordsAtRisk }: ImportLeaveGuardProps) {
  const t = useTexts(texts);
  const p = useTexts(passwordTexts);
  if (progress && progress.state !== 'finished') {
    return (
      <LeaveGuard active title={t('leaveTitle')} text={t('leaveRunningText')} confirmLabel={t('leave')} />
    );
  }
  if (progress) {
    return (
      <LeaveGuard
        active={passwordsAtRisk}
        title={p('leaveTitle')}
        text={p('leaveText')}
        confirmLabel={p('leave')}
      />
    );
  }
  return (
    <LeaveGuard active={changed} title={t('leaveTitle')} text={t('leaveText')} confirmLabel={t('leave')} />
  );
}
