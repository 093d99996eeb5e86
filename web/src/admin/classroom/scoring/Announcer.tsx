import { useEffect, useState } from 'react';
import { useTexts } from '../../../i18n/texts.ts';
import { isCertainlyUnsent, isTakenBack } from '../../outbox/entry.ts';
import { reasonOf } from '../../outbox/points-entry.ts';
import { useScoring } from './board-context.ts';
import { usePointsText, useProblemText } from './tap-text.ts';
import { texts } from './texts.ts';

export function Announcer({ said }: { readonly said: string }) {
  const t = useTexts(texts);
  const { queue } = useScoring();
  const pointsText = usePointsText();
  const problemText = useProblemText();
  const [polite, setPolite] = useState('');
  const [urgent, setUrgent] = useState('');
  useEffect(() => {
    return queue.subscribe((changes) => {
      for (const { was, tap } of changes) {
        const what = pointsText(tap);
        if (!was) {
          if (tap.state === 'sending' && isCertainlyUnsent(tap))
            setPolite(t('said', { what, reason: reasonOf(tap) }));
        } else if (tap.state === 'refused' && was.state !== 'refused') {
          setUrgent(t('saidRefused', { what, message: problemText(tap.problem) }));
        } else if (tap.state === 'unsure' && was.state !== 'unsure') {
          setUrgent(t('said', { what, reason: t('stateUnsure') }));
        } else if (isTakenBack(tap) && !isTakenBack(was)) setPolite(t('saidUndone', { what }));
      }
    });
  }, [queue, t, pointsText, problemText]);
  useEffect(() => {
    if (said) setPolite(said);
  }, [said]);
  return (
    <>
      <div className="visually-hidden" role="status" aria-live="polite">
        {polite}
      </div>
      <div className="visually-hidden" role="alert">
        {urgent}
      </div>
    </>
  );
}
