import { useId } from 'react';
import { useTexts } from '../i18n/texts.ts';
import classes from './SharedComputerChoice.module.css';
import { texts } from './texts.ts';

interface SharedComputerChoiceProps {
  readonly isShared: boolean;
  readonly onChange: (isShared: boolean) => void;
}

/** Uses the browser's checkbox, because the library's is larger than all other code of the sign-in. */
export function SharedComputerChoice({ isShared, onChange }: SharedComputerChoiceProps) {
  const t = useTexts(texts);
  const id = useId();
  return (
    <label className={classes.choice}>
      <input
        type="checkbox"
        checked={isShared}
        onChange={(event) => onChange(event.currentTarget.checked)}
        aria-labelledby={id}
        aria-describedby={`${id}-hint`}
      />
      <span>
        <span id={id}>{t('sharedComputer')}</span>
        <span id={`${id}-hint`} className={classes.hint}>
          {t('sharedComputerHint')}
        </span>
      </span>
    </label>
  );
}
