import { ScoreText } from '../components/ScoreText.tsx';
import { useTexts } from '../i18n/texts.ts';
import classes from './SampleLedger.module.css';
import { texts } from './texts.ts';

/** Shows sample records. Hidden from screen readers, because the text beside it says the same. */
export function SampleLedger() {
  const t = useTexts(texts);
  const lines = [
    [t('sampleFirst'), t('sampleHomework'), 2],
    [t('sampleSecond'), t('sampleHelp'), 3],
    [t('sampleThird'), t('sampleLate'), -1],
  ] as const;
  return (
    <div className={classes.ledger} aria-hidden="true">
      <div className={classes.head}>{t('sampleTitle')}</div>
      {lines.map(([name, reason, points]) => (
        <div key={reason} className={classes.line}>
          <span className={classes.initial}>{name.charAt(0)}</span>
          <span className={classes.description}>
            <span className={classes.name}>{name}</span>
            <span className={classes.reason}>{reason}</span>
          </span>
          <ScoreText value={points} pill />
        </div>
      ))}
      <div className={classes.total}>
        <span>{t('sampleTotal')}</span>
        <ScoreText value={4} pill />
      </div>
    </div>
  );
}
