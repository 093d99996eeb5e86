import { useEffect, useState } from 'react';
import { useTexts } from '../../../i18n/texts.ts';
import { isCertainlyUnsent, isTakenBack } from '../../outbox/entry.ts';
import { reasonOf } from '../../outbox/points-entry.ts';
import { useScoring } from './board-context.ts';
import { usePointsText, useProblemText } from './points-text.ts';
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
      for (const { was, entry } of changes) {
        const what = pointsText(entry);
        if (!was) {
          if (entry.state === 'sending' && isCertainlyUnsent(entry))
            setPolite(t('said', { what, reason: reasonOf(entry) }));
        } else if (entry.state === 'refused' && was.state !== 'refused') {
          setUrgent(t('saidRefused', { what, message: problemText(entry.problem) }));
        } else if (entry.state === 'unsure' && was.state !== 'unsure') {
          setUrgent(t('said', { what, reason: t('stateUnsure') }));
        } else if (isTakenBack(entry) && !isTakenBack(was)) setPolite(t('saidUndone', { what }));
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
